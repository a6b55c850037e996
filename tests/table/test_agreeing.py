"""Votes, resigning, leaving: what ends or changes a game that is no move."""

from __future__ import annotations

import random

import pytest

from tests.kit import tables, truth
from twentytwo_protocol.schema import Command
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Aborted, Gameover, Paused, Result, Unpaused, Vote
from twentytwo_protocol.words.seating import Joined, Left
from twentytwo_server.table.effects import Away, Back, Close, Renamed, Think
from twentytwo_server.table.table import Phase


def test_a_game_is_paused_when_everybody_who_is_here_agrees() -> None:
    run = tables.started(3)
    assert run.order("ann", cardplay.Pause()) == [Vote("ann", "pause", 1, 0, 3)]
    assert run.order("ann", cardplay.Pause()) == [Vote("ann", "pause", 1, 0, 3)]
    assert run.order("bob", cardplay.Pause()) == [Vote("bob", "pause", 2, 0, 3)]
    assert run.order("cat", cardplay.Pause()) == [Paused("cat")]
    assert run.refused("ann", cardplay.Pause()).code == "PAUSED"
    truth.check(run)


def test_bots_and_those_who_are_away_are_not_asked() -> None:
    run = tables.started(2, bots=1)
    run.order("", Away("bob"))
    assert run.order("ann", cardplay.Pause()) == [Paused("ann")]


def test_nobody_moves_while_the_game_is_paused() -> None:
    run = tables.started(2)
    run.order("ann", cardplay.Pause())
    run.order("bob", cardplay.Pause())
    assert run.refused(run.mover, cardplay.Move("-")).code == "PAUSED"


def test_anybody_at_the_table_goes_on_after_a_pause() -> None:
    run = tables.started(2)
    assert run.refused("ann", cardplay.Unpause()).code == "NO_GAME"
    for name in ("ann", "bob"):
        run.order(name, cardplay.Pause())
    assert run.order("bob", cardplay.Unpause()) == [Unpaused("bob")]
    run.default()


def test_a_bot_on_turn_is_asked_again_after_a_pause() -> None:
    run = tables.started(1, bots=2)
    while run.mover == "ann":
        run.default()
    assert run.thinking == [Think(run.asked.seat, run.asked.turn)]
    run.order("ann", cardplay.Pause())
    assert run.thinking == []
    run.order("ann", cardplay.Unpause())
    assert run.thinking == [Think(run.asked.seat, run.asked.turn)]


def test_votes_for_one_thing_do_not_count_for_another() -> None:
    run = tables.started(2)
    run.order("ann", cardplay.Pause())
    assert run.order("bob", cardplay.Abort()) == [Vote("bob", "abort", 1, 0, 2)]
    assert run.playing


def test_a_vote_goes_with_whoever_leaves() -> None:
    run = tables.started(3)
    run.order("cat", cardplay.Abort())
    run.order("cat", words.Leave())
    assert run.order("ann", cardplay.Abort()) == [Vote("ann", "abort", 1, 0, 2)]


def test_a_game_is_aborted_when_everybody_who_is_here_agrees() -> None:
    run = tables.started(2, bots=1)
    run.order("ann", cardplay.Abort())
    assert Aborted("agreed") in run.order("bob", cardplay.Abort())
    assert run.table.phase is Phase.OVER
    assert not run.table.votes
    truth.check(run)
    assert run.refused("ann", cardplay.Abort()).code == "NO_GAME"


def test_a_game_that_does_not_count_is_aborted_by_those_who_are_here() -> None:
    run = tables.started(2)
    run.order("", Away("bob"))
    assert Aborted("agreed") in run.order("ann", cardplay.Abort())


def test_a_game_that_counts_is_paused_by_those_who_are_here() -> None:
    run = tables.started(2, rated=True)
    run.order("", Away("bob"))
    assert run.order("ann", cardplay.Pause()) == [Paused("ann")]


def test_a_game_that_counts_is_not_aborted_while_somebody_is_away() -> None:
    run = tables.started(2, rated=True)
    run.order("", Away("bob"))
    assert run.order("ann", cardplay.Abort()) == [Vote("ann", "abort", 1, 0, 2)]
    run.order("", Back("bob"))
    assert Aborted("agreed") in run.order("bob", cardplay.Abort())
    truth.check(run)


def test_nobody_calls_off_a_game_that_counts_for_one_who_has_left_it() -> None:
    run = tables.started(3, rated=True)
    run.order("bob", words.Leave())
    run.order("ann", cardplay.Pause())
    refused = run.refused("ann", cardplay.Abort())
    assert refused.code == "FORBIDDEN"
    assert "a player has left" in refused.text
    truth.check(run)


@pytest.mark.parametrize("leaver", ["ann", "bob"])
def test_whoever_leaves_a_game_for_two_that_counts_has_lost_it(leaver: str) -> None:
    run = tables.started(2, rated=True)
    told = run.order(leaver, words.Leave())
    loser, winner = (1, 2) if leaver == "ann" else (2, 1)
    results = {event.seat: event.place for event in told if isinstance(event, Result)}
    assert results == {winner: 1, loser: 2}
    assert Gameover((winner,), "resigned") in told
    assert run.table.phase is Phase.OVER
    assert [seat.number for seat in run.table.seats] == [winner]
    truth.check(run)


@pytest.mark.parametrize("last", [words.Leave(), cardplay.Resign()])
def test_a_game_that_counts_is_played_out_when_the_last_of_its_players_leaves(
    last: Command,
) -> None:
    run = tables.started(3, rated=True)
    run.order("bob", words.Leave())
    run.order("ann", cardplay.Resign())
    before = len(run.kept)
    told = run.order("cat", last)
    assert len([event for event in told if isinstance(event, Result)]) == 3
    assert any(isinstance(event, Gameover) and event.why == "last" for event in told)
    assert not any(isinstance(event, Aborted) for event in told)
    assert run.table.people == ()
    assert all(move.auto for move in run.kept[before:] if move.seat)
    assert run.effects == [Close()]
    truth.check(run)


def test_a_game_that_does_not_count_is_given_up_when_the_last_of_its_players_leaves() -> None:
    run = tables.started(2)
    run.order("bob", words.Leave())
    assert Aborted("abandoned") in run.order("ann", words.Leave())


def test_of_two_players_the_other_wins_when_one_resigns() -> None:
    run = tables.started(2)
    told = run.order("ann", cardplay.Resign())
    assert told[1:4] == [
        Result(2, 1, 0, wins=1),
        Result(1, 2, 0, wins=0),
        Gameover((2,), "resigned"),
    ]
    assert run.table.phase is Phase.OVER
    truth.check(run)


def test_a_game_that_ends_by_resignation_says_so() -> None:
    voice = Voice({1: "~ann", 2: "~bob"}, 1)
    said = voice.sentence(Gameover((2,), "resigned"))
    assert said.startswith("*** Game over by resignation. ~bob wins.")


def test_resigning_in_a_paused_game_ends_the_pause_too() -> None:
    run = tables.started(2)
    for name in ("ann", "bob"):
        run.order(name, cardplay.Pause())
    run.order("bob", cardplay.Resign())
    truth.check(run)


def test_with_more_players_a_bot_takes_the_seat_of_whoever_resigns() -> None:
    run = tables.started(3)
    told = run.order("bob", cardplay.Resign())
    assert told[:2] == [Left(2, "bob", "resigned"), Joined(2, "bot:steady", True)]
    assert run.playing
    truth.check(run)


@pytest.mark.parametrize("order", [words.Leave(), cardplay.Resign()])
def test_a_bot_plays_on_at_once_where_somebody_leaves_on_their_turn(order: Command) -> None:
    run = tables.started(3)
    run.play(random.Random(1), 7)
    mover, asked = run.mover, run.asked
    run.order(mover, order)
    assert run.asked == asked
    assert run.thinking == [Think(asked.seat, asked.turn)]
    truth.check(run)


def test_the_cards_and_the_score_stay_with_the_seat_that_a_bot_takes_over() -> None:
    run = tables.started(3)
    chance = random.Random(2)
    while not any(seat.total for seat in run.model(None).seats.values()):
        run.play(chance, 1)
    before = run.model(None).seats
    leaver = next(number for number, seat in before.items() if seat.total)
    run.order(run.table.names[leaver], words.Leave())
    after = run.model(None).seats[leaver]
    assert (after.name, after.bot) == ("bot:steady", True)
    assert (after.cards, after.total) == (before[leaver].cards, before[leaver].total)
    assert after.total
    truth.check(run)


def test_whoever_left_a_running_game_has_no_seat_any_more() -> None:
    run = tables.started(3)
    run.order("bob", words.Leave())
    assert run.refused("bob", cardplay.Pause()).code == "NOT_SEATED"


def test_the_game_ends_as_usual_after_somebody_left() -> None:
    run = tables.started(3)
    run.order("bob", words.Leave())
    run.play(random.Random(1))
    assert run.table.phase is Phase.OVER
    truth.check(run)


# ------------------------------------------------------------------------------ the moves


def test_a_move_for_another_turn_is_stale_whoever_sends_it() -> None:
    run = tables.started(2)
    run.default()
    other = next(name for name in run.table.names.values() if name != run.mover)
    for name in (run.mover, other):
        stale = run.refused(name, cardplay.Move("-", 1))
        assert (stale.code, stale.fields) == ("STALE_TURN", {"turn": 2})
        assert "earlier" in stale.text
    assert "later" in run.refused(run.mover, cardplay.Move("-", 3)).text


def test_a_move_out_of_turn_says_whose_turn_it_is() -> None:
    run = tables.started(2)
    other = next(name for name in run.table.names.values() if name != run.mover)
    wrong = run.refused(other, cardplay.Move("-", run.asked.turn))
    assert wrong.code == "NOT_YOUR_TURN"
    assert wrong.fields == {"turn": run.asked.turn, "seat": run.asked.seat}
    assert wrong.text == f"It is {run.mover}'s turn, not yours."


def test_a_deed_that_answers_another_question_is_the_wrong_act() -> None:
    run = tables.started(2)
    wrong = run.refused(run.mover, cardplay.Play(("2",)))
    assert (wrong.code, wrong.fields) == ("WRONG_ACT", {"act": "exchange"})
    assert wrong.text == (
        'Now is the time to exchange, not to play. Type "exchange 6 7 9", or "keep".'
    )


def test_cards_that_somebody_does_not_hold_are_not_played() -> None:
    run = tables.started(2, options={"exchange": "off"})
    legal = run.asked.legal
    assert legal is not None
    missing = next(rank for rank in "23456789TJQKA" if rank not in legal)
    assert run.refused(run.mover, cardplay.Move(missing)).code == "NOT_HELD"


def test_the_same_move_sent_twice_is_taken_once() -> None:
    run = tables.started(2)
    mover, turn = run.mover, run.asked.turn
    run.order(mover, cardplay.Move("-", turn))
    assert run.refused(mover, cardplay.Move("-", turn)).code == "STALE_TURN"


def test_a_move_may_be_said_in_any_of_its_forms() -> None:
    for spelled in ("exchange", "move"):
        run = tables.started(2)
        hand = run.asked.cards
        assert hand is not None
        if spelled == "move":
            told = run.order(run.mover, cardplay.Move("+".join(hand[:2]).lower()))
        else:
            told = run.order(run.mover, run.table.game.deeds["exchange"].of("+".join(hand[:2])))
        assert getattr(told[0], "gave", None) == hand[:2]


def test_what_is_kept_are_the_moves_and_the_shuffles_of_the_house() -> None:
    run = tables.over(2)
    house = [kept for kept in run.kept if kept.seat == 0]
    people = [kept for kept in run.kept if kept.seat]
    assert {kept.act for kept in house} == {"shuffle"}
    assert run.table.match is not None
    assert len(house) == run.table.match.shuffles
    assert len(people) == run.table.match.turn
    assert {kept.act for kept in people} == {"exchange", "play"}


def test_whoever_takes_the_name_of_one_who_has_left_has_not_voted() -> None:
    run = tables.started(3)
    run.order("cat", cardplay.Abort())
    run.order("cat", words.Leave())
    run.order("", Renamed("bob", "cat"))
    assert run.order("ann", cardplay.Abort()) == [Vote("ann", "abort", 1, 0, 2)]


def test_each_pause_is_agreed_on_anew_and_other_votes_stay() -> None:
    run = tables.started(2)
    run.order("ann", cardplay.Abort())
    for name in ("ann", "bob"):
        run.order(name, cardplay.Pause())
    run.order("ann", cardplay.Unpause())
    assert run.order("ann", cardplay.Pause()) == [Vote("ann", "pause", 1, 0, 2)]
    assert Aborted("agreed") in run.order("bob", cardplay.Abort())


def test_the_votes_of_others_stay_when_somebody_leaves() -> None:
    run = tables.started(3)
    run.order("ann", cardplay.Abort())
    run.order("cat", words.Leave())
    assert Aborted("agreed") in run.order("bob", cardplay.Abort())
