"""Every MUST of the specification has a test, and every test quotes what it checks."""

from __future__ import annotations

import json
import re

from tests.conformance.quoting import ROOT, Quoted, all_quotes, plain, spec_ids, specification
from tests.kit.cases import together
from twentytwo_conform.client_suite.duties import DUTIES
from twentytwo_protocol.folding import STANDING
from twentytwo_protocol.schema import EVENTS

QUOTES = list(all_quotes())
OF_CLIENTS = {id: duty for id, duty in DUTIES.items() if id.startswith("B")}
ELSEWHERE = dict.fromkeys(OF_CLIENTS, "twentytwo conform --client, which tests/client_suite tries")
"""Ids that no test here can check, and where they are checked."""


@together("quote", QUOTES)
def test_what_a_test_quotes_is_in_the_specification(quote: Quoted) -> None:
    assert plain(quote.sentence) in plain(specification()), quote.sentence


def test_every_id_of_the_specification_has_a_test() -> None:
    tested = {id for quote in QUOTES for id in quote.ids} | set(ELSEWHERE)
    assert spec_ids() - tested == set(), "ids without a test"
    assert tested - spec_ids() == set(), "tests for ids that do not exist"


def test_what_a_client_has_to_do_is_in_the_specification() -> None:
    assert [
        id for id, said in OF_CLIENTS.items() if plain(said) not in plain(specification())
    ] == []
    assert DUTIES.keys() <= spec_ids()


def test_ids_are_given_once_and_in_order() -> None:
    found = re.findall(r"(?:^- |^\||\| |^|\s)\[([A-Z])([0-9]+)\] ", specification())
    given: dict[str, list[int]] = {}
    for letter, number in found:
        given.setdefault(letter, []).append(int(number))
    for letter, numbers in given.items():
        assert numbers == list(range(1, len(numbers) + 1)), f"{letter}: {numbers}"


def test_the_core_is_read_in_some_20_minutes() -> None:
    core = re.split(r"(?m)^## (?:1|16)\. ", specification())[1]
    count = len(re.sub(r"(?ms)^```.*?^```", "", core).split())
    (said,) = re.findall(r"the core, about ([\d,]+) words, 22 minutes", plain(specification()))
    assert abs(count - int(said.replace(",", ""))) < 100, count
    assert count < 22 * 250


def test_every_word_in_capitals_is_a_word_of_the_protocol() -> None:
    """The page names no event, row or code that does not exist."""
    reference = (ROOT / "protocol" / "REFERENCE.md").read_text(encoding="utf-8")
    known = set(re.findall(r"`([A-Z][A-Z_]+)`", reference))
    prose = re.sub(r"```.*?```", "", specification(), flags=re.DOTALL)
    used = {
        word
        for code in re.findall(r"`([^`]+)`", prose)
        for word in re.findall(r"\b[A-Z][A-Z_]{2,}\b", code)
    }
    others = {
        "NAME", "PASSWORD", "DATA", "COMMAND", "OLD", "NEW", "LABEL", "NUMBER", "LOGIN", "SCRAM",
        "SHA", "ECHO", "TOKEN_REVOKED",
        "IAC", "DO", "DONT", "WILL", "WONT", "TOKEN", "STREAM", "SEQ", "MOVE", "DEFAULT", "WORD",
        "GAME", "HEX", "HTTP", "HOST", "PORT", "FLOOD", "IDLE", "REPLACED", "LOBBY_PAUSED",
        "STORAGE", "STORAGE_OK", "SET_ASIDE",
    }  # fmt: skip
    assert used - known - others == set()


def test_the_schema_files_are_json() -> None:
    paths = list((ROOT / "protocol" / "schema").glob("*.json"))
    assert paths
    for path in paths:
        assert isinstance(json.loads(path.read_text(encoding="utf-8")), dict)


def test_what_a_snapshot_holds_is_named() -> None:
    (sentence,) = re.findall(r"- \[S4\] (.*?)\n- \[", specification(), flags=re.DOTALL)
    standing = {word for word, cls in EVENTS.items() if cls.scope in STANDING}
    rows = {"STATE", "OPTION", "COMMITTED", "SEAT", "CLOCK"}
    assert set(re.findall(r"[A-Z]{3,}", sentence)) == standing | rows
