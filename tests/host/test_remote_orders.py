"""People at several servers play at a table of one: their orders travel to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from tests.host.test_following import newer
from tests.kit.cluster import Place
from tests.kit.hosts import Peer, World
from tests.kit.simulated_bus import BusFaults
from twentytwo_server.games.registry import games
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.cluster.sending import LIMIT
from twentytwo_server.table.table import Phase

pytestmark = pytest.mark.deadline(120)

BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)
"""A bus that loses, doubles, delays and reorders."""

AT = {"ann": "a", "bob": "b", "cat": "c", "dan": "b", "eve": "c"}
"""The servers of the people. Ann's owns the table, and Dan types."""


@dataclass
class Game:
    """The same game at three servers, and at one."""

    game: str
    place: Place
    caps: dict[str, str]
    alone: World = field(default_factory=World)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.here = {name: self._connect(self.alone, name) for name in AT}
        self.there = {name: self._connect(self.place[node], name) for name, node in AT.items()}
        for name in AT.keys() - {"ann"}:  # they take the random numbers that tokens take alone
            self.place["a"].program(f"x{name}")
        for peer in (*self.here.values(), *self.there.values()):
            peer.take()

    def _connect(self, world: World, name: str) -> Peer:
        if name == "dan":
            return world.person(name)
        return world.program(name, caps=self.caps.get(name, ""))

    def do(self, name: str, line: str) -> None:
        """Somebody gives a command at both, and everybody is told of it."""
        there = self.there[name]
        before, passed = there.replies, 0
        self.here[name].hear(line)
        there.hear(line)
        self.place.clock.settle()
        while there.replies == before:
            assert passed < LIMIT, line
            self.place.advance(10)
            passed += 10
        if self.place.faults.lost:
            self.place.advance(2 * LOOK)
            passed += 2 * LOOK
        self.alone.advance(passed)
        self.told(line)

    def all_do(self, names: list[str], line: str) -> None:
        """Some people give the same command, one after the other."""
        for name in names:
            self.do(name, line)

    def told(self, line: str) -> None:
        """Checks that everybody has read the same at both."""
        for name in AT:
            assert self.there[name].take() == self.here[name].take(), (line, name)

    def step(self, dice: random.Random) -> None:
        """Somebody does something: usually a move."""
        table, some = self.alone.room().table, dice.choice(list(AT))
        seated = [seat.name.lstrip("~") for seat in table.people]
        players = [name for name in seated if name in AT]
        word = f"word {dice.random()}"
        acts: list[Callable[[], object]] = [lambda: self.say(some, word)]
        if table.phase is Phase.PLAYING:
            assert table.match is not None
            seat, question = table.on_turn, table.match.question
            mover = seat.name.lstrip("~") if seat is not None else ""
            if mover in AT and question is not None and dice.random() < 0.85:
                acts = [lambda: self.do(mover, f"move {question.default} t1")]
            else:
                acts += [
                    lambda: self.all_do(players, "pause t1"),
                    lambda: self.do(some, f"play nonsense t1 id={word[-3:]}"),
                    lambda: self.do(some, dice.choice(("watch t1", "unwatch t1"))),
                    lambda: self.do(some, "state t1"),
                ]
        else:
            acts += [
                lambda: self.all_do(players, "ready t1"),
                lambda: self.do("ann", "rematch t1"),
                lambda: self.do("ann", "start t1"),
                lambda: self.do("cat", "leave t1"),
                lambda: self.do("cat", "join t1"),
                lambda: self.do("bob", "sync t1 from=20"),
            ]
        dice.choice(acts)()
        for name in players:
            if self.alone.room().table.phase is Phase.PLAYING and dice.random() < 0.3:
                self.do(name, "unpause t1")

    def say(self, name: str, text: str) -> None:
        """Somebody says something at the table."""
        self.said.append(text)
        self.do(name, f"say table=t1 :{text}")

    def begin(self, options: str) -> None:
        """Four people sit down, and a fifth watches."""
        self.do("ann", f"open {self.game} seats=4 {options}")
        self.place.advance(LOOK)
        self.alone.advance(LOOK)
        for name in ("bob", "cat", "dan"):
            self.do(name, "join t1")
            self.do(name, "ready t1")
        self.do("eve", "watch t1")
        self.do("ann", "start t1")
        self.do("ann", "start t1")  # without waiting for words

    def done_once(self) -> None:
        """Checks that the inputs are those of one server: none twice, none missing."""
        alone, there = newer(self.alone, 0).inputs, self.place.inputs()
        assert [(x.who, x.order) for x in there] == [(x.who, x.order) for x in alone]
        tags = Counter((each.who, each.id) for each in there if each.id)
        assert set(tags.values()) == {1}


@pytest.mark.parametrize("game", sorted(games()))
def test_everybody_reads_what_they_would_at_one_server(game: str) -> None:
    play = Game(game, Place(), {"bob": "json,text,time", "cat": "text", "eve": "time"})
    dice = random.Random(game)
    play.begin("clock=60+60")
    for _ in range(300):
        play.step(dice)
    play.done_once()
    assert play.alone.room().stream.last > 150


@pytest.mark.parametrize("game", sorted(games()))
def test_a_bad_bus_loses_and_doubles_nothing(game: str) -> None:
    play = Game(game, Place(BAD), {"bob": "json", "cat": "text"})
    dice = random.Random(game)
    play.begin("clock=0")
    for _ in range(150):
        play.step(dice)
    play.done_once()
    assert play.alone.room().stream.last > 100
