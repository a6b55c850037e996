"""A thousand tables: programs that play slowly, and follow whichever servers serve.

At the end the promises of `life.History` are checked.
"""

from __future__ import annotations

import heapq
import random
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import psycopg

from tests.crash.life import PATIENCE, STORED, History
from tests.crash.player import Broken, Line, Plan, Player

SEATS = 4
TABLE = f"open twentytwo seats={SEATS} clock=0"
EACH_ADDRESS = 40
"""Players from one address, as from one router: that many the limits of a server allow."""
GOES_ON = ("BYE code=MOVED resume=1 ", "BYE code=BUSY resume=1 ")
"""The ends of connections after which the table goes on: busy is a server without its database."""
AGAIN = 0.5
"""Seconds after which a refused connection or order is tried again."""
LOOK = 0.02
"""Seconds between two looks at whether something has come about."""
AT_ONCE = 200
"""Players who ask for everything at the same time."""


class Guest(Player):
    """A player of a crowd, who takes time over a move, and answers pings.

    `at` is the address of the server. `back` and `asked` are the moments at which the player had
    the seat and the next question (of any seat) of the table again, after `Crowd.begin`; 0 before.
    Whoever comes back makes the next move at once. `refused` is true if the server could not take
    the player back yet.
    """

    talks = 0.02

    def __init__(self, crowd: Crowd, number: int, plan: Plan, *, host: bool) -> None:
        super().__init__(f"p{number}q", plan, host, random.Random(f"{crowd.seed} {number}"))
        self._crowd = crowd
        self.table = number // SEATS
        place = number // EACH_ADDRESS
        self._address = f"127.1.{place // 250}.{place % 250 + 1}"
        self._due = 0.0
        self.at = ("", 0)
        self.back = self.asked = 0.0
        self.refused = False
        self.moves = 0

    def connect(self, where: tuple[str, int]) -> None:
        """Begins to connect; `Player.come` follows."""
        self.at = where
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.bind((self._address, 0))
        self.socket.connect_ex(where)

    def hear(self, line: str) -> None:
        """See `Player`."""
        if line.startswith("PING "):
            self.out.append(f"pong {line.partition('=')[2]}")
        elif not line.startswith(GOES_ON):
            super().hear(line)

    def go_on(self) -> None:
        """Takes the next step of the plan, if it is time for it."""
        if self._turn is not None and not self._crowd.is_due(self._due):
            self.flush()
        else:
            super().go_on()

    def hurry(self) -> None:
        """Makes the next move at once."""
        self._due = 0.0

    def _came(self, said: Line, line: str) -> None:
        self.refused = said.fields.get("code") == "BUSY"
        if self.refused:
            return
        super()._came(said, line)
        self.back, self.asked = time.monotonic(), 0.0
        self.hurry()

    def _at_table(self, said: Line, on: str) -> None:
        super()._at_table(said, on)
        if said.word == "TURN":
            self.asked = self.asked or time.monotonic()
            self.moves += 1
            if self._turn is said:
                self._due = self._crowd.due_for(self)


class Crowd(History):
    """The players of so many tables of four.

    A table makes a move every `pause` seconds on average, or at once while that is 0. Nobody moves
    while `resting`. `dsn` is the database that stores their orders, as the driver names it.
    `look_after` is called now and then.
    """

    def __init__(self, tables: int, pause: float, seed: str, dsn: str) -> None:
        self.seed, self.pause, self.resting = seed, pause, False
        self.look_after: Callable[[], None] = lambda: None
        self._dsn = dsn
        self._dice = random.Random(seed)
        self.guests: list[Guest] = []
        for _ in range(tables):
            plan = Plan(TABLE, SEATS, ends=0.0)
            for seat in range(SEATS):
                self.guests.append(Guest(self, len(self.guests), plan, host=seat == 0))
        super().__init__(self.guests)
        self._mates = {
            guest.wanted: self.guests[first : first + SEATS]
            for first in range(0, len(self.guests), SEATS)
            for guest in self.guests[first : first + SEATS]
        }
        self._servers: Sequence[tuple[str, int]] = ()
        self._epoll = select.epoll()
        self._by_file: dict[int, Guest] = {}
        self._connecting: set[int] = set()
        self._later: list[tuple[float, int, Guest]] = []
        self._again = self._heard = time.monotonic()
        self._number = 0

    # ------------------------------------------------------------------------ when to move

    def due_for(self, guest: Guest) -> float:
        """The moment of a guest's next move."""
        due = time.monotonic()
        if self.pause:
            due += self._dice.expovariate(1 / self.pause)
            self._number += 1
            heapq.heappush(self._later, (due, self._number, guest))
        return due

    def is_due(self, moment: float) -> bool:
        """True if a move of this moment is to be made now."""
        return not self.resting and time.monotonic() >= moment

    # ------------------------------------------------------------------------- connections

    def serve(self, *servers: tuple[str, int]) -> None:
        """From now on everybody connects to these, each table to one of them, or nowhere."""
        self._servers = servers
        for guest in self.guests:
            if guest.socket is None:
                self._connect(guest)

    def begin(self) -> None:
        """Notes for everybody anew when they are back, and whoever has a move to make makes it."""
        for guest in self.guests:
            guest.back = guest.asked = 0.0
            guest.hurry()

    def _connect(self, guest: Guest) -> None:
        if not self._servers:
            return
        guest.connect(self._servers[guest.table % len(self._servers)])
        assert guest.socket is not None
        file = guest.socket.fileno()
        self._by_file[file] = guest
        self._connecting.add(file)
        self._epoll.register(file, select.EPOLLOUT)

    def _lost(self, guest: Guest) -> None:
        if guest.socket is not None:
            self._by_file.pop(guest.socket.fileno(), None)
            self._connecting.discard(guest.socket.fileno())
        guest.gone()

    # ------------------------------------------------------------------------------- the loop

    def until(self, enough: Callable[[], bool], what: str) -> None:
        """Plays until `enough`. Raises `Broken` after a minute without a line."""
        looked = 0.0
        self._heard = time.monotonic()
        while True:
            now = time.monotonic()
            if now - looked >= LOOK:
                if enough():
                    return
                looked = now
            if now - self._heard > PATIENCE:
                raise Broken(f"nothing happens any more: {what}")
            self._turn(now)

    def play(self, seconds: float) -> None:
        """Plays for so long."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end, "playing")

    def _turn(self, now: float) -> None:
        if now - self._again >= AGAIN:
            self._again = now
            self.look_after()
            self._try_again()
        while self._later and self._later[0][0] <= now:
            _, _, guest = heapq.heappop(self._later)
            guest.go_on()
        wait = min(LOOK, self._later[0][0] - now) if self._later else LOOK
        for file, _ in self._epoll.poll(wait, 512):
            guest = self._by_file[file]
            if file in self._connecting:
                self._connected(guest, file)
            else:
                self._read(guest)

    def _try_again(self) -> None:
        for guest in self.guests:
            if guest.refused:
                guest.refused = False
                self._lost(guest)
            if guest.socket is None:
                self._connect(guest)
            elif guest.put_off:
                guest.try_again()
                guest.flush()

    def _connected(self, guest: Guest, file: int) -> None:
        assert guest.socket is not None
        if guest.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self._lost(guest)
            return
        self._connecting.discard(file)
        self._epoll.modify(file, select.EPOLLIN)
        guest.come()

    def _read(self, guest: Guest) -> None:
        self._heard = time.monotonic()
        if not guest.read():
            self._lost(guest)
            return
        started = guest.plan.started
        guest.go_on()
        if not started:
            for mate in self._mates[guest.wanted]:
                mate.go_on()

    # -------------------------------------------------------------------------------- the end

    def rest(self) -> None:
        """Nobody moves any more; returns when everything is answered."""
        self.resting = True
        self.until(lambda: not any(guest.pending for guest in self.guests), "somebody waits")

    def go_on(self) -> None:
        """Everybody moves again."""
        self.resting = False
        for guest in self.guests:
            guest.go_on()

    def ask_for_everything(self) -> None:
        """Everybody comes back and asks for all streams from the beginning."""
        self.rest()
        for guests in _portions(self.guests, AT_ONCE):
            for guest in guests:
                self._lost(guest)
                guest.whole = {}
                self._connect(guest)
            self.until(partial(_are_here, guests), "somebody has no lines")

    def stored(self) -> tuple[list[tuple[str, str, int]], list[str]]:
        """See `History`."""
        with psycopg.connect(self._dsn) as db:
            rows, closed = (db.execute(query).fetchall() for query in STORED)
        return rows, [on for (on,) in closed]

    def close(self) -> None:
        """Ends all connections."""
        self._servers = ()
        for guest in self.guests:
            self._lost(guest)
        self._epoll.close()


def _are_here(guests: Sequence[Guest]) -> bool:
    return all(guest.here for guest in guests)


def _portions(guests: Sequence[Guest], size: int) -> Iterator[Sequence[Guest]]:
    for first in range(0, len(guests), size):
        yield guests[first : first + size]
