"""Somebody at a table goes by another name: what is theirs stays theirs."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.kit import tables
from tests.kit.cases import together
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Aborted, Result
from twentytwo_protocol.words.seating import Joined, Left, Watching
from twentytwo_server.table import journal
from twentytwo_server.table.decision import GRACE, Actor
from twentytwo_server.table.effects import Away, GraceOver, Renamed, Wake

SERVER = Actor("")


def test_the_seat_and_the_host_have_the_new_name_and_it_is_told_once() -> None:
    run = tables.opened(3)
    told = run.order(SERVER, Renamed("ann", "zoe"))
    assert told == [words.Renamed("zoe", "ann", 1)]
    assert (run.table.seats[0].name, run.table.host) == ("zoe", "zoe")
    assert run.table.seat_of("ann") is None


def test_a_watcher_is_renamed_in_place() -> None:
    run = tables.opened(3)
    for name in ("bob", "cat", "dan"):
        run.order(name, words.Watch("t1"))
    assert run.order(SERVER, Renamed("cat", "zoe")) == [Watching("zoe", True, "cat")]
    assert run.table.watchers == ("bob", "zoe", "dan")


def test_a_watcher_who_is_there_under_both_names_is_there_once() -> None:
    run = tables.opened(3)
    for name in ("bob", "cat"):
        run.order(name, words.Watch("t1"))
    assert run.order(SERVER, Renamed("cat", "bob")) == [Watching("cat", False)]
    assert run.order(SERVER, Renamed("bob", "ann")) == [Watching("bob", False)]
    assert run.table.watchers == ()


def test_whoever_gets_a_seat_by_their_new_name_looks_on_no_more() -> None:
    run = tables.opened(3)
    run.order("bob", words.Watch("t1"))
    told = run.order(SERVER, Renamed("ann", "bob"))
    assert told == [words.Renamed("bob", "ann", 1), Watching("bob", False)]
    assert run.table.watchers == ()


def test_nobody_has_two_seats_at_a_table() -> None:
    run = tables.opened(3)
    assert run.order("bob", words.Join("t1")) == [Joined(2, "bob", False)]
    assert run.order(SERVER, Renamed("bob", "ann")) == [Left(2, "bob", "left")]
    assert [seat.name for seat in run.table.seats] == ["ann"]


def test_a_name_that_is_not_at_the_table_changes_nothing() -> None:
    run = tables.opened(3)
    before = run.table
    assert run.order(SERVER, Renamed("nobody", "zoe")) == []
    assert run.table == before


def test_a_renaming_is_written_down_and_read_again() -> None:
    order = Renamed("~ann", "ann")
    assert journal.read(journal.written(order)) == order


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_every_viewers_model_has_the_new_name(seat: int | None) -> None:
    run = tables.opened(3)
    run.order("bob", words.Join("t1"))
    run.order(SERVER, Renamed("ann", "zoe"))
    model = run.model(seat)
    assert (model.seats[1].name, model.host) == ("zoe", "zoe")


@together(
    ("who", "order", "code"),
    [
        (Actor("~cat"), words.Join("t1"), "FORBIDDEN"),
        (Actor("py", program=True), words.Join("t1"), "FORBIDDEN"),
        (Actor("ann"), words.Addbot(), "FORBIDDEN"),
        (Actor("ann"), words.Option("limit", "10"), "FORBIDDEN"),
    ],
)
def test_at_a_table_that_counts_accounts_of_one_kind_sit(
    who: Actor, order: words.Join | words.Addbot | words.Option, code: str
) -> None:
    run = tables.opened(3, rated=True)
    assert isinstance(refused := run.refused(who, order), Refused)
    assert refused.code == code
    assert run.order("bob", words.Join("t1")) == [Joined(2, "bob", False)]
    assert run.model(None).options["rated"] == "yes"


def test_the_games_won_go_with_whoever_logs_in() -> None:
    run = tables.over(2)
    (winner,) = [name for name, _ in run.table.wins]
    run.order(SERVER, Renamed(winner, "zoe"))
    assert run.table.wins == (("zoe", 1),)
    for name in run.table.names.values():
        run.order(name, words.Rematch())
    run.play(random.Random(1))
    won = [each.event for each in run.stream.after(0) if isinstance(each.event, Result)]
    assert sorted(each.wins or 0 for each in won[-2:]) in ([0, 2], [1, 1])


def test_the_games_that_others_have_won_stay_theirs() -> None:
    run = tables.over(2)
    run.table = replace(run.table, wins=(("ann", 1), ("bob", 2)))
    run.order(SERVER, Renamed("ann", "zoe"))
    assert run.table.wins == (("zoe", 1), ("bob", 2))


def test_the_games_won_by_somebody_who_has_left_go_along_and_are_added_up() -> None:
    run = tables.over(3)
    run.table = replace(run.table, wins=(("ann", 1), ("bob", 2), ("zoe", 3)))
    run.order("ann", words.Leave())
    assert run.order(SERVER, Renamed("ann", "zoe")) == []
    assert run.table.wins == (("zoe", 4), ("bob", 2))


def test_a_vote_goes_with_whoever_logs_in() -> None:
    run = tables.started(2)
    run.order("ann", cardplay.Abort())
    run.order(SERVER, Renamed("ann", "zoe"))
    assert Aborted("agreed") in run.order("bob", cardplay.Abort())


def test_the_vote_of_another_is_not_theirs() -> None:
    run = tables.started(3)
    run.order("bob", cardplay.Abort())
    run.order(SERVER, Renamed("ann", "zoe"))
    run.order("zoe", cardplay.Abort())
    assert Aborted("agreed") in run.order("cat", cardplay.Abort())


def test_whoever_logs_in_after_the_time_of_grace_is_not_waited_for() -> None:
    run = tables.started(2)
    run.order(SERVER, Away("ann"))
    run.wait(GRACE - 1000)
    run.order(SERVER, Renamed("ann", "zoe"))
    assert Wake(1000, GraceOver("zoe")) in run.effects
    run.wait(5000)
    run.order(SERVER, Renamed("zoe", "ann"))
    assert Wake(0, GraceOver("ann")) in run.effects


def test_whoever_logs_in_elsewhere_while_away_has_what_is_left_of_their_grace() -> None:
    run = tables.started(2)
    run.order(SERVER, Away("ann"))
    run.wait(GRACE - 1000)
    run.order(SERVER, Renamed("ann", "zoe"))
    run.wait(999)
    seat = run.table.seat_of("zoe")
    assert seat is not None and not seat.standin
    run.wait(1)
    seat = run.table.seat_of("zoe")
    assert seat is not None and seat.standin
