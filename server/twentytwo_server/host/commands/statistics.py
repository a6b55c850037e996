"""Statistics of a person's games, from the stored summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twentytwo_protocol import statistics, summary
from twentytwo_protocol.schema import Row
from twentytwo_protocol.statistics import GameStatistics, PlayedGame
from twentytwo_protocol.words import statistics as words
from twentytwo_protocol.words.statistics import BidsRow, LastCardRow, StatsRow, TrendRow

from ...accounts import ratings
from ...facts import GameEnded, Rated
from ...games.game import Games
from ...ports import Store
from ..access import has_played, may_see_game
from ..people.people import People
from .call import Call, Handlers
from .games import game_of
from .paging import texts

GAMES = 1000
"""Maximum number of games in the statistics: the last ones."""
RATINGS = 100
"""Maximum number of ratings of a preset: the last ones."""


async def stats(
    call: Call, command: words.Stats, games: Games, people: People, store: Store
) -> None:
    """Shows the statistics of a person's games that the sender may see."""
    me = call.me
    key = game_of(games, command.game).key if command.game is not None else ""
    person = people.find(command.name) if command.name is not None else me
    name = person.name if person is not None else command.name or me.name
    mine = person is me
    summaries = await call.ask(store.summaries, name, key, GAMES)
    # An earlier guest of the same name does not count.
    theirs = [each for each in summaries if person is None or has_played(person, each)]
    seen = [each for each in theirs if may_see_game(me, each)]
    history = await call.ask(store.rating_history, name)
    found = statistics.counted(each for game in seen for each in _played(game, name))
    rows = list(_rows(games, found, [each for each in history if key in ("", each.key)]))
    nothing = "You have not finished any game yet."
    if not mine:
        nothing = f"{name} has finished no game here that you may see."
    none = nothing if not found else None
    call.ok(*rows, n=len(rows), text=texts(none))


def _played(game: GameEnded, name: str) -> Iterator[PlayedGame]:
    """The game for each seat with that name; a bot may have several seats."""
    counted = summary.read(game.summary)
    places = [seat.place for seat in game.seats]
    totals = [seat.total for seat in game.seats]
    for at, seat in enumerate(game.seats, 1):
        if name.lower() in (seat.name.lower(), seat.who.lower()):
            own = counted.get(seat.seat, summary.SeatSummary())
            yield PlayedGame(game.game, game.key, at, places, totals, own)


def _rows(
    games: Games, found: dict[str, GameStatistics], history: Sequence[Rated]
) -> Iterator[Row]:
    for key, each in found.items():
        best, worst = each.best, each.worst
        yield StatsRow(
            key,
            each.played,
            each.by_place,
            best.id if best else None,
            worst.id if worst else None,
        )
        rules = dict.fromkeys(rated.rules for rated in history if rated.key == key)
        for preset in rules:
            of_preset = [rated for rated in history if (rated.key, rated.rules) == (key, preset)]
            shown = tuple(ratings.shown(rated.mu) for rated in of_preset[-RATINGS:])
            yield TrendRow(key, preset, shown)
        game = games.get(key)
        order = list(game.worth(next(iter(game.presets.values())))) if game is not None else []
        for card in statistics.last_cards(each.summary, order):
            yield LastCardRow(key, card.rank, card.times, card.losses)
        for bid in statistics.bid_outcomes(each.summary):
            yield BidsRow(key, bid.bid, bid.times, bid.exact, bid.more, bid.less)


HANDLERS: Handlers = {words.Stats: stats}
