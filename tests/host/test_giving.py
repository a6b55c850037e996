"""A server gives a table to another one in the middle of a game, and nobody notices."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle

import pytest

from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from tests.kit.simulated_bus import BusFaults
from twentytwo_server.games.registry import games
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.tables.room import Room

pytestmark = pytest.mark.deadline(60)


@dataclass
class Game:
    """A game with Ann at `a`, Bob at `b`, Cat at `c` and a bot. At first `a` owns the table."""

    game: str = "whist22"
    faults: BusFaults = field(default_factory=BusFaults)

    def __post_init__(self) -> None:
        self.place = Place(self.faults)
        names = {"a": "ann", "b": "bob", "c": "cat"}
        self.people = {name: self.place[node].program(name) for node, name in names.items()}
        ann, *others = self.people.values()
        ann.ok(f"open {self.game} clock=0 seats=4")
        self.place.advance(2 * LOOK)
        for each in others:
            self.gives(each, "join t1")
        ann.ok("addbot easy t1")
        for each in self.people.values():
            self.gives(each, "ready t1")
        self.gives(ann, "start t1")
        self.owner = "a"

    @property
    def room(self) -> Room:
        return self.place[self.owner].room()

    def gives(self, peer: Peer, line: str) -> None:
        """Gives a command and waits for its answer."""
        peer.take()
        peer.hear(f"@x {line}")
        for _ in range(2_000):
            if any(each.id == "x" and each.word in ("OK", "ERR") for each in peer.records()):
                return
            self.place.advance(10)
        raise AssertionError(line)

    def pass_to(self, node: str) -> None:
        """The owner gives the table away."""
        self.place.nodes[self.owner].cluster.giver.give(self.room, node)
        self.owner = node

    def move(self) -> bool:
        """Somebody plays; False if nobody is asked."""
        while (seat := self.room.table.on_turn) is not None and seat.level:
            self.place.advance(10)
        match = self.room.table.match
        if seat is None or match is None or match.question is None:
            return False
        self.gives(self.people[seat.name.lstrip("~")], f"move {match.question.default} t1")
        return True

    def wait_for(self, node: str) -> None:
        """Waits until a server owns the table."""
        for _ in range(1_000):
            if "t1" in self.place[node].host.rooms.own:
                return
            self.place.advance(10)
        raise AssertionError(f"{node} does not own the table")

    def past(self) -> list[list[str]]:
        """The events as each of the players has seen them, without the cards."""
        self.place.advance(2 * LOOK)
        found = []
        for peer in self.people.values():
            self.gives(peer, "sync t1 from=0")
            events = [each for each in peer.events("t1") if each.seq is not None]
            found.append([f"{each.seq} {each.word}" for each in events])
        return found


@pytest.mark.parametrize("lost", [0.0, 0.2])
@pytest.mark.parametrize("game", sorted(games()))
def test_a_game_goes_on_while_its_table_passes_from_server_to_server(
    game: str, lost: float, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    played = Game(game, BusFaults(lost, lost, 30 if lost else 0))
    for node in cycle("bcabac"):
        played.pass_to(node)
        played.wait_for(node)
        if not all(played.move() for _ in range(17)):
            break
    assert len(played.place.store.remembered().tables[0].promises) == 2
    assert not caplog.records
    own = [name for name in "abc" if played.place[name].host.rooms.own]
    assert own == [played.owner]
    ann, bob, cat = played.past()
    assert ann == bob == cat
    assert [line.partition(" ")[0] for line in ann] == [str(no + 1) for no in range(len(ann))]
    inputs = [each.seq for each in played.place.inputs()]
    assert inputs == [*range(1, len(inputs) + 1)]
    times = [each.at for each in played.place.inputs()]
    assert times == sorted(times)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("sender", ["ann", "bob", "cat"])
def test_an_order_that_comes_while_a_table_passes_is_carried_out_once(
    sender: str, back: bool
) -> None:
    played = Game()
    store = played.place.nodes["a"].store
    store.late = True
    played.people["ann"].hear("say :before t1")
    played.pass_to("b")
    peer = played.people[sender]
    peer.take()
    peer.hear("@y say once=k1 :meanwhile")
    played.place.advance(5)
    store.late = False
    store.release()
    played.wait_for("b")
    if back:
        played.pass_to("a")
    played.place.advance(2 * LOOK)
    said = [r for r in peer.records() if r.id == "y"]
    assert [r.word for r in said] == ["OK"]
    keys = [each.id for each in played.place.inputs() if '"meanwhile"' in each.order]
    assert keys == ["k1"]
    words = [r.word for r in peer.records() if r.word in ("OK", "SAID")]
    assert words[-2:] == ["OK", "SAID"]


def test_a_table_that_no_server_is_there_to_take_stays() -> None:
    played = Game()
    played.place.kill("c")
    played.place.take_over("c", "b")
    played.pass_to("c")
    played.wait_for("a")
    played.owner = "a"
    assert played.place["a"].room() is played.room
    played.gives(played.people["bob"], "say :here t1")
    assert "OK" in [each.word for each in played.people["bob"].records()]


def test_an_answer_about_the_owners_that_is_older_than_the_move_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = Game()
    following, store = played.place.nodes["a"].cluster.following, played.place.nodes["a"].store
    ask, held = store.owners, list[Callable[[], None]]()
    monkeypatch.setattr(
        store,
        "owners",
        lambda wanted, done: ask(wanted, lambda found: held.append(partial(done, found))),
    )
    following.find_owner("t1")
    played.pass_to("b")
    monkeypatch.undo()
    shown = following.tables["t1"]
    held.pop()()
    assert following.tables["t1"] is shown
    played.wait_for("b")
    played.place.advance(LOOK)
    assert not held
    assert not played.place["a"].host.rooms.own
    assert played.move()
