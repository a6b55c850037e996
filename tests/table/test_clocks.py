"""Clocks: time for a move, a reserve, and who is first when time runs out."""

from __future__ import annotations

import pytest

from tests.kit import tables, truth
from tests.kit.cases import together
from tests.kit.tables import Run
from twentytwo_protocol.schema import Event, Refused
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Timeout
from twentytwo_protocol.words.seating import Presence
from twentytwo_server.table.clocks import LENIENCE, TurnClock
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.effects import Away, Back, Think, TurnOver, Wake

MOVE, BANK = 10_000, 5_000
PLAIN, RESERVE = TurnClock(MOVE, 0), TurnClock(MOVE, BANK)


def told(events: list[Event]) -> list[str]:
    return [event.word.word for event in events]


def test_a_turn_tells_the_time_there_is_for_it_and_the_reserve() -> None:
    assert (tables.started(2).asked.ms, tables.started(2).asked.bank) == (None, None)
    assert tables.started(2, clock=PLAIN).asked.ms == MOVE
    assert tables.started(2, clock=PLAIN).asked.bank is None
    assert tables.started(2, clock=RESERVE).asked.bank == BANK


def test_the_server_comes_back_just_when_the_time_and_the_reserve_are_used_up() -> None:
    run = tables.started(2, clock=RESERVE)
    assert run.effects[-1] == Wake(MOVE + BANK + LENIENCE, TurnOver(1))


def test_the_default_is_played_when_time_is_up_and_says_so() -> None:
    run = tables.started(2, clock=PLAIN)
    asked = run.asked
    assert run.wait(MOVE + LENIENCE - 1) == []
    events = run.wait(1)
    assert events[0] == Timeout(asked.turn, asked.seat)
    assert (events[1].word.word, getattr(events[1], "auto", None)) == ("EXCHANGED", True)
    assert run.asked.turn == asked.turn + 1
    truth.check(run)


def test_the_reserve_runs_before_time_is_up() -> None:
    run = tables.started(2, clock=RESERVE)
    assert run.wait(MOVE + BANK + LENIENCE - 1) == []
    assert told(run.wait(1))[0] == "TIMEOUT"


def test_what_a_move_takes_beyond_its_time_comes_out_of_the_reserve() -> None:
    run = tables.started(2, clock=RESERVE)
    seat = run.asked.seat
    run.wait(MOVE + 2_000)
    run.default()
    run.default()
    while run.asked.seat != seat:
        run.default()
    assert run.asked.bank == BANK - 2_000


def test_a_move_in_time_leaves_the_reserve_as_it_is() -> None:
    run = tables.started(2, clock=RESERVE)
    seat = run.asked.seat
    run.wait(MOVE)
    run.default()
    run.default()
    while run.asked.seat != seat:
        run.default()
    assert run.asked.bank == BANK


def test_a_reserve_that_is_used_up_is_none_for_the_rest_of_the_game() -> None:
    run = tables.started(2, clock=RESERVE)
    seat = run.asked.seat
    run.wait(MOVE + BANK + LENIENCE)
    while run.asked.seat != seat:
        run.default()
    assert run.asked.bank == 0


@together("late", [-1, 0, LENIENCE - 1, LENIENCE, LENIENCE + 1])
@together("clock_first", [True, False])
def test_a_turn_is_either_played_or_timed_out_whoever_comes_first(
    late: int, clock_first: bool
) -> None:
    """The line arrived and the timer fell due in one turn of the loop, in either order."""
    run = tables.started(2, clock=PLAIN)
    mover, turn, seat = run.mover, run.asked.turn, run.asked.seat
    before = run.stream.last
    run.at += MOVE + late
    due = late >= LENIENCE
    if clock_first and due:
        run.order("", TurnOver(turn))
        with pytest.raises(Refused) as stale:
            run.order(mover, cardplay.Move("-", turn))
        assert stale.value.code == "STALE_TURN"
    else:
        run.order(mover, cardplay.Move("-", turn))
        assert run.order("", TurnOver(turn)) == []
    events = [entry.event for entry in run.stream.after(before)]
    timeouts = [e for e in events if isinstance(e, Timeout)]
    moves = [e for e in events if e.word.word == "EXCHANGED"]
    assert len(moves) == 1
    assert len(timeouts) == (1 if clock_first and due else 0)
    assert getattr(moves[0], "auto", None) == (True if timeouts else None)
    assert getattr(moves[0], "seat", None) == seat


def test_a_wake_for_a_turn_that_is_over_does_nothing() -> None:
    run = tables.started(2, clock=PLAIN)
    first = run.asked.turn
    run.wait(MOVE)
    run.default()
    table = run.table
    for turn in (first, 99):
        run.order("", TurnOver(turn))
        assert run.effects == []
    assert run.table == table


def test_a_wake_that_comes_early_waits_for_the_rest_of_the_time() -> None:
    run = tables.started(2, clock=PLAIN)
    run.wakes.clear()
    run.at += MOVE
    assert run.order("", TurnOver(run.asked.turn)) == []
    assert run.wakes == [(run.at + LENIENCE, TurnOver(run.asked.turn))]
    run.at += LENIENCE - 1
    assert run.order("", TurnOver(run.asked.turn)) == []


def test_a_wake_that_comes_late_is_not_asked_for_in_the_past() -> None:
    run = tables.started(2, clock=PLAIN)
    run.at += MOVE + LENIENCE + 500
    run.order("", Away(run.mover))
    run.order("", Back(run.mover))
    assert run.effects[-1] == Wake(0, TurnOver(run.asked.turn))


def test_the_time_of_the_last_turn_is_nobodys_concern_when_the_game_is_over() -> None:
    run = tables.over(2, clock=PLAIN)
    assert run.table.match is not None
    assert TurnOver(run.table.match.turn) in [why for _, why in run.wakes]
    assert run.wait(MOVE + LENIENCE) == []


def test_after_two_timeouts_in_a_row_a_bot_plays_the_seat() -> None:
    run = tables.started(2, clock=PLAIN)
    slow = run.mover
    number = run.asked.seat
    run.wait(MOVE + LENIENCE)
    while run.mover != slow:
        run.default()
    events = run.wait(MOVE + LENIENCE)
    assert told(events)[:2] == ["TIMEOUT", "PRESENCE"]
    assert Presence(number, True, bot=True) in events
    while run.mover != slow:
        run.default()
    assert run.thinking == [Think(run.asked.seat, run.asked.turn)]
    truth.check(run)


def test_a_move_of_ones_own_between_two_timeouts_keeps_the_seat() -> None:
    run = tables.started(2, clock=PLAIN)
    slow = run.mover
    for timeout in (True, False, True, False, True):
        while run.mover != slow:
            run.default()
        if timeout:
            run.wait(MOVE + LENIENCE)
        else:
            run.default()
    seat = run.table.seat_of(slow)
    assert seat is not None
    assert not seat.standin


def standing_in() -> Run:
    """A game in which a bot is about to play for somebody who is here, but was late twice."""
    run = tables.started(2, clock=PLAIN)
    slow = run.mover
    while not (seat := run.table.seat_of(slow)) or not seat.standin or run.mover != slow:
        if run.mover == slow:
            run.wait(MOVE + LENIENCE)
        else:
            run.default()
    return run


def test_the_moves_of_a_stand_in_say_so() -> None:
    run = standing_in()
    assert run.asked.default is not None
    bot = Actor(run.mover, standin=True)
    events = run.order(bot, cardplay.Move(run.asked.default, run.asked.turn))
    assert getattr(events[0], "auto", None) is True
    assert "PRESENCE" not in told(events)
    made = next(kept for kept in run.kept[::-1] if kept.seat)
    assert made.auto


def test_moves_are_kept_with_whether_the_clock_made_them() -> None:
    run = tables.started(2, clock=PLAIN)
    run.default()
    run.wait(MOVE + LENIENCE)
    assert [kept.auto for kept in run.kept if kept.seat] == [False, True]


def test_whoever_was_late_and_plays_themselves_again_has_their_seat_back_at_once() -> None:
    run = standing_in()
    slow = run.mover
    events = run.default()
    assert getattr(events[0], "auto", None) is None
    seat = run.table.seat_of(slow)
    assert seat is not None
    assert not seat.standin
    assert Presence(seat.number, True) in events
    assert told(events)[-1] == "TURN"
    truth.check(run)
    while run.mover != slow:
        run.default()
    assert run.thinking == []


def test_whoever_was_late_and_says_anything_has_the_open_turn_back() -> None:
    run = standing_in()
    slow = run.mover
    assert told(run.order("", Back(slow))) == ["PRESENCE"]
    assert run.thinking == []
    assert told(run.wait(MOVE + LENIENCE))[0] == "TIMEOUT"


def test_a_stand_in_that_was_still_thinking_plays_nothing_once_the_owner_is_back() -> None:
    run = standing_in()
    slow, turn = run.mover, run.asked.turn
    run.order("", Back(slow))
    late = run.refused(Actor(slow, standin=True), cardplay.Move("-", turn))
    assert late.code == "FORBIDDEN"
    assert run.asked.turn == turn


# -------------------------------------------------------------------------- standing still


def pause(run: Run) -> None:
    run.order("ann", cardplay.Pause())
    run.order("bob", cardplay.Pause())


def test_the_clock_stands_still_while_the_game_is_paused() -> None:
    run = tables.started(2, clock=RESERVE)
    seat = run.asked.seat
    run.wait(4_000)
    pause(run)
    assert run.wait(3_600_000) == []
    run.order("ann", cardplay.Unpause())
    assert run.wait(MOVE - 4_000 + BANK + LENIENCE - 1) == []
    assert told(run.wait(1))[0] == "TIMEOUT"
    assert seat != run.asked.seat


def test_nothing_is_played_in_a_pause_that_began_when_the_time_was_up() -> None:
    """The last vote was heard before the wake that was due by then."""
    run = tables.started(2, clock=PLAIN)
    run.at += MOVE + LENIENCE
    pause(run)
    assert run.order("", TurnOver(run.asked.turn)) == []
    assert run.effects == []


def test_a_short_pause_shortens_nobodys_turn() -> None:
    """A wake set before the pause falls due after it, when there is still time."""
    run = tables.started(2, clock=PLAIN)
    pause(run)
    run.wait(MOVE)
    run.order("ann", cardplay.Unpause())
    assert run.wait(MOVE + LENIENCE - 1) == []
    assert told(run.wait(1))[0] == "TIMEOUT"


def test_a_pause_costs_nothing_of_the_reserve() -> None:
    run = tables.started(2, clock=RESERVE)
    seat = run.asked.seat
    pause(run)
    run.wait(3_600_000)
    run.order("ann", cardplay.Unpause())
    run.default()
    run.default()
    while run.asked.seat != seat:
        run.default()
    assert run.asked.bank == BANK


def test_the_clock_stands_still_while_nobody_is_at_the_table() -> None:
    run = tables.started(2, clock=RESERVE)
    mover = run.mover
    run.wait(4_000)
    run.order("", Away("ann"))
    run.order("", Away("bob"))
    events = run.wait(3_600_000)
    assert "TIMEOUT" not in told(events)
    run.order("", Back(mover))
    assert run.wait(MOVE - 4_000 + BANK + LENIENCE - 1) == []
    assert told(run.wait(1))[0] == "TIMEOUT"


def test_the_clock_goes_on_while_only_the_one_on_turn_is_away() -> None:
    run = tables.started(2, clock=PLAIN)
    run.wait(4_000)
    run.order("", Away(run.mover))
    assert run.wait(MOVE - 4_000 + LENIENCE - 1) == []
    assert told(run.wait(1))[0] == "TIMEOUT"


def test_coming_back_during_ones_turn_gives_no_more_time() -> None:
    run = tables.started(2, clock=PLAIN)
    mover = run.mover
    run.wait(4_000)
    run.order("", Away(mover))
    run.wait(2_000)
    run.order("", Back(mover))
    assert run.wait(MOVE - 6_000 + LENIENCE - 1) == []
    assert told(run.wait(1))[0] == "TIMEOUT"


def test_a_table_without_a_clock_waits_for_ever() -> None:
    run = tables.started(2)
    assert run.wakes == []
    assert run.order("", TurnOver(run.asked.turn)) == []
    assert run.wait(86_400_000) == []


def test_bots_never_time_out() -> None:
    run = tables.started(1, bots=2, clock=PLAIN)
    while run.mover == "ann":
        run.default()
    assert run.order("", TurnOver(run.asked.turn)) == []
    assert run.wait(86_400_000) == []


def test_the_time_of_a_turn_that_a_leaver_left_open_is_no_bots_concern() -> None:
    run = tables.started(3, clock=PLAIN)
    run.order(run.mover, words.Leave())
    assert run.wait(MOVE + LENIENCE) == []
