"""Counts what the people of one address hold, and refuses more than the quotas.

An address is a `Link.place`. An absent person counts for the address of the last connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twentytwo_protocol.schema import Refused

from ..games import players
from ..ports import Link
from .host import Host
from .people.people import Person
from .tables.room import Room


def check_guest(host: Host, link: Link) -> None:
    """Counts a new guest of this address. Raises `Refused` if there are too many."""
    if link.crowded:
        text = "The server is nearly full: now it lets in who has an account or a seat."
        raise Refused("BUSY", text, wait=60_000)
    quotas, held = host.quotas, len(host.people.of_place(link.place))
    quotas.check(held, quotas.quota.names, link.share, "names in use")
    quotas.new_guest(link.place, link.share)


def check_table(host: Host, person: Person, leaving: Sequence[Room], hard_bots: int) -> None:
    """Raises `Refused` unless the person's address may open one more table.

    The person leaves the tables in `leaving`; `hard_bots` is the number of hard bots at the new
    one.
    """
    quotas = host.quotas
    mine = [room for room in _rooms(host, person.place) if room not in leaving]
    quotas.check(len(mine), quotas.quota.tables, person.share, "open tables")
    _check_seats(host, person, len(leaving))
    if hard_bots:
        _check_thinking(host, person, mine, hard_bots)
    reserved = host.config.now.most_tables * quotas.quota.reserved_tables // 100
    if (
        host.tables.count >= host.config.now.most_tables - reserved
        and person.guest
        and not person.tables
    ):
        text = "Nearly all tables are taken: the last are for people with an account or a seat."
        raise Refused("BUSY", text, wait=60_000)


def check_seat(host: Host, person: Person) -> None:
    """Raises `Refused` unless the person's address may have one more seat."""
    _check_seats(host, person, 0)


def _check_seats(host: Host, person: Person, leaving: int) -> None:
    held = sum(len(each.tables) for each in host.people.of_place(person.place)) - leaving
    host.quotas.check(held, host.quotas.quota.seats, person.share, "seats at tables")


def check_addbot(host: Host, person: Person, room: Room, level: str | None) -> None:
    """Raises `Refused` unless the person's address may have one more bot of that level."""
    if players.slow(level or room.table.settings.level):
        _check_thinking(host, person, _rooms(host, person.place), 1)


def _check_thinking(host: Host, person: Person, rooms: Iterable[Room], more: int) -> None:
    quotas = host.quotas
    held = sum(players.slow(seat.level) for room in rooms for seat in room.table.seats)
    quotas.check(held + more - 1, quotas.quota.thinking_bots, person.share, "hard bots")


def check_seek(host: Host, person: Person) -> None:
    """Raises `Refused` unless the person's address may have one more seek."""
    there = {each.name for each in host.people.of_place(person.place) if each is not person}
    held = sum(name in there for name in host.seeks.names())
    host.quotas.check(held, host.quotas.quota.seeks, person.share, "open seeks")


def _rooms(host: Host, place: str) -> list[Room]:
    """The tables opened from this address, including those whose opening is not stored yet."""
    return [room for room in (*host.rooms.values(), *host.rooms.opening) if room.place == place]
