"""A server shows a table of another server to its own viewers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from tests.kit.hosts import Peer, World
from twentytwo_server.facts import OpenTable
from twentytwo_server.games.registry import games
from twentytwo_server.host.tables.followed_table import FollowedTable
from twentytwo_server.host.tables.input_log import ReplayMismatch
from twentytwo_server.host.tables.shown_table import beginning
from twentytwo_server.table.table import Phase

pytestmark = pytest.mark.deadline(60)

NUMBER = re.compile(r' seq=\d+|"seq":\d+,')
CAPS = {"ann": "", "bob": "json,text,time", "cat": "text"}
"""The people who connect as programs, with their capabilities. Dan types."""


def newer(world: World, last: int) -> OpenTable:
    """The inputs of t1 above a number, as the store has them."""
    found: list[Sequence[OpenTable] | None] = []
    world.store.newer_inputs({"t1": last}, found.append)
    assert found[0] is not None
    return found[0][0]


@dataclass
class Two:
    """A server with a table, and another one that follows it. The same people are at both."""

    owner: World = field(default_factory=World)
    elsewhere: World = field(default_factory=World)

    def __post_init__(self) -> None:
        self.here = self._people(self.owner)
        self.there = self._people(self.elsewhere)

    @staticmethod
    def _people(world: World) -> dict[str, Peer]:
        found = {name: world.program(name, caps=caps) for name, caps in CAPS.items()}
        return {**found, "dan": world.person("dan")}

    def begin(self) -> None:
        """The other server begins to follow the table. Nobody has read anything from here on."""
        stored = newer(self.owner, 0)
        view = FollowedTable(self.elsewhere.host.tables, "t1", *beginning(stored, games()))
        view.catch_up(stored)
        self.begun(view)

    def begun(self, view: FollowedTable) -> None:
        """The other server follows the table. Nobody has read anything from here on."""
        self.view = view
        for peer in (*self.here.values(), *self.there.values()):
            peer.take()

    def follow(self) -> None:
        """The other server reads what is new."""
        self.view.follow(newer(self.owner, self.view.last))

    def told(self) -> None:
        """Checks that everybody has read the same at both servers since the last check."""
        for name, peer in self.there.items():
            assert _events(self.here[name]) == _events(peer), name

    def known(self) -> None:
        """Checks that everybody knows the same of the table at both servers."""
        room = self.owner.room()
        assert self.view.audience.seats == room.audience.seats
        for seat in (None, *(seat.number for seat in room.table.people)):
            assert list(self.view.model(seat).rows()) == list(room.model(seat).rows())


def _events(peer: Peer) -> list[str]:
    """The lines about t1 that a peer has read, without replies.

    The talk of watchers has numbers of its own at each server, which are left out.
    """
    lines = peer.take()
    if peer.name == "~dan":
        return lines
    read = [(line, peer.read(line)) for line in lines]
    events = [(line, r.on) for line, r in read if r is not None and r.id is None]
    return [NUMBER.sub("", line) if on == "k1" else line for line, on in events if on]


def open_table(two: Two, game: str, options: str = "") -> None:
    """Ann opens a table of four with a clock and two bots; Bob joins, the others watch."""
    here = two.here
    here["ann"].ok(f"open {game} seats=4 bots=2 clock=60+60 {options}")
    here["bob"].ok("join t1")
    here["cat"].ok("watch t1")
    here["dan"].say("watch t1")


def happens(two: Two, dice: random.Random) -> None:
    """Something happens at the table: usually a move."""
    table, here = two.owner.room().table, two.here
    acts: list[Callable[[], object]]

    def all_say(order: str, *names: str) -> None:
        for name in names:
            here[name].hear(f"{order} t1")

    if table.phase is Phase.PLAYING:
        seat, match = table.on_turn, table.match
        assert match is not None
        question = match.question
        acts = [
            lambda: here[dice.choice(("ann", "bob"))].hear(f"say :{dice.random()}"),
            lambda: all_say("pause", "ann", "bob"),
            lambda: here["cat"].hear(dice.choice(("watch t1", "unwatch t1"))),
            lambda: two.owner.advance(dice.choice((500, 5_000, 70_000))),
            lambda: here[dice.choice(("bob", "cat"))].hear(dice.choice(("leave", "join t1"))),
        ]
        mover = here.get(seat.name.lstrip("~")) if seat is not None else None
        if mover is not None and question is not None and dice.random() < 0.9:
            acts = [lambda: mover.hear(f"move {question.default} t1")]
    else:
        acts = [
            lambda: here["ann"].hear("rematch t1"),
            lambda: here[dice.choice(("bob", "cat"))].hear("join t1"),
            lambda: here["bob"].hear("swap 3"),
            lambda: here["ann"].hear("seed kiwi"),
            lambda: all_say("ready", "bob", "cat"),
            lambda: here["ann"].hear("start t1"),
        ]
    dice.choice(acts)()
    for name in ("ann", "bob"):  # a pause needs everybody's word to end
        if table.phase is Phase.PLAYING and dice.random() < 0.5:
            here[name].hear("unpause t1")


@pytest.mark.parametrize("game", sorted(games()))
def test_viewers_at_another_server_read_the_same_bytes(game: str) -> None:
    two, dice = Two(), random.Random(game)
    open_table(two, game)
    two.begin()
    for _ in range(400):
        happens(two, dice)
        if dice.random() < 0.6:  # several inputs may come together
            two.follow()
            two.told()
            two.known()
    two.follow()
    two.told()
    assert two.view.stream.last == two.owner.room().stream.last > 200


def test_inputs_that_are_known_are_shown_once() -> None:
    two = Two()
    open_table(two, "twentytwo")
    two.begin()
    first = newer(two.owner, 0)
    two.here["bob"].hear("ready t1")
    two.here["ann"].hear("start t1")
    again = newer(two.owner, 0)
    for stored in (first, again, again):
        two.view.follow(stored)
    for name, order in (("ann", "abort"), ("bob", "abort"), ("bob", "ready"), ("ann", "start")):
        two.here[name].hear(f"{order} t1")
    two.follow()
    assert two.view.table.phase is Phase.PLAYING
    two.told()


def test_a_view_that_differs_says_so_and_shows_nothing() -> None:
    two = Two()
    open_table(two, "twentytwo")
    two.begin()
    two.here["ann"].ok("say :hello")
    stored = newer(two.owner, two.view.last)
    wrong = replace(stored.inputs[0], digest=stored.inputs[0].digest ^ 1)
    with pytest.raises(ReplayMismatch):
        two.view.follow(replace(stored, inputs=[wrong]))
    assert not any(peer.take() for peer in two.there.values())
