"""A move and the end of its time at the same moment: one of them happens, never both."""

from __future__ import annotations

import json

import pytest

from tests.kit.cases import together
from tests.races.house import Caller, House
from twentytwo_server.table.clocks import LENIENCE

LIMIT = 20_000
"""Milliseconds that the table shows for a move."""
ARRIVALS = (LIMIT - 1, LIMIT, LIMIT + LENIENCE - 1, LIMIT + LENIENCE, LIMIT + LENIENCE + 1)
STORES = ("in time", "late", "busy")
"""What is kept is safe at once; much later; and the table has something to keep already."""


pytestmark = pytest.mark.usefixtures("quiet")


class Turn:
    """ann and bob at a table with a clock, and whoever's turn it is."""

    def __init__(self) -> None:
        self.house = House()
        callers = [self.house.guest("ann"), self.house.guest("bob")]
        self.house.game(*callers, options=f"clock={LIMIT // 1000}")
        self.mover = self.house.on_turn(*callers)
        (self.other,) = [caller for caller in callers if caller is not self.mover]
        self.number = self.house.match.turn
        _, self.token = self.house.moves()
        for caller in callers:
            caller.listen()
            caller.heard.clear()

    def meet(self, arrival: int, *, line_first: bool, store: str) -> None:
        """The move arrives so long after the question, before or after the timers are looked at."""
        self.house.clock.advance(arrival - 1)
        self.house.store.late = store != "in time"
        if store == "busy":
            self.other.send("@s say :well?\n")
        self.house.clock.jump(1)
        if not line_first:
            self.house.clock.settle()
        self.mover.send(f"@m move {self.token} turn={self.number}\n")
        self.house.clock.advance(3000)
        self.house.store.late = False
        self.house.store.release()
        self.house.clock.settle()

    @property
    def journal(self) -> list[str]:
        """What the journal has of this turn: moves and ends of time."""
        kinds = [json.loads(each.order) for each in self.house.store.orders]
        return [
            kind
            for kind, fields in kinds
            if kind in ("move", "!turnover") and fields.get("turn") == self.number
        ]


@together("store", STORES)
@together("line_first", [True, False])
@together("arrival", ARRIVALS)
def test_a_move_and_the_end_of_its_time_never_both_happen(
    arrival: int, line_first: bool, store: str
) -> None:
    turn = Turn()
    turn.meet(arrival, line_first=line_first, store=store)
    # What comes in one moment counts in the order in which it comes.
    played = arrival < LIMIT + LENIENCE or (arrival == LIMIT + LENIENCE and line_first)
    assert turn.journal == ["move" if played else "!turnover"]
    answer = turn.mover.answer("m")
    assert answer is not None
    assert answer.word == ("OK" if played else "ERR")
    assert played or answer.fields["code"] == "STALE_TURN"
    assert turn.house.match.turn == turn.number + 1
    _check_what_is_told(turn.mover, turn.number, played)
    _check_what_is_told(turn.other, turn.number, played)


def _check_what_is_told(caller: Caller, number: int, played: bool) -> None:
    words = [event.word for event in caller.events()]
    assert words.count("TIMEOUT") == (not played)
    assert words.count("EXCHANGED") + words.count("PLAYED") == 1
    questions = [event.fields["turn"] for event in caller.events() if event.word == "TURN"]
    assert questions == [str(number + 1)]


@together("arrival", ARRIVALS)
def test_the_end_of_a_turn_that_is_over_ends_no_other(arrival: int) -> None:
    turn = Turn()
    turn.meet(arrival, line_first=True, store="in time")
    before = turn.journal
    turn.house.clock.advance(2 * (LIMIT + LENIENCE))
    assert turn.journal == before
    ended = [event.fields["turn"] for event in turn.other.events() if event.word == "TIMEOUT"]
    assert len(set(ended)) == len(ended)
    assert str(turn.number + 1) in ended


@pytest.mark.parametrize("held_up", [1, 5000])
def test_a_server_that_was_held_up_takes_the_line_that_waited(held_up: int) -> None:
    turn = Turn()
    turn.house.clock.jump(LIMIT + LENIENCE + held_up)
    turn.mover.send(f"@m move {turn.token} turn={turn.number}\n")
    assert turn.journal == ["move"]
    turn.house.clock.advance(1000)
    assert turn.journal == ["move"]


def test_the_end_of_the_time_waits_for_a_move_that_was_there_before_it() -> None:
    turn = Turn()
    turn.house.clock.advance(LIMIT)
    turn.house.store.late = True
    turn.other.send("@s say :well?\n")
    turn.mover.send(f"@m move {turn.token} turn={turn.number}\n")
    turn.house.clock.advance(60_000)
    turn.house.store.late = False
    turn.house.store.release()
    turn.house.clock.settle()
    assert turn.journal == ["move"]
    answer = turn.mover.answer("m")
    assert answer is not None
    assert answer.word == "OK"
