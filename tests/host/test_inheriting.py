"""A table that another server takes over goes on where it was: its time, its clocks, its bots."""

from __future__ import annotations

import dataclasses

import pytest

from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.table.clocks import LENIENCE

pytestmark = pytest.mark.deadline(60)

GRACE = 600_000


class Played:
    """A game at a table of server `a`, with Ann at `c` and Bob at `b`, who takes the table.

    The timeline of the server `ahead` is an hour ahead of the others.
    """

    def __init__(self, options: str, ahead: str = "") -> None:
        self.place = Place(config={"grace": GRACE}, ahead=ahead)
        zoe = self.place["a"].program("zoe")
        zoe.ok(f"open twentytwo {options}")
        self.place.advance(LOOK)
        self.ann, self.bob = self.place["c"].program("ann"), self.place["b"].program("bob")
        for peer in (self.ann, self.bob):
            self.gives(peer, "join t1")
        zoe.ok("host ann")
        zoe.ok("leave")
        self.place.advance(LOOK)
        self.gives(self.bob, "ready t1")

    def gives(self, peer: Peer, line: str) -> None:
        peer.hear(line)
        self.place.advance(10)

    def fall(self) -> None:
        """The owner dies, and `b` takes the table a while later."""
        self.place.kill("a")
        self.place.advance(12_000)
        self.place.take_over("a", "b")
        self.place.advance(10)

    def times(self) -> list[int]:
        return [each.at for each in self.place.inputs()]

    def asked(self, node: str) -> Turn:
        match = self.place[node].room().table.match
        assert match is not None and match.question is not None
        return match.question


@pytest.mark.parametrize("ahead", ["", "a", "b"])
def test_the_clock_of_a_turn_goes_on_from_the_last_input(ahead: str) -> None:
    played = Played("seats=3 clock=60", ahead)
    played.gives(played.ann, "start t1")
    played.place.advance(20_000)
    played.gives(played.ann, "say :I think")
    played.place.advance(5_000)
    before = played.times()
    played.fall()
    (clock,) = played.place["b"].room().clocks()
    assert clock.ms == 40_000 - 20
    played.place.advance(39_000)
    assert played.times() == before
    played.place.advance(LENIENCE + 1_000)
    after = played.times()
    assert len(after) == len(before) + 1
    assert before[-1] + 40_000 <= after[-1] <= before[-1] + 42_000


@pytest.mark.parametrize("ahead", ["", "a", "b"])
def test_the_grace_period_of_somebody_away_goes_on(ahead: str) -> None:
    played = Played("seats=3 clock=0", ahead)
    played.bob.drop()
    played.place.advance(LOOK)
    played.fall()
    played.place.advance(GRACE - 2 * LOOK)
    assert played.place["b"].room().table.seat_of("~bob")
    played.place.advance(4 * LOOK)
    assert not played.place["b"].room().table.seat_of("~bob")
    assert played.times() == sorted(played.times())


def test_a_bot_on_turn_plays_on() -> None:
    played = Played("seats=4 clock=0")
    played.gives(played.ann, "addbot easy t1")
    config = played.place["a"].host.config
    config.change(dataclasses.replace(config.now, pause=30_000))
    played.gives(played.ann, "start t1")
    while not played.place["a"].room().table.on_turn.level:  # type: ignore[union-attr]
        names = {"~ann": played.ann, "~bob": played.bob}
        peer = names[played.place["a"].room().table.names[played.asked("a").seat]]
        played.gives(peer, f"move {played.asked('a').default} t1")
    turn = played.asked("a").turn
    played.fall()
    assert played.asked("b").turn > turn


def test_a_table_that_waits_for_words_waits_anew() -> None:
    played = Played("seats=3 clock=0")
    played.gives(played.bob, f"seedhash {'0' * 64} t1")
    played.gives(played.bob, "ready t1")
    played.gives(played.ann, "start t1")
    assert played.place["a"].room().table.phase.value == "starting"
    played.fall()
    assert played.place["b"].room().table.phase.value == "starting"
    played.place.advance(60_000)
    assert played.place["b"].room().table.phase.value == "open"


def test_a_table_that_no_other_server_has_seen_goes_on() -> None:
    place = Place()
    ann = place["a"].program("ann")
    for other in "bc":
        place.nats.cut("a", other)
    ann.ok("open whist22 clock=0 seats=4")
    place.kill("a")
    place.take_over("a", "c")
    place.advance(LOOK)
    assert list(place["c"].host.rooms.own) == ["t1"]
    place.nats.heal()
    place["b"].program("bob").hear("watch t1")
    assert list(place["b"].host.rooms) == ["t1"]
