"""The vectors for other languages hold here too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conformance.quoting import ROOT
from tests.kit.cases import together
from tests.protocol.values import VOCABULARY
from twentytwo_protocol import cards, wire
from twentytwo_protocol.cards import NotACard
from twentytwo_protocol.framing import Flaw, LineBuffer
from twentytwo_protocol.schema import COMMANDS, Malformed

DECKS = {"standard": cards.STANDARD, "tarot": cards.TAROT}


def vectors(name: str) -> list[Any]:
    """A file of vectors, one object a line."""
    path = ROOT / "protocol" / "vectors" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def _ids(name: str) -> list[str]:
    return [f"{name}{number}" for number in range(1, len(vectors(name)) + 1)]


@together("vector", vectors("lines"))
def test_a_line_is_read_as_its_vector_says(vector: dict[str, Any]) -> None:
    assert VOCABULARY
    record = wire.parse(vector["line"])
    assert record is not None
    assert len(vector["line"].encode()) <= 8190
    assert (record.word, dict(record.fields), record.text, record.id) == (
        vector["word"],
        vector["fields"],
        vector["text"],
        vector["id"],
    )
    if "json" in vector:
        assert wire.parse_json(json.dumps(vector["json"])) == record
        message = wire.decode(record)
        assert message is not None
        envelope = {"on": record.on, "seq": record.seq} if record.seq else {}
        written = wire.write_json(message, re_=record.id or "", **envelope)  # type: ignore[arg-type]
        assert json.loads(written) == vector["json"]


@together("vector", vectors("bad-lines"))
def test_a_bad_line_is_refused_as_its_vector_says(vector: dict[str, Any]) -> None:
    found = _server(vector["line"]) if vector["from"] == "server" else _client(vector["line"])
    assert found == vector["error"]


def _server(line: str) -> str | None:
    try:
        record = wire.parse(line)
    except Malformed:
        return "BAD_SYNTAX"
    try:
        wire.decode(record) if record else None
    except Malformed:
        return "BAD_ARG"
    return None


def _client(line: str) -> str | None:
    if not line.strip():
        return None
    try:
        said = wire.split_command(line)
    except Malformed:
        return "BAD_SYNTAX"
    if said.verb not in COMMANDS:
        return "UNKNOWN_VERB"
    try:
        wire.read_command(COMMANDS[said.verb], said.rest)
    except Malformed:
        return "BAD_ARG"
    return None


@together("vector", vectors("framing"))
def test_bytes_become_lines_as_their_vector_says(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["bytes"])
    for step in (1, 2, 3, len(data)):
        buffer = LineBuffer(vector["limit"])
        lines: list[str | Flaw] = []
        for start in range(0, len(data), step):
            lines += buffer.feed(data[start : start + step])
        shown = [{"error": line.value} if isinstance(line, Flaw) else line for line in lines]
        assert shown == vector["lines"]


@together("vector", vectors("cards"))
def test_cards_are_read_as_their_vector_says(vector: dict[str, Any]) -> None:
    deck = DECKS[vector["deck"]]
    words = vector["written"].split()
    if vector["cards"] is None:
        with pytest.raises(NotACard):
            deck.read(words)
    else:
        assert list(deck.read(words)) == vector["cards"]
