"""What the operator's commands do to a running server. Nothing here shows a running hand.

Every command is a line in the journal (`facts.AdminAction`). One that changes what is kept is
answered when that is safe, together with its line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from twentytwo_protocol.framing import clean, visible
from twentytwo_protocol.voice import plural
from twentytwo_protocol.words.connection import Note

from ..accounts.names import skeleton
from ..answers import ask, keep
from ..facts import AdminAction, Fact, Report, Sanction, SanctionKind, SanctionLifted, TokenRevoked
from ..host.host import Host
from ..host.moderation.reports import answered
from ..host.moderation.sanctions import is_own, network, spelled, until
from ..host.people.people import Person
from ..host.tables.order_queue import SERVER
from ..host.tables.room import Room
from ..session.streams import rfc3339
from ..store import Refused
from ..table.effects import ClosedByOperator
from ..table.table import Phase

LONGEST = 300
"""The longest text of an announcement, a reason or an answer, in characters."""
BACK_AFTER_KICK = 30_000
"""Milliseconds after which somebody who was kicked is advised to come back."""
LOG = 50
"""How many lines of the journal are shown."""

Row = Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class AdminAnswer:
    """The answer to an admin command: a text for people, and rows with the same keys."""

    text: str = ""
    rows: Sequence[Row] = ()


class Stops(Protocol):
    """What brings a server to its end (`stopping.Stopping`)."""

    def drain(self, limit: int | None) -> int:
        """Begins nothing new, and stops when no game runs, or after `limit` ms; the limit."""

    def go_on(self) -> None:
        """Ends a drain; the server goes on."""


@dataclass(frozen=True, slots=True)
class Given:
    """A command as it was given: by which user, and with which arguments."""

    uid: int
    command: str
    arguments: Mapping[str, str]

    def get(self, name: str, *, most: int = LONGEST) -> str:
        """An argument, without line ends; empty if it was not given. Raises `Refused`."""
        found = " ".join(visible(clean(self.arguments.get(name, ""))).split())
        if len(found) > most:
            raise Refused(f"{name} takes {most} characters")
        return found

    def wanted(self, name: str) -> str:
        """An argument that is needed. Raises `Refused`."""
        if found := self.get(name):
            return found
        raise Refused(f"{self.command} needs {name}")

    def number(self, name: str, usual: int | None = None) -> int:
        """An argument that is a number from 0. Raises `Refused`."""
        found = self.get(name)
        if not found and usual is not None:
            return usual
        if not found.isdecimal():
            raise Refused(f"{name} takes a number")
        return int(found)


class AdminActions:
    """Carries out admin commands on a host. `backup` copies what is kept, where that is a file."""

    def __init__(
        self,
        host: Host,
        stops: Stops,
        backup: Callable[[Path], Awaitable[None]] | None = None,
    ) -> None:
        self.host = host
        self.stops = stops
        self.backup = backup

    async def carry_out(self, uid: int, command: str, arguments: Mapping[str, str]) -> AdminAnswer:
        """Carries out a command of a user of this machine. Raises `Refused`, and `OSError`."""
        action = ACTIONS.get(command)
        if action is None:
            raise Refused(f"{command} is not a command here")
        return await action(self, Given(uid, command, arguments))

    async def keep(self, given: Given, *facts: Fact) -> None:
        """Stores facts with the line in the journal; returns when they are safe."""
        await keep(self.host.store, [self.line(given), *facts])

    def note(self, given: Given) -> None:
        """Stores the line in the journal, as soon as anything can be stored.

        For what must be done also when nothing can.
        """
        self.host.store.keep([self.line(given)], lambda: None)

    def line(self, given: Given) -> AdminAction:
        """The line of a command in the journal."""
        said = {key: value for key, value in given.arguments.items() if key != "why" and value}
        about = " ".join(_told(key, value) for key, value in said.items())
        wall = self.host.clock.wall()
        return AdminAction(given.uid, given.command, about, given.get("why"), wall)


def _told(key: str, value: str) -> str:
    """An argument as the journal has it."""
    if key == "ms" and value.isdecimal():
        return f"for {int(value) // 1000} s"
    return value if key in MAIN else f"{key}={value}"


MAIN = ("target", "name", "table", "text", "id", "file")
"""Arguments that the journal shows without their names."""


# -------------------------------------------------------------------------------- looking


async def _who(admin: AdminActions, given: Given) -> AdminAnswer:
    """Everybody who is here or may come back, and connections that nobody has named."""
    host = admin.host
    admin.note(given)
    rows: list[Row] = []
    links = {id(session): link for session, link in host.links()}
    for person in sorted(host.people, key=lambda each: each.name.lower()):
        link = links.pop(id(person.session), None)
        rows.append(_person(host, person, link.address if link is not None else ""))
    rows += [_connection("", link.address) for link in links.values()]
    here = sum(bool(row["address"]) for row in rows)
    return AdminAnswer(f"{here} connected, {len(rows) - here} away", rows)


def _person(host: Host, person: Person, address: str) -> Row:
    kind = ("guest" if person.guest else "account") + (" program" if person.program else "")
    tables = " ".join(room.id for room in host.rooms_of(person))
    muted = host.sanctions.mute_of(person.name) is not None
    return _connection(person.name, address, kind, tables, muted)


def _connection(
    name: str, address: str, kind: str = "nobody yet", tables: str = "", muted: bool = False
) -> Row:
    return {"name": name, "kind": kind, "address": address, "tables": tables, "muted": muted}


async def _tables(admin: AdminActions, given: Given) -> AdminAnswer:
    """All tables: what is played and who sits there; never what they hold."""
    admin.note(given)
    rows = [_table(room) for room in admin.host.rooms.values()]
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
        "number": table.match.id if table.match is not None else "",
        "seats": settings.seats,
        "players": " ".join(seat.name for seat in table.seats),
        "away": " ".join(seat.name for seat in table.people if not seat.here),
        "watchers": len(table.watchers),
        "kind": " ".join(kind for kind, so in kinds.items() if so) or "open",
    }


async def _log(admin: AdminActions, given: Given) -> AdminAnswer:
    """The journal: what was done here, the last first. To read it is no line in it."""
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


# ------------------------------------------------------------------------------- speaking


async def _announce(admin: AdminActions, given: Given) -> AdminAnswer:
    """Says something to everybody who is connected."""
    text = given.wanted("text")
    admin.note(given)
    admin.host.notify_all("ANNOUNCE", f"The operator says: {text}")
    return AdminAnswer(f"told on {plural(admin.host.connections, 'connection')}")


# ------------------------------------------------------------------- kicked, muted, banned


async def _kick(admin: AdminActions, given: Given) -> AdminAnswer:
    """Ends the connections of a person or an address. A seat is kept, as for all who are away."""
    target = given.wanted("target")
    found = network(target)
    if found is not None:
        sessions = [s for s, link in admin.host.links() if _is_in(link.address, found)]
    else:
        session = _known(admin.host, target).session
        sessions = [session] if session is not None else []
    if not sessions:
        raise Refused(f"{target} is not connected")
    admin.note(given)
    why = f": {given.get('why')}" if given.get("why") else "."
    for session in sessions:
        text = f"The operator has ended this connection{why}"
        admin.host.dismiss(session, text, BACK_AFTER_KICK)
    return AdminAnswer(f"{len(sessions)} closed")


def _is_in(address: str, found: Any) -> bool:
    place = network(address)
    return place is not None and place.version == found.version and place.subnet_of(found)


def _known(host: Host, name: str) -> Person:
    person = host.people.find(name)
    if person is None:
        raise Refused(f"nobody called {name} is here; `admin who` lists them")
    return person


def _account(host: Host, name: str) -> str | None:
    """The name of the account that is called so, in any case; None if there is none."""
    found = host.people.skeletons.get(skeleton(name))
    return found if found is not None and found.lower() == name.lower() else None


async def _mute(admin: AdminActions, given: Given) -> AdminAnswer:
    """Refuses what a person says, until a time."""
    host, wanted = admin.host, given.wanted("name")
    person = host.people.find(wanted)
    name = person.name if person is not None else _account(host, wanted)
    if name is None:
        raise Refused(f"there is no account {wanted}, and no guest of that name is here")
    sanction = _sanction(admin, given, SanctionKind.MUTE, name.lower())
    host.sanctions.put(sanction)
    if person is not None and person.session is not None:
        person.session.notice(Note("MUTED", text=f"You are muted {until(sanction)}"))
    await admin.keep(given, sanction)
    return AdminAnswer(f"{name} is muted {until(sanction)}")


async def _unmute(admin: AdminActions, given: Given) -> AdminAnswer:
    """Lets a person talk again."""
    host, wanted = admin.host, given.wanted("name")
    person = host.people.find(wanted)
    name = person.name if person is not None else wanted
    if not host.sanctions.lift(SanctionKind.MUTE, name.lower()):
        raise Refused(f"{name} is not muted")
    if person is not None and person.session is not None:
        person.session.notice(Note("UNMUTED", text="You may talk again."))
    await admin.keep(given, SanctionLifted(SanctionKind.MUTE, name.lower()))
    return AdminAnswer(f"{name} may talk again")


def _sanction(admin: AdminActions, given: Given, kind: SanctionKind, target: str) -> Sanction:
    wall = admin.host.clock.wall()
    return Sanction(kind, target, wall + given.number("ms"), given.get("why"), wall)


async def _ban(admin: AdminActions, given: Given) -> AdminAnswer:
    """Lets an account, an address or a network in no more, until a time."""
    wanted = given.wanted("target")
    found = network(wanted)
    if found is None:
        return await _ban_account(admin, given, wanted)
    if is_own(found):
        raise Refused(f"{spelled(found)} is this machine: whoever comes by a tunnel or a proxy")
    host, sanction = admin.host, _sanction(admin, given, SanctionKind.BAN, spelled(found))
    host.sanctions.put(sanction)
    sessions = [session for session, link in host.links() if _is_in(link.address, found)]
    for session in sessions:
        host.dismiss(session, f"Your address is banned {until(sanction)}")
    await admin.keep(given, sanction)
    return AdminAnswer(f"{spelled(found)} is banned {until(sanction)}; {len(sessions)} closed")


async def _ban_account(admin: AdminActions, given: Given, wanted: str) -> AdminAnswer:
    """Ends the sessions and all tokens of an account; a seat is kept, as for all who are away."""
    host = admin.host
    name = _account(host, wanted)
    if name is None:
        raise Refused(_not_banned(host, wanted))
    sanction = _sanction(admin, given, SanctionKind.BAN, name.lower())
    host.sanctions.put(sanction)
    facts: list[Fact] = [sanction]
    person = host.people.exact(name)
    if person is not None:
        host.people.forget_secrets(person)
        person.used_secrets = ()
        person.arrivals += 1  # a connection that is just coming in as them is refused
        facts.append(person.fact)
        if person.session is not None:
            host.dismiss(person.session, f"{name} is banned {until(sanction)}")
    tokens = await host.people.revocations.look_up(host.store.tokens, name)
    facts += [TokenRevoked(name, token.number) for token in tokens]
    revoked = plural(len(tokens), "login token")
    await host.people.revocations.keep([admin.line(given), *facts])
    return AdminAnswer(f"{name} is banned {until(sanction)}; {revoked} revoked")


def _not_banned(host: Host, wanted: str) -> str:
    guest = host.people.find(wanted)
    if guest is None:
        return f"{wanted} is no account, address or network"
    at = next((link.address for session, link in host.links() if session is guest.session), "")
    found = network(at)
    known = found is not None and not is_own(found)
    where = f": ban {at}" if known else "; `admin who` has it"
    return f"{guest.name} is a guest, who has any name: ban the address{where}"


async def _unban(admin: AdminActions, given: Given) -> AdminAnswer:
    """Ends a ban."""
    wanted = given.wanted("target")
    found = network(wanted)
    target = spelled(found) if found is not None else wanted.lower()
    if not admin.host.sanctions.lift(SanctionKind.BAN, target):
        raise Refused(f"{target} is not banned; `admin bans` lists who is")
    await admin.keep(given, SanctionLifted(SanctionKind.BAN, target))
    return AdminAnswer(f"{target} is banned no more")


async def _bans(admin: AdminActions, given: Given) -> AdminAnswer:
    """The bans and mutes that are in force."""
    admin.note(given)
    rows = [
        {
            "kind": each.kind.value,
            "target": each.target,
            "until": rfc3339(each.until),
            "since": rfc3339(each.wall),
            "why": each.why,
        }
        for kind in SanctionKind
        for each in admin.host.sanctions.in_force(kind)
    ]
    return AdminAnswer("" if rows else "nobody is banned or muted", rows)


# -------------------------------------------------------------------------------- reports


async def _reports(admin: AdminActions, given: Given) -> AdminAnswer:
    """The reports that nobody has answered."""
    admin.note(given)
    rows = [_report(report) for report in admin.host.reports.open]
    return AdminAnswer("" if rows else "no report is open", rows)


def _report(report: Report) -> Row:
    return {
        "id": report.no,
        "at": rfc3339(report.wall),
        "by": report.by,
        "about": report.about,
        "table": report.table,
        "game": report.game,
        "text": report.text,
    }


async def _show_report(admin: AdminActions, given: Given) -> AdminAnswer:
    """A report, with the record of its game once that is over."""
    host, no = admin.host, given.number("id")
    report = await ask(host.store.report, no)
    if report is None:
        raise Refused(f"there is no report {no}")
    admin.note(given)
    closed = {"answer": report.answer, "closed": rfc3339(report.closed)} if report.closed else {}
    record = ""
    if report.game:
        game = await ask(host.store.game, report.game)
        runs = f"{report.game} is not over; its record is shown when it is"
        record = game.record if game is not None else runs
    return AdminAnswer(record, [{**_report(report), **closed}])


async def _close_report(admin: AdminActions, given: Given) -> AdminAnswer:
    """Answers a report; the reporter is told, now or when they come back."""
    host, no, answer = admin.host, given.number("id"), given.wanted("answer")
    found = next((each for each in host.reports.open if each.no == no), None)
    if found is None:
        raise Refused(f"no report {no} is open")
    # Another guest may have the name by now: a report of one who is gone counts as told.
    by, lost = found.by, found.told
    reporter = None if lost else host.people.exact(by)
    here = reporter is not None and reporter.session is not None
    report = host.reports.close(found, answer, host.clock.wall(), told=here)
    if reporter is not None and reporter.session is not None:
        reporter.session.notice(Note("REPORT", text=answered(report)))
    await admin.keep(given, report)
    told = "has been told" if here else "is gone" if lost else "is told at the next login"
    return AdminAnswer(f"report {no} is closed; {by} {told}")


# --------------------------------------------------------------- tables, accounts, the end


async def _close(admin: AdminActions, given: Given) -> AdminAnswer:
    """Closes a table; a game that runs ends without a result."""
    wanted = given.wanted("table").lower()
    room = admin.host.rooms.get(wanted)
    if room is None:
        raise Refused(f"there is no table {wanted}; `admin tables` lists them")
    await admin.keep(given)
    answer = await ask(room.order, SERVER, ClosedByOperator())
    if answer.refusal is not None:
        raise Refused(answer.refusal.text)
    return AdminAnswer(f"{wanted} is closed")


async def _invite(admin: AdminActions, given: Given) -> AdminAnswer:
    """Makes codes, each of which makes one account."""
    host = admin.host
    end = host.clock.wall() + given.number("ms")
    codes = [host.chance.token() for _ in range(min(given.number("n", 1), 1000))]
    await admin.keep(given, *(host.invite_codes.give(code, end) for code in codes))
    rows = [{"code": code, "until": rfc3339(end)} for code in codes]
    return AdminAnswer("each makes one account: register NAME code=CODE", rows)


async def _drain(admin: AdminActions, given: Given) -> AdminAnswer:
    """Begins no new game, and stops the server when those that run are over."""
    admin.note(given)
    if given.get("cancel"):
        admin.stops.go_on()
        return AdminAnswer("the server goes on")
    limit = admin.stops.drain(given.number("ms") if given.get("ms") else None)
    running = plural(admin.host.games_running, "running game")
    return AdminAnswer(f"{running}; then, or in {limit // 1000} s, the server stops")


async def _backup(admin: AdminActions, given: Given) -> AdminAnswer:
    """Copies what is kept into a new file."""
    path = Path(given.arguments.get("file", ""))
    if admin.backup is None:
        raise Refused("this server keeps nothing")
    admin.note(given)
    await admin.backup(path)
    return AdminAnswer(str(path))


ACTIONS: Mapping[str, Callable[[AdminActions, Given], Coroutine[Any, Any, AdminAnswer]]] = {
    "who": _who,
    "tables": _tables,
    "log": _log,
    "announce": _announce,
    "kick": _kick,
    "mute": _mute,
    "unmute": _unmute,
    "ban": _ban,
    "unban": _unban,
    "bans": _bans,
    "reports": _reports,
    "show report": _show_report,
    "close report": _close_report,
    "close": _close,
    "invite": _invite,
    "drain": _drain,
    "backup": _backup,
}
"""Every admin command, by its name."""
