"""Counts what the people of one address hold, and refuses more than the quotas.

An address is a `Link.network`. An absent person counts for the address of the last connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused

from ..games import players
from ..limits.quotas import Quotas
from ..ports import Link
from .config import LiveConfig
from .lobby.seeks import Seeks
from .people.people import People, Person
from .room_services import RoomServices
from .tables.room import Room
from .tables.rooms import AnyRoom, Rooms


@dataclass(slots=True)
class Holdings:
    """The names, seats, tables, seeks and hard bots of each address, within its quotas."""

    _people: People
    _rooms: Rooms
    _tables: RoomServices
    _seeks: Seeks
    _quotas: Quotas
    _config: LiveConfig

    def check_guest(self, link: Link) -> None:
        """Counts a new guest of this address. Raises `Refused` if there are too many."""
        if link.crowded:
            text = "The server is nearly full: now it lets in who has an account or a seat."
            raise Refused("BUSY", text, wait=60_000)
        quotas, held = self._quotas, len(self._people.of_network(link.network))
        quotas.check(held, quotas.quota.names, link.share, "names in use")
        quotas.new_guest(link.network, link.share)

    def check_table(self, person: Person, leaving: Sequence[AnyRoom], hard_bots: int) -> None:
        """Raises `Refused` unless the person's address may open one more table.

        The person leaves the tables in `leaving`; `hard_bots` is the number of hard bots at the new
        one.
        """
        quotas = self._quotas
        mine = [room for room in self._opened_from(person.network) if room not in leaving]
        quotas.check(len(mine), quotas.quota.tables, person.share, "open tables")
        self._check_seats(person, len(leaving))
        if hard_bots:
            self._check_thinking(person, mine, hard_bots)
        reserved = self._config.now.most_tables * quotas.quota.reserved_tables // 100
        if (
            self._tables.count >= self._config.now.most_tables - reserved
            and person.guest
            and not person.tables
        ):
            text = "Nearly all tables are taken: the last are for people with an account or a seat."
            raise Refused("BUSY", text, wait=60_000)

    def check_seat(self, person: Person) -> None:
        """Raises `Refused` unless the person's address may have one more seat."""
        self._check_seats(person, 0)

    def _check_seats(self, person: Person, leaving: int) -> None:
        held = sum(len(each.tables) for each in self._people.of_network(person.network)) - leaving
        self._quotas.check(held, self._quotas.quota.seats, person.share, "seats at tables")

    def check_addbot(self, person: Person, room: AnyRoom, level: str | None) -> None:
        """Raises `Refused` unless the person's address may have one more bot of that level."""
        if players.slow(level or room.table.settings.level):
            self._check_thinking(person, self._opened_from(person.network), 1)

    def _check_thinking(self, person: Person, rooms: Iterable[Room], more: int) -> None:
        quotas = self._quotas
        held = sum(players.slow(seat.level) for room in rooms for seat in room.table.seats)
        quotas.check(held + more - 1, quotas.quota.thinking_bots, person.share, "hard bots")

    def check_seek(self, person: Person) -> None:
        """Raises `Refused` unless the person's address may have one more seek."""
        there = {
            each.name for each in self._people.of_network(person.network) if each is not person
        }
        held = sum(name in there for name in self._seeks.names())
        self._quotas.check(held, self._quotas.quota.seeks, person.share, "open seeks")

    def _opened_from(self, network: str) -> list[Room]:
        """The tables opened from this address, including those whose opening is not stored yet."""
        return [
            room
            for room in (*self._rooms.own.values(), *self._rooms.opening)
            if room.network == network
        ]
