"""The load generator: programs at tables of four over plain sockets, in a process of its own.

It plays the default of every question, and holds every line against the stream: `seq` rises by one
at each connection, and in the end all four of a table have heard the same. `Failed` is raised where
a server drops, repeats or swaps a line.

Run as `python -m tests.benchmarks.load`, it is told by one line of JSON (`Order`) what to do, and
prints what it found (`Found`), a line for `ramp`, when everybody is seated, one for each phase, and
`all` in the end. A phase is

- `moves`: every table plays as fast as it can: the next move is sent when the question is read;
- `say`: the same with talk: whoever heard the last sentence says the next;
- `fan`: the same without a reply, which only a bare server can do: one line in, four lines out;
- `rate`: moves at so many delivered lines a second, sent by the clock, whatever comes back;
- `half`: the same at half of the lines a second that the phase `moves` before it has had;
- `fill`: every table makes `Order.moves` moves, however long that takes;
- `idle`: nothing, and then it waits for a line of input.
"""

from __future__ import annotations

import gc
import json
import os
import select
import socket
import ssl
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import nan
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit

from tests.benchmarks.figures import quantile

SEATS = 4
AT_ONCE = 8
"""Tables that are being seated at the same time."""


class Failed(Exception):
    """The server said something else than it had to."""


@dataclass
class Order:
    """What the generator is to do. `phases` are names and seconds, as in ("moves", 3)."""

    host: str
    port: int
    pid: int
    """The server, to ask the kernel how long it ran."""
    connections: int
    phases: Sequence[tuple[str, float]] = ()
    warm: float = 1.0
    """Seconds before each phase that do not count."""
    rate: float = 1200.0
    """Delivered lines a second in the phase `rate`."""
    moves: int = 0
    """Moves at each table in the phase `fill`."""
    patience: float = 60.0
    """Seconds without a line after which something is broken."""
    seat: bool = True
    """Whether the connections take their seats; otherwise they log in and are silent."""
    source: str = ""
    """The address of all connections; empty: each of them has its own. An address has a time slice
    in each turn of the server's loop, which a hundred busy connections would share."""
    tls: bool = False
    """Whether it speaks TLS, and takes any certificate."""
    others: Sequence[tuple[str, int]] = ()
    """Further servers of the same place."""
    places: Sequence[Sequence[int]] = ((0,) * SEATS,)
    """The servers of a table's seats, for each table; those after the last begin again. Server 0 is
    at `host` and `port`. The first seat opens the table."""
    watched: Sequence[int] = ()
    """Processes whose time is told, each with its children."""


@dataclass
class Found:
    """What one phase showed. Times in microseconds, latencies in milliseconds."""

    phase: str
    seconds: float = 0.0
    sent: int = 0
    lines: int = 0
    size: int = 0
    """Bytes of the lines."""
    server: float = 0.0
    """Seconds of the processor that the server took, and this process."""
    own: float = 0.0
    first: dict[str, float] = field(default_factory=dict)
    """Quantiles of the time from a move sent to its OK, and to the last line at the last seat."""
    last: dict[str, float] = field(default_factory=dict)
    late: dict[str, float] = field(default_factory=dict)
    """By how much this process itself was late, in the phase `rate`."""
    notes: int = 0
    """How many NOTEs were heard until then, such as that the storage is slow."""
    away: dict[str, float] = field(default_factory=dict)
    """Quantiles of the time to the OK of those at another server than the first seat; `first` has
    the rest."""
    watched: Sequence[float] = ()
    """Seconds of the processor of each `Order.watched`."""
    worst: tuple[float, float] = (0.0, 0.0)
    """When the slowest command was sent, and when the last seat heard of it (`perf_counter`)."""


def cpu(pid: int) -> float:
    """Seconds that a process has run, all its threads together, by its clock in the kernel."""
    return time.clock_gettime(~pid << 3 | 2)


def family(pid: int) -> list[int]:
    """A process and its children."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = " ".join((task / "children").read_text(encoding="ascii") for task in tasks)
    return [pid, *map(int, children.split())]


def cpu_of(pid: int) -> float:
    """Seconds that a process and its children have run."""
    return sum(cpu(each) for each in family(pid))


def quantiles(times: Sequence[float]) -> dict[str, float]:
    """Some quantiles in milliseconds; not a number where there are no times."""
    parts = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999, "max": 1.0}
    return {name: quantile(times, part) * 1000 if times else nan for name, part in parts.items()}


class Seat:
    """One connection: its lines, and where it is in the stream of its table."""

    def __init__(self, load: Load, table: Table, number: int) -> None:
        self.load, self.table, self.number = load, table, number
        self.server = table.places[number]
        self.socket = load.connect(self.server)
        self.next = 0
        """The number of the next event; 0 before the first."""
        self._rest = b""

    def say(self, line: bytes) -> None:
        """Sends a command. Nothing is ever left over: commands are short, and all is read."""
        self.load.sent += 1
        if self.socket.send(line + b"\r\n") <= len(line):
            raise Failed("the server does not read")

    def read(self) -> None:
        """Takes what has come."""
        data = self._received()
        lines = (self._rest + data).split(b"\r\n")
        self._rest = lines.pop()
        self.load.lines += len(lines)
        self.load.size += len(data)
        for line in lines:
            if line[0] == 64:  # @
                self._reply(line)
            elif line[0] != 35:  # '#'
                self._event(line)

    def _received(self) -> bytes:
        """What has come. Over TLS that may be nothing, and a record is read at a time."""
        data, encrypted = b"", self.load.order.tls
        while True:
            try:
                found = self.socket.recv(1 << 16)
            except ssl.SSLWantReadError:
                return data
            if not found:
                raise Failed("the server has hung up")
            data += found
            if not encrypted:
                return data

    def _event(self, line: bytes) -> None:
        table = self.table
        word, *fields = line.split(b" ", 3)
        if len(fields) < 2 or fields[0] != table.on:
            self._aside(word, line)
            return
        on, number, *rest = fields
        if number[:4] != b"seq=":
            raise Failed(f"an event without its number: {line!r}")
        seq = int(number[4:])
        if seq != self.next and self.next:
            raise Failed(f"{seq} after {self.next - 1} at {on!r}, seat {self.number}: {line!r}")
        self.next = seq + 1
        if word == b"TURN":
            table.heard(seq)
            if b" default=" in line:
                turn = rest[0].partition(b" ")[0]
                default = line.partition(b" default=")[2].partition(b" ")[0]
                table.asked(self, b"move %b %b" % (default, turn))
        elif word == b"SAID":
            table.heard(seq)
            table.said(self)
        elif word == b"GAMEOVER":
            table.heard(seq)
            table.again(self)

    def _reply(self, line: bytes) -> None:
        id, word, *rest = line.split(b" ", 2)
        if word == b"ERR":
            raise Failed(f"refused: {line!r}")
        if word == b"OK":
            self.table.answered(self, id, rest[0] if rest else b"")

    def _aside(self, word: bytes, line: bytes) -> None:
        if word == b"PING":
            self.say(b"pong " + line.partition(b"=")[2])
        elif word == b"NOTE":
            self.load.notes += 1
        else:
            raise Failed(f"not for this connection: {line!r}")


class Table:
    """Four connections that play with each other; `on` is the field that its events carry."""

    def __init__(self, load: Load, number: int) -> None:
        self.load = load
        self.on = b""
        self.question: tuple[Seat, bytes] | None = None
        """Who is asked, and the command that answers; None while an answer is on its way."""
        self.places = load.order.places[(number - 1) % len(load.order.places)]
        self._speaker = 0
        self.commands = 0
        """How many moves and how much talk it has sent."""
        self._sent = 0.0
        self._unanswered: dict[bytes, float] = {}
        self._waiting: dict[int, tuple[float, int]] = {}
        self._seated = 0
        self.seats = [Seat(load, self, seat) for seat in range(SEATS)]
        for seat in self.seats:
            seat.say(b"@h hello 1 client=load bot=1")
            seat.say(b"@g guest l%dx%d" % (number, seat.number))
            if not load.order.seat:
                seat.say(b"@i ping")
        if load.order.seat:
            self.seats[0].say(b"@o open twentytwo seats=4 clock=0")

    # ------------------------------------------------------------------------ what they hear

    def answered(self, seat: Seat, id: bytes, rest: bytes) -> None:
        """A command was answered with OK."""
        sent = self._unanswered.pop(id, None)
        if sent is not None:
            times = self.load.first if seat.server == self.places[0] else self.load.away
            times.append(time.perf_counter() - sent)
        elif id == b"@o" or id == b"@j":
            self.on = rest.partition(b" ")[0]
            seat.say(b"@y ready")
            if id == b"@o":
                for other in self.seats[1:]:
                    other.say(b"@j join " + self.on[3:])
        elif id == b"@y" or id == b"@i":
            self._seated += 1
            if self._seated == SEATS:
                self.load.seated += 1
                if id == b"@y":
                    self.seats[0].say(b"@s start")
        elif id not in (b"@h", b"@g", b"@r", b"@s"):
            raise Failed(f"an answer to nothing: {id!r}")

    def heard(self, seq: int) -> None:
        """A seat has read the last line of a move or of talk."""
        sent, left = self._waiting.get(seq) or (self._sent, SEATS)
        if left > 1:
            self._waiting[seq] = sent, left - 1
            return
        del self._waiting[seq]
        now = time.perf_counter()
        self.load.last.append(now - sent)
        if now - sent > self.load.worst[1] - self.load.worst[0]:
            self.load.worst = sent, now

    def asked(self, seat: Seat, answer: bytes) -> None:
        """A seat is asked for a move."""
        self.question = seat, answer
        self.load.asked(self)

    def said(self, seat: Seat) -> None:
        """A seat has heard talk: the one behind the speaker goes on."""
        if seat.number == (self._speaker + 1) % SEATS and self.load.talking:
            self._speaker = seat.number
            self.talk()

    # ------------------------------------------------------------------------ what they say

    def move(self) -> None:
        """Answers the question."""
        assert self.question is not None
        (seat, answer), self.question = self.question, None
        self._send(seat, answer)

    def talk(self) -> None:
        """Says something."""
        self._send(self.seats[self._speaker], b"say :hello there, table")

    def again(self, seat: Seat) -> None:
        """Has a seat ask for another game; its first question is counted from here."""
        self._sent = time.perf_counter()
        seat.say(b"@r rematch")

    def _send(self, seat: Seat, command: bytes) -> None:
        if self.load.replies:
            self.commands += 1
            id = b"@%d" % self.commands
            self._unanswered[id] = time.perf_counter()
            command = b"%b %b" % (id, command)
        self._sent = time.perf_counter()
        seat.say(command)

    @property
    def quiet(self) -> bool:
        """Nothing is on its way: the question is asked, all is answered and heard by all."""
        return self.question is not None and not self._waiting and not self._unanswered

    def check(self) -> None:
        """Raises `Failed` if some have heard more than others."""
        heard = {seat.next for seat in self.seats}
        if len(heard) > 1:
            raise Failed(f"{self.on!r}: not all have heard the same: {heard}")


class Load:
    """All connections, and what is measured of them."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.lines = self.sent = self.size = self.seated = self.notes = 0
        self.first: list[float] = []
        self.away: list[float] = []
        self.last: list[float] = []
        self.late: list[float] = []
        self.took: list[float] = []
        self.worst = 0.0, 0.0
        self.talking = False
        self.replies = True
        self._playing = False
        self._connected = 0
        self._limit = sys.maxsize
        self._fastest = 0.0
        self._ready: deque[Table] = deque()
        self._epoll = select.epoll()
        self._tls = any_server() if order.tls else None
        self._seats: dict[int, Seat] = {}
        self.tables: list[Table] = []

    def connect(self, server: int) -> socket.socket:
        """A new connection to one of the servers."""
        found = socket.create_connection(
            [(self.order.host, self.order.port), *self.order.others][server],
            timeout=self.order.patience,
            source_address=(self.order.source or self._own_address(), 0),
        )
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            found = self._tls.wrap_socket(found)
        found.setblocking(False)
        return found

    def _own_address(self) -> str:
        """The next address of this machine: 127.1.0.1, 127.1.0.2..."""
        self._connected += 1
        return f"127.1.{self._connected >> 8}.{self._connected & 255}"

    def asked(self, table: Table) -> None:
        """A table waits for a move."""
        if self._playing and table.commands < self._limit:
            table.move()
        else:
            self._ready.append(table)

    # -------------------------------------------------------------------------------- the loop

    def _turn(self, until: float) -> bool:
        """Reads what has come by then; False if nothing has."""
        # `epoll` itself waits for whole milliseconds only, `select` on it for as little as is left.
        wait = max(0.0, until - time.perf_counter())
        if not select.select([self._epoll], [], [], wait)[0]:
            return False
        for number, _ in self._epoll.poll(0, 256):
            self._seats[number].read()
        return True

    def _until(self, done: Callable[[], bool], what: str) -> None:
        while not done():
            if not self._turn(time.perf_counter() + self.order.patience):
                raise Failed(f"{self.order.patience:g} s of silence: {what}")

    def _for(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._turn(end)

    # ------------------------------------------------------------------------------ the phases

    def ramp(self) -> None:
        """Seats everybody; all games have begun when it returns."""
        tables = self.order.connections // SEATS
        for number in range(1, tables + 1):
            table = Table(self, number)
            self.tables.append(table)
            for seat in table.seats:
                self._seats[seat.socket.fileno()] = seat
                self._epoll.register(seat.socket, select.EPOLLIN)
            self._until(lambda: self.seated > len(self.tables) - AT_ONCE, "somebody has no seat")
        if self.order.seat:
            self._settle()
        else:
            self._until(lambda: self.seated == tables, "somebody is not answered")

    def _settle(self) -> None:
        """Waits until nothing is on its way."""
        self._until(lambda: all(table.quiet for table in self.tables), "a line is missing")
        for table in self.tables:
            table.check()

    def run(self, phase: str, seconds: float) -> Found:
        """Warms up, measures, and lets everything come to rest."""
        running = {
            "moves": self._moves,
            "say": self._say,
            "fan": self._say,
            "rate": lambda seconds: self._rate(seconds, self.order.rate),
            "half": lambda seconds: self._rate(seconds, self._fastest / 2),
            "fill": self._fill,
            "idle": self._for,
        }[phase]
        found = Found(phase)
        self.replies = phase != "fan"
        if self.order.warm:
            running(self.order.warm)
        for times in (self.first, self.away, self.last, self.late):
            times.clear()
        self.worst = 0.0, 0.0
        watched = [cpu_of(pid) for pid in self.order.watched]
        began, own, server = time.perf_counter(), time.process_time(), cpu(self.order.pid)
        found.lines, found.sent, found.size = -self.lines, -self.sent, -self.size
        running(seconds)
        found.server = cpu(self.order.pid) - server
        found.own = time.process_time() - own
        found.seconds = time.perf_counter() - began
        found.lines += self.lines
        found.sent += self.sent
        found.size += self.size
        found.watched = [
            cpu_of(pid) - before for pid, before in zip(self.order.watched, watched, strict=True)
        ]
        found.first = quantiles(self.first)
        found.away = quantiles(self.away)
        found.last = quantiles(self.last)
        found.late = quantiles(self.late)
        found.worst, found.notes = self.worst, self.notes
        if phase == "moves":
            self._fastest = found.lines / found.seconds
        self._playing = self.talking = False
        if self.order.seat:
            self._settle()
        return found

    def _moves(self, seconds: float) -> None:
        self._playing = True
        while self._ready:
            self._ready.popleft().move()
        self._for(seconds)

    def _say(self, seconds: float) -> None:
        if not self.talking:
            self.talking = True
            for table in self.tables:
                table.talk()
        self._for(seconds)

    def _fill(self, seconds: float) -> None:
        """Some moves at every table; `seconds` is of no account."""
        self._limit = self.order.moves
        self._moves(seconds)
        self._settle()
        self._limit = sys.maxsize

    def _rate(self, seconds: float, lines: float) -> None:
        """Moves at fixed times, for so many delivered lines a second."""
        pause = LINES_A_MOVE / lines
        due = time.perf_counter()
        end = due + seconds
        while due < end:
            while (now := time.perf_counter()) < due:
                self._turn(due)
            if not self._ready:  # all tables wait for the server: what is due stays due
                self._turn(now + self.order.patience)
                continue
            self.late.append(now - due)
            self._ready.popleft().move()
            due += pause

    def close(self) -> None:
        """Closes all connections."""
        for seat in self._seats.values():
            seat.socket.close()
        self._epoll.close()

    def play_on(self, seconds: float) -> None:
        """Plays many games; each is asked for with `rematch`, and that has a limit."""
        self._rate(seconds, 800 * LINES_A_MOVE)
        self._settle()

    def steadily(self, seconds: float, pause: float) -> int:
        """Moves by the clock, so many seconds and no longer; returns how many were due.

        `last` has how long they took, the one that is not answered yet included; `took` how long
        the server was running meanwhile, whatever else the machine had to do.
        """
        self.last.clear()
        self.took.clear()
        began = cpu(self.order.pid)
        due = time.perf_counter()
        end = due + seconds
        made = 0
        while (now := time.perf_counter()) < end:
            if now < due or not self._ready:
                self._turn(min(end, due) if now < due else end)
                if len(self.last) > len(self.took):
                    self.took.append(cpu(self.order.pid) - began)
                continue
            began = cpu(self.order.pid)
            self._ready.popleft().move()
            made += 1
            due = max(due + pause, now)
        if made > len(self.last):
            self.last.append(end - max(table._sent for table in self.tables))
        return int(seconds / pause)


LINES_A_MOVE = 13
"""About how many lines a move makes, to turn a rate of lines into one of moves."""


def any_server() -> ssl.SSLContext:
    """TLS without a look at the certificate: that of the server is of nobody's."""
    found = ssl.create_default_context()
    found.check_hostname = False
    found.verify_mode = ssl.CERT_NONE
    return found


def more_files() -> None:
    """Allows as many open files as this process may have."""
    _, most = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (1 << 20 if most == RLIM_INFINITY else most, most))


def main() -> None:
    """Does what the first line of input says, and prints what it found."""
    words = json.loads(sys.stdin.readline())
    order = Order(**words)
    more_files()
    load = Load(order)
    try:
        load.ramp()
        gc.collect()
        gc.disable()
        print(json.dumps(asdict(Found("ramp", lines=load.lines))), flush=True)
        for phase, seconds in order.phases:
            print(json.dumps(asdict(load.run(phase, seconds))), flush=True)
            if phase == "idle":
                sys.stdin.readline()  # somebody looks at the server meanwhile
        total = Found("all", sent=load.sent, lines=load.lines, size=load.size)
        print(json.dumps(asdict(total)), flush=True)
    except (Failed, OSError) as failed:
        print(json.dumps({"failed": f"{failed}"}), flush=True)
    # Thousands of connections are not closed one by one: the server is killed anyhow.
    os._exit(0)


if __name__ == "__main__":
    main()
