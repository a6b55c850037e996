"""What a review takes from a record: decisions, what was seen, hands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.review.games import SHORT, recorded, short
from twentytwo_protocol.record import write
from twentytwo_protocol.words.cardplay import Dealt, Exchanged, Gameover, Handover
from twentytwo_server.games.registry import games
from twentytwo_server.review.played_again import NotReviewable, played_again, read_record


@together("key", SHORT)
def test_every_move_of_a_player_is_a_decision_with_the_question_that_it_answers(key: str) -> None:
    found = short(key)
    made = {n: move for n, move in enumerate(found.record.moves, 1) if move.seat}
    assert [each.move for each in found.decisions] == [*made]
    for each in found.decisions:
        assert (each.seat, each.turn.act, each.played) == (
            made[each.move].seat,
            made[each.move].act,
            made[each.move].token,
        )


@together("key", SHORT)
def test_the_hands_are_those_of_the_game_and_lead_to_its_end(key: str) -> None:
    found = short(key)
    over = [event for event in found.events if isinstance(event, Handover)]
    assert [(hand.no, hand.losers) for hand in found.hands] == [(e.no, e.losers) for e in over]
    assert found.game.turn(found.hands[-1].over) is None
    assert isinstance(found.events[-1], Gameover)


def test_nobody_is_judged_by_cards_that_they_could_not_see() -> None:
    found = short("twentytwo")
    last = found.decisions[-1]
    for event in found.seen(last):
        if isinstance(event, Dealt | Exchanged) and event.seat != last.seat:
            assert getattr(event, "cards", None) is None
            assert getattr(event, "got", None) is None


def test_a_game_that_is_not_over_is_not_reviewed() -> None:
    running = replace(recorded("twentytwo"), end="", results=())
    with pytest.raises(NotReviewable, match=r"This game is not over\."):
        played_again(running, games())


def test_a_game_that_was_broken_off_is_reviewed_as_far_as_it_went() -> None:
    whole = recorded("twentytwo")
    # At a question: a shuffle is never the last that is kept of a game.
    at = next(n for n in range(20, 30) if whole.moves[n].seat)
    part = replace(whole, moves=whole.moves[:at], end="aborted vote", results=())
    found = played_again(part, games())
    assert len(found.decisions) == sum(1 for move in part.moves if move.seat)
    assert found.hands[-1].over is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"version": 99}, "cannot be played again: it was played by version 99"),
        ({"game": "bridge"}, "cannot be played again: there is no game bridge"),
    ],
)
def test_a_record_that_cannot_be_played_again_says_why(change: dict[str, object], why: str) -> None:
    with pytest.raises(NotReviewable, match=why):
        played_again(replace(recorded("twentytwo"), **change), games())


def test_what_is_no_record_says_so() -> None:
    with pytest.raises(NotReviewable, match="That is not a record: line 1"):
        read_record("hello")
    assert read_record(write(recorded("twentytwo"))).game == "twentytwo"
