"""Coming back, and the end of the time in which a seat is kept: one of them comes first."""

from __future__ import annotations

import json

import pytest

from tests.kit.cases import together
from tests.races.house import GRACE, Caller, House

ARRIVALS = (GRACE - 1, GRACE, GRACE + 1)
STORES = ("in time", "late", "busy")
"""What is kept is safe at once; much later; and the table has something to keep already."""


pytestmark = pytest.mark.usefixtures("quiet")


class Absence:
    """ann has a seat at t1, beside bob and cat, and her line has just broken."""

    def __init__(self, *, playing: bool) -> None:
        self.house = House()
        self.bob, self.cat, ann = (self.house.guest(name) for name in ("bob", "cat", "ann"))
        self.bob.ask("open twentytwo seats=3 clock=0")
        for caller in (self.cat, ann):
            caller.ask("join t1")
            caller.ask("ready t1")
        if playing:
            self.bob.ask("start t1")
        self.token = ann.token
        self.again = self.house.caller()
        ann.line.lose()
        self.house.clock.settle()
        self.bob.listen()
        self.bob.heard.clear()

    def come_back(self, arrival: int, *, line_first: bool, store: str) -> None:
        """She resumes so long after, before or after the timers are looked at."""
        self.house.clock.advance(arrival - 2)
        self.house.store.late = store != "in time"
        if store == "busy":
            self.bob.send("@s say :where is she?\n")
        self.house.clock.advance(1)
        self.house.clock.jump(1)
        if not line_first:
            self.house.clock.settle()
        self.again.send(f"@in resume {self.token}\n")
        self.house.clock.advance(3000)
        self.house.store.late = False
        self.house.store.release()
        self.house.clock.advance(5000)

    @property
    def journal(self) -> list[str]:
        """What the journal has of her since: that she was gone for too long, and that she is back.

        In the journal is only what had an effect.
        """
        kinds = [json.loads(each.order)[0] for each in self.house.store.orders]
        return [kind for kind in kinds if kind in ("!graceover", "!back")]


@together("store", STORES)
@together("line_first", [True, False])
@together("arrival", ARRIVALS)
def test_a_bot_plays_only_for_who_came_back_too_late(
    arrival: int, line_first: bool, store: str
) -> None:
    absence = Absence(playing=True)
    absence.come_back(arrival, line_first=line_first, store=store)
    kept = arrival < GRACE or (arrival == GRACE and line_first)
    # Who was too late in a running game finds a bot, and takes over from it.
    assert absence.journal == (["!back"] if kept else ["!graceover", "!back"])
    _check_back(absence.again)
    (seat,) = [each for each in absence.house.room.table.seats if each.name == "~ann"]
    assert (seat.here, seat.standin) == (True, False)
    told = [event for event in absence.bob.events() if event.word == "PRESENCE"]
    assert [event.fields["here"] for event in told] == (["1"] if kept else ["0", "1"])


@together("store", STORES)
@together("line_first", [True, False])
@together("arrival", ARRIVALS)
def test_a_seat_at_an_open_table_is_kept_or_lost_and_never_both(
    arrival: int, line_first: bool, store: str
) -> None:
    absence = Absence(playing=False)
    absence.come_back(arrival, line_first=line_first, store=store)
    kept = arrival < GRACE or (arrival == GRACE and line_first)
    assert absence.journal == (["!back"] if kept else ["!graceover"])
    seats = [each for each in absence.house.room.table.seats if each.name == "~ann"]
    assert [seat.here for seat in seats] == ([True] if kept else [])
    told = [e.word for e in absence.bob.events() if e.word in ("PRESENCE", "LEFT")]
    assert told == (["PRESENCE"] if kept else ["LEFT"])
    answer = absence.again.answer("in")
    assert answer is not None
    if kept:
        _check_back(absence.again)
    people = [each.name for each in absence.house.world.host.people]
    assert ("~ann" in people) == (answer.word == "OK")


def _check_back(caller: Caller) -> None:
    answer = caller.answer("in")
    assert answer is not None
    assert answer.word == "OK"
    assert caller.ask("whoami").fields["name"] == "~ann"


def test_the_news_of_a_return_comes_as_it_happens_before_a_sync_in_the_same_packet() -> None:
    house = House()
    ann, bob = house.guest("ann"), house.guest("bob")
    house.game(ann, bob)
    ann.line.lose()
    again = house.caller()
    again.ask("hello 1 client=test")
    seen = house.room.stream.last
    again.listen()
    house.store.late = True
    again.send(f"@r resume {ann.token} t1:{seen}\n@s sync t1 from={seen}\n")
    while house.store.waiting:
        house.store.release_one()
        house.clock.settle()
    told = [(each.id or each.word, each.seq) for each in again.listen() if each.word != "AT"]
    here = ("PRESENCE", seen + 1)
    assert told == [("r", 0), here, here, ("s", seen + 1)]
