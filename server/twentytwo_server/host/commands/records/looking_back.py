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
from ....session.streams import Entry
from ...access import has_played, may_see_game
from ...host import Host
from ...replays import ReplayStep
from ..call import Call, Handlers
from ..finding import game_meant
from ..games import game_of
from ..paging import Page, length, no_cursor, position, texts
from .shown_games import ShownGame, entries, find, past

USUAL_ROWS = 10
"""Default number of listed games."""
AT_ONCE = 100
"""Number of games read from the store at a time."""
SPEEDS = range(1, 21)
"""Speeds of a replay, in moves a second."""


# -------------------------------------------------------------------------------- the list


async def history(call: Call, command: words.History) -> None:
    """Lists finished games, the last first."""
    name = _full_name(call.host, command.name) if command.name else call.me.name
    key = game_of(call.host.games, command.game).key if command.game else ""
    most, before = length(command.n, USUAL_ROWS), _before(command.after)
    wished = may_see_game if command.name else has_played
    seen: list[GameEnded] = []
    # Hidden games are left out before the pages are made, so that nothing reveals them.
    while len(seen) <= most:
        games = await call.ask(partial(call.host.store.past, before=before), name, key, AT_ONCE)
        seen += [game for game in games if wished(call.me, game)]
        if len(games) < AT_ONCE:
            break
        before = (games[-1].ended, int(games[-1].game[1:]))
    found = Page(seen[:most], _cursor(seen[most - 1]) if len(seen) > most else None)
    rows = [past(call.host, game, name) for game in found.items]
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


def _full_name(host: Host, name: str) -> str:
    person = host.people.find(name)
    return person.name if person else name


# -------------------------------------------------------------------------------- one game


async def game(call: Call, command: words.GameOf) -> None:
    """Shows the summary, options and players of a game."""
    log = await find(call, await game_meant(call, command.id), None)
    told = [log.told] if log.told is not None else []
    rows: list[Row | Event] = [log.past, *log.options, *log.players, *told]
    if call.people:
        players = sorted(log.players, key=_by_place)
        rows = [log.past, *players, *_changed(call.host, log), *told]
    names = {player.seat: player.name for player in log.players} if told else call.voice.names
    call.voice = _Plain(names)
    call.ok(*rows, on=log.past.id, n=len(rows))


def _changed(host: Host, log: ShownGame) -> list[Event]:
    """The options that differ from the preset; `rules` lists all options."""
    game = host.games[log.past.game]
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


async def replay(call: Call, command: words.Replay) -> None:
    """Starts a replay: shows a game again, move by move."""
    speed = 1 if command.speed is None else command.speed
    if speed not in SPEEDS:
        raise Refused("BAD_ARG", f"speed takes 1 to {SPEEDS.stop - 1}.", arg="speed")
    log = await find(call, await game_meant(call, command.id, over=True), command.seat)
    on = call.host.replays.next(call.session)
    call.ok(on=on, text=f"{log.past.id} once more; unwatch {on} stops it.")
    steps, pause = _steps(entries(log, on)), 1000 // speed
    over = f"That was {log.past.id}."
    network = call.link().network
    call.host.replays.start(call.session, network, steps, pause, lambda: call.session.tell(over))


def stop(call: Call, stream: str) -> None:
    """Stops the replay on a stream, `r1`. Raises `Refused` if there is none."""
    if call.host.replays.running(call.session) != stream:
        raise Refused("NO_GAME", f"No replay is running on {stream}.")
    call.host.replays.stop(call.session)
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
