"""A program at a table that records the server's promises, reconnects, and checks all it receives.

Every order has a unique key; an unanswered order is sent again with the same key. Lines are parsed
by a few splits, because the protocol's own parser is under test too.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field


class Broken(AssertionError):
    """A promise that was not kept."""


LATE = {"late": "who", "later": "say :too late"}
"""Commands for a server that was ended, by their IDs."""

SYNC = "sync"
"""The ID with which a player requests a stream from its beginning."""


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed line of the server."""

    id: str
    word: str
    fields: Mapping[str, str]
    text: str

    @property
    def final(self) -> bool:
        """True if the line ends a reply."""
        return self.word in ("OK", "ERR")


def parse(line: str) -> Line:
    """Parses a line."""
    head, _, text = line.partition(" :")
    words = head.split(" ")
    id = words.pop(0)[1:] if head[0] == "@" else ""
    fields = dict(word.partition("=")[::2] for word in words[1:])
    return Line(id, words[0], fields, text)


def _keyed(id: str, order: str) -> str:
    """The line of an order whose ID is also its key, so that it is executed once."""
    head, colon, text = order.partition(" :")
    return f"@{id} {head} once={id}{colon}{text}"


@dataclass
class Told:
    """A player's view of a stream: the lines by number, and the last number."""

    last: int = 0
    lines: dict[int, str] = field(default_factory=dict)


@dataclass
class Plan:
    """The plan of a table: its options, the number of programs, and the progress.

    `ends` is the probability that the table is closed after a game.
    """

    line: str
    programs: int
    on: str = ""
    ends: float = 0.4
    ready: set[str] = field(default_factory=set)
    started: bool = False
    closing: set[str] = field(default_factory=set)

    def again(self) -> None:
        """Restarts the plan after its table was closed."""
        self.on, self.started = "", False
        self.ready.clear()


@dataclass(frozen=True, slots=True)
class Acked:
    """An acknowledged order, with its result."""

    line: str
    on: str
    seq: int


class Player:
    """A named player who follows a plan; the first player of a plan is the host."""

    talks = 0.15
    """The probability that somebody says something before a move."""

    def __init__(self, name: str, plan: Plan, host: bool, dice: random.Random) -> None:
        self.wanted, self.plan, self.host, self.dice = name, plan, host, dice
        self.name = self.token = ""
        self.socket: socket.socket | None = None
        self.told: dict[str, Told] = {"me": Told()}
        self.pending: dict[str, str] = {}
        self.sent: dict[str, str] = {}
        self.acked: dict[str, Acked] = {}
        self.tells: dict[str, Player] = {}
        """Acknowledged messages to friends, each with its recipient."""
        self.notes: list[str] = []
        self.friends: Sequence[Player] = ()
        self.registers = self.registered = False
        self.here = False
        self.whole: dict[str, dict[int, str]] | None = None
        self.games = self.heard = 0
        self._turn: Line | None = None
        self._buffer = b""
        self.out: list[str] = []
        self.put_off: list[str] = []
        self._number = 0
        self._telling: dict[str, Player] = {}
        self._registering = False
        self._syncing = ""

    # ------------------------------------------------------------------- the connection

    def connect(self, where: tuple[str, int]) -> None:
        """Connects: as a new player, or with the last token and the last numbers."""
        with suppress(ConnectionError):  # the connection may be closed already
            self.socket = socket.create_connection(where, timeout=100)
            self.socket.setblocking(False)
        self.come()

    def come(self) -> None:
        """Identifies itself on a new connection."""
        self._buffer, self.out, self.here = b"", ["hello 1 client=crash bot=1"], False
        self.put_off.clear()
        self._telling.clear()
        self._registering = False
        self._syncing = ""
        self._come_in()
        self.flush()

    def _come_in(self) -> None:
        if not self.token:
            self.out.append(f"@come guest {self.wanted}")
            return
        last = {on: told.last for on, told in self.told.items() if told.last >= 0}
        seen = [f"{on}:{seq if self.whole is None else 0}" for on, seq in last.items()]
        self.out.append(f"@come resume {self.token} {' '.join(seen)}")

    def gone(self) -> None:
        """Handles the loss of the connection."""
        self.here = False
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def flush(self) -> None:
        """Sends all pending output."""
        if self.out and self.socket is not None:
            data = "".join(f"{line}\r\n" for line in self.out).encode()
            self.out.clear()
            with suppress(OSError):  # reading detects a closed connection
                self.socket.sendall(data)

    def read(self) -> bool:
        """Processes received data; False if the connection has ended."""
        assert self.socket is not None
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            return False
        *lines, self._buffer = (self._buffer + data).split(b"\r\n")
        for number, line in enumerate(lines):
            try:
                self.hear(line.decode())
            except Broken as broken:
                broken.add_note("\n".join(map(bytes.decode, lines[number:])))
                raise
        return True

    # ------------------------------------------------------------------------- replies

    def hear(self, line: str) -> None:
        """Handles a line."""
        if line[0] == "#":
            return
        said = parse(line)
        if said.id:
            self._reply(said, line)
        elif "seq" in said.fields:
            self._event(said, line)
        elif said.word == "NOTE":
            self.notes.append(said.fields["code"])
        elif said.word in ("WARN", "BYE"):
            raise Broken(f"{self.wanted} is told {line}")

    def overhear(self, data: bytes) -> None:
        """Handles the last write of a server that was frozen just before this write, after it had
        looked at its lease.

        The write must not answer commands that were sent meanwhile, and the next server must send
        the same events.
        """
        for line in data.decode().splitlines():
            said = parse(line)
            if said.id in LATE:
                raise Broken(f"the server still says {line} although another one serves")
            told = self.told.get(said.fields.get("on", ""))
            if told is not None and "seq" in said.fields and not said.id:
                self._compare(told, int(said.fields["seq"]), line)

    def _reply(self, said: Line, line: str) -> None:
        if not said.final:
            if said.word == "AT":
                self._stands(said, line)
            return
        if said.id == "come":
            self._came(said, line)
        elif said.id == "register":
            if said.word == "ERR":
                raise Broken(f"{self.wanted} cannot register: {line}")
            self._is(said)
        elif said.id == SYNC:
            if said.word == "ERR" and self._syncing not in self.plan.closing:
                raise Broken(f"{self.wanted} is not told of {self._syncing}: {line}")
            self._syncing = ""
        elif said.id in self._telling:
            friend = self._telling.pop(said.id)
            if said.word == "OK":
                self.tells[said.id] = friend
        elif said.id in self.pending:
            self._answered(said, line)

    def _stands(self, said: Line, line: str) -> None:
        """Handles a seat at a table: if the answer about it was lost, requests the whole stream.

        A table that was named and no longer exists must have been closed since.
        """
        on = said.fields["on"]
        if "code" in said.fields:
            if said.fields["code"] != "NO_SUCH_TABLE" or on not in self.plan.closing:
                raise Broken(f"{self.wanted} has lost a stream: {line}")
            self.drop(on)
        elif self.whole is None and self.told.setdefault(on, Told(-1)).last < 0:
            self.told[on] = Told(0)
            self.out.append(f"@{SYNC} sync {on} from=0")
            self._syncing = on

    def _came(self, said: Line, line: str) -> None:
        if said.word == "ERR":
            raise Broken(f"{self.wanted} cannot come back: {line}")
        self._is(said)
        self.here = True
        self.out += [_keyed(id, line) for id, line in self.pending.items()]

    def _is(self, said: Line) -> None:
        self.name, self.token = said.fields["name"], said.fields["token"]
        if self.registered and self.name.startswith("~"):
            raise Broken(f"{self.wanted} had an account, and is {self.name}")
        self.registered = not self.name.startswith("~")

    def _answered(self, said: Line, line: str) -> None:
        order = self.pending.pop(said.id)
        if said.word == "ERR":
            self._refused(said, order, line)
            return
        on = said.fields["on"]
        self.acked[said.id] = Acked(order, on, int(said.fields["seq"]))
        match order.partition(" ")[0]:
            case "open" | "practice":
                self.plan.on = on
                self.plan.started = order.startswith("practice")
            case "join":
                self.give(f"ready {on}")
            case "ready":
                self.plan.ready.add(self.wanted)

    def _refused(self, said: Line, order: str, line: str) -> None:
        code = said.fields["code"]
        if code in ("RATE", "BUSY"):
            self.pending[said.id] = order
            self.put_off.append(said.id)
        elif not (self.plan.closing and code in ("NO_SUCH_TABLE", "NOT_SEATED", "NO_GAME")):
            raise Broken(f"{self.wanted}: {order} is answered {line}")

    def drop(self, on: str) -> None:
        """Forgets a closed table; commands sent there may or may not have been executed."""
        if self.told.pop(on, None) is None:
            return
        self._turn = None
        self.pending.clear()
        # Unacknowledged commands may have been for that table.
        self.sent = {id: line for id, line in self.sent.items() if id in self.acked}
        self.acked = {id: ack for id, ack in self.acked.items() if ack.on != on}
        self.sent = {id: line for id, line in self.sent.items() if id in self.acked}
        if self.plan.on == on:
            self.plan.again()

    # -------------------------------------------------------------------------- orders

    def give(self, order: str) -> None:
        """Sends an order that takes effect once, however often it is sent."""
        self._number += 1
        id = f"{self.wanted}-{self._number:06d}"
        self.pending[id] = self.sent[id] = order
        self.out.append(_keyed(id, order))

    def go_on(self) -> None:
        """Takes the next step of the plan."""
        if self.here and not self.pending:
            plan = self.plan
            if self.registers and not self.registered:
                self._register()
            elif not plan.on:
                if self.host:
                    self.give(plan.line)
            elif plan.on not in self.told and not self.host:
                self.told[plan.on] = Told(-1)
                self.give(f"join {plan.on}")
            elif self.host and not plan.started and len(plan.ready) == plan.programs - 1:
                plan.started = True
                self.give(f"start {plan.on}")
            elif self._turn is not None:
                self._play(self._turn)
        self.flush()

    def try_again(self) -> None:
        """Repeats commands that the server asked to delay."""
        self.out += [_keyed(id, self.pending[id]) for id in self.put_off if id in self.pending]
        self.put_off.clear()

    def _register(self) -> None:
        if not self._registering:
            self._registering = True
            self.out.append(f"@register register {self.wanted}x :long-pass-word-of-{self.wanted}")

    def _play(self, turn: Line) -> None:
        fields, self._turn = turn.fields, None
        token = fields["default"]
        if fields.get("choose") == "one" and self.dice.random() < 0.7:
            token = self.dice.choice(fields.get("legal", token).split(","))
        if self.dice.random() < self.talks:
            self.give(f"say :{self.wanted}:{self._number}")
        if self.dice.random() < 0.1 and self.friends:
            self._tell(self.dice.choice(self.friends))
        number = f" turn={fields['turn']}" if self.dice.random() < 0.5 else ""
        self.give(f"move {token}{number} {fields['on']}")

    def _tell(self, friend: Player) -> None:
        self._number += 1
        id = f"tell.{self.wanted}.{self._number}"
        self._telling[id] = friend
        self.out.append(f"@{id} tell {friend.name} :{id}")

    # -------------------------------------------------------------------------- events

    def _event(self, said: Line, line: str) -> None:
        on, seq = said.fields["on"], int(said.fields["seq"])
        if self.whole is not None:
            if not self.here:
                self.whole.setdefault(on, {})[seq] = line
            return
        told = self.told.setdefault(on, Told(-1))
        if on == self._syncing and seq > told.last + 1:
            return  # sent before the answer to `sync`, which repeats it
        if seq != told.last + 1 and told.last >= 0:
            raise Broken(f"{self.wanted} had {on}:{told.last} and is sent {line}")
        self._compare(told, seq, line)
        self.heard += 1
        told.last = seq
        if on[0] == "t":
            self._at_table(said, on)

    def _compare(self, told: Told, seq: int, line: str) -> None:
        if (before := told.lines.setdefault(seq, line)) != line:
            raise Broken(f"{self.wanted} was told {before} and is told {line}")

    def _at_table(self, said: Line, on: str) -> None:
        match said.word:
            case "TURN":
                self._turn = said if "default" in said.fields else None
            case "PLAYED" | "EXCHANGED" | "BID" | "DECLARED" | "TRUMP" | "PASSED":
                if self._turn is not None and said.fields.get("seat") == self._turn.fields["seat"]:
                    self._turn = None
            case "GAMEOVER":
                self._turn = None
                self.games += 1
                if self.host and self.dice.random() < self.plan.ends:
                    self.plan.closing.add(on)
                    self.give(f"close {on}")
                else:
                    self.give(f"rematch {on}")
            case "LEFT" if said.fields.get("why") == "closed":
                if said.fields["name"] == self.name:
                    self.drop(on)
