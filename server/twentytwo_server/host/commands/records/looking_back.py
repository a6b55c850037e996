"""Commands about past games: the list, a summary, and replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from twentytwo_protocol.schema import Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words import records as words
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.records import Player
from twentytwo_protocol.words.seating import Option_

from ....facts import GameEnded
from ....games.game import Games
from ....ports import Store
from ....session.streams import Entry
from ...access import has_played, may_see_game
from ...people.people import People
from ...replays import Replays, ReplayStep
from ..call import Call, Handlers
from ..finding import GameFinder
from ..games import game_of
from ..paging import Page, length, no_cursor, position, texts
from .shown_games import GameViews, ShownGame, entries, past

USUAL_ROWS = 10
"""Default number of listed games."""
AT_ONCE = 100
"""Number of games read from the store at a time."""
SPEEDS = range(1, 21)
"""Speeds of a replay, in moves a second."""


# -------------------------------------------------------------------------------- the list


async def history(
    call: Call, command: words.History, people: People, games: Games, store: Store
) -> None:
    """Lists finished games, the last first."""
    person = people.find(command.name) if command.name else call.me
    name = person.name if person else command.name or ""
    key = game_of(games, command.game).key if command.game else ""
    most, before = length(command.n, USUAL_ROWS), _before(command.after)
    wished = may_see_game if command.name else has_played
    seen: list[GameEnded] = []
    # Hidden games are left out before the pages are made, so that nothing reveals them.
    while len(seen) <= most:
        read = await call.ask(partial(store.past, before=before), name, key, AT_ONCE)
        seen += [game for game in read if wished(call.me, game)]
        if len(read) < AT_ONCE:
            break
        before = (read[-1].ended, int(read[-1].game[1:]))
    found = Page(seen[:most], _cursor(seen[most - 1]) if len(seen) > most else None)
    rows = [past(game, name) for game in found.items]
    none = None if rows or command.after else "No games yet."
    whose = f"history {command.name}" if command.name else "history"
    text = texts(none, found.more(whose)) if call.in_words else None
    call.ok(*rows, n=len(rows), next=found.next, text=text)


def _cursor(game: GameEnded) -> str:
    """The cursor of a game, by the time of its end, then by its number."""
    return f"{game.ended}.{game.game[1:]}"


def _before(after: str | None) -> tuple[int, int] | None:
    """The position in a cursor. Raises `Refused`."""
    if after is None:
        return None
    ended, dot, game = after.partition(".")
    at, no = position(ended), position(game)
    if not dot or at is None or no is None:
        raise no_cursor(after)
    return at, no


# -------------------------------------------------------------------------------- one game


async def game(
    call: Call, command: words.GameOf, finder: GameFinder, views: GameViews, games: Games
) -> None:
    """Shows the summary, options and players of a game."""
    log = await views.find(call, await finder.meant(call, command.id), None)
    told = [log.told] if log.told is not None else []
    rows: list[Row | Event] = [log.past, *log.options, *log.players, *told]
    if call.people:
        players = sorted(log.players, key=_by_place)
        rows = [log.past, *players, *_changed(games, log), *told]
    names = {player.seat: player.name for player in log.players} if told else call.voice.names
    call.voice = _Plain(names)
    call.ok(*rows, on=log.past.id, n=len(rows))


def _changed(games: Games, log: ShownGame) -> list[Event]:
    """The options that differ from the preset; `rules` lists all options."""
    game = games[log.past.game]
    usual = {o.name: o.value for o in game.options(game.presets[log.past.rules])}
    told = [each for each in log.options if isinstance(each, Option_)]
    return [each for each in told if usual.get(each.key, each.set_to) != each.set_to]


def _by_place(player: Player) -> tuple[int, int]:
    return player.place or 0, player.seat


class _Plain(Voice):
    """A voice for lists, which shows also the options that have no sentence as events."""

    def sentence(self, command: Event | Row) -> str:
        """The text for a person."""
        if isinstance(command, Option_):
            return f"  {command.key} = {command.set_to}"
        return Voice.sentence(self, command)


async def replay(
    call: Call, command: words.Replay, finder: GameFinder, views: GameViews, replays: Replays
) -> None:
    """Starts a replay: shows a game again, move by move."""
    speed = 1 if command.speed is None else command.speed
    if speed not in SPEEDS:
        raise Refused("BAD_ARG", f"speed takes 1 to {SPEEDS.stop - 1}.", arg="speed")
    log = await views.find(call, await finder.meant(call, command.id, over=True), command.seat)
    on = replays.next(call.session)
    call.ok(on=on, text=f"{log.past.id} once more; unwatch {on} stops it.")
    steps, pause = _steps(entries(log, on)), 1000 // speed
    over = f"That was {log.past.id}."
    network = call.link().network
    replays.start(call.session, network, steps, pause, lambda: call.session.tell(over))


def stop(call: Call, replays: Replays, stream: str) -> None:
    """Stops the replay on a stream, `r1`. Raises `Refused` if there is none."""
    if replays.running(call.session) != stream:
        raise Refused("NO_GAME", f"No replay is running on {stream}.")
    replays.stop(call.session)
    call.ok(on=stream, text="The replay ends." if call.in_words else None)


def _steps(entries: Iterable[Entry]) -> Iterator[ReplayStep]:
    """Splits entries into steps, each of which ends with a question."""
    step: ReplayStep = []
    for entry in entries:
        step.append(entry)
        if isinstance(entry.event, Turn):
            yield step
            step = []
    yield step


HANDLERS: Handlers = {
    words.History: history,
    words.GameOf: game,
    words.Replay: replay,
}
