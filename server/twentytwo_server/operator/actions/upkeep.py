"""Server upkeep: announcements, closing tables, invite codes, drains, reloads, backups."""

from __future__ import annotations

from pathlib import Path

from twentytwo_protocol.voice import plural

from ...answers import ask
from ...host.tables.order_queue import SERVER
from ...host.tables.remote_room import RemoteRoom
from ...host.unknown_tables import UnknownTables
from ...session.streams import rfc3339
from ...store import Refused
from ...table.effects import ClosedByOperator
from .context import Actions, AdminAnswer, AdminContext, Given


async def announce(admin: AdminContext, given: Given) -> AdminAnswer:
    """Sends an announcement to all connected people, at all servers."""
    text = given.wanted("text")
    admin.note(given)
    admin.host.connections.notify_all("ANNOUNCE", f"The operator says: {text}")
    told = f"told on {plural(len(admin.host.connections), 'connection')}"
    return AdminAnswer(told + await admin.at_all_others(given))


async def close(admin: AdminContext, given: Given) -> AdminAnswer:
    """Closes a table; its running game ends without a result."""
    wanted = given.wanted("table").lower()
    room = admin.host.rooms.own.get(wanted)
    if room is None:
        await admin.host.parts.make(UnknownTables).find(wanted)
        elsewhere = admin.host.rooms.get(wanted)
        if isinstance(elsewhere, RemoteRoom) and not given.relayed:
            return await admin.at(elsewhere.owner, given)
        raise Refused(f"there is no table {wanted}; `admin tables` lists them")
    await admin.keep(given)
    answer = await ask(room.order, SERVER, ClosedByOperator())
    if answer.refusal is not None:
        raise Refused(answer.refusal.text)
    return AdminAnswer(f"{wanted} is closed")


async def invite(admin: AdminContext, given: Given) -> AdminAnswer:
    """Makes invite codes, each good for one account."""
    host = admin.host
    end = host.clock.wall() + given.number("ms")
    codes = [host.chance.token() for _ in range(min(given.number("n", 1), 1000))]
    await admin.keep(given, *(host.invite_codes.give(code, end) for code in codes))
    rows = [{"code": code, "until": rfc3339(end)} for code in codes]
    return AdminAnswer("each makes one account: register NAME code=CODE", rows)


async def drain(admin: AdminContext, given: Given) -> AdminAnswer:
    """Stops new games, and stops the server when all running games are over.

    With `all`, all servers do so.
    """
    wanted = given.number("ms") if given.get("ms") else None
    admin.note(given)
    others = await admin.at_all_others(given) if given.get("all") else ""
    if given.get("cancel"):
        admin.stops.go_on()
        return AdminAnswer(f"the server goes on{others}")
    limit = admin.stops.drain(wanted)
    running = plural(admin.host.rooms.games_running, "running game")
    return AdminAnswer(f"{running}; then, or in {limit // 1000} s, the server stops{others}")


async def reload(admin: AdminContext, given: Given) -> AdminAnswer:
    """Reloads settings and certificates, as SIGHUP does."""
    if admin.reload is None:
        raise Refused("this server has no settings to read")
    admin.note(given)
    return AdminAnswer(admin.reload())


async def backup(admin: AdminContext, given: Given) -> AdminAnswer:
    """Copies the database into a new file."""
    path = Path(given.arguments.get("file", ""))
    if admin.backup is None:
        raise Refused("this server stores no data")
    admin.note(given)
    await admin.backup(path)
    return AdminAnswer(str(path))


ACTIONS: Actions = {
    "announce": announce,
    "close": close,
    "invite": invite,
    "drain": drain,
    "backup": backup,
    "reload": reload,
}
