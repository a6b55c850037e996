"""Admin commands for kicks, mutes and bans."""

from __future__ import annotations

from twentytwo_protocol.voice import plural

from ...accounts.names import skeleton
from ...facts import Fact, Sanction, SanctionKind, SanctionLifted, TokenRevoked
from ...host.cluster.homes import Homes
from ...host.host import Host
from ...host.moderation.enforcement import Enforcement
from ...host.moderation.networks import is_in, is_own, network, spelled
from ...host.moderation.sanctions import until
from ...host.people.people import Person
from ...session.streams import rfc3339
from ...store import Refused
from .context import Actions, AdminAnswer, AdminContext, Given

BACK_AFTER_KICK = 30_000
"""Retry delay in milliseconds after a kick."""


async def kick(admin: AdminContext, given: Given) -> AdminAnswer:
    """Closes the connections of a person or an address. A player keeps the seat for a while."""
    target = given.wanted("target")
    found = network(target)
    others = ""
    if found is not None:
        others = await admin.at_all_others(given)
        sessions = [s for s, link in admin.host.connections if is_in(link.address, found)]
    elif (answer := await admin.at_home(given, target)) is not None:
        return answer
    else:
        session = _known(admin.host, target).session
        sessions = [session] if session is not None else []
    if not sessions and not others:
        raise Refused(f"{target} is not connected")
    admin.note(given)
    why = f": {given.get('why')}" if given.get("why") else "."
    for session in sessions:
        text = f"The operator has ended this connection{why}"
        admin.host.connections.dismiss(session, text, BACK_AFTER_KICK)
    return AdminAnswer(f"{len(sessions)} closed{others}")


def _known(host: Host, name: str) -> Person:
    person = host.people.find(name)
    if person is None:
        raise Refused(f"nobody called {name} is here; `admin who` lists them")
    return person


def _account(host: Host, name: str) -> str | None:
    """The spelling of an account's name, ignoring case; None if there is none."""
    found = host.people.skeletons.get(skeleton(name))
    return found if found is not None and found.lower() == name.lower() else None


async def _name(host: Host, wanted: str) -> str | None:
    """The name of a person at any server, or of an account; None if there is none."""
    person = host.people.find(wanted)
    if person is not None:
        return person.name
    elsewhere = await host.parts.make(Homes).find(wanted)
    return elsewhere.kept.name if elsewhere is not None else _account(host, wanted)


async def mute(admin: AdminContext, given: Given) -> AdminAnswer:
    """Mutes a person until a time."""
    host = admin.host
    wanted = given.wanted("name")
    name = await _name(host, wanted)
    if name is None:
        raise Refused(f"there is no account {wanted}, and no guest of that name is here")
    sanction = _sanction(admin, given, SanctionKind.MUTE, name.lower())
    host.sanctions.put(sanction)
    host.parts.make(Enforcement).tell_muted(sanction)
    await admin.keep(given, sanction)
    return AdminAnswer(f"{name} is muted {until(sanction)}")


async def unmute(admin: AdminContext, given: Given) -> AdminAnswer:
    """Ends a mute."""
    host = admin.host
    wanted = given.wanted("name")
    name = await _name(host, wanted) or wanted
    if not host.sanctions.lift(SanctionKind.MUTE, name.lower()):
        raise Refused(f"{name} is not muted; `admin bans` lists who is")
    host.parts.make(Enforcement).tell_unmuted(name)
    await admin.keep(given, SanctionLifted(SanctionKind.MUTE, name.lower()))
    return AdminAnswer(f"{name} may talk again")


def _sanction(admin: AdminContext, given: Given, kind: SanctionKind, target: str) -> Sanction:
    wall = admin.host.clock.wall()
    return Sanction(kind, target, wall + given.number("ms"), given.get("why"), wall)


async def ban(admin: AdminContext, given: Given) -> AdminAnswer:
    """Bans an account, an address or a network until a time."""
    wanted = given.wanted("target")
    found = network(wanted)
    if found is None:
        return await _ban_account(admin, given, wanted)
    if is_own(found):
        raise Refused(
            f"{spelled(found)} is this machine: a ban includes everybody who connects through a "
            "tunnel or a proxy"
        )
    host, sanction = admin.host, _sanction(admin, given, SanctionKind.BAN, spelled(found))
    host.sanctions.put(sanction)
    closed = host.parts.make(Enforcement).close_network(sanction, found)
    await admin.keep(given, sanction)
    return AdminAnswer(f"{spelled(found)} is banned {until(sanction)}; {closed} closed")


async def _ban_account(admin: AdminContext, given: Given, wanted: str) -> AdminAnswer:
    """Ends an account's sessions and revokes its tokens; seats are kept for a while."""
    host = admin.host
    name = _account(host, wanted)
    if name is None:
        if (answer := await admin.at_home(given, wanted)) is not None:
            return answer
        raise Refused(_not_banned(host, wanted))
    sanction = _sanction(admin, given, SanctionKind.BAN, name.lower())
    host.sanctions.put(sanction)
    facts: list[Fact] = [sanction, *host.parts.make(Enforcement).close_account(sanction)]
    tokens = await host.people.revocations.look_up(host.store.tokens, name)
    facts += [TokenRevoked(name, token.number) for token in tokens]
    revoked = plural(len(tokens), "login token")
    await host.people.revocations.keep([admin.line(given), *facts])
    return AdminAnswer(f"{name} is banned {until(sanction)}; {revoked} revoked")


def _not_banned(host: Host, wanted: str) -> str:
    guest = host.people.find(wanted)
    if guest is None:
        return f"{wanted} is no account, address or network"
    link = host.connections.link(guest.session) if guest.session is not None else None
    at = link.address if link is not None else guest.network
    found = network(at)
    known = found is not None and not is_own(found)
    where = f": ban {at}" if known else "; `admin who` has it"
    return f"{guest.name} is a guest, who has any name: ban the address{where}"


async def unban(admin: AdminContext, given: Given) -> AdminAnswer:
    """Ends a ban."""
    wanted = given.wanted("target")
    found = network(wanted)
    target = spelled(found) if found is not None else wanted.lower()
    if not admin.host.sanctions.lift(SanctionKind.BAN, target):
        raise Refused(f"{target} is not banned; `admin bans` lists who is")
    await admin.keep(given, SanctionLifted(SanctionKind.BAN, target))
    return AdminAnswer(f"{target} is banned no more")


async def bans(admin: AdminContext, given: Given) -> AdminAnswer:
    """The current bans and mutes."""
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


ACTIONS: Actions = {
    "kick": kick,
    "mute": mute,
    "unmute": unmute,
    "ban": ban,
    "unban": unban,
    "bans": bans,
}
