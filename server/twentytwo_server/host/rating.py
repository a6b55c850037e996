"""What follows from a game that counts: everybody's rating, kept before they are told.

`game_over` is all that a table needs of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from twentytwo_protocol.words import accounts as words

from ..accounts import ratings
from ..facts import GameEnded, Pool, Rated
from .inboxes import post

if TYPE_CHECKING:
    from .host import Host


class Ratings:
    """Games that wait for their ratings: one after the other, each beginning where one ended."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._busy = False

    def add(self, work: Callable[[], None]) -> None:
        """Work that reads and writes ratings; it says `next` when it is done."""
        self._waiting.append(work)
        if not self._busy:
            self.next()

    def next(self) -> None:
        """The work before is done."""
        self._busy = bool(self._waiting)
        if self._waiting:
            self._waiting.popleft()()


def game_over(host: Host, ended: GameEnded) -> None:
    """A game is over, and that has been kept: if it counts, so is what follows from it.

    To be called once for every game that ends, while its table is still there.
    """
    room = host.rooms.get(ended.table)
    seats = room.table.seats if room is not None else ()
    programs = frozenset(seat.number for seat in seats if seat.program)
    pool = ratings.pool_of(ended, programs)
    if pool is not None:
        host.ratings.add(lambda: _rate(host, ended, pool))


def _rate(host: Host, ended: GameEnded, pool: Pool) -> None:
    """Reads everybody's rating so far, one after the other, and goes on with them."""
    before: dict[str, Rated] = {}
    names = deque(ratings.rated_name(seat) for seat in ended.seats)

    def read(found: Sequence[Rated]) -> None:
        name = names.popleft()
        for each in found:
            if (each.pool, each.key, each.rules) == (pool, ended.key, ended.rules):
                before[name] = each
        ask()

    def ask() -> None:
        if names:
            host.store.rating(names[0], read)
        else:
            _keep(host, ended, before, ratings.rated(ended, pool, before))

    ask()


def _keep(host: Host, ended: GameEnded, before: dict[str, Rated], after: Sequence[Rated]) -> None:
    mail = []
    for rated in after:
        person = host.people.exact(rated.name)
        if person is not None:
            known = before.get(rated.name)
            old = ratings.shown(known.mu if known else ratings.MEAN)
            told = words.Rated(
                rated.key, rated.rules, ended.game, old, ratings.shown(rated.mu), rated.games
            )
            mail.append((person, told))
    post(host, mail, lambda _: host.ratings.next(), after)
