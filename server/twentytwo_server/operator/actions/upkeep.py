"""Server upkeep: announcements, closing tables, invite codes, drains, reloads, backups."""

from __future__ import annotations

from pathlib import Path

from twentytwo_protocol.voice import plural

from ...answers import ask
from ...host.tables.order_queue import SERVER
from ...session.streams import rfc3339
from ...store import Refused
from ...table.effects import ClosedByOperator
from .context import Actions, AdminAnswer, AdminContext, Given


async def announce(admin: AdminContext, given: Given) -> AdminAnswer:
    """Sends an announcement to all connected people."""
    text = given.wanted("text")
    admin.note(given)
    admin.host.connections.notify_all("ANNOUNCE", f"The operator says: {text}")
    return AdminAnswer(f"told on {plural(len(admin.host.connections), 'connection')}")


async def close(admin: AdminContext, given: Given) -> AdminAnswer:
    """Closes a table; its running game ends without a result."""
    wanted = given.wanted("table").lower()
    room = admin.host.rooms.own.get(wanted)
    if room is None:
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
    """Stops new games, and stops the server when all running games are over."""
    admin.note(given)
    if given.get("cancel"):
        admin.stops.go_on()
        return AdminAnswer("the server goes on")
    limit = admin.stops.drain(given.number("ms") if given.get("ms") else None)
    running = plural(admin.host.rooms.games_running, "running game")
    return AdminAnswer(f"{running}; then, or in {limit // 1000} s, the server stops")


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
