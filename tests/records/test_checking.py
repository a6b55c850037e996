"""What is wrong with a record is found, wherever it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.records.corpus import FOLDER
from twentytwo_protocol import record as records
from twentytwo_protocol.fair import commitment
from twentytwo_protocol.record import Made, Record, RecordedShuffle
from twentytwo_server.games.registry import games
from twentytwo_server.records.checking import wrong


@pytest.fixture
def record() -> Record:
    return records.read((FOLDER / "v1" / "twentytwo-pagat-1.txt").read_text())


def fair(record: Record) -> RecordedShuffle:
    assert record.fair is not None
    return record.fair


def test_a_right_record_has_nothing_wrong(record: Record) -> None:
    assert wrong(record, games()) is None


def test_an_illegal_move_is_found_with_its_number(record: Record) -> None:
    number = next(i for i, made in enumerate(record.moves) if made.act == "play")
    moves = list(record.moves)
    moves[number] = replace(moves[number], token="2+3+4")
    found = wrong(replace(record, moves=tuple(moves)), games())
    assert found is not None and found.move == number + 1
    assert found.why.startswith("play 2+3+4: ")


def test_a_move_of_somebody_else_is_found(record: Record) -> None:
    number = next(i for i, made in enumerate(record.moves) if made.act == "play")
    moves = list(record.moves)
    moves[number] = replace(moves[number], seat=moves[number].seat % record.seats + 1)
    found = wrong(replace(record, moves=tuple(moves)), games())
    assert found is not None and "turn, not seat" in found.why


def test_a_move_after_the_end_is_found(record: Record) -> None:
    longer = replace(record, moves=(*record.moves, Made(1, "play", "2")))
    found = wrong(longer, games())
    assert found is not None and found.move == len(longer.moves)


def test_a_record_that_claims_an_end_that_did_not_come_is_found(record: Record) -> None:
    cut = replace(record, moves=record.moves[:10])
    found = wrong(cut, games())
    assert found is not None


def test_another_end_and_other_results_are_found(record: Record) -> None:
    found = wrong(replace(record, end="shared"), games())
    assert found is not None and "(shared)" in found.why
    first, *others = record.places
    better = (replace(first, total=first.total + 1), *others)
    found = wrong(replace(record, places=better), games())
    assert found is not None and f"seat {first.seat}" in found.why


def test_a_seed_that_was_not_promised_is_found(record: Record) -> None:
    other = replace(fair(record), seed="ab" * 64)
    found = wrong(replace(record, fair=other), games())
    assert found is not None and "promised" in found.why


def test_a_shuffle_that_does_not_follow_is_found_with_its_move(record: Record) -> None:
    seed = "ab" * 64
    other = replace(fair(record), seed=seed, commitment=commitment(seed))
    found = wrong(replace(record, fair=other), games())
    assert found is not None and found.move == 1 and "seed and the words" in found.why
    words = replace(fair(record), words=("other", *fair(record).words[1:]))
    found = wrong(replace(record, fair=words), games())
    assert found is not None and found.move == 1
