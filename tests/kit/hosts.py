"""A host over fakes, with many people and programs connected."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.kit.clock import HandClock
from tests.kit.hashing import Direct
from tests.kit.lines import in_lines, names_in
from twentytwo_protocol import wire
from twentytwo_protocol.framing import Flaw
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.facts import Fact, Input, Remembered
from twentytwo_server.games.chance import RandomBelow
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.registry import games
from twentytwo_server.host.config import Config, Randomness
from twentytwo_server.host.start import open_host
from twentytwo_server.host.surroundings import Surroundings
from twentytwo_server.host.tables.room import Room
from twentytwo_server.ports import Store
from twentytwo_server.session.session import Session
from twentytwo_server.store.memory import MemoryStore


class LateStore(MemoryStore):
    """A store that saves facts and calls `done` only when the test releases them."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Sequence[Fact], Callable[[], None]]] = []
        self.late = False

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        self.waiting.append((facts, done))
        if not self.late:
            self.release()

    def release(self, table: str | None = None) -> None:
        """Saves waiting facts, of one table or of all, and calls their callbacks."""
        for each in [each for each in self.waiting if table in (None, table_of(each[0]))]:
            # A callback may have released later facts already, in order.
            if each in self.waiting:
                self.waiting.remove(each)
                super().keep(*each)


def table_of(facts: Sequence[Fact]) -> str | None:
    """The table of these facts, or None."""
    return next((fact.table for fact in facts if isinstance(fact, Input)), None)


def counted_chance(seed: int = 0, run: int = 0) -> Randomness:
    """Repeatable randomness that never gives the same secret twice."""
    numbers = itertools.count(1 + 1_000_000 * run)

    def pick(wanted: int | None) -> RandomBelow:
        return random.Random(seed if wanted is None else wanted).randrange

    def secret() -> str:
        return f"{next(numbers):0128x}"

    def token() -> str:
        return f"token{next(numbers)}"

    return Randomness(secret=secret, token=token, pick=pick)


@dataclass
class Peer:
    """A connection to the host: its received lines, and methods for sending."""

    world: World
    session: Session
    lines: list[str] = field(default_factory=list)
    replies: int = 0
    hung_up: bool = False
    tolls: list[int] = field(default_factory=list)
    name: str = ""
    token: str = ""
    address: str = "127.0.0.1"
    private: bool = True
    share: int = 1000
    """Quotas of an address that no test reaches, except the tests of quotas."""
    crowded: bool = False
    opened: int = 0
    writable: bool = True
    unread: list[Callable[[], None]] = field(default_factory=list)
    _ids: Any = field(default_factory=lambda: itertools.count(1))

    # ------------------------------------------------------------- as the host sees it

    def hang_up(self) -> None:
        self.hung_up = True

    @property
    def network(self) -> str:
        return self.address

    @property
    def age(self) -> int:
        return self.world.clock.now() - self.opened

    def when_writable(self, call: Callable[[], None]) -> None:
        """Stores the callback for `read_on`."""
        self.unread.append(call)

    def count_held(self, size: int) -> None:
        """Does nothing: this peer reads everything."""

    def rate_wait(self, cost: float, chat: bool) -> int:
        self.world.chatted += chat
        self.world.charged += cost
        return self.tolls.pop(0) if self.tolls else 0

    # ------------------------------------------------------------------------ speaking

    def hear(self, line: str | Flaw) -> None:
        """Passes a line to the host."""

        def done() -> None:
            self.replies += 1

        self.world.commands.line(self.session, line, done)

    def say(self, *lines: str) -> list[str]:
        """Sends lines; returns the lines received since."""
        self.lines.clear()
        for line in lines:
            before = self.replies
            self.hear(line)
            assert self.replies <= before + 1, f"two replies to {line}"
        return self.take()

    def ask(self, line: str) -> ParsedLine:
        """Sends a program's command and returns its only reply; other lines stay in `lines`."""
        id = f"i{next(self._ids)}"
        before = self.replies
        self.lines.clear()
        self.hear(f"@{id} {line}")
        assert self.replies == before + 1, f"no reply to {line}"
        replies = [r for r in map(self.read, self.lines) if r is not None and r.id == id]
        assert [r.word in ("OK", "ERR") for r in replies] == [False] * (len(replies) - 1) + [True]
        assert replies[-1].fields.get("arg") in (None, *names_in(line)), (line, replies[-1])
        return replies[-1]

    def ok(self, line: str) -> ParsedLine:
        """Sends a command, and checks that it is accepted."""
        reply = self.ask(line)
        assert reply.word == "OK", (line, reply)
        return reply

    def err(self, line: str) -> str:
        """Sends a command, and returns the error code of its refusal."""
        reply = self.ask(line)
        assert reply.word == "ERR", (line, reply)
        return reply.fields["code"]

    def rows(self, line: str) -> list[ParsedLine]:
        """Sends a command, and returns the rows of its reply."""
        final = self.ok(line)
        found = [r for r in self.records() if r.id == final.id]
        return found[:-1]

    def pages(self, line: str) -> list[list[ParsedLine]]:
        """Sends a command, and returns the rows of its long reply, page by page."""
        found, after = list[list[ParsedLine]](), ""
        while not found or after:
            final = self.ok(line + after)
            found.append([r for r in self.records() if r.id == final.id][:-1])
            assert int(final.fields["n"]) == len(found[-1])
            after = f" after={final.fields['next']}" if "next" in final.fields else ""
        return found

    def read(self, line: str) -> ParsedLine | None:
        return wire.parse_json(line) if self.session.form.json else wire.parse(line)

    def take(self) -> list[str]:
        """Removes and returns the received lines."""
        taken = self.lines[:]
        self.lines.clear()
        return taken

    def records(self) -> list[ParsedLine]:
        """The records in `lines`."""
        return [r for r in map(self.read, self.lines) if r is not None]

    def events(self, on: str | None = None) -> list[ParsedLine]:
        """The events in `lines`, of one stream or of all."""
        found = [r for r in self.records() if r.id is None]
        return [r for r in found if on is None or r.on == on]

    def words(self, on: str | None = None) -> list[str]:
        """The words of the events in `lines`."""
        return [r.word for r in self.events(on)]

    def read_on(self) -> None:
        """Reads all waiting output in small steps."""
        while self.unread:
            self.unread.pop(0)()
            self.world.clock.settle()

    def drop(self) -> None:
        """Closes the connection from the peer's side."""
        self.world.commands.detach(self.session)


class World:
    """A host, its clock, its store, and all connections."""

    def __init__(
        self,
        store: Store | None = None,
        *,
        game: AnyGame | None = None,
        clock: HandClock | None = None,
        run: int = 0,
        hasher: Direct | None = None,
        remembered: Remembered | None = None,
        **config: Any,
    ) -> None:
        if remembered is None and isinstance(store, MemoryStore | None):
            store = store or MemoryStore()
            remembered = store.remembered()
        self.clock = clock or HandClock()
        self.store = store or MemoryStore()
        self.run = run
        self.hasher = hasher or Direct()
        self._as_before = {"game": game, "hasher": self.hasher, **config}
        self.chatted = 0
        self.charged = 0.0
        known: Mapping[str, AnyGame] = {game.key: game} if game else games()
        self.host, self.commands = open_host(
            Surroundings(self.clock, self.store, counted_chance(run=run), self.hasher),
            known,
            Config(**{"boot": "boot", "pause": 0, **config}),
            remembered,
        )
        self.peers: list[Peer] = []

    def restarted(self) -> World:
        """The world of a new server on the same store, as after a kill."""
        for due in self.clock.waiting:
            due.cancel()
        return World(self.store, clock=self.clock, run=self.run + 1, **self._as_before)

    def peer(self, address: str = "127.0.0.1") -> Peer:
        """A new connection that has sent nothing."""
        lines: list[str] = []
        session = Session(lambda data: lines.extend(in_lines(data)))
        peer = Peer(self, session, lines, address=address, private=address == "127.0.0.1")
        peer.opened = self.clock.now()
        self.commands.attach(session, peer)
        self.peers.append(peer)
        return peer

    def program(self, name: str = "", *, caps: str = "", bot: bool = False) -> Peer:
        """A program that has sent hello and its name."""
        peer = self.peer()
        peer.say(f"hello 1 client=test caps={caps}" + (" bot=1" if bot else ""))
        if name:
            reply = peer.ok(f"guest {name}")
            peer.name, peer.token = reply.fields["name"], reply.fields["token"]
            peer.take()
        return peer

    def person(self, name: str = "") -> Peer:
        """A person who has typed a name."""
        peer = self.peer()
        if name:
            peer.say(name)
            assert peer.session.name is not None
            peer.name = peer.session.name
        return peer

    def room(self, id: str = "t1") -> Room:
        return self.host.rooms.own[id]

    def table(self, *peers: Peer, options: str = "") -> str:
        """Opens a table by the first peer; the others join and are ready. Returns its id."""
        first, *others = peers
        on = first.ok(f"open twentytwo seats={max(2, len(peers))} clock=0 {options}").fields["on"]
        for peer in others:
            peer.ok(f"join {on}")
            peer.ok(f"ready {on}")
        return on

    def game(self, *peers: Peer, options: str = "") -> str:
        """The same, with a running game."""
        on = self.table(*peers, options=options)
        peers[0].ok(f"start {on}")
        return on

    def on_turn(self, on: str = "t1") -> Peer:
        """The connection of the player on turn."""
        seat = self.room(on).table.on_turn
        assert seat is not None
        here = [p for p in self.peers if self.host.people.on(p.session) is not None]
        return next(p for p in here if p.session.name == seat.name)

    def advance(self, ms: int) -> None:
        self.clock.advance(ms)


class Proxied:
    """A game that delegates to another one, except for overridden attributes."""

    def __init__(self, game: AnyGame, **changed: Any) -> None:
        self._game = game
        self.__dict__.update(changed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def like(game: AnyGame, **changed: Any) -> AnyGame:
    """A game like another, with some attributes overridden."""
    found: Any = Proxied(game, **changed)
    made: AnyGame = found
    return made
