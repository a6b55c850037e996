"""Programs that play at several servers at once, and come back at any of them."""

from __future__ import annotations

import random
import select
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tests.crash.player import SYNC, Broken, Line, Plan, Player, Told, parse

if TYPE_CHECKING:
    from tests.crash.members import Member

AGAIN = 0.2
"""Seconds after which somebody comes back, or sends a refused order again."""
PATIENCE = 30.0
"""Seconds without a next event after which somebody counts as stuck."""
LOOK = 0.05
"""Seconds between two looks at whether something has come about."""

GIVEN_UP = 0.7
"""The probability that an order is not sent again after its `BYE`."""
THINKS = 2.0
"""Seconds until somebody who has given up an order makes a move."""


class Roamer(Player):
    """A player who comes back at any server. An order may be given up when a connection ends.

    `given_up` are those orders, each with the wall time (ms) of its `BYE`. `byes` counts the ends
    of connections by code. `lines` are the last ones in both directions, each with its time.
    """

    talks = 0.3

    def __init__(self, name: str, plan: Plan, host: bool, dice: random.Random) -> None:
        super().__init__(name, plan, host, dice)
        self.at: Member | None = None
        self.again = 0.0
        self.byes: Counter[str] = Counter()
        self.given_up: dict[str, float] = {}
        self.resting = False
        self.lines: deque[str] = deque(maxlen=200)
        self._doubtful: set[str] = set()
        self._closed: set[str] = set()
        self._asked: Line | None = None
        self._doubts = False
        self._thinks_until = 0.0

    @property
    def state(self) -> str:
        """What the player knows and waits for."""
        at = self.at.name if self.at is not None else ""
        told = {on: told.last for on, told in self.told.items()}
        waits = {id: self.pending[id] for id in self.pending}
        return f"{self.wanted} {at} here={self.here} {told} turn={self._turn} waits={waits}"

    def come_to(self, member: Member) -> None:
        """Connects to a server."""
        self.at = member
        if self.whole is not None:
            self.whole = {}
        self.connect(member.where)

    def leave(self) -> None:
        """Gives up the connection, and comes back soon."""
        self.gone()
        self.again = time.monotonic() + AGAIN * self.dice.random()

    def lost(self) -> socket.socket | None:
        """The connection of a player who takes it for lost, and comes back soon."""
        found, self.socket = self.socket, None
        self.leave()
        return found

    def flush(self) -> None:
        """See `Player`."""
        for line in self.out:
            self._note(f"> {line}")
        super().flush()

    def _note(self, line: str) -> None:
        at = self.at.name if self.at is not None else ""
        self.lines.append(f"{time.time():.3f} {at} {line}\n")

    def hear(self, line: str) -> None:
        """See `Player`."""
        self._note(line)
        if line.startswith("PING "):
            self.out.append(f"pong {line.partition('=')[2]}")
        elif line.startswith("BYE "):
            fields = parse(line).fields
            code = fields["code"]
            if code not in ("MOVED", "BUSY", "REPLACED"):
                raise Broken(f"{self.wanted} is told {line}")
            self.byes[code] += 1
            if code == "MOVED":
                self._give_up()
        elif self.socket is not None:
            super().hear(line)

    def _give_up(self) -> None:
        """Sends some orders without an answer never again: they may be carried out, but not now."""
        wall = time.time() * 1000
        for id, order in list(self.pending.items()):
            verb = order.partition(" ")[0]
            if verb in ("move", "say") and self.dice.random() < GIVEN_UP:
                del self.pending[id]
                self.given_up[id] = wall
                if verb == "move" and self._turn is None:  # it may be carried out already
                    self._turn, self._doubts = self._asked, True
                    self._thinks_until = time.monotonic() + THINKS

    def give(self, order: str) -> None:
        """See `Player`."""
        super().give(order)
        if self._doubts and order.startswith("move "):
            self._doubtful.add(next(reversed(self.pending)))
            self._doubts = False

    def go_on(self) -> None:
        """See `Player`. Nobody who rests or thinks makes a move.

        A new table may be known before the server has told that the one before is closed.
        """
        closing = any(on[0] == "t" and on != self.plan.on for on in self.told)
        if self.resting or closing or time.monotonic() < self._thinks_until:
            self.flush()
        else:
            super().go_on()

    def _play(self, turn: Line) -> None:
        self._asked = turn
        super()._play(turn)

    def _event(self, said: Line, line: str) -> None:
        on = said.fields["on"]
        if on[0] != "k" and on not in self._closed:  # talk has numbers of its own everywhere
            super()._event(said, line)

    def _stands(self, said: Line, line: str) -> None:
        if said.fields["on"] not in self._closed:
            super()._stands(said, line)

    def drop(self, on: str) -> None:
        """See `Player`. The end of a table that closes while somebody comes back is told, too."""
        self._closed.add(on)
        super().drop(on)

    def _came(self, said: Line, line: str) -> None:
        if said.word == "ERR" and said.fields["code"] in ("BUSY", "FORBIDDEN"):
            self.byes["refused"] += 1
            self.leave()
        else:
            super()._came(said, line)
            self.byes["came"] += 1

    def _refused(self, said: Line, order: str, line: str) -> None:
        unknown = said.fields["code"] == "NO_SUCH_TABLE" and order.startswith("join ")
        if said.id in self._doubtful and said.fields["code"] not in ("RATE", "BUSY"):
            return  # the order before it was carried out
        if unknown and self.plan.on == order.removeprefix("join "):
            self.pending[said.id] = order  # this server does not show the table yet
            self.put_off.append(said.id)
        else:
            super()._refused(said, order, line)


class Watcher(Roamer):
    """Somebody who watches the table of a plan, all of it."""

    def go_on(self) -> None:
        """Watches the table, as soon as there is one."""
        on = self.plan.on
        if self.here and on and on not in self.told and not self._watching:
            self._watching = on
            self.out.append(f"@watch watch {on}")
        self.flush()

    _watching = ""

    def come(self) -> None:
        """See `Player`."""
        self._watching = ""
        super().come()

    def try_again(self) -> None:
        """Watches again, if the server did not know the table yet."""
        if self._watching == "?":
            self._watching = ""

    def _reply(self, said: Line, line: str) -> None:
        if said.id != "watch" or not said.final:
            super()._reply(said, line)
        elif said.word == "OK":
            on = self._watching
            self.told[on] = Told(0)
            self.out.append(f"@{SYNC} sync {on} from=0")
            self._syncing, self._watching = on, ""
        elif said.fields["code"] == "NO_SUCH_TABLE":
            self._watching = "?"
        else:
            raise Broken(f"{self.wanted} cannot watch: {line}")

    def _at_table(self, said: Line, on: str) -> None:
        if said.word == "SHUT":
            self.drop(on)

    def drop(self, on: str) -> None:
        """Forgets a closed table."""
        self._closed.add(on)
        self.told.pop(on, None)


class Crew:
    """Everybody who plays and watches, at whichever of the servers is `reachable`.

    Now and then somebody has to `look_after` the servers.
    """

    def __init__(
        self,
        players: Sequence[Roamer],
        members: Sequence[Member],
        seed: str,
        look_after: Callable[[], None],
    ) -> None:
        self._look_after = look_after
        self.players = players
        self.members = members
        self.shunned: set[str] = set()
        self._dice = random.Random(f"{seed} crew")
        self._again = 0.0
        self._named = {player.wanted: player for player in players}

    @property
    def reachable(self) -> list[Member]:
        """The servers at which people come in: those that run and are not shunned."""
        return [each for each in self.members if each.up and each.name not in self.shunned]

    def at(self, member: Member) -> list[Roamer]:
        """The people who are connected to this server."""
        return [each for each in self.players if each.at is member and each.socket is not None]

    def until(
        self,
        enough: Callable[[], bool],
        what: str,
        why: Callable[[], object] = lambda: "",
        patience: float = PATIENCE,
    ) -> None:
        """Plays until `enough`. Raises `Broken` if that lasts for too long."""
        end = time.monotonic() + patience
        looked = 0.0
        while True:
            now = time.monotonic()
            if now - looked >= LOOK:
                if enough():
                    return
                looked = now
            if now > end:
                state = [player.state for player in self.players]
                raise Broken(f"{what}: {why()}\n" + "\n".join(state))
            self._turn()

    def play(self, seconds: float) -> None:
        """Plays for so long."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end, "playing", patience=seconds + PATIENCE)

    def hear(self, each: int, who: Sequence[Roamer] = ()) -> None:
        """Plays until everybody, or everybody of `who`, has got so many events."""
        wanted = {player.wanted: player.heard + each for player in who or self.players}

        def slow() -> list[str]:
            return [name for name, heard in wanted.items() if self._named[name].heard < heard]

        self.until(lambda: not slow(), "somebody does not play on", slow)

    def rest(self, *, resting: bool = True) -> None:
        """Nobody makes a move any more; or everybody again."""
        for player in self.players:
            player.resting = resting
            player.go_on()

    def _turn(self) -> None:
        now = time.monotonic()
        reachable = self.reachable
        for player in self.players:
            if player.socket is None and now >= player.again and reachable:
                player.come_to(self._dice.choice(reachable))
        if now - self._again >= AGAIN:
            self._again = now
            self._look_after()
            for player in self.players:
                player.try_again()
                player.go_on()
        open = {p.socket.fileno(): p for p in self.players if p.socket is not None}
        found, _, _ = select.select([*open], [], [], LOOK)
        for fd in found:
            player = open[fd]
            if not player.read() and player.socket is not None:
                player.leave()
        for player in self.players:
            if player.socket is not None:
                player.go_on()
