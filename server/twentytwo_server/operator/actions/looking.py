"""Admin commands that show people, tables and the journal, never a running game's cards."""

from __future__ import annotations

from collections import Counter

from twentytwo_protocol.voice import plural

from ...answers import ask
from ...host.host import Host
from ...host.people.elsewhere import AnyPerson, PersonElsewhere
from ...host.people.people import Person
from ...host.tables.room import Room
from ...session.streams import rfc3339
from ...table.table import Phase
from .context import Actions, AdminAnswer, AdminContext, Given, Row

LOG = 50
"""Default number of journal entries shown."""


async def who(admin: AdminContext, given: Given) -> AdminAnswer:
    """All connected people, all who may come back, and connections without a name.

    People at other servers have the name of the server, and no address.
    """
    host = admin.host
    admin.note(given)
    rows: list[Row] = []
    links = {id(session): link for session, link in host.connections}
    for person in sorted(host.people, key=lambda each: each.name.lower()):
        link = links.pop(id(person.session), None)
        rows.append(_person(host, person, link.address if link is not None else ""))
    rows += [_connection("", link.address) for link in links.values()]
    here = sum(bool(row["address"]) for row in rows)
    text = f"{here} connected, {len(rows) - here} away"
    if elsewhere := [_elsewhere(host, person) for person in host.elsewhere]:
        text += f", {len(elsewhere)} at other servers"
    return AdminAnswer(text, [*rows, *elsewhere])


def _elsewhere(host: Host, person: PersonElsewhere) -> Row:
    muted = host.sanctions.mute_of(person.name) is not None
    row = _connection(person.name, "", _kind(person), muted=muted)
    return {**row, "server": host.elsewhere.node_of(person.name) or ""}


def _kind(person: AnyPerson) -> str:
    kind = "guest" if person.name.startswith("~") else "account"
    return f"{kind} program" if person.program else kind


def _person(host: Host, person: Person, address: str) -> Row:
    tables = " ".join(room.id for room in host.rooms.of(person))
    muted = host.sanctions.mute_of(person.name) is not None
    last = "" if address else person.network
    return _connection(person.name, address, _kind(person), tables, muted, last)


def _connection(
    name: str,
    address: str,
    kind: str = "nobody yet",
    tables: str = "",
    muted: bool = False,
    last: str = "",
) -> Row:
    """A row; `last` is an absent person's last address, which a restart forgets."""
    return {
        "name": name,
        "kind": kind,
        "address": address,
        "last": last,
        "tables": tables,
        "muted": muted,
        "server": "",
    }


async def connections(admin: AdminContext, given: Given) -> AdminAnswer:
    """All open connections, grouped by address, the busiest address first: name, client, age."""
    host = admin.host
    admin.note(given)
    links = [(session, link) for session, link in host.connections]
    count = Counter(link.address for _, link in links)
    links.sort(key=lambda each: (-count[each[1].address], each[1].address, -each[1].age))
    rows: list[Row] = [
        {
            "address": link.address,
            "of": count[link.address],
            "name": session.name or "",
            "mode": session.mode.value,
            "client": session.client,
            "seconds": link.age // 1000,
            "private": link.private,
        }
        for session, link in links
    ]
    addresses = "1 address" if len(count) == 1 else f"{len(count)} addresses"
    return AdminAnswer(f"{plural(len(rows), 'connection')} from {addresses}", rows)


async def tables(admin: AdminContext, given: Given) -> AdminAnswer:
    """All tables with their games and players, never cards."""
    admin.note(given)
    rows = [_table(room) for room in admin.host.rooms.own.values()]
    running = sum(row["phase"] == Phase.PLAYING.value for row in rows)
    return AdminAnswer(f"{plural(len(rows), 'table')}, {plural(running, 'running game')}", rows)


def _table(room: Room) -> Row:
    table = room.table
    settings = table.settings
    kinds = {
        "practice": settings.kind.practice,
        "private": settings.word,
        "daily": settings.kind.once,
        "rated": settings.kind.rated,
    }
    return {
        "table": room.id,
        "game": table.game.key,
        "rules": settings.preset,
        "phase": table.phase.value,
        "number": table.match.terms.id if table.match is not None else "",
        "seats": settings.seats,
        "players": " ".join(seat.name for seat in table.seats),
        "away": " ".join(seat.name for seat in table.people if not seat.here),
        "watchers": len(table.watchers),
        "kind": " ".join(kind for kind, so in kinds.items() if so) or "open",
    }


async def log(admin: AdminContext, given: Given) -> AdminAnswer:
    """The journal of admin commands, the latest entry first. Reading it adds no entry."""
    lines = await ask(admin.host.store.admin_log, min(given.number("n", LOG), 10_000))
    rows: list[Row] = [
        {
            "at": rfc3339(each.wall),
            "uid": each.uid,
            "command": each.command,
            "about": each.about,
            "why": each.why,
        }
        for each in lines
    ]
    return AdminAnswer("", rows)


ACTIONS: Actions = {
    "who": who,
    "connections": connections,
    "tables": tables,
    "log": log,
}
