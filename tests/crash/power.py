"""Power failures: unsynced writes may be lost or torn, and the server starts again.

A scripted evening is played once over a store on a watched disk. Every write, every sync, and every
line sent to a player is recorded in order. Then the power fails at many places of that record, also
while a server reads and repairs after an earlier failure. For each failure the files are made as a
disk may leave them: all synced data, and a random part of the rest, in whole writes or single
sectors. A server that starts on these files must have everything that any player was told, once,
and every table.
"""

from __future__ import annotations

import asyncio
import logging
import random
import shutil
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.crash.planted import plant
from tests.crash.player import Broken, Plan, Player
from tests.crash.vfs import OK, Op, watched
from tests.kit.lines import in_lines
from twentytwo_server.facts import Remembered
from twentytwo_server.games.registry import games
from twentytwo_server.host.commands.dispatch import Dispatcher
from twentytwo_server.host.config import Config
from twentytwo_server.host.host import Host
from twentytwo_server.host.start import open_host
from twentytwo_server.host.surroundings import Surroundings
from twentytwo_server.node import CHANCE
from twentytwo_server.session.session import Session
from twentytwo_server.session.streams import Entry, Form
from twentytwo_server.store import writer
from twentytwo_server.store.sql import open_store

SECTOR = 512
FOLDER = ("open", "delete")
"""Operations that are safe only after a sync of the folder."""
LOG = 60
"""Number of facts after which the log is moved into the file here: several times in an evening."""

PLANS = (
    ("open twentytwo options=first_hand:3,limit:10 clock=0 seats=3 bots=1 level=easy", 2),
    ("open whist22 options=start_score:2 clock=0 seats=3 bots=1 level=easy", 2),
    ("practice twentyeight bots=3 options=target:1 level=easy", 1),
)

# ------------------------------------------------------------------------------------- a disk


@dataclass
class Drive:
    """A disk with a cache: the safe contents of each file, and the writes that wait for a sync.

    The creation or deletion of a file waits for a sync of the folder. SQLite syncs the folder at
    the first sync of a journal or log that it has opened.
    """

    safe: dict[str, bytearray] = field(default_factory=dict)
    waiting: list[Op] = field(default_factory=list)
    opened: set[str] = field(default_factory=set)

    def take(self, op: Op) -> None:
        """Performs an operation of SQLite."""
        match op.kind:
            case "open":
                if op.file.endswith(("-wal", "-journal")):
                    self.opened.add(op.file)
                if op.at:
                    self.waiting.append(op)
            case "write" | "truncate":
                self.waiting.append(op)
            case "delete":
                self.waiting.append(op)
                if not op.fast:
                    self._sync(lambda each: each.kind in FOLDER)
            case "sync":
                if op.file in self.opened:
                    self.opened.remove(op.file)
                    self._sync(lambda each: each.kind in FOLDER)
                self._sync(lambda each: each.file == op.file)

    def _sync(self, meant: Callable[[Op], bool]) -> None:
        for op in filter(meant, self.waiting):
            apply(self.safe, op)
        self.waiting = [op for op in self.waiting if not meant(op)]

    def after_failure(self, dice: random.Random) -> dict[str, bytearray]:
        """Possible contents after a failure: each waiting write is present, torn or lost."""
        left = {name: bytearray(data) for name, data in self.safe.items()}
        lost = dice.choice((0.0, 0.3, 0.7, 1.0))
        for op in self.waiting:
            if dice.random() < lost:
                continue
            for part in torn(op, dice) if dice.random() < 0.3 else (op,):
                apply(left, part)
        return left


def torn(op: Op, dice: random.Random) -> Sequence[Op]:
    """The sectors of a write that reached the disk."""
    if op.kind != "write":
        return (op,)
    parts = []
    start = op.at
    while start < op.at + len(op.data):
        end = min(op.at + len(op.data), (start // SECTOR + 1) * SECTOR)
        if dice.random() < 0.5:
            parts.append(Op("write", op.file, start, op.data[start - op.at : end - op.at]))
        start = end
    return parts


def apply(files: dict[str, bytearray], op: Op) -> None:
    """Applies an operation to the files."""
    match op.kind:
        case "delete":
            files.pop(op.file, None)
        case "open":
            files.setdefault(op.file, bytearray())
        case "truncate":
            data = files.setdefault(op.file, bytearray())
            del data[op.at :]
        case "write":
            data = files.setdefault(op.file, bytearray())
            if len(data) < op.at:
                data.extend(bytes(op.at - len(data)))
            data[op.at : op.at + len(op.data)] = op.data


# --------------------------------------------------------------------------------- an evening


@dataclass(frozen=True, slots=True)
class Line:
    """A line sent to a player."""

    who: str
    line: str


class LoopClock:
    """A clock that reads the time of the loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        return int(self._loop.time() * 1000)

    def wall(self) -> int:
        return 1_700_000_000_000 + self.now()

    def later(self, ms: int, call: Callable[[], None]) -> Later:
        return Later(self._loop.call_later(ms / 1000, call))


class Later:
    """A scheduled call of the loop."""

    def __init__(self, handle: asyncio.TimerHandle) -> None:
        self._handle = handle

    def active(self) -> bool:
        return not self._handle.cancelled()

    def cancel(self) -> None:
        self._handle.cancel()


class Here(Player):
    """A player without a socket, whose lines are recorded when the host sends them."""

    address, age = "here", 0
    private = writable = True

    def sit(self, host: Dispatcher, note: Callable[[Line], None]) -> None:
        """Connects to a host."""
        self._host, self._note = host, note
        self._heard: deque[str] = deque()
        self._asked: deque[str] = deque()
        self._answered_all = True
        self._session = Session(self._take)
        host.attach(self._session, self)
        self.come()

    def hang_up(self) -> None:
        """Does nothing: nobody is disconnected here."""

    network = "127.0.0.1"
    share = 1
    crowded = False

    def rate_wait(self, cost: float, chat: bool) -> int:
        """Always 0: there is no rate limit."""
        return 0

    def when_writable(self, call: Callable[[], None]) -> None:
        """Calls at once: this player reads everything."""

    def count_held(self, size: int) -> None:
        """Does nothing: this player reads everything."""

    def _take(self, data: bytes) -> None:
        lines = in_lines(data)
        for line in lines:
            self._note(Line(self.wanted, line))
        self._heard.extend(lines)

    def flush(self) -> None:
        """Sends one line at a time, each after the answer to the one before."""
        self._asked.extend(self.out)
        self.out.clear()
        while self._asked and self._answered_all:
            self._answered_all = False
            self._host.line(self._session, self._asked.popleft(), self._done)

    def _done(self) -> None:
        self._answered_all = True

    def turn(self) -> None:
        """Processes received lines, and continues."""
        while self._heard:
            self.hear(self._heard.popleft())
        self.go_on()


def players(seed: str) -> list[Here]:
    """The players of an evening."""
    found: list[Here] = []
    for line, programs in PLANS:
        plan = Plan(line, programs, ends=0.0)
        for number in range(programs):
            name = f"p{len(found)}q"
            found.append(Here(name, plan, number == 0, random.Random(f"{seed} {name}")))
    for player in found:
        player.friends = [each for each in found if each is not player]
    return found


def fatal(why: str) -> None:
    """Fails the test when the store cannot continue."""
    raise Broken(why)


def host_over(store: Any, remembered: Remembered | None = None) -> tuple[Host, Dispatcher]:
    """A host as in a real server."""
    config = Config(boot="power", pause=0)
    return open_host(Surroundings(LoopClock(), store, CHANCE), games(), config, remembered)


async def evening(folder: Path, seed: str, orders: int) -> list[Op | Line]:
    """Plays until `orders` orders are acknowledged; returns all operations and lines in order."""
    tape: list[Op | Line] = []

    def watch(op: Op) -> int:
        tape.append(op)
        return OK

    with watched(watch):
        store = await open_store(folder, fatal)
        host, commands = host_over(store)
        everybody = players(seed)
        for player in everybody:
            player.sit(commands, tape.append)
        while sum(len(player.acked) for player in everybody) < orders:
            await asyncio.sleep(0.0005)
            for player in everybody:
                player.turn()
        host.tables.halt()
        await store.close()
    return tape


# --------------------------------------------------------------------------------- the failures


@dataclass
class Promises:
    """The server's promises to players before the power failure."""

    events: dict[tuple[str, str, int], str] = field(default_factory=dict)
    orders: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, tuple[str, str]] = field(default_factory=dict)

    def note(self, said: Line) -> None:
        """Records a line."""
        head, *words = said.line.partition(" :")[0].split(" ")
        fields = dict(word.partition("=")[::2] for word in words)
        if head[0] != "@":
            if "seq" in fields:
                self.events[said.who, fields["on"], int(fields["seq"])] = said.line
        elif words[0] == "OK" and "token" in fields:
            self.tokens[said.who] = fields["token"], fields["name"]
        elif words[0] == "OK" and "seq" in fields:
            self.orders[head[1:]] = fields["on"]


class Failures:
    """The record of an evening, cut at many places."""

    def __init__(self, tape: Sequence[Op | Line], dice: random.Random) -> None:
        self.tape = tape
        self.dice = dice
        self.cuts = 0
        self.twice = 0

    async def cut(self) -> None:
        """Cuts the power at a random place. Raises `Broken`."""
        end = self.dice.randint(1, len(self.tape))
        drive, promises = Drive(), Promises()
        for each in self.tape[:end]:
            if isinstance(each, Op):
                drive.take(each)
            else:
                promises.note(each)
        self.cuts += 1
        files = drive.after_failure(self.dice)
        if self.dice.random() < 0.3:
            self.twice += 1
            files = await self._again(files)
        try:
            await self._come_back(files, promises)
        except Exception as broken:
            raise Broken(f"cut {self.cuts} after {end} of {len(self.tape)}: {broken}") from broken

    async def _again(self, files: dict[str, bytearray]) -> dict[str, bytearray]:
        """Cuts the power again during the start of a server."""
        tape: list[Op] = []

        def watch(op: Op) -> int:
            tape.append(op)
            return OK

        with Placed(files) as folder, watched(watch):
            store = await open_store(folder, fatal)
            host, _ = host_over(store, await store.load())
            host.tables.halt()
            await store.close()
        drive = Drive({name: bytearray(data) for name, data in files.items()})
        for op in tape[: self.dice.randint(0, len(tape))]:
            drive.take(op)
        return drive.after_failure(self.dice)

    async def _come_back(self, files: dict[str, bytearray], promises: Promises) -> None:
        with Placed(files) as folder:
            store = await open_store(folder, fatal)
            try:
                remembered = await store.load()
                host, _ = host_over(store, remembered)
                check(host, remembered, promises)
                host.tables.halt()
            finally:
                await store.close()


class Placed:
    """Files in a temporary folder."""

    def __init__(self, files: dict[str, bytearray]) -> None:
        self._files = files

    def __enter__(self) -> Path:
        memory = Path("/dev/shm")
        where = str(memory) if memory.is_dir() else None
        self._folder = Path(tempfile.mkdtemp(prefix="twentytwo-power-", dir=where))
        for name, data in self._files.items():
            (self._folder / name).write_bytes(data)
        return self._folder

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder)


def check(host: Host, remembered: Remembered, promises: Promises) -> None:
    """Raises `Broken` if data is missing, doubled or differs from the lines sent."""
    if len(host.rooms) != len(remembered.tables):
        raise Broken(f"of {len(remembered.tables)} tables {sorted(host.rooms)} came back")
    kept = Counter(given.id for table in remembered.tables for given in table.inputs if given.id)
    for id, on in promises.orders.items():
        if not id.startswith("tell.") and kept[id] != 1:
            raise Broken(f"{id} on {on} was acknowledged, and is kept {kept[id]} times")
    doubled = [id for id, times in kept.items() if times > 1]
    if doubled:
        raise Broken(f"kept more than once: {doubled}")
    for who, (token, name) in promises.tokens.items():
        if host.people.by_token(token).name != name:
            raise Broken(f"{who} does not get {name} back")
    read = cache(partial(_entries, host))  # unpacking a stream for each line would take long
    for (who, on, seq), line in promises.events.items():
        name = promises.tokens[who][1]
        entry = read(on, name if on == "me" else "").get(seq)
        found = entry and entry.line(_seat(host, on, name), Form())
        if found != line:
            raise Broken(f"{who} was told {line}, and there is {found}")


def _entries(host: Host, on: str, name: str) -> Mapping[int, Entry]:
    """The entries of a table's stream, or of the inbox of `name`, by number."""
    room, person = host.rooms.get(on), host.people.exact(name)
    stream = room.stream if room else person.inbox if person else None
    return {entry.seq: entry for entry in stream.after(0)} if stream else {}


def _seat(host: Host, on: str, name: str) -> int | None:
    room = host.rooms.get(on)
    seat = room.table.seat_of(name) if room else None
    return seat.number if seat else None


async def failures(seed: str, cuts: int, orders: int) -> Failures:
    """Cuts the power `cuts` times in an evening. Raises `Broken`."""
    before, writer.LOG = writer.LOG, LOG
    # failed cuts are reported by `Broken`
    logging.getLogger("twentytwo").setLevel(logging.CRITICAL)
    plant()
    try:
        with Placed({}) as folder:
            tape = await evening(folder, seed, orders)
        found = Failures(tape, random.Random(f"{seed} cuts"))
        while found.cuts < cuts:
            await found.cut()
    finally:
        writer.LOG = before
    return found


def run(cuts: int, seed: str, orders: int = 150) -> int:
    """Cuts the power `cuts` times, and prints the results; returns the number of failures."""
    evenings, left, calls, twice = 0, cuts, 0, 0
    while left > 0:
        now = min(left, 500)
        name = f"{seed}.{evenings}" if evenings else seed
        try:
            found = asyncio.run(failures(name, now, orders))
        except Broken as broken:
            again = f"python -m tests.crash power --cuts {now} --seed {name}"
            print(f"FAIL seed={name}: {broken}  again: {again}", flush=True)
            return 1
        evenings, left = evenings + 1, left - now
        calls += sum(isinstance(each, Op) for each in found.tape)
        twice += found.twice
    print(
        f"{cuts} power cuts ({twice} of them followed by another during the recovery) in "
        f"{evenings} evenings of {orders} orders and {calls // evenings} calls of the disk: "
        "nothing lost, nothing doubled, every table restored",
        flush=True,
    )
    return 0
