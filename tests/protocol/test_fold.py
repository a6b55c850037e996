"""The fold of a table's events, as vectors for any language; they are written by `fold`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.quoting import quotes
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


@quotes("has streams of tables, every line with what is known after it", "S4")
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
