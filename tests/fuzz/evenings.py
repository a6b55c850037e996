"""Lines in every phase of an evening: people, programs and programs with objects at a table."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Hashable, Sequence
from itertools import count

from tests.kit.hosts import Peer, World
from twentytwo_protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE, LineBuffer
from twentytwo_protocol.objects import is_object
from twentytwo_protocol.wire import id_of
from twentytwo_server.facts import Fact
from twentytwo_server.session.recipient import Mode
from twentytwo_server.store.memory import MemoryStore

SECOND = b"\x01"
"""In place of a line: ten seconds go by."""
MOST = 24
"""Lines of one input that are said."""


class Counting(MemoryStore):
    """How many facts it was given to keep."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        self.count += len(facts)
        super().keep(facts, done)


class _Faults(logging.Handler):
    """What the server logs as its own fault."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))


def _nobody(world: World) -> None:
    for _ in range(3):
        world.peer()


def _lobby(world: World) -> None:
    world.program("ann")
    world.person("bob")
    world.program("cid", caps="json")


def _table(world: World) -> None:
    _lobby(world)
    world.peers[0].ok("open twentytwo seats=3 clock=0")
    world.peers[1].say("join t1")


def _game(game: str, seats: int = 2) -> Callable[[World], None]:
    def phase(world: World) -> None:
        _lobby(world)
        ann, bob, cid = world.peers
        ann.ok(f"open {game} seats={seats} bots={seats - 2} clock=30")
        bob.say("join t1", "ready")
        ann.ok("ready t1")
        ann.ok("start t1")
        cid.hear('{"verb":"watch","table":"t1"}')

    return phase


def _over(world: World) -> None:
    _game("twentytwo")(world)
    world.peers[0].ok("resign t1")


def _practice(world: World) -> None:
    _lobby(world)
    world.peers[0].ok("practice bots=2 seed=22")
    world.peers[1].say("practice whist22 bots=1 seed=22")


def _account(world: World) -> None:
    _lobby(world)
    world.peers[0].ok("register annette :a long enough password")
    world.peers[1].say("register bobby", "a long enough password", "a long enough password")


PHASES = (
    _nobody,
    _lobby,
    _table,
    _game("twentytwo"),
    _game("twentysix"),
    _game("whist22", 3),
    _game("twentyeight", 4),
    _over,
    _practice,
    _account,
)


def evening(data: bytes) -> Hashable:
    """Whatever is said in whichever phase: no fault, one reply to each command, and a refusal keeps
    nothing. The first byte chooses the phase; a line that begins with 1 or 2 is said by another.
    """
    store, faults = Counting(), _Faults()
    logging.getLogger().addHandler(faults)
    try:
        world = World(store)
        PHASES[(data[0] if data else 0) % len(PHASES)](world)
        world.clock.settle()
        numbers, outcome = count(1), list[Hashable]()
        for raw in data[1:].split(b"\n")[:MOST]:
            if raw == SECOND:
                world.advance(10_000)
                continue
            peer = world.peers[raw[0] - 48 if raw[:1] in (b"1", b"2") else 0]
            outcome.append(_said(world, peer, store, raw[raw[:1] in (b"1", b"2") :], next(numbers)))
        world.advance(1_000)
        assert not faults.texts, faults.texts[0]
    finally:
        logging.getLogger().removeHandler(faults)
        for due in world.clock.waiting:
            due.cancel()
    return tuple(outcome[-3:])


def _said(world: World, peer: Peer, store: Counting, raw: bytes, number: int) -> Hashable:
    """Says a line; what came of it."""
    line = LineBuffer(MAX_CLIENT_LINE).feed(raw + b"\n")[-1]
    if peer.hung_up:
        return None
    for each in world.peers:
        each.lines.clear()
    before, kept = peer.replies, store.count
    program = peer.session.mode is Mode.PROGRAM
    id = f"i{number}"
    if program and isinstance(line, str) and line.strip() and line[0] not in "@#{":
        line = f"@{id} {line}"
    peer.hear(line)
    at_once = store.count
    world.clock.settle()
    for each in world.peers:
        each.read_on()
    assert peer.replies == before + 1, "answered, once"
    for each in world.peers:
        for said in each.lines:
            assert len(said.encode()) < MAX_SERVER_LINE
            if each.session.mode is Mode.PROGRAM:
                json.loads(said) if each.session.form.json and said[:1] == "{" else each.read(said)
    if not program or not isinstance(line, str):
        return peer.lines[-1][:12] if peer.lines else ""
    replies = [r for r in peer.records() if r.id is not None and (r.word in ("OK", "ERR"))]
    quiet = line.lower().split()[1:2] == ["pong"]  # itself an answer
    if id_of(line) and not is_object(line) and not peer.hung_up and not quiet:
        assert len([r for r in replies if r.id == id_of(line)]) == 1, (line, peer.lines)
    if replies and replies[-1].word == "ERR":
        assert at_once == kept, f"refused, and something was kept: {line}"
        return replies[-1].fields["code"]
    return (
        (replies[-1].word, line.split(" ")[1:2] and line.split(" ")[1][:8].lower())
        if replies
        else ""
    )
