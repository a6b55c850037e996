"""The fold of a table's events, as vectors for any language; they are written by `fold`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.quoting import quotes, specification
from tests.protocol.fold import FOLDER, folded
from tests.protocol.values import VOCABULARY
from twentytwo_protocol.schema import EVENTS, Event

FILES = sorted(FOLDER.glob("*.jsonl"))
files = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def read(path: Path) -> tuple[int | None, list[dict[str, Any]]]:
    """Whose view a file is, and its vectors."""
    assert VOCABULARY
    first, *vectors = map(json.loads, path.read_text().splitlines())
    return first["me"], vectors


@quotes("has streams of all four games, every line and the model after it", "S4", "U3")
@files
def test_a_stream_is_folded_as_its_vectors_say(path: Path) -> None:
    me, vectors = read(path)
    assert list(folded(me, [each["line"] for each in vectors])) == vectors


def test_every_event_that_changes_what_is_known_is_in_a_vector() -> None:
    told = {each["line"].partition(" ")[0] for path in FILES for each in read(path)[1]}
    folding = {
        word for word, cls in EVENTS.items() if cls.stream == "table" and cls.fold is not Event.fold
    }
    assert folding - told == set()


@files
def test_the_numbers_of_a_stream_have_no_gap(path: Path) -> None:
    _, vectors = read(path)
    numbers = [int(each["line"].partition(" seq=")[2].partition(" ")[0]) for each in vectors]
    assert numbers == list(range(1, len(numbers) + 1))


def rows_of(head: str) -> list[tuple[str, str, str]]:
    """The cells of a table of the specification, by its first line."""
    body = specification().partition(head)[2].partition("\n\n")[0]
    cells = (line.strip("|").split("|") for line in body.splitlines()[2:])
    return [(each[0], each[1], each[2] if len(each) > 2 else "") for each in cells]


def words_in(text: str) -> set[str]:
    return set(re.findall(r"`([A-Z]+)`", text))


@quotes("Each event changes it like this; an event that is not listed changes nothing", "U1")
def test_the_table_of_the_specification_has_every_event_that_changes_what_is_known() -> None:
    listed = {
        word for event, _, _ in rows_of("| event | what it changes |") for word in words_in(event)
    }
    changing = {
        each["line"].partition(" ")[0]
        for path in FILES
        for each in read(path)[1]
        if each["model"].keys() - {"standing"}
    }
    assert changing <= listed
    # TRUMP has a row to say that it changes nothing.
    assert listed - changing == {"TRUMP"}


@quotes("an event that stands is dropped by the next event that ends its scope", "U2")
def test_the_table_of_the_specification_says_what_ends_what() -> None:
    listed = {
        scope.strip().removeprefix("a ").removeprefix("the "): words_in(events)
        for scope, events, _ in rows_of("| ends | events |")
    }
    declared: dict[str, set[str]] = {}
    for word, cls in EVENTS.items():
        if cls.ends:
            declared.setdefault(cls.ends, set()).add(word)
    declared["table"] = declared.pop("game", set()) | declared.get("table", set())
    assert listed == declared
