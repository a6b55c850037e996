"""Admin commands for accounts: list, export, reset a password, erase."""

from __future__ import annotations

import json
from typing import Any

from twentytwo_protocol.voice import plural

from ...accounts.names import skeleton
from ...accounts.ssh_keys import fingerprint
from ...answers import ask
from ...facts import AccountErased, InviteCode
from ...host.host import Host
from ...host.moderation.invite_codes import resetting
from ...host.moderation.sanctions import until
from ...session.streams import rfc3339
from ...store import Refused
from .context import Actions, AdminAnswer, AdminContext, Given, Row

PAGE = 50
"""Default number of accounts on a page."""
MOST = 1000
"""Maximum number of accounts on a page, and of games in an export."""


def account_named(host: Host, wanted: str) -> str:
    """The spelling of an account's name. Raises `Refused` if there is no such account."""
    found = host.people.skeletons.get(skeleton(wanted))
    if found is None or found.lower() != wanted.lower():
        raise Refused(f"there is no account {wanted}")
    return found


async def accounts(admin: AdminContext, given: Given) -> AdminAnswer:
    """A page of the accounts in alphabetical order, optionally filtered by a text."""
    host, like, after = admin.host, given.get("like").lower(), given.get("after").lower()
    admin.note(given)
    every = sorted(host.people.skeletons.values(), key=str.lower)
    found = [each for each in every if like in each.lower() and each.lower() > after]
    page = found[: min(given.number("n", PAGE), MOST)]
    rows = [await _row(host, name) for name in page]
    left = len(found) - len(page)
    more = f"; {left} more: --after {page[-1]}" if left and page else ""
    return AdminAnswer(f"{plural(len(every), 'account')} in all{more}", rows)


async def _row(host: Host, name: str) -> Row:
    kept = await ask(host.store.account, name)
    person = host.people.exact(name)
    ban, mute = host.sanctions.ban_of(name), host.sanctions.mute_of(name)
    return {
        "name": name,
        "made": rfc3339(kept.wall) if kept is not None else "",
        "here": host.elsewhere.find_connected(name) is not None,
        "tables": " ".join(room.id for room in host.rooms.of(person)) if person else "",
        "banned": until(ban) if ban else "",
        "muted": until(mute) if mute else "",
    }


async def export_account(admin: AdminContext, given: Given) -> AdminAnswer:
    """All stored data about the owner of an account, without passwords and tokens, as JSON.

    Games are listed by number only. `export` shows a finished game to those who may see it.
    """
    host, name = admin.host, account_named(admin.host, given.wanted("name"))
    if (answer := await admin.at_home(given, name)) is not None:
        return answer
    admin.note(given)
    store = host.store
    games = await ask(store.past, name, "", MOST)
    tokens = await ask(store.tokens, name)
    keys = await ask(store.ssh_keys, name)
    ratings = await ask(store.rating, name)
    person = host.people.exact(name)
    found: dict[str, Any] = {
        **(await _row(host, name)),
        "address": person.network if person is not None else "",
        "friends": sorted(host.friends.of(name)),
        "blocked": sorted(host.people.blocked_by(name)),
        "login tokens": [
            {"number": each.number, "label": each.label, "made": rfc3339(each.wall)}
            for each in tokens
        ],
        "keys": [
            {
                "number": each.number,
                "label": each.label,
                "fingerprint": fingerprint(each.digest),
                "added": rfc3339(each.wall),
            }
            for each in keys
        ],
        "inbox": [entry.whole for entry in person.inbox.after(0)] if person else [],
        "games": [{"id": each.game, "ended": rfc3339(each.ended)} for each in games],
        "ratings": [
            {"game": each.key, "rules": each.rules, "pool": each.pool.value, "games": each.games}
            for each in ratings
        ],
        "daily deals": [
            {"day": each.day, "game": each.key, "points": each.points}
            for each in await ask(store.dailies_of, name, MOST)
        ],
        "reports by them": [each.no for each in host.reports.open if each.by == name],
        "reports about them": [each.no for each in host.reports.open if each.about == name],
    }
    return AdminAnswer(json.dumps(found, ensure_ascii=False, indent=2))


async def reset_account(admin: AdminContext, given: Given) -> AdminAnswer:
    """Makes a single-use code with which the owner of an account sets a new password."""
    host, name = admin.host, account_named(admin.host, given.wanted("name"))
    code = host.chance.token()
    end = host.clock.wall() + given.number("ms")
    kept: InviteCode = host.invite_codes.give(resetting(name, code), end)
    await admin.keep(given, kept)
    return AdminAnswer(f"{name} types, until {rfc3339(end)}:  register {name} code={code}")


async def erase_account(admin: AdminContext, given: Given) -> AdminAnswer:
    """Erases an account. Its name stays reserved, and finished games remain."""
    host, name = admin.host, account_named(admin.host, given.wanted("name"))
    if (answer := await admin.at_home(given, name)) is not None:
        return answer
    person = host.people.exact(name)
    seats = " ".join(room.id for room in host.rooms.of(person)) if person is not None else ""
    if seats:
        raise Refused(f"{name} has a seat at {seats}: ban {name}, close the table, or wait")
    hashes = await ask(host.hasher.hash, host.chance.token())
    erased = AccountErased(name, hashes.password, hashes.scram)
    person = host.people.exact(name)
    if person is not None:
        if person.session is not None:
            host.connections.dismiss(person.session, f"The account {name} is erased.")
        person.arrivals += 1  # refuses a login to the account that is in progress
        host.people.release(person)
    host.friends.forget(name)
    await host.people.revocations.keep([admin.line(given), erased])
    return AdminAnswer(f"{name} is erased; the name stays taken, and finished games stay")


ACTIONS: Actions = {
    "accounts": accounts,
    "export account": export_account,
    "reset account": reset_account,
    "erase account": erase_account,
}
