"""Profiles, ratings, and ranks: the best rated of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import LadderRow, ProfileRow, RatingRow

from ....accounts import ratings
from ....facts import Pool, Rated
from ....games.game import AnyGame, Games
from ....ports import Store
from ....session.streams import rfc3339
from ...access import Access
from ...people.elsewhere import Elsewhere
from ...people.people import People, Person
from ...tables.pausable_clock import PausableClock
from ..call import Call, Handlers
from ..games import game_of, preset_of
from ..paging import Page, length, position, texts

_WEEK = re.compile("[0-9]{4}-w[0-9]{2}")
USUAL_ROWS = 10
"""Default number of rows of `ranks`."""


async def profile(
    call: Call,
    command: words.Profile,
    people: People,
    elsewhere: Elsewhere,
    store: Store,
    access: Access,
) -> None:
    """Shows a person: the date of the account, presence, current table, ratings."""
    name = _name(call, command.name)
    account = await call.ask(store.account, name)
    called = account.name if account else name
    person = people.find(called) or elsewhere.find(called)
    if account is None and person is None:
        raise Refused("NO_SUCH_USER", f"There is no person called {name}.", arg="name")
    since = rfc3339(account.wall) if account else None
    who = account.name if account else person.name if person else name
    here = person is not None and elsewhere.find_connected(person.name) is not None
    seats = access.seats_shown(person, call.person) if person is not None else []
    row = ProfileRow(who, here, since, seats[-1].on if seats else None)
    rated = await call.ask(store.rating, who)
    call.ok(row, *_rows(rated), n=1 + len(rated))


def _name(call: Call, name: str | None) -> str:
    if name is not None:
        return name
    if call.person is None:
        raise Refused("LOGIN_FIRST", "Whose? Name a person, or log in first.")
    return call.person.name


async def rating(call: Call, command: words.Rating, people: People, store: Store) -> None:
    """Lists a person's ratings."""
    name = _name(call, command.name)
    rated = await call.ask(store.rating, name)
    text = None if rated else _unrated(call.person, people.find(name), name)
    call.ok(*_rows(rated), n=len(rated), text=text)


def _unrated(sender: Person | None, person: Person | None, name: str) -> str:
    """The text that explains why a person has no rating, and how to get one."""
    if person is None or not person.guest:
        return f"{name} has no rating yet: open rated=1 opens a table for it."
    mine = person is sender
    guest = "You are a guest" if mine else f"{person.name} is a guest"
    return f"{guest}, and ratings are for accounts{': register NAME makes one' if mine else ''}."


async def ranks(
    call: Call, command: words.Ranks, games: Games, store: Store, clock: PausableClock
) -> None:
    """Lists the best ratings of a game and preset, or the ladder of a week."""
    key, span = command.game, command.span
    if key is not None and _is_week(key):
        key, span = span, key  # `ranks week`, `ranks week whist`, as people say it
        if key is not None and _WEEK.fullmatch(key.lower()):
            key, span = None, key  # `ranks week 2026-W47`
    game = game_of(games, key)
    preset = preset_of(game, command.rules)
    if preset not in game.presets:
        known = ", ".join(game.presets)
        raise Refused(
            "BAD_ARG", f"There are no rules {preset}; the presets are {known}.", arg="rules"
        )
    if span is not None:
        if command.pool is not None:
            raise Refused("BAD_ARG", "The ladder of a week has no pools.", arg="pool")
        week = _week(span.lower(), clock.wall())
        await _ladder(call, store, command, game, preset, week)
        return
    pool = _pool(command.pool)
    most, skip = length(command.n, USUAL_ROWS), position(command.after) or 0
    asked = partial(store.ranks, skip=skip)
    rated = await call.ask(asked, pool, game.key, preset, most + 1)
    found = Page(rated[:most], str(skip + most) if len(rated) > most else None)
    none = None if rated or skip else f"Nobody is rated for {game.title} ({preset}) yet."
    more = found.more(f"ranks {game.key}") if call.in_words else ""
    rows = list(_rows(found.items, first=skip + 1))
    call.ok(*rows, n=len(rows), next=found.next, text=texts(none, more))


def _is_week(span: str) -> bool:
    return span.lower() == "week" or _WEEK.fullmatch(span.lower()) is not None


class Week(Value):
    """A week: the word for it in the command, and its beginning in UTC."""

    span: str
    monday: datetime


async def _ladder(
    call: Call, store: Store, command: words.Ranks, game: AnyGame, preset: str, week: Week
) -> None:
    """Lists the players who have beaten the most others in the rated games of a week."""
    since = int(week.monday.timestamp() * 1000)
    days = (since, since + 7 * 86_400_000)
    most, skip = length(command.n, USUAL_ROWS), position(command.after) or 0
    found = await call.ask(store.week, game.key, preset, days, skip + most + 1)
    shown = found[skip : skip + most]
    year, number, _ = week.monday.isocalendar()
    rows = [
        LadderRow(
            each.name, game.key, preset, f"{year}-W{number:02}", each.halves, each.games, rank
        )
        for rank, each in enumerate(shown, skip + 1)
    ]
    after = str(skip + most) if len(found) > skip + most else None
    none = (
        f"No rated games of {game.title} ({preset}) in {year}-W{number:02}: open rated=1 opens "
        "a table for such games."
    )
    more = Page(rows, after).more(f"ranks {game.key} {week.span}") if call.in_words else ""
    call.ok(*rows, n=len(rows), next=after, text=texts(None if rows or skip else none, more))


def _week(span: str, wall: int) -> Week:
    """The week `span` (`2026-w47`), or the week of a wall time. Raises `Refused`."""
    if _WEEK.fullmatch(span):
        try:
            monday = datetime.strptime(f"{span.upper()}-1", "%G-W%V-%u")
            return Week(span, monday.replace(tzinfo=UTC))
        except ValueError:
            pass
    elif span == "week":
        year, week, _ = datetime.fromtimestamp(wall / 1000, UTC).isocalendar()
        return Week(span, datetime.fromisocalendar(year, week, 1).replace(tzinfo=UTC))
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
