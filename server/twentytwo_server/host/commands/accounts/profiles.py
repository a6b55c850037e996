"""Profiles, ratings, and ranks: the best rated of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import LadderRow, ProfileRow, RatingRow

from ....accounts import ratings
from ....facts import Pool, Rated
from ....games.game import AnyGame
from ....session.streams import rfc3339
from ..call import Call, Handlers
from ..games import game_of, preset_of
from ..paging import Page, length, position, texts

_WEEK = re.compile("[0-9]{4}-w[0-9]{2}")
USUAL_ROWS = 10
"""Default number of rows of `ranks`."""


async def profile(call: Call, command: words.Profile) -> None:
    """Shows a person: the date of the account, presence, current table, ratings."""
    name = _name(call, command.name)
    account = await call.ask(call.host.store.account, name)
    person = call.host.people.find(account.name if account else name)
    if account is None and person is None:
        raise Refused("NO_SUCH_USER", f"There is nobody called {name}.", arg="name")
    since = rfc3339(account.wall) if account else None
    who = account.name if account else person.name if person else name
    here = person is not None and person.session is not None
    seats = call.host.access.seats_shown(person, call.person) if person is not None else []
    row = ProfileRow(who, here, since, seats[-1].id if seats else None)
    rated = await call.ask(call.host.store.rating, who)
    call.ok(row, *_rows(rated), n=1 + len(rated))


def _name(call: Call, name: str | None) -> str:
    if name is not None:
        return name
    if call.person is None:
        raise Refused("LOGIN_FIRST", "Whose? Name a person, or type your own name first.")
    return call.person.name


async def rating(call: Call, command: words.Rating) -> None:
    """Lists a person's ratings."""
    name = _name(call, command.name)
    rated = await call.ask(call.host.store.rating, name)
    text = None if rated else _unrated(call, name)
    call.ok(*_rows(rated), n=len(rated), text=text)


def _unrated(call: Call, name: str) -> str:
    """The text that explains why a person has no rating, and how to get one."""
    person = call.host.people.find(name)
    if person is None or not person.guest:
        return f"{name} has no rating yet: open rated=1 opens a table for it."
    mine = person is call.person
    guest = "You are a guest" if mine else f"{person.name} is a guest"
    return f"{guest}, and ratings are for accounts{': register NAME makes one' if mine else ''}."


async def ranks(call: Call, command: words.Ranks) -> None:
    """Lists the best ratings of a game and preset, or the ladder of a week."""
    key, span = command.game, command.span
    if key is not None and _is_week(key):
        key, span = span, key  # `ranks week`, `ranks week whist`, as people say it
        if key is not None and _WEEK.fullmatch(key.lower()):
            key, span = None, key  # `ranks week 2026-W47`
    game = game_of(call.host.games, key)
    preset = preset_of(game, command.rules)
    if preset not in game.presets:
        known = ", ".join(game.presets)
        raise Refused("BAD_ARG", f"There are no rules {preset}; there are {known}.", arg="rules")
    if span is not None:
        await _ladder(call, command, game, preset, span.lower())
        return
    pool = _pool(command.pool)
    most, skip = length(command.n, USUAL_ROWS), position(command.after) or 0
    asked = partial(call.host.store.ranks, skip=skip)
    rated = await call.ask(asked, pool, game.key, preset, most + 1)
    found = Page(rated[:most], str(skip + most) if len(rated) > most else None)
    none = None if rated or skip else f"Nobody is rated for {game.title} ({preset}) yet."
    more = found.more(f"ranks {game.key}") if call.in_words else ""
    rows = list(_rows(found.items, first=skip + 1))
    call.ok(*rows, n=len(rows), next=found.next, text=texts(none, more))


def _is_week(span: str) -> bool:
    return span.lower() == "week" or _WEEK.fullmatch(span.lower()) is not None


async def _ladder(call: Call, command: words.Ranks, game: AnyGame, preset: str, span: str) -> None:
    """Lists the players who have beaten the most others in the rated games of a week."""
    if command.pool is not None:
        raise Refused("BAD_ARG", "The ladder of a week has no pools.", arg="pool")
    monday = _monday(span, call.host.clock.wall())
    since = int(monday.timestamp() * 1000)
    days = (since, since + 7 * 86_400_000)
    most, skip = length(command.n, USUAL_ROWS), position(command.after) or 0
    found = await call.ask(call.host.store.week, game.key, preset, days, skip + most + 1)
    shown = found[skip : skip + most]
    year, week, _ = monday.isocalendar()
    rows = [
        LadderRow(each.name, game.key, preset, f"{year}-W{week:02}", each.halves, each.games, rank)
        for rank, each in enumerate(shown, skip + 1)
    ]
    after = str(skip + most) if len(found) > skip + most else None
    none = (
        f"No rated games of {game.title} ({preset}) in {year}-W{week:02}: open rated=1 opens "
        "a table for such games."
    )
    more = Page(rows, after).more(f"ranks {game.key} {span}") if call.in_words else ""
    call.ok(*rows, n=len(rows), next=after, text=texts(None if rows or skip else none, more))


def _monday(span: str, wall: int) -> datetime:
    """The beginning in UTC of the week `span` (`2026-w47`), or of the week of a wall time."""
    if _WEEK.fullmatch(span):
        try:
            return datetime.strptime(f"{span.upper()}-1", "%G-W%V-%u").replace(tzinfo=UTC)
        except ValueError:
            pass
    elif span == "week":
        year, week, _ = datetime.fromtimestamp(wall / 1000, UTC).isocalendar()
        return datetime.fromisocalendar(year, week, 1).replace(tzinfo=UTC)
    raise Refused("BAD_ARG", "span takes week, or a week as 2026-W47.", arg="span")


def _pool(pool: str | None) -> Pool:
    try:
        return Pool((pool or "people").lower())
    except ValueError:
        raise Refused("BAD_ARG", "pool takes people or bots.", arg="pool") from None


def _rows(rated: Sequence[Rated], *, first: int = 0) -> Iterator[RatingRow]:
    """A row for each rating, numbered from `first`; without numbers if that is 0."""
    for rank, each in enumerate(rated, first):
        yield RatingRow(
            each.name,
            each.key,
            each.rules,
            each.pool.value,
            ratings.shown(each.mu),
            ratings.shown_spread(each.sigma),
            each.games,
            rank if first else None,
        )


HANDLERS: Handlers = {words.Profile: profile, words.Rating: rating, words.Ranks: ranks}
