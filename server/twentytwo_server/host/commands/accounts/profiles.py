"""Profiles, ratings, and ranks: the best rated of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import ProfileRow, RatingRow

from ....accounts import ratings
from ....facts import Pool, Rated
from ....games.options import called_first
from ....session.streams import rfc3339
from ...access import seats_shown
from ...host import Host
from ..call import Call, Handlers
from ..games import game_of, preset_of, rules_now
from ..paging import Page, length, position, texts

USUAL = 10
"""How many `ranks` lists by default."""


async def profile(call: Call, command: words.Profile) -> None:
    """Shows a person: since when they have an account, if and where they are here, ratings."""
    name = _name(call, command.name)
    account = await call.ask(call.host.store.account, name)
    person = call.host.people.find(account.name if account else name)
    if account is None and person is None:
        raise Refused("NO_SUCH_USER", f"There is nobody called {name}.", arg="name")
    since = rfc3339(account.wall) if account else None
    who = account.name if account else person.name if person else name
    here = person is not None and person.session is not None
    seats = seats_shown(call.host, person, call.person) if person is not None else []
    row = ProfileRow(who, here, since, seats[-1].id if seats else None)
    rated = await call.ask(call.host.store.rating, who)
    call.ok(row, *_rows(call.host, rated), n=1 + len(rated))


def _name(call: Call, name: str | None) -> str:
    if name is not None:
        return name
    if call.person is None:
        raise Refused("LOGIN_FIRST", "Whose? Say who you are first, or name somebody.")
    return call.person.name


async def rating(call: Call, command: words.Rating) -> None:
    """Lists a person's ratings."""
    name = _name(call, command.name)
    rated = await call.ask(call.host.store.rating, name)
    text = None if rated else _unrated(call, name)
    call.ok(*_rows(call.host, rated), n=len(rated), text=text)


def _unrated(call: Call, name: str) -> str:
    """Tells why a person has no rating, and how to get one."""
    person = call.host.people.find(name)
    if person is None or not person.guest:
        return f"{name} has no rating yet: open rated=1 opens a table for it."
    mine = person is call.person
    guest = "You are a guest" if mine else f"{person.name} is a guest"
    return f"{guest}, and ratings are for accounts{': register NAME makes one' if mine else ''}."


async def ranks(call: Call, command: words.Ranks) -> None:
    """Lists the best rated of a game and preset."""
    game = game_of(call.host, command.game)
    preset = preset_of(game, command.rules)
    if preset not in game.presets:
        known = ", ".join(game.presets)
        raise Refused("BAD_ARG", f"There are no rules {preset}; there are {known}.", arg="rules")
    pool = _pool(command.pool)
    most, skip = length(command.n, USUAL), position(command.after) or 0
    asked = partial(call.host.store.ranks, skip=skip)
    rated = await call.ask(asked, pool, game.key, called_first(game.presets, preset), most + 1)
    found = Page(rated[:most], str(skip + most) if len(rated) > most else None)
    none = None if rated or skip else f"Nobody is rated for {game.title} ({preset}) yet."
    more = found.more(f"ranks {game.key}") if call.people else ""
    rows = list(_rows(call.host, found.items, first=skip + 1))
    call.ok(*rows, n=len(rows), next=found.next, text=texts(none, more))


def _pool(pool: str | None) -> Pool:
    try:
        return Pool((pool or "people").lower())
    except ValueError:
        raise Refused("BAD_ARG", "pool takes people or bots.", arg="pool") from None


def _rows(host: Host, rated: Sequence[Rated], *, first: int = 0) -> Iterator[RatingRow]:
    """A row for each rating, numbered from `first` on; not numbered if that is 0."""
    for place, each in enumerate(rated, first):
        yield RatingRow(
            each.name,
            each.key,
            rules_now(host.games, each.key, each.rules),
            each.pool.value,
            ratings.shown(each.mu),
            ratings.shown_spread(each.sigma),
            each.games,
            place if first else None,
        )


HANDLERS: Handlers = {words.Profile: profile, words.Rating: rating, words.Ranks: ranks}
