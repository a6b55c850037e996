"""People who want one name, and who play one daily deal, at a server that ends and at the next one.

No name may have two owners, and nobody may play a daily deal twice, or have two results of it.
"""

from __future__ import annotations

import json
import random
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime

import psycopg
from psycopg.errors import UniqueViolation

from tests.crash.player import Broken, Line, parse

GAMES = ("twentytwo", "whist22", "twentyeight", "twentysix")
CALM = 0.1
"""Seconds in which a server stores all that it was told."""
FEW = 5
"""Of all the people who have a name, so many come back at each next server; at the last one all."""
MOST_PUT_OFF = 20
"""So often somebody comes again in a whole life before they count as stuck."""
ONCE = ("inputs", "tables", "people", "accounts", "daily_entries")
"""Tables whose keys are a fence of their own: no row may be stored twice."""


def today() -> date:
    """The date of the daily deals."""
    return datetime.now(UTC).date()


class PutOff(Exception):
    """The server asks for another connection, now or later."""


class Guest:
    """A person with a connection to the server that serves. The reading waits."""

    def __init__(self, wanted: str, game: str) -> None:
        self.wanted, self.game = wanted, game
        self.name = self.token = self.on = ""
        self.finished: list[str] = []
        self._tables: list[str] = []
        self.began = today()
        self.turn: Line | None = None
        self.where = ("", 0)
        self.socket: socket.socket
        self._buffer = b""
        self._put_off = 0
        self._heard: deque[str] = deque(maxlen=8)

    def connect(self, where: tuple[str, int]) -> None:
        """Connects, and resumes with the token, if there is one."""
        self.where = where
        while True:
            self.socket = socket.create_connection(where, timeout=20)
            self._buffer, self.turn = b"", None
            try:
                self.ask("hello 1 client=rival bot=1")
                self._come_back()
                break
            except PutOff:
                self.socket.close()
                time.sleep(CALM)

    def _come_back(self) -> None:
        if self.token:
            self.finished, self._tables = [], []
            said = self.ask(f"resume {self.token} me:0")
            if said.word == "ERR" and said.fields["code"] == "BUSY":
                raise PutOff
            self._is(said)
            for on in self._tables:  # the answer to `daily` may have been lost
                self._sits(on)

    def say(self, line: str) -> None:
        """Sends a line, perhaps to a server that has ended; nobody waits for the answer."""
        with suppress(OSError):
            self.socket.sendall(f"@said {line}\r\n".encode())

    def ask(self, line: str) -> Line:
        """Sends a line and returns the end of the answer."""
        self.socket.sendall(f"@asked {line}\r\n".encode())
        while True:
            said = self._next()
            if said.id == "asked" and said.final:
                return said

    def claim(self) -> None:
        """Asks for the name. Raises `Broken` on a refusal."""
        self._is(self.ask(f"guest {self.wanted}"))

    def answers(self) -> None:
        """Takes all that has arrived: perhaps the answer to a `guest` that was said."""
        self.socket.setblocking(False)
        with suppress(OSError, Broken, PutOff):
            while True:
                said = self._next()
                if said.id == "said" and "token" in said.fields:
                    self._is(said)

    def answered(self) -> None:
        """Waits for the answer to a `guest` that was said."""
        while not self.name:
            said = self._next()
            if said.id == "said" and said.final:
                self._is(said)

    def begin(self) -> None:
        """Begins the daily deal, unless it is begun. Raises `Broken` on a refusal."""
        while not self.on:
            try:
                said = self.ask(f"daily {self.game}")
                if said.word == "ERR":
                    raise Broken(f"{self.name} cannot play the daily deal: {said}")
                self._sits(said.fields["on"])
            except PutOff:
                self.connect(self.where)

    def _sits(self, on: str) -> None:
        self.on, self.turn = on, None
        self.ask(f"sync {on} from=0")

    def play(self, moves: int | None) -> None:
        """Makes so many moves, or all; then it is this player's turn, or the deal is over."""
        while not self.finished:
            while self.turn is None and not self.finished:
                try:
                    self._next()
                except PutOff:
                    self.connect(self.where)
            if self.turn is None or moves == 0:
                return
            self.move()
            moves = None if moves is None else moves - 1

    def move(self) -> None:
        """Sends the move that is due."""
        if self.turn is not None:
            fields, self.turn = self.turn.fields, None
            self.say(f"move {fields['default']} turn={fields['turn']} {self.on}")

    def _is(self, said: Line) -> None:
        if said.word == "ERR" or (self.name and said.fields["name"] != self.name):
            raise Broken(f"the name {self.name or self.wanted} is not theirs: {said}")
        self.name, self.token = said.fields["name"], said.fields["token"]

    def _next(self) -> Line:
        while b"\r\n" not in self._buffer:
            data = self.socket.recv(1 << 16)
            if not data:
                raise Broken(f"{self.name or self.wanted} is cut off after {[*self._heard]}")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\r\n")
        self._heard.append(line.decode())
        said = parse(line.decode()) if line[:1] != b"#" else Line("", "", {}, "")
        if said.word == "BYE" and said.fields["code"] in ("BUSY", "MOVED"):
            self._put_off += 1
            if self._put_off > MOST_PUT_OFF:
                raise Broken(f"{self.name or self.wanted} is put off again: {[*self._heard]}")
            raise PutOff
        if said.word == "FINISHED":
            self.finished.append(line.decode())
        elif said.word == "AT" and said.fields["on"][0] == "t":
            self._tables.append(said.fields["on"])
        elif said.word == "TURN" and said.fields["on"] == self.on:
            self.turn = said if "default" in said.fields else None
        return said


class Rivals:
    """All guests of a database: `meet`, `reach`, `left` and `go_on`, at each end of a server.

    `pause` waits for so many seconds.
    """

    def __init__(self, dice: random.Random, pause: Callable[[float], None] = time.sleep) -> None:
        self._dice = dice
        self._pause = pause
        self._people: list[Guest] = []
        self._early: Guest
        self._elsewhere: list[Guest] = []
        self._number = 0
        self._results: dict[str, str] = {}
        self._calm = False

    def meet(self, where: tuple[str, int], others: Sequence[tuple[str, int]] = ()) -> None:
        """At the server that will end: somebody plays, and somebody is about to want a name.

        So is somebody at each of the `others`.
        """
        self._number += 1
        game = GAMES[self._number % len(GAMES)]
        self._early = Guest(f"r{self._number}q", game)
        self._early.connect(where)
        self._elsewhere = [Guest(self._early.wanted, game) for _ in others]
        for each, there in zip(self._elsewhere, others, strict=True):
            each.connect(there)
        if (player := self._player) and self._dice.random() < 0.8:
            if player.where != where:
                player.connect(where)
            player.begin()
            player.play(self._dice.randint(0, 30))
        self._calm = self._dice.random() < 0.5
        if self._calm:
            self._pause(CALM)

    @property
    def _player(self) -> Guest | None:
        return self._people[-1] if self._people else None

    def reach(self) -> None:
        """The server is ending: the last lines to it."""
        for each in (self._early, *self._elsewhere):
            each.say(f"guest {each.wanted}")
        if self._calm:  # the name is in a transaction of its own
            self._pause(CALM)
        if player := self._player:
            if player.on:
                player.move()
            else:
                player.say(f"daily {player.game}")

    def left(self, where: tuple[str, int]) -> Sequence[socket.socket]:
        """The connections to the server that has been replaced, read to their end."""
        guests = [each for each in (self._early, *self._people) if each.where == where]
        for each in guests:
            each.answers()
        return [each.socket for each in guests]

    def go_on(self, where: tuple[str, int]) -> None:
        """At the next server: everybody comes, another one wants the name, the deal is played."""
        player = self._player
        few = self._dice.sample(self._people, min(FEW, len(self._people)))
        for each in dict.fromkeys([*few, *self._people[-1:]]):
            each.connect(where)
            if self._results.get(each.name) not in (None, *each.finished):
                raise Broken(f"{each.name} had {self._results[each.name]}, not {each.finished}")
        late = Guest(self._early.wanted, self._early.game)
        late.connect(where)
        late.claim()
        if self._early.name:
            self._early.connect(where)
            self._people.append(self._early)
        self._people.append(late)
        for each in self._elsewhere:
            each.answered()
        self._people += self._elsewhere
        names = Counter(each.name.lower() for each in self._people)
        if twice := [name for name, owners in names.items() if owners > 1]:
            raise Broken(f"{twice} are at two places at once")
        if player is not None:
            self._finish(player)

    def _finish(self, player: Guest) -> None:
        player.begin()
        if today() == player.began and player.ask(f"daily {player.game}").word == "OK":
            raise Broken(f"{player.name} plays the daily {player.game} twice")
        player.play(None)
        if len(player.finished) != 1:
            raise Broken(f"{player.name} has the results {player.finished}")
        self._results[player.name] = player.finished[0]

    def audit(self, where: tuple[str, int], database: str) -> None:
        """At the last server: the same results, once, and no second row for anything."""
        for each in self._people:
            each.socket.close()
            each.connect(where)
            results = [self._results[each.name]] if each.name in self._results else []
            if each.finished != results:
                raise Broken(f"{each.name} has the results {each.finished}, not {results}")
            each.socket.close()
        with psycopg.connect(database) as db:
            _check_deals(db)
            for table in ONCE:
                _check_key(db, table)


def _check_deals(db: psycopg.Connection) -> None:
    openings = db.execute(
        "SELECT key, ordered FROM inputs JOIN tables ON id = table_id WHERE seq = 1"
    )
    settings = ((key, json.loads(order)[1]["settings"]) for key, order in openings)
    begun = Counter((key, s["day"], s["entrant"]) for key, s in settings if s.get("day"))
    if twice := [deal for deal, times in begun.items() if times > 1]:
        raise Broken(f"{twice} are played twice")


def _check_key(db: psycopg.Connection, table: str) -> None:
    with suppress(UniqueViolation), db.transaction(force_rollback=True):
        copy = f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1"
        if db.execute(copy.encode()).rowcount:
            raise Broken(f"a row of {table} can be stored twice")
