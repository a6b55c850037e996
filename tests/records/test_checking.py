"""What is wrong with a record is found, wherever it is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.records.corpus import FOLDER
from tests.records.live import Live, played
from twentytwo_protocol import record as records
from twentytwo_protocol.fair import commitment
from twentytwo_protocol.record import Record, RecordedMove, RecordedShuffle
from twentytwo_protocol.words.cardplay import Handover
from twentytwo_server.games.registry import games
from twentytwo_server.records import telling
from twentytwo_server.records.checking import wrong
from twentytwo_server.table.match import MOST_HANDS


@pytest.fixture
def record() -> Record:
    return records.read((FOLDER / "v1" / "twentytwo-pagat-1.txt").read_text())


def fair(record: Record) -> RecordedShuffle:
    assert record.fair is not None
    return record.fair


def test_a_right_record_has_nothing_wrong(record: Record) -> None:
    assert wrong(record, games()) is None


def test_a_word_that_no_player_can_have_given_is_found(record: Record) -> None:
    other = replace(fair(record), words=("kitten", " 8", "-"))
    found = wrong(replace(record, fair=other), games())
    assert found is not None and "' 8' will not do" in found.why


def test_a_play_without_a_card_is_found_with_its_number() -> None:
    record = records.read((FOLDER / "v1" / "whist22-bga-1.txt").read_text())
    number = next(i for i, made in enumerate(record.moves) if made.act == "play")
    moves = (*record.moves[:number], replace(record.moves[number], token="+"))
    found = wrong(replace(record, moves=moves), games())
    assert found is not None and found.move == number + 1


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
    longer = replace(record, moves=(*record.moves, RecordedMove(1, "play", "2")))
    found = wrong(longer, games())
    assert found is not None and found.move == len(longer.moves)


def test_a_record_that_claims_an_end_that_did_not_come_is_found(record: Record) -> None:
    cut = replace(record, moves=record.moves[:10])
    found = wrong(cut, games())
    assert found is not None


def test_another_end_and_other_results_are_found(record: Record) -> None:
    found = wrong(replace(record, end="shared"), games())
    assert found is not None and "(shared)" in found.why
    first, *others = record.results
    better = (replace(first, total=first.total + 1), *others)
    found = wrong(replace(record, results=better), games())
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


# ----------------------------------------------------------------- games that went on too long


@pytest.fixture
def most() -> int:
    """Games end after few hands here, so that these tests do not play five hundred each."""
    return 4


def endless(most_hands: int, most: int = 1_000_000) -> Live:
    """A game that its rules do not end for long."""
    options = {"target": "50", "loss_limit": "0"}
    return played("twentyeight", "denexa", 7, most=most, options=options, most_hands=most_hands)


def test_a_game_that_was_ended_after_five_hundred_hands_is_right() -> None:
    long = endless(MOST_HANDS)
    kept = records.read(long.ended.record)
    assert (kept.end, MOST_HANDS) == ("hands", 500)
    assert max(e.no for e in long.game if isinstance(e, Handover)) == MOST_HANDS
    assert wrong(kept, games()) is None


def test_it_is_told_again_as_it_was(most: int) -> None:
    long = endless(most)
    assert telling.told(records.read(long.ended.record), games()) == long.game


def test_that_it_was_ended_is_not_believed_of_a_game_that_was_shorter(most: int) -> None:
    kept = records.read(endless(most).ended.record)
    shorter = replace(kept, moves=kept.moves[:-1])
    found = wrong(shorter, games())
    assert found is not None and "(hands), but the game goes on" in found.why
    found = wrong(replace(shorter, hands=0), games())
    assert found is not None and "it is nobody's turn" in found.why


def test_a_record_from_before_it_said_how_many_were_set_is_right(most: int) -> None:
    kept = records.read(endless(most).ended.record)
    assert (kept.hands, "\nhands 4\n" in records.write(kept)) == (4, True)
    assert wrong(replace(kept, hands=0), games()) is None


def test_nobody_moves_after_that_end(most: int) -> None:
    kept = records.read(endless(most).ended.record)
    found = wrong(replace(kept, moves=(*kept.moves, RecordedMove(1, "play", "7S"))), games())
    assert found is not None and found.move == len(kept.moves) + 1


def test_a_result_that_the_score_does_not_give_is_found(most: int) -> None:
    kept = records.read(endless(most).ended.record)
    results = [replace(each, place=5 - each.place) for each in kept.results]
    found = wrong(replace(kept, results=tuple(results)), games())
    assert found is not None and "the result of seat" in found.why


def test_a_game_that_went_on_before_there_was_such_an_end_is_right(most: int) -> None:
    older = endless(0, most=400)
    kept = records.read(older.ended.record)
    hands = [event.no for event in older.game if isinstance(event, Handover)]
    assert kept.end == "aborted agreed" and hands[-1] > most
    assert wrong(kept, games()) is None
