"""The daily deals: playing today's deal, and listing the results of any day."""

from __future__ import annotations

import re
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.voice import plural
from twentytwo_protocol.words import daily as words
from twentytwo_protocol.words.daily import DailyRow, StandingRow

from ...games import players
from ...games.game import AnyGame, Games
from ...ports import Store
from ...session.streams import rfc3339
from ...table.table import Phase, Settings
from ..dailies import Dailies, day_before
from ..daily_results import MOST_DAYS, MOST_RESULTS, rank, streak
from ..new_table import NewTable, NewTables, PreparedTable
from ..tables.order_queue import Answered, FurtherFacts, OrderResult
from ..tables.rooms import AnyRoom, Rooms
from .call import Call, Handlers
from .games import game_of
from .paging import in_order, length, texts
from .seating.opening import answer_opened

HANDS = 5
"""Number of hands of a daily deal: about ten minutes."""
BOT_COUNT = 3
"""Number of bots, if the game allows so many players."""
USUAL_ROWS = 10
"""Default number of listed results."""
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(slots=True)
class DailyAttempts:
    """The attempts at daily deals: each person has one at each deal."""

    _dailies: Dailies
    _rooms: Rooms
    _new_tables: NewTables

    async def play(self, call: Call, game: AnyGame) -> None:
        """Opens a table with today's deal of the game, once for each person."""
        dailies, me = self._dailies, call.me
        day = dailies.today
        if dailies.has_begun(day, game.key, me.name):
            raise Refused(
                "FORBIDDEN",
                f"You have begun today's {game.title}: you can play it only once. "
                f"results {game.key} lists everybody's results.",
            )
        preset = next(iter(game.presets))
        rules = game.presets[preset]
        bots = min(BOT_COUNT, game.players(rules).stop - 2)
        level = players.usual(game)
        settings = Settings(bots + 1, preset, watch=False, level=level, day=day, entrant=me.name)
        text = _dealt(game, day, bots, level)
        over = [room for room in self._rooms.of(me) if _is_over(room)]
        wanted = NewTable(game, rules, settings, bots, start=True, most_hands=HANDS)
        prepared = self._new_tables.prepare(call.who, wanted, over)
        begun = dailies.begin(day, game.key, me.name)

        def begin(answered: Answered, kept: FurtherFacts) -> None:
            def opened(answer: OrderResult) -> None:
                # Only a refusal takes the attempt back: a fault after the opening does not.
                if answer.refusal is not None:
                    dailies.take_back(begun)
                answered(answer)

            prepared.begin(opened, kept)

        table = PreparedTable(prepared.room, begin)
        await answer_opened(call, table, lambda room, answer: text, over, begun)


async def daily(
    call: Call,
    command: words.Daily,
    games: Games,
    dailies: Dailies,
    store: Store,
    attempts: DailyAttempts,
) -> None:
    """Opens a table with today's deal of a game; without a game, shows today's deals."""
    # A seal is stored before it is shown.
    today, tomorrow = await call.ask(dailies.prepare)
    if command.game is None:
        await _overview(call, games, dailies, store, today, tomorrow)
    else:
        await attempts.play(call, game_of(games, command.game))


async def _overview(
    call: Call, games: Games, dailies: Dailies, store: Store, day: str, tomorrow: str
) -> None:
    mine = await call.ask(store.dailies_of, call.me.name, MOST_DAYS)
    rows = []
    for key in games:
        results = await call.ask(store.daily_results, day, key, MOST_RESULTS)
        own = next((each for each in mine if (each.day, each.key) == (day, key)), None)
        rows.append(
            DailyRow(
                key,
                day,
                dailies.seal(day, key).digest,
                rfc3339(dailies.seal(day, key).wall),
                len(results),
                dailies.seal(tomorrow, key).digest,
                own.place if own else None,
                rank(own, results) if own and not call.me.guest else None,
                None if call.me.guest else streak(day, key, mine) or None,
                1 if dailies.has_begun(day, key, call.me.name) else None,
            )
        )
    hours, minutes = divmod(dailies.left // 60_000, 60)
    text = (
        f"The daily deals of {day}, UTC; the next ones come in {hours} h {minutes:02} min.\n"
        "results GAME shows who has finished and how the deal is sealed; results GAME "
        "tomorrow has the seal of the next one."
    )
    call.ok(*rows, n=len(rows), text=text if call.in_words else None)


def _is_over(room: AnyRoom) -> bool:
    """True for the table of a finished daily deal."""
    return room.table.kind.once and room.table.phase is Phase.OVER


def _dealt(game: AnyGame, day: str, bots: int, level: str) -> str:
    against = plural(bots, f"{level} bot")
    return (
        f"The daily {game.title} of {day}, UTC: {HANDS} hands against {against}, "
        "the same cards for everybody, played once, without hints.\n"
        f"results {game.key} shows how it is sealed, and tomorrow the seed."
    )


async def results(
    call: Call, command: words.Results, games: Games, dailies: Dailies, store: Store
) -> None:
    """Lists the results of a day's deal of a game, after its seal."""
    await call.ask(dailies.prepare)
    game = game_of(games, command.game)
    day = _day(dailies, command.day)
    seal = await call.ask(store.daily_seal, day, game.key)
    if seal is None or day > dailies.tomorrow:
        raise Refused("NO_SUCH_GAME", f"There was no daily deal on {day}.", arg="day")
    found = await call.ask(store.daily_results, day, game.key, MOST_RESULTS)
    rows = [StandingRow(each.name, each.place, each.points, rank(each, found)) for each in found]
    listed = in_order(rows, length(command.n, USUAL_ROWS), command.after)
    head = DailyRow(
        game.key,
        day,
        seal.digest,
        rfc3339(seal.wall),
        len(found),
        seed=None if dailies.is_secret(seal.digest) else seal.seed,
    )
    none = (
        "It is dealt from midnight UTC on."
        if day > dailies.today
        else "Nobody with an account has finished it yet."
    )
    text = texts(
        None if rows else none,
        listed.more(f"results {game.key} {day}"),
    )
    call.ok(head, *listed.items, n=1 + len(listed.items), next=listed.next, text=text)


def _day(dailies: Dailies, said: str | None) -> str:
    today = dailies.today
    match (said or "today").lower():
        case "today":
            return today
        case "yesterday":
            return day_before(today)
        case "tomorrow":
            return dailies.tomorrow
        case other if _DATE.fullmatch(other):
            return other
    raise Refused("BAD_ARG", f"day takes a date as {today}, or yesterday.", arg="day")


HANDLERS: Handlers = {words.Daily: daily, words.Results: results}
