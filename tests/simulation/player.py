"""A program that plays, loses its connection, reconnects, and checks everything it receives."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from tests.simulation.network import Wire
from twentytwo_protocol import wire as lines
from twentytwo_protocol.wire import ParsedLine, with_once

if TYPE_CHECKING:
    from tests.simulation.evening import Evening

ALPHABET = re.compile(rb"[\x20-\x7e]*")
CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
REPLIES = ("OK", "ERR")
NONSENSE = ("2", "A", "K+K", "X", "7C+7C", "99", "pass", "-", "two", "2.5", "9H", "call", "F22")
"""Illegal moves of a dishonest player, as tokens or as arguments of another verb."""
DEEDS = ("play", "bid", "pass", "exchange", "keep", "trump", "call", "no", "redeal")
SECRET = {"DEALT": ("cards",), "EXCHANGED": ("gave", "got")}
"""Fields that only their own seat may see, checked independently of the server's redaction."""
ASKED = ("choose", "legal", "low", "default", "hand", "from")
NEVER_AGAIN = ("hello", "guest", "resume", "sync")
"""Commands that are not repeated after a lost connection, because they are part of reconnecting."""


class Broken(AssertionError):
    """A promise that was not kept."""


class Player:
    """A player with a name; `seen` has all lines sent to it, by stream and number."""

    def __init__(self, evening: Evening, name: str, dice: random.Random) -> None:
        self.evening, self.wanted, self.dice = evening, name, dice
        self.name = self.token = ""
        self.wire: Wire | None = None
        self.last: dict[str, int] = {}
        self.behind: set[str] = set()
        self.seats: dict[str, int] = {}
        self.seen: dict[tuple[str, int], tuple[str, int | None]] = {}
        self.acked: dict[str, tuple[str, str, int]] = {}
        self.turns: dict[str, ParsedLine] = {}
        self.games: dict[str, int] = {}
        self.sent = self.errors = 0
        self.known: dict[str, set[str]] = {}
        self._buffer = b""
        self._pending: dict[str, str] = {}
        self._ids = 0
        self._in = False

    # ------------------------------------------------------------------- the connection

    def connect(self) -> None:
        """Connects, as a new player or with the last token."""
        if self.wire is not None and self.wire.open:
            return
        self._buffer, self._in = b"", False
        self.wire = self.evening.dial(self)
        if self.wire is None:
            self.evening.time.later(self.dice.randint(200, 3000), self.connect)
            return
        self.say("hello 1 client=sim bot=1")
        if self.token:
            places = " ".join(f"{on}:{seq}" for on, seq in self.last.items() if on[0] in "tm")
            self.say(f"resume {self.token} {places}".rstrip())
        else:
            self.say(f"guest {self.wanted}")

    def gone(self, wire: Wire | None) -> None:
        """Handles the loss of the connection."""
        if wire is not self.wire:
            return
        self.wire, self._in = None, False
        self.evening.time.later(self.dice.randint(50, 5000), self.connect)

    def say(self, line: str, id: str = "") -> str:
        """Sends a command, under a new ID and key unless it is a repetition."""
        if not id:
            self._ids += 1
            id = f"{self.wanted}-{self._ids:06d}"
        self._pending[id] = line
        copies = self.dice.choice((1, 1, 2)) if self._may_repeat(line) else 1
        for _ in range(copies):
            if self.wire is not None and self.wire.open:
                self.sent += 1
                self.wire.send(f"@{id} {with_once(line, id)}\r\n".encode())
        return id

    def _may_repeat(self, line: str) -> bool:
        return "duplicates" in self.evening.swarm and line.partition(" ")[0] not in NEVER_AGAIN

    # ------------------------------------------------------------------ what is told

    def came(self, wire: Wire, data: bytes) -> None:
        """Handles bytes from the server; bytes from an earlier connection are ignored."""
        if wire is not self.wire:
            return
        self._buffer += data
        while b"\r\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\r\n")
            if not ALPHABET.fullmatch(line):
                raise Broken(f"I11 {self.wanted} was sent {line!r}")
            self._hear(line.decode())

    def _hear(self, line: str) -> None:
        self.evening.told(self, line)
        found = lines.parse(line)
        if found is None:
            return
        if found.id is not None:
            self._reply(found)
        elif found.word == "PING":
            self.say(f"pong {found.fields['no']}")
        elif found.on and found.seq:
            self._event(found, line)

    def _reply(self, reply: ParsedLine) -> None:
        if reply.word == "AT" and reply.on.startswith("t") and reply.on not in self.last:
            # The answer about a seat and its events were lost: request the stream from the
            # beginning.
            self.behind.add(reply.on)
            self.say(f"sync {reply.on} from=0")
        if reply.word not in REPLIES or reply.id == "*":
            return
        assert reply.id is not None
        self.errors += reply.word == "ERR"
        line = self._pending.pop(reply.id, "")
        unknown = set(CARD.findall(reply.text or "")).difference(
            CARD.findall(line), *self.known.values()
        )
        if unknown and line:
            raise Broken(f"I12 {self.wanted} is told of {unknown}: {reply}")
        if reply.word == "ERR":
            self._refused(reply, line)
        elif line:
            self._done(reply, line)

    def _refused(self, reply: ParsedLine, line: str) -> None:
        code, verb = reply.fields["code"], line.partition(" ")[0]
        if code == "INTERNAL":
            raise Broken(f"{self.wanted}: {line} -> {reply}")
        if verb == "resume":
            if code in ("BAD_TOKEN", "BAD_SEQ", "GONE", "NO_SUCH_TABLE"):
                self._begin_anew(code)
        elif code == "RATE":
            wait = int(reply.fields["wait"])
            self.evening.time.later(wait + 1, lambda: self._again(line))
        elif verb == "move" and code in ("ILLEGAL", "NOT_HELD", "BAD_ARG"):
            self._default(line.rpartition(" ")[2])
        else:
            self.evening.refused(self, line, code)

    def _again(self, line: str) -> None:
        if self._in and line:
            self.say(line)

    def _begin_anew(self, code: str) -> None:
        """Begins anew because the place was given up, or one of the tables is gone."""
        if code == "BAD_TOKEN":
            self.evening.forgotten(self)
            self.token = ""
            self.last.clear()
            self.seats.clear()
        else:
            # Tables may have closed meanwhile; closed tables are not requested again.
            self.last = {on: seq for on, seq in self.last.items() if on in self.evening.open_tables}
        self._pending.clear()
        wire = self.wire
        if wire is not None:
            wire.cut()
        self.gone(wire)

    def _done(self, reply: ParsedLine, line: str) -> None:
        verb = line.partition(" ")[0]
        if verb in ("guest", "resume"):
            if verb == "resume" and reply.fields["name"] != self.name:
                raise Broken(f"I13 {self.name} resumed as {reply.fields['name']}")
            self.name, self.token = reply.fields["name"], reply.fields["token"]
            self._in = True
            self._come_back()
        if "seq" in reply.fields and reply.fields.get("on", "").startswith("t"):
            assert reply.id is not None
            self.acked[reply.id] = line, reply.fields["on"], int(reply.fields["seq"])
        if verb in ("open", "practice", "join"):
            self.seats[reply.fields["on"]] = int(reply.fields["seat"])
        self.evening.done(self, verb, reply)

    def _come_back(self) -> None:
        """Repeats unanswered commands under the same keys, and answers open turns."""
        for id, line in list(self._pending.items()):
            if line.partition(" ")[0] in NEVER_AGAIN:
                del self._pending[id]
            else:
                self.say(line, id)
        for on in list(self.turns):
            self._think(on)

    # ------------------------------------------------------------------------- events

    def _event(self, event: ParsedLine, line: str) -> None:
        on, seq = event.on, event.seq
        if on in self.behind and seq != 1:
            return
        self.behind.discard(on)
        known = self.last.get(on)
        if known is not None and seq != known + 1:
            raise Broken(f"I2 {self.wanted} had {on}:{known} and is sent {line}")
        self.last[on] = seq
        seat = self.seats.get(on)
        self._check_secrets(event, line, seat)
        self.seen[on, seq] = line, seat
        self._learn(event, line)
        if (event.word == "SWAPPED" and event.fields["name"] == self.name) or (
            event.word in ("JOINED", "SWAPPED") and event.fields["name"] == self.name
        ):
            self.seats[on] = int(event.fields["seat"])
        elif event.word == "LEFT" and event.fields["name"] == self.name:
            self.seats.pop(on, None)
            self.last.pop(on, None)
            self.turns.pop(on, None)
        elif event.word == "TURN":
            self.turns.pop(on, None)
            if seat is not None and event.fields["seat"] == str(seat):
                self.turns[on] = event
                self._think(on)
        elif event.word in ("GAMEOVER", "ABORTED"):
            self.turns.pop(on, None)
            self.games[on] = self.games.get(on, 0) + 1
            self.evening.game_over(self, on)

    def _learn(self, event: ParsedLine, line: str) -> None:
        """Records the cards of this hand that events to this player may name."""
        if event.word == "HAND":
            self.known[event.on] = set()
        elif event.word != "SHUFFLED":
            self.known.setdefault(event.on, set()).update(CARD.findall(line))

    def _check_secrets(self, event: ParsedLine, line: str, seat: int | None) -> None:
        if self.evening.blind(event.on):
            return
        for field in SECRET.get(event.word, ()):
            if field in event.fields and event.fields["seat"] != str(seat):
                raise Broken(f"I12 seat {seat} was sent {line}")
        asked = event.word == "TURN" and any(field in event.fields for field in ASKED)
        if asked and event.fields["seat"] != str(seat):
            raise Broken(f"I12 seat {seat} was sent {line}")

    # -------------------------------------------------------------------------- moves

    def _think(self, on: str) -> None:
        turn = self.turns.get(on)
        if turn is None:
            return
        stalls = "stalling" in self.evening.swarm and self.dice.random() < 0.1
        wait = self.dice.randint(30_000, 90_000) if stalls else self.dice.randint(0, 1500)
        self.evening.time.later(wait, lambda: self._move(on, turn))

    def _move(self, on: str, turn: ParsedLine) -> None:
        if self.turns.get(on) is not turn or not self._in:
            return
        fields = turn.fields
        legal = fields["legal"].split(",") if fields.get("legal") else [fields["default"]]
        token = self.dice.choice(legal)
        if "liars" in self.evening.swarm and self.dice.random() < 0.2:
            token = self.dice.choice(NONSENSE)
            if self.dice.random() < 0.5:
                self.say(f"{self.dice.choice(DEEDS)} {token}")
                self.evening.time.later(1000, lambda: self._move(on, turn))
                return
        number = f" turn={fields['turn']}" if self.dice.random() < 0.7 else ""
        self.say(f"move {token}{number} {on}")

    def _default(self, on: str) -> None:
        turn = self.turns.get(on)
        if turn is not None and self._in:
            self.say(f"move {turn.fields['default']} turn={turn.fields['turn']} {on}")
