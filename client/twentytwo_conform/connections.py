"""A small kit to speak cardline/1 with: blocking sockets, written from SPEC.md alone.

    with Program(address, "ann") as ann:
        ann.ask("practice seed=7")          # sends a command, waits for its reply
        turn = ann.until("TURN")            # the next event of that word
        ann.heard                           # every line so far

`catch_up` sends a `ping` and reads up to its answer, so nothing here sleeps. Only where a server
with limits says `RATE wait=` do `must` and `tell` wait for as long, and ask again.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Self

from .check import skip

PATIENCE = 10.0
"""Seconds after which a server that says nothing is taken to have failed."""

TOO_FAST = re.compile(r"! Too fast; try again in ([0-9.]+) s\.")
"""What a person reads who has said too much at once."""
REST = "    "
"""How a line begins that goes on with the one before."""
NEEDS_DEV = "this needs a server run with --dev"
NOT_BY_TLS = "over TLS nobody closes only one half"
TOO_MANY = "this server has had enough of it for now"
OFFER = b"\xff\xfb\x01\r\x00"
"""What asks a telnet to show no password (P8); a terminal without telnet writes over it."""

Address = tuple[str, int]


class Encrypted(tuple[str, int]):
    """The host and the port of a server that speaks TLS there."""

    context: ssl.SSLContext
    """How it is to prove itself."""

    @classmethod
    def at(cls, address: Address, context: ssl.SSLContext) -> Encrypted:
        """The server at an address."""
        found = cls(address)
        found.context = context
        return found


def connected(address: Address) -> socket.socket:
    """A connection to a server. Raises `OSError`."""
    plain = socket.create_connection(address, timeout=PATIENCE)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if isinstance(address, Encrypted):
        return address.context.wrap_socket(plain, server_hostname=address[0].partition("%")[0])
    return plain


class Closed(Exception):
    """The server has hung up."""


@dataclass
class Trace:
    """What was said while a check ran, for whoever reads why it failed.

    `ends` is when it has taken too long, on the monotonic clock. `patient`: what is refused with
    RATE is said again after its `wait=`; `refused` is how often that could not be done.
    """

    ends: float
    patient: bool = False
    refused: int = 0
    sent: str = ""
    came: str = ""

    def note(self, *, sent: bytes = b"", came: bytes = b"") -> None:
        """Notes the last line that is more than a `ping` which waits for what there is."""
        for line in sent.decode(errors="replace").splitlines():
            self.sent = self.sent if line.endswith(" ping") else line
        for line in came.decode(errors="replace").splitlines():
            self.came = self.came if line.endswith(" OK pong=-") else line

    def check(self) -> None:
        """Raises `AssertionError` when it has taken too long, `Skipped` where it had to wait."""
        if time.monotonic() > self.ends:
            if self.patient:
                skip(TOO_MANY)
            raise AssertionError("it goes on and on")


TRACE: ContextVar[Trace | None] = ContextVar("TRACE", default=None)
"""Where the check that runs now notes what is said."""


@dataclass(frozen=True)
class Record:
    """A line of the server taken apart, as the specification says."""

    line: str
    word: str
    fields: dict[str, str]
    text: str | None
    id: str | None

    def __getitem__(self, key: str) -> str:
        return self.fields[key]

    def __contains__(self, key: str) -> bool:
        return key in self.fields

    def number(self, key: str) -> int:
        """A field that is a number."""
        return int(self.fields[key])

    def items(self, key: str) -> list[str]:
        """A field that is a list: present and empty is the empty list."""
        return self.fields[key].split(",") if self.fields[key] else []

    @property
    def mine(self) -> bool:
        """Whether it is a question to whoever reads this."""
        return self.word == "TURN" and "default" in self.fields


def parse(line: str) -> Record | None:
    """The record on a line; None for a comment."""
    if line.startswith("#"):
        return None
    if line.startswith("{"):
        return _parse_json(line)
    head, colon, text = line.partition(" :")
    words = head.split(" ")
    reply = words.pop(0)[1:] if words[0].startswith("@") else None
    assert all("=" in word for word in words[1:]), f"not a record: {line!r}"
    fields = dict(word.split("=", 1) for word in words[1:])
    return Record(line, words[0], fields, text if colon else None, reply)


def _parse_json(line: str) -> Record:
    found = json.loads(line)
    word, id, text = found.pop("ev"), found.pop("re", None), found.pop("text", None)
    return Record(line, word, {key: _plain(value) for key, value in found.items()}, text, id)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(map(_plain, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class Reply:
    """What came back for one command: its rows, then its OK or ERR."""

    rows: list[Record]
    final: Record

    @property
    def ok(self) -> bool:
        """Whether the command was carried out."""
        return self.final.word == "OK"

    @property
    def code(self) -> str:
        """The error code; empty after an OK."""
        return self.final.fields.get("code", "")

    @property
    def wait(self) -> float:
        """Seconds after which the server lets it be said again, where it was too much; else 0."""
        return int(self.final.fields.get("wait", 0)) / 1000 if self.code == "RATE" else 0

    def __getitem__(self, key: str) -> str:
        return self.final.fields[key]


class Client:
    """A connection: whole lines out, whole lines in."""

    def __init__(self, address: Address, *, greeting: bool = True) -> None:
        self.address = address
        self.socket = connected(address)
        self.heard: list[str] = []
        self._sent = b""
        self._held = b""
        self.greeting = self.line() if greeting else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up without a word."""
        self.socket.close()

    __del__ = close

    def half_close(self) -> None:
        """Says that nothing more will come, and goes on listening."""
        if isinstance(self.address, Encrypted):
            skip(NOT_BY_TLS)
        self.socket.shutdown(socket.SHUT_WR)

    # ------------------------------------------------------------------------------ out

    def write(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._sent = (self._sent + data)[-200:]
        if trace := TRACE.get():
            trace.check()
            trace.note(sent=data)
        self.socket.sendall(data)

    def dribble(self, data: bytes) -> None:
        """Sends one byte per packet."""
        for byte in data:
            self.socket.sendall(bytes([byte]))

    def send(self, *lines: str) -> None:
        """Sends lines, all in one packet."""
        self.write("".join(f"{line}\n" for line in lines).encode())

    # ------------------------------------------------------------------------------- in

    def raw_line(self) -> bytes:
        """The next line as bytes, its end included. Raises `Closed`."""
        while b"\n" not in self._held:
            try:
                data = self.socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            except TimeoutError as late:
                late.add_note(f"silent for {self.socket.gettimeout():g} s; {self._so_far()}")
                raise
            if not data:
                raise Closed(self._so_far())
            self._held += data
        line, end, self._held = self._held.partition(b"\n")
        return line + end

    def _so_far(self) -> str:
        """The end of what was said on both sides."""
        return f"sent ...{self._sent!r}, heard ...{self.heard[-5:]} and {self._held!r}"

    def line(self) -> str:
        """The next line. Raises `Closed`."""
        data = self.raw_line()
        if trace := TRACE.get():
            trace.check()
            trace.note(came=data)
        line = data.removeprefix(OFFER).decode().removesuffix("\n").removesuffix("\r")
        self.heard.append(line)
        return line

    def expect(self, part: str) -> str:
        """The next line, which has to contain this."""
        line = self.line()
        assert part in line, f"expected {part!r}, got {line!r}"
        return line

    def rest(self) -> bytes:
        """Everything up to the end of the connection."""
        found, self._held = self._held, b""
        while True:
            try:
                data = self.socket.recv(1 << 16)
            except ConnectionResetError:
                return found
            if not data:
                return found
            found += data

    def closed(self) -> bool:
        """Whether the server hangs up now, having said no more."""
        return self.rest() == b""


class Person(Client):
    """Somebody at netcat. A line that means nothing is the fence here: it is always answered."""

    _fences = count(1)

    def __init__(self, address: Address, name: str | None = None) -> None:
        super().__init__(address)
        self.name = ""
        if name is not None:
            self.name = self.tell(name)[0].split("Welcome, ")[1].split()[0].rstrip(".,")

    def tell(self, line: str) -> list[str]:
        """Types a line; everything shown until the server has dealt with it."""
        while True:
            fence = f"zz{next(self._fences)}zz"
            self.send(line, fence)
            shown, wait = self._up_to(fence)
            if not wait:
                return shown
            time.sleep(wait)
            rest = self.catch_up()
            refused = sum(bool(TOO_FAST.match(each)) for each in [shown[-1], *rest])
            fenced = any(fence in each for each in rest)
            shown = [each for each in [*shown, *rest] if not TOO_FAST.match(each)]
            if refused == 1 and not fenced:
                return shown  # only the fence was refused

    def catch_up(self) -> list[str]:
        """Everything shown so far and not yet read."""
        found: list[str] = []
        while True:
            fence = f"zz{next(self._fences)}zz"
            self.send(fence)
            shown, wait = self._up_to(fence)
            found += shown
            if not wait:
                return found
            time.sleep(wait)

    def _up_to(self, fence: str) -> tuple[list[str], float]:
        """What is shown before the fence, and 0; or up to a refusal, and how long to wait."""
        shown: list[str] = []
        while fence not in (line := self.line()):
            if not shown and line.startswith(REST):
                continue  # of the answer to the fence before, which was longer than a line
            shown.append(line)
            too_fast = TOO_FAST.match(line)
            if too_fast:
                return shown, float(too_fast[1])
        return shown, 0

    def until(self, part: str) -> list[str]:
        """The lines up to the first that contains this."""
        shown = [self.line()]
        while part not in shown[-1]:
            shown.append(self.line())
        return shown


HELLO = "hello 1 client=conformance/1"
"""Clients that say who they are are not sent grease unless they ask for it."""


class Program(Client):
    """A program's connection, past its `hello`, and under a name if one is given."""

    def __init__(self, address: Address, name: str | None = None, *, hello: str = HELLO) -> None:
        super().__init__(address)
        self._ids = count(1)
        self.events: list[Record] = []
        self._taken = 0
        self.hello = self.ask(hello)
        assert self.hello.ok, self.hello.final.line
        self.name, self.token = "", ""
        if name is not None:
            reply = self.ask(f"guest {name}")
            self.name, self.token = reply["name"], reply["token"]

    def record(self) -> Record:
        """The next line that is no comment, taken apart; events are remembered."""
        while True:
            found = parse(self.line())
            if found is not None:
                if found.id is None:
                    self.events.append(found)
                return found

    def ask(self, command: str) -> Reply:
        """Sends a command and reads up to the end of its reply; events before it are kept.

        Where the check has to be patient it is sent again when the server says so.
        """
        while True:
            id = f"c{next(self._ids)}"
            self.send(f"@{id} {command}")
            reply, trace = self.reply(id), TRACE.get()
            if trace is None or not trace.patient or not 0 < reply.wait <= PATIENCE:
                return reply
            trace.refused -= 1
            time.sleep(reply.wait)

    def must(self, command: str) -> Reply:
        """Sends a command that has to be carried out.

        Where the server says so it is sent again after a moment: what was refused changed nothing.
        The test is skipped where a server with limits will not do it soon, or at all.
        """
        while True:
            reply = self.ask(command)
            if not reply.wait:
                break
            if reply.wait > PATIENCE:
                skip(TOO_MANY)
            time.sleep(reply.wait)
        if reply.code == "FORBIDDEN" and reply.final.fields.get("arg") == "seed":
            skip(NEEDS_DEV)
        assert reply.ok, f"{command}: {reply.final.line}"
        return reply

    def listing(self, command: str) -> list[Record]:
        """The rows of a list, of all its pages."""
        reply = self.must(command)
        rows = reply.rows
        while "next" in reply.final:
            reply = self.must(f"{command} after={reply['next']}")
            rows = [*rows, *reply.rows]
        return rows

    def reply(self, id: str) -> Reply:
        """The reply with this id; it has to be contiguous."""
        rows: list[Record] = []
        while True:
            found = self.record()
            if found.id is None:
                assert not rows, f"an event within a reply: {found.line}"
                continue
            assert found.id == id, f"expected the reply to {id}, got {found.line}"
            if found.word in ("OK", "ERR"):
                reply, trace = Reply(rows, found), TRACE.get()
                if trace is not None and reply.wait:
                    trace.refused += 1
                return reply
            rows.append(found)

    def catch_up(self) -> list[Record]:
        """The events that have come and were not yet taken, up to now."""
        self.ask("ping")
        return self.take()

    def take(self) -> list[Record]:
        """The events read and not yet taken."""
        found = self.events[self._taken :]
        self._taken = len(self.events)
        return found

    def forget(self) -> None:
        """Lets go of every event read so far."""
        self.events.clear()
        self._taken = 0

    def until(self, word: str) -> Record:
        """The next event of that word that was not yet taken."""
        while True:
            while self._taken < len(self.events):
                found = self.events[self._taken]
                self._taken += 1
                if found.word == word:
                    return found
            self.record()

    def on(self, stream: str) -> list[Record]:
        """The events of a stream read so far."""
        return [event for event in self.events if event.fields.get("on") == stream]

    def question(self) -> Record:
        """The open question, which has to be a question to this client."""
        turns = [event for event in self.events if event.word == "TURN"]
        assert turns and turns[-1].mine, "it is not this client's turn"
        return turns[-1]


def answer(turn: Record) -> str:
    """The `move` that a rule-blind client sends: the default."""
    return f"move {turn['default']} turn={turn['turn']} {turn['on']}"


# ------------------------------------------------------------------------------ a table


@dataclass
class Table:
    """A table of programs, all driven from here; `seats` are the clients by seat, from 1."""

    on: str
    seats: list[Program]
    watchers: list[Program] = field(default_factory=list)

    @property
    def host(self) -> Program:
        """The client in seat 1."""
        return self.seats[0]

    @property
    def everybody(self) -> list[Program]:
        """Seats and watchers."""
        return [*self.seats, *self.watchers]

    def catch_up(self) -> None:
        """Lets everybody read what there is."""
        for client in self.everybody:
            client.ask("ping")

    def turn(self) -> Record | None:
        """The open question as the seat on turn sees it; None when the game is over."""
        self.catch_up()
        if any(event.word == "GAMEOVER" for event in self.host.on(self.on)):
            return None
        for client in self.seats:
            found = [event for event in client.on(self.on) if event.word == "TURN"][-1]
            if found.mine:
                return found
        raise AssertionError("nobody is asked")

    def turn_of_seats(self) -> Record:
        """The open question, where a watcher may be gone."""
        for client in self.seats:
            client.ask("ping")
            found = [event for event in client.on(self.on) if event.word == "TURN"][-1:]
            if found and found[0].mine:
                return found[0]
        raise AssertionError("nobody is asked")

    def mover(self, turn: Record) -> Program:
        """Whose turn it is."""
        return self.seats[turn.number("seat") - 1]

    def play(self, choose: Callable[[Record], str] = answer, *, turns: int = 10_000) -> bool:
        """Plays so many turns; whether the game is over."""
        for _ in range(turns):
            turn = self.turn()
            if turn is None:
                return True
            self.mover(turn).must(choose(turn))
        return self.turn() is None

    def to_act(self, act: str) -> Record:
        """Plays on until a question of this kind is open."""
        for _ in range(100):
            turn = self.turn()
            assert turn is not None, f"nobody was asked to {act}"
            if turn["act"] == act:
                return turn
            self.mover(turn).must(answer(turn))
        raise AssertionError(f"nobody was asked to {act}")

    def close(self) -> None:
        """Everybody gets up and hangs up."""
        for client in self.everybody:
            client.close()


# ----------------------------------------------------------------------------- cutting


def cuts(data: bytes) -> Iterator[Sequence[bytes]]:
    """The bytes in one piece, byte by byte, and cut in two at every place."""
    yield [data]
    yield [bytes([byte]) for byte in data]
    for at in range(1, len(data)):
        yield [data[:at], data[at:]]


def words(records: Iterable[Record]) -> list[str]:
    """Only the words."""
    return [record.word for record in records]
