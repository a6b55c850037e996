"""A small test kit for cardline/1 with blocking sockets, written from SPEC.md alone.

    with Program(address, "ann") as ann:
        ann.ask("practice seed=7")          # sends a command, waits for its reply
        turn = ann.until("TURN")            # the next event of that word
        ann.heard                           # every line so far

`catch_up` sends a `ping` and reads up to the reply, so nothing here sleeps. The exception is a
server with limits: new connections, `ask`, `must` and `tell` wait as long as its `wait=` says
(`pacing`).
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Self
from weakref import WeakSet

from twentytwo_protocol.value import Value

from .check import Wrong, fail, skip
from .pacing import later, throttle_of, trace

PATIENCE = 10.0
"""Seconds of silence after which the server is taken to have failed."""

REST = "    "
"""The beginning of a line that continues the line before."""
NEEDS_DEV = "this needs a server run with --dev"
NOT_BY_TLS = "over TLS nobody closes only one half"
OFFER = b"\xff\xfb\x01\r\x00"
"""The bytes that make a telnet client hide a password (P8); a terminal without telnet overwrites
them.
"""

Address = tuple[str, int]


class Encrypted(tuple[str, int]):
    """The host and port of a TLS listener."""

    context: ssl.SSLContext
    """The TLS context with the certificates to trust."""

    @classmethod
    def at(cls, address: Address, context: ssl.SSLContext) -> Encrypted:
        """The listener at an address."""
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
    """The server has closed the connection."""


class Record(Value):
    """A parsed server line."""

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
        """The value of a numeric field."""
        return int(self.fields[key])

    def items(self, key: str) -> list[str]:
        """The items of a list field; a present but empty field is the empty list."""
        return self.fields[key].split(",") if self.fields[key] else []

    @property
    def mine(self) -> bool:
        """True if the record is a question to this client."""
        return self.word == "TURN" and "default" in self.fields


def parse(line: str) -> Record | None:
    """Parses a line; None for a comment."""
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


class Reply(Value):
    """The reply to a command: its rows, then OK or ERR."""

    rows: list[Record]
    final: Record

    @property
    def ok(self) -> bool:
        """True if the command succeeded."""
        return self.final.word == "OK"

    @property
    def code(self) -> str:
        """The error code; empty after an OK."""
        return self.final.fields.get("code", "")

    @property
    def wait(self) -> float:
        """Seconds until the command may be repeated, if a limit refused it; else 0."""
        limit = self.final.fields.get("class") == "limit"
        return int(self.final.fields.get("wait", 0)) / 1000 if limit else 0

    def __getitem__(self, key: str) -> str:
        return self.final.fields[key]


class Client:
    """A connection that sends and receives whole lines.

    If the server sends a time for coming back instead of a greeting, the client waits and
    reconnects. `full`: a message that the server has too many connections is accepted as the
    greeting.
    """

    def __init__(self, address: Address, *, greeting: bool = True, full: bool = False) -> None:
        self.address = address
        self.heard: list[str] = []
        self._sent = b""
        self._held = b""
        self.throttle = throttle = throttle_of(*address)
        while True:
            trace().wait(throttle.turn())
            self.socket = connected(address)
            self.greeting = self.line() if greeting else ""
            bye = re.match(r"BYE code=(\w+) .*\bwait=(\d+)", self.greeting)
            if bye is None or (full and bye[1] == "BUSY"):
                break
            self.close()
            if bye[1] == "BUSY":  # whoever waits for more with some in hand waits for ever
                raise Closed(self.greeting)
            self.heard.clear()
            throttle.pause(int(bye[2]) / 1000)
            trace().refused -= 1

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
        """Closes the connection."""
        self.socket.close()

    def __del__(self) -> None:
        if "socket" in vars(self):  # it may have waited in vain for its turn
            self.close()

    def half_close(self) -> None:
        """Closes the sending direction, and continues to receive."""
        if isinstance(self.address, Encrypted):
            skip(NOT_BY_TLS)
        self.socket.shutdown(socket.SHUT_WR)

    # ------------------------------------------------------------------------------ out

    def write(self, data: bytes) -> None:
        """Sends bytes."""
        self._says(data)
        self.socket.sendall(data)

    def _says(self, data: bytes) -> None:
        """Notes the sent bytes for the trace."""
        self._sent = (self._sent + data)[-200:]
        trace().check()
        trace().note(sent=data)

    def dribble(self, data: bytes) -> None:
        """Sends one byte per packet."""
        self._says(data)
        for byte in data:
            self.socket.sendall(bytes([byte]))

    def send(self, *lines: str) -> None:
        """Sends lines, all in one packet."""
        self.write("".join(f"{line}\n" for line in lines).encode())

    # ------------------------------------------------------------------------------- in

    def raw_line(self) -> bytes:
        """The next line as bytes, with its line end. Raises `Closed`."""
        while b"\n" not in self._held:
            try:
                data = self._more()
            except TimeoutError as late:
                late.add_note(f"silent for {self.socket.gettimeout():g} s; {self._so_far()}")
                raise
            if not data:
                raise Closed(self._so_far())
            self._held += data
        line, end, self._held = self._held.partition(b"\n")
        trace().check()
        trace().note(came=line + end)
        return line + end

    def _so_far(self) -> str:
        """The last lines in both directions."""
        return f"sent ...{self._sent!r}, heard ...{self.heard[-5:]} and {self._held!r}"

    def line(self) -> str:
        """The next line. Raises `Closed`."""
        data = self.raw_line()
        line = data.removeprefix(OFFER).decode().removesuffix("\n").removesuffix("\r")
        self.heard.append(line)
        return line

    def expect(self, part: str) -> str:
        """The next line; it must contain this text."""
        line = self.line()
        if part not in line:
            raise Wrong(line, part)
        return line

    def rest(self) -> bytes:
        """All lines up to the end of the connection."""
        found, self._held = self._held, b""
        while data := self._more():
            found += data
        trace().note(came=found)
        return found

    def _more(self) -> bytes:
        """The next bytes; empty at the end of the connection."""
        try:
            return self.socket.recv(1 << 16)
        except ConnectionResetError:
            return b""

    def closed(self) -> bool:
        """True if the server closes the connection now, without another line."""
        return self.rest() == b""


class Person(Client):
    """A person with netcat. To read all output so far, it sends a meaningless line, which the
    server always answers.
    """

    _fences = count(1)

    def __init__(self, address: Address, name: str | None = None) -> None:
        if name is not None:
            trace().wait(throttle_of(*address).name_wait(), aside=True)
        super().__init__(address)
        self.name = ""
        if name is not None:
            self.name = self._come_in(name).split("Welcome, ")[1].split()[0].rstrip(".,")

    def _come_in(self, name: str) -> str:
        """Tries names until the server accepts one; returns the answer."""
        while True:
            self.send(name)  # alone: to whoever has no name yet, a fence is a name, too
            line = self.line()
            wait = later(line)
            if not wait:
                self.catch_up()
                return line
            self.throttle.no_names(wait)
            trace().wait_again(wait, aside=True)

    def tell(self, line: str) -> list[str]:
        """Types a line; returns the output up to the end of the server's answer."""
        while True:
            fence = f"zz{next(self._fences)}zz"
            self.send(line, fence)
            shown, wait = self._up_to(fence)
            if not wait:
                return shown
            if not self.name:
                fail("to whoever has no name yet, a fence is a name, too")
            trace().wait_again(wait)
            rest = self.catch_up()
            also = sum(bool(later(each)) for each in rest)
            trace().refused -= also
            fenced = any(fence in each for each in rest)
            shown = [each for each in [*shown, *rest] if not later(each)]
            if not also and not fenced:
                return shown  # only the fence was refused

    def catch_up(self) -> list[str]:
        """All unread output so far."""
        found: list[str] = []
        while True:
            fence = f"zz{next(self._fences)}zz"
            self.send(fence)
            shown, wait = self._up_to(fence)
            found += shown
            if not wait:
                return found
            trace().wait_again(wait)

    def _up_to(self, fence: str) -> tuple[list[str], float]:
        """The output before the answer to the meaningless line, and 0; or the output up to a
        refusal, and the seconds to wait.
        """
        shown: list[str] = []
        while fence not in (line := self.line()):
            if not shown and line.startswith(REST):
                continue  # of the answer to the fence before, which was longer than a line
            shown.append(line)
            if wait := later(line):
                return shown, wait
        return shown, 0

    def until(self, part: str) -> list[str]:
        """The lines up to the first that contains this text."""
        shown = [self.line()]
        while part not in shown[-1]:
            shown.append(self.line())
        return shown


def _verb(line: bytes) -> str:
    """The verb of a command line; empty for lines in JSON, and for lines with `once=`."""
    found = re.fullmatch(rb"(?:@\S+ )?([a-z]+)(?: (?!.*\bonce=).*)?\r?\n", line)
    return found[1].decode() if found else ""


HELLO = "hello 1 client=conformance/1"
"""The `hello` line. It names the client, because servers send grease to clients without a name."""


BETWEEN_SERVERS = 0.005
"""Seconds between two looks for an event of another server of the same place."""

_AT: dict[tuple[Address, str], WeakSet[Program]] = defaultdict(WeakSet)
"""The programs that have come to a table, by its address and its id."""


class Program(Client):
    """A program's connection after `hello`, logged in under a name if one is given.

    Behind one address there may be several servers, each with its own `boot=`. Then a command waits
    until the other programs at its table have seen its event.
    """

    def __init__(self, address: Address, name: str | None = None, *, hello: str = HELLO) -> None:
        self.said = set() if hello == HELLO else {""}
        self.tables: set[str] = set()
        self._seen: dict[str, int] = {}
        if name is not None:
            trace().wait(throttle_of(*address).name_wait(), aside=True)
        super().__init__(address)
        self._ids = count(1)
        self.events: list[Record] = []
        self._taken = 0
        self.hello = self.ask(hello)
        assert self.hello.ok, self.hello.final.line
        self.name, self.token = "", ""
        if name is not None:
            reply = self._come_in(name)
            self.name, self.token = reply["name"], reply["token"]

    def _come_in(self, name: str) -> Reply:
        """Tries names until the server accepts one; returns the answer."""
        while True:
            reply = self._ask(f"guest {name}")
            if not reply.wait:
                assert reply.ok, reply.final.line
                return reply
            self.throttle.no_names(reply.wait)
            trace().wait_again(reply.wait, aside=True)

    def _says(self, data: bytes) -> None:
        super()._says(data)
        self.said.update(_verb(line + b"\n") for line in data.removesuffix(b"\n").split(b"\n"))

    def record(self) -> Record:
        """The next record; comments are skipped, and events are noted."""
        while True:
            found = parse(self.line())
            if found is not None:
                if found.id is None:
                    self.events.append(found)
                    if "seq" in found and "on" in found:
                        self._seen[found["on"]] = found.number("seq")
                elif found.fields.keys() & {"seat", "talk"} and "on" in found:
                    self.tables.add(found["on"])
                    _AT[self.address, found["on"]].add(self)
                return found

    def ask(self, command: str) -> Reply:
        """Sends a command and reads up to the end of its reply; earlier events stay unread.

        A patient check repeats the command if the server asks for that with `wait=`.
        """
        while True:
            reply = self._ask(command)
            if not (reply.wait and trace().patient):
                return reply
            trace().wait_again(reply.wait)

    def _ask(self, command: str) -> Reply:
        id = f"c{next(self._ids)}"
        self.send(f"@{id} {command}")
        reply = self.reply(id)
        if reply.ok and reply.final.fields.keys() >= {"on", "seq"}:
            for other in _AT[self.address, reply["on"]]:
                if other.hello["boot"] != self.hello["boot"] and reply["on"] in other.tables:
                    other.see(reply["on"], reply.final.number("seq"))
        return reply

    def see(self, on: str, seq: int) -> None:
        """Reads up to an event of a table, which this client's server may know a little later.

        If the client does not get it, because it is no longer there, this ends after a second.
        """
        ends = time.monotonic() + 1
        with suppress(Closed, OSError):
            while self._seen.get(on, 0) < seq and time.monotonic() < ends:
                time.sleep(BETWEEN_SERVERS)
                self.settle()

    def must(self, command: str) -> Reply:
        """Sends a command that must succeed.

        If the server refuses it with `wait=`, it is repeated after that time. The check is skipped
        if a server with limits refuses the command for long.
        """
        while True:
            reply = self.ask(command)
            if not reply.wait:
                break
            trace().wait_again(reply.wait)
        if reply.code == "FORBIDDEN" and reply.final.fields.get("arg") == "seed":
            skip(NEEDS_DEV)
        assert reply.ok, f"{command}: {reply.final.line}"
        return reply

    def listing(self, command: str) -> list[Record]:
        """The rows of all pages of a list."""
        reply = self.must(command)
        rows = reply.rows
        while "next" in reply.final:
            reply = self.must(f"{command} after={reply['next']}")
            rows = [*rows, *reply.rows]
        return rows

    def reply(self, id: str) -> Reply:
        """The reply with this id; its lines must be contiguous."""
        rows: list[Record] = []
        while True:
            found = self.record()
            if found.id is None:
                assert not rows, f"an event within a reply: {found.line}"
                continue
            assert found.id == id, f"expected the reply to {id}, got {found.line}"
            if found.word in ("OK", "ERR"):
                reply = Reply(rows, found)
                self.throttle.limits |= bool(reply.wait)
                return reply
            rows.append(found)

    def settle(self) -> None:
        """Reads all output so far."""
        while True:
            id = f"s{next(self._ids)}"
            self.send(f"@{id} ping")
            while (found := self.record()).id != id:
                pass
            if found.word == "OK":
                return
            trace().wait_again(Reply([], found).wait)

    def catch_up(self) -> list[Record]:
        """The unread events so far."""
        self.ask("ping")
        return self.take()

    def take(self) -> list[Record]:
        """The events that have arrived and are not yet read."""
        found = self.events[self._taken :]
        self._taken = len(self.events)
        return found

    def forget(self) -> None:
        """Drops all events that have arrived."""
        self.events.clear()
        self._taken = 0

    def until(self, *words: str) -> Record:
        """The next unread event of one of these words."""
        while True:
            while self._taken < len(self.events):
                found = self.events[self._taken]
                self._taken += 1
                if found.word in words:
                    return found
            self.record()

    def on(self, stream: str) -> list[Record]:
        """The events of a stream that have arrived."""
        return [event for event in self.events if event.fields.get("on") == stream]

    def question(self) -> Record:
        """The open question; it must be a question to this client."""
        turns = of("TURN", self.events)
        assert turns and turns[-1].mine, "it is not this client's turn"
        return turns[-1]


def answer(turn: Record) -> str:
    """The `move` command of a client that does not know the rules: the default."""
    return f"move {turn['default']} turn={turn['turn']} {turn['on']}"


# ------------------------------------------------------------------------------ a table


@dataclass
class Table:
    """A table of programs that the check controls; `seats` are the clients by seat, from 1."""

    on: str
    seats: list[Program]
    watchers: list[Program] = field(default_factory=list)

    @property
    def host(self) -> Program:
        """The client in seat 1."""
        return self.seats[0]

    @property
    def everybody(self) -> list[Program]:
        """The clients with a seat, and the watchers."""
        return [*self.seats, *self.watchers]

    def catch_up(self) -> None:
        """Reads the unread events of all clients."""
        for client in self.everybody:
            client.ask("ping")

    def turn(self) -> Record | None:
        """The open question as the seat on turn sees it; None when the game is over."""
        self.catch_up()
        if any(event.word == "GAMEOVER" for event in self.host.on(self.on)):
            return None
        return self.asked()[1]

    def asked(self) -> tuple[Program, Record]:
        """The client on turn, and the open question as this client sees it."""
        for client in self.seats:
            client.ask("ping")
            asked = [event for event in client.on(self.on) if event.word in ("TURN", "GAMEOVER")]
            if asked and asked[-1].mine:
                return self.mover(asked[-1]), asked[-1]
        raise AssertionError("nobody is asked")

    def mover(self, turn: Record) -> Program:
        """The client on turn."""
        return self.seats[turn.number("seat") - 1]

    def play(self, choose: Callable[[Record], str] = answer, *, turns: int = 10_000) -> bool:
        """Plays up to so many turns; returns True if the game is over."""
        for _ in range(turns):
            turn = self.turn()
            if turn is None:
                return True
            self.mover(turn).must(choose(turn))
        return self.turn() is None

    def to_act(self, act: str) -> tuple[Program, Record]:
        """Plays until a question of this kind is open: the client on turn, and the question."""
        for _ in range(100):
            mover, turn = self.asked()
            if turn["act"] == act:
                return mover, turn
            mover.must(answer(turn))
        raise AssertionError(f"nobody was asked to {act}")

    def close(self) -> None:
        """Closes all connections after their clients have left the table."""
        for client in self.everybody:
            client.close()


def seated(opening: str, host: Program, *guests: Program) -> Table:
    """A table that the host opens and starts after the guests have joined."""
    on = host.must(opening)["on"]
    for guest in guests:
        guest.must(f"join {on}")
        guest.must("ready")
    host.must("start")
    return Table(on, [host, *guests])


# ----------------------------------------------------------------------------- cutting


def cuts(data: bytes) -> Iterator[Sequence[bytes]]:
    """The bytes in one piece, byte by byte, and cut in two at every index."""
    yield [data]
    yield [bytes([byte]) for byte in data]
    for at in range(1, len(data)):
        yield [data[:at], data[at:]]


def of(word: str, records: Iterable[Record]) -> list[Record]:
    """The records of this word."""
    return [record for record in records if record.word == word]


def words(records: Iterable[Record]) -> list[str]:
    """The words of the records."""
    return [record.word for record in records]
