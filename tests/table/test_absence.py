"""Away, the time of grace, a stand-in, and back; tables that everybody has left alone."""

from __future__ import annotations

import random

from tests.kit import tables, truth
from tests.kit.tables import Run
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Aborted
from twentytwo_protocol.words.seating import Left, Presence, Shut, Watching
from twentytwo_server.table.absence import AFTER_A_RESTART
from twentytwo_server.table.clocks import LENIENCE, TurnClock
from twentytwo_server.table.decision import ABANDONED_AFTER, GRACE
from twentytwo_server.table.effects import (
    Abandoned,
    Away,
    Back,
    GraceOver,
    Restarted,
    Think,
    Wake,
)
from twentytwo_server.table.table import Phase, Seat

DAY = 86_400_000


def told(events: list[Event]) -> list[str]:
    return [event.word.word for event in events]


def seat_of(run: Run, name: str) -> Seat:
    seat = run.table.seat_of(name)
    assert seat is not None
    return seat


def test_a_lost_connection_is_told_with_how_long_the_seat_is_kept() -> None:
    run = tables.seated(2)
    assert run.order("", Away("bob")) == [Presence(2, False, ms=GRACE)]
    assert run.order("", Away("bob")) == []
    assert run.order("", Back("bob")) == [Presence(2, True)]
    assert run.order("", Back("bob")) == []
    assert run.order("", Away("zed")) == run.order("", Back("zed")) == []


def test_a_bot_is_never_away() -> None:
    run = tables.started(2, bots=1)
    assert run.order("", Away("bot:steady")) == []
    assert seat_of(run, "bot:steady").here


def test_a_seat_at_an_open_table_is_free_after_the_time_of_grace() -> None:
    run = tables.seated(2)
    run.order("", Away("bob"))
    assert run.wait(GRACE - 1) == []
    assert run.wait(1) == [Left(2, "bob", "gone")]


def test_whoever_comes_back_in_time_keeps_the_seat() -> None:
    run = tables.seated(2)
    run.order("", Away("bob"))
    run.wait(GRACE - 1)
    run.order("", Back("bob"))
    assert run.wait(DAY) == []


def test_every_absence_has_its_whole_time_of_grace() -> None:
    run = tables.seated(2)
    run.order("", Away("bob"))
    run.wait(10_000)
    run.order("", Back("bob"))
    run.wait(GRACE - 20_000)
    run.order("", Away("bob"))
    assert run.wait(GRACE - 1) == []
    assert run.wait(1) == [Left(2, "bob", "gone")]


def test_a_bot_plays_for_whoever_is_away_longer_than_that_in_a_game() -> None:
    run = tables.started(3)
    gone = run.mover
    run.order("", Away(gone))
    number = seat_of(run, gone).number
    assert run.wait(GRACE) == [Presence(number, False, bot=True)]
    assert run.thinking == [Think(number, run.asked.turn)]
    truth.check(run)


def test_the_owner_who_is_back_plays_again_at_once_even_in_the_open_turn() -> None:
    run = tables.started(3)
    gone = run.mover
    run.order("", Away(gone))
    run.wait(GRACE)
    assert run.order("", Back(gone)) == [Presence(run.asked.seat, True)]
    assert run.thinking == []
    assert getattr(run.default()[0], "auto", None) is None
    truth.check(run)


def test_nobody_is_asked_twice_because_somebody_else_is_back() -> None:
    run = tables.started(2, bots=1)
    while not run.thinking:
        run.default()
    run.order("", Away("bob"))
    run.order("", Back("bob"))
    assert run.thinking == []


def test_a_game_that_everybody_left_alone_waits_and_goes_on_with_the_first_who_is_back() -> None:
    run = tables.started(2, bots=1)
    while not run.thinking:
        run.default()
    run.order("", Away("ann"))
    run.order("", Away("bob"))
    assert told(run.wait(GRACE)) == ["PRESENCE", "PRESENCE"]
    assert run.wait(GRACE) == []
    run.order("", Back("bob"))
    assert run.thinking == [Think(run.asked.seat, run.asked.turn)]
    truth.check(run)


def test_a_game_that_nobody_comes_back_to_is_given_up_after_a_day() -> None:
    run = tables.started(2)
    run.order("", Away("ann"))
    run.order("", Away("bob"))
    run.wait(ABANDONED_AFTER - 1)
    assert run.playing
    assert run.wait(1)[-2:] == [Aborted("abandoned"), Shut()]
    assert run.closed


def test_a_game_that_somebody_came_back_to_is_not_given_up() -> None:
    run = tables.started(2)
    for name in ("ann", "bob"):
        run.order("", Away(name))
    run.order("", Back("ann"))
    run.wait(2 * ABANDONED_AFTER)
    assert run.playing


def test_every_time_that_a_game_is_left_alone_has_its_whole_day() -> None:
    run = tables.started(2)
    for name in ("ann", "bob"):
        run.order("", Away(name))
    run.wait(ABANDONED_AFTER // 2)
    run.order("", Back("ann"))
    run.order("", Away("ann"))
    run.wait(ABANDONED_AFTER - 1)
    assert run.playing
    run.wait(1)
    assert run.closed


def test_a_restart_does_not_begin_the_day_anew_of_a_game_that_was_left_alone() -> None:
    run = tables.started(2)
    for name in ("ann", "bob"):
        run.order("", Away(name))
    run.wait(ABANDONED_AFTER - 1)
    run.wakes.clear()
    run.order("", Restarted())
    assert run.playing
    run.wait(1)
    assert run.closed


def test_a_paused_game_that_nobody_comes_back_to_is_given_up_too() -> None:
    run = tables.started(2)
    for name in ("ann", "bob"):
        run.order(name, cardplay.Pause())
    for name in ("ann", "bob"):
        run.order("", Away(name))
    run.wait(ABANDONED_AFTER)
    assert run.closed


def test_a_game_whose_last_present_player_leaves_is_given_up_too() -> None:
    run = tables.started(2, bots=1)
    while run.mover != "bot:steady":
        run.default()
    run.order("", Away("bob"))
    run.order("ann", words.Leave())
    run.wait(ABANDONED_AFTER)
    assert run.closed


def test_the_day_of_a_game_begins_when_its_last_present_player_leaves() -> None:
    run = tables.started(2, bots=1)
    run.order("", Away("bob"))
    run.wait(3_600_000)
    run.order("ann", words.Leave())
    run.wait(ABANDONED_AFTER - 1)
    assert run.playing
    run.wait(1)
    assert run.closed


def test_a_table_whose_people_are_all_gone_closes_whatever_its_phase() -> None:
    for run in (tables.seated(2, bots=1), tables.over(2, bots=1)):
        run.order("", Away("ann"))
        run.order("", Away("bob"))
        run.wait(GRACE)
        assert run.closed


def test_whoever_is_still_away_when_the_game_ends_has_the_time_of_grace_to_come_back() -> None:
    run = tables.started(2, bots=1)
    run.order("", Away("bob"))
    run.wait(GRACE)
    run.play(random.Random(1))
    assert run.table.phase is Phase.OVER
    number = seat_of(run, "bob").number
    assert run.wait(GRACE - 1) == []
    assert run.wait(1) == [Left(number, "bob", "gone")]
    run.order("ann", words.Ready())
    assert run.playing


def test_whoever_is_back_after_the_game_keeps_the_seat() -> None:
    run = tables.started(2)
    run.order("", Away("bob"))
    run.wait(GRACE)
    run.play(random.Random(1))
    run.order("", Back("bob"))
    assert run.wait(DAY) == []
    assert not seat_of(run, "bob").standin


def test_a_stand_in_that_was_late_before_stays_one_while_its_owner_is_away() -> None:
    run = tables.started(2, bots=1)
    run.order("", Away("bob"))
    run.wait(GRACE)
    run.order("", Away("ann"))
    truth.check(run)
    run.order("", Back("ann"))
    assert seat_of(run, "bob").standin
    truth.check(run)


def test_the_host_may_send_somebody_away_who_is_away() -> None:
    run = tables.started(3)
    run.order("", Away("bob"))
    assert told(run.order("ann", words.Remove("bob")))[:2] == ["LEFT", "JOINED"]
    run.wait(GRACE)
    truth.check(run)
    assert seat_of(run, "bot:steady").here


def test_a_day_is_counted_from_the_last_who_left_not_from_a_pause_before() -> None:
    run = tables.started(2)
    run.order("ann", cardplay.Pause())
    run.order("bob", cardplay.Pause())
    assert run.table.paused
    run.wait(ABANDONED_AFTER // 2)
    run.order("", Away("ann"))
    run.wait(1000)
    run.order("", Away("bob"))
    run.wait(ABANDONED_AFTER - 1)
    assert run.playing
    run.wait(1)
    assert run.closed


def test_a_practice_game_that_nobody_comes_back_to_is_given_up_after_half_an_hour() -> None:
    run = tables.started(1, bots=1, practice=True)
    run.order("", Away("ann"))
    run.wait(1_800_000 - 1)
    assert run.playing
    run.wait(1)
    assert run.closed


def test_the_server_comes_back_just_when_a_game_that_was_left_alone_is_to_be_given_up() -> None:
    run = tables.started(2)
    run.order("", Away("ann"))
    run.order("", Away("bob"))
    assert run.effects[-1] == Wake(ABANDONED_AFTER, Abandoned())
    run.wait(GRACE)
    run.order("", Restarted())
    assert run.effects[-1] == Wake(ABANDONED_AFTER - GRACE, Abandoned())
    run.at += ABANDONED_AFTER
    run.order("", Restarted())
    assert run.effects[-1] == Wake(0, Abandoned())


def test_the_end_of_a_grace_that_comes_early_waits_for_the_rest() -> None:
    run = tables.seated(2)
    run.order("", Away("bob"))
    run.wakes.clear()
    run.at += GRACE - 1
    assert run.order("", GraceOver("bob")) == []
    assert run.wakes == [(run.at + 1, GraceOver("bob"))]


def test_nobody_is_asked_twice_because_a_bot_plays_for_somebody_else() -> None:
    run = tables.started(2, bots=1)
    while run.mover != "bot:steady":
        run.default()
    run.order("", Away("bob"))
    assert told(run.wait(GRACE)) == ["PRESENCE"]
    assert seat_of(run, "bob").standin
    assert run.thinking == []


def test_after_a_restart_everybody_is_away_and_has_the_time_of_grace_to_come_back() -> None:
    run = tables.seated(3)
    run.order("zed", words.Watch("t1"))
    run.wait(1000)
    events = run.order("", Restarted())
    gone = [Presence(number, False, ms=GRACE) for number in (1, 2, 3)]
    assert events == [*gone, Watching("zed", False)]
    assert [e for e in run.effects if isinstance(e, Wake)] == [
        Wake(GRACE, GraceOver(name)) for name in ("ann", "bob", "cat")
    ]
    assert [(seat.here, seat.since) for seat in run.table.seats] == [(False, run.at)] * 3
    truth.check(run)
    run.order("", Back("ann"))
    assert run.wait(GRACE - 1) == []
    assert told(run.wait(1)) == ["LEFT", "LEFT"]
    assert run.table.names == {1: "ann"}


def test_a_game_that_is_over_is_not_given_up_after_a_restart() -> None:
    run = tables.over(2)
    run.order("", Restarted())
    assert Abandoned() not in [wake.why for wake in run.effects if isinstance(wake, Wake)]


def test_the_turn_after_a_move_that_a_bot_made_at_a_table_left_alone_has_its_whole_time() -> None:
    """The bot was thinking when the last of the people lost their connection."""
    run = tables.started(2, bots=1, clock=TurnClock(60_000, 0))
    while run.mover != "bot:steady":
        run.default()
    for name in ("ann", "bob"):
        run.order("", Away(name))
    run.at += 50_000
    run.default()
    run.order("", Back("ann"))
    assert left_for_the_turn(run) == 60_000 + LENIENCE


def left_for_the_turn(run: Run) -> int:
    assert run.table.match is not None
    return run.table.match.left(run.at)


def test_a_restart_leaves_a_turn_at_least_half_a_minute_and_never_less_than_it_had() -> None:
    run = tables.started(2, clock=TurnClock(120_000, 0))
    before = left_for_the_turn(run)
    run.order("", Restarted())
    assert left_for_the_turn(run) == before > AFTER_A_RESTART
    run.order("", Back("ann"))
    run.at += before - 1
    run.order("", Restarted())
    assert left_for_the_turn(run) == AFTER_A_RESTART


def test_whoever_was_too_late_and_comes_back_begins_to_count_anew() -> None:
    run = tables.started(2, clock=TurnClock(60_000, 0))
    late = run.mover
    run.wait(60_000 + LENIENCE)
    while run.mover != late:
        run.default()
    run.order("", Away(late))
    run.order("", Back(late))
    run.wait(60_000 + LENIENCE)
    seat = run.table.seat_of(late)
    assert seat is not None and (seat.late, seat.standin) == (1, False)
