"""Commands about past games: lists, exports, replays.

A game that is over is shown whole. Of a running game a person gets only the events that they were
shown at the table. Private and practice games are visible only to those who had a seat in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from twisted.internet.defer import CancelledError

from twentytwo_protocol import record as records
from twentytwo_protocol import record_link
from twentytwo_protocol.frozen import frozen, replace
from twentytwo_protocol.record import NotARecord, Record, RecordedShuffle
from twentytwo_protocol.schema import Event, Refused, Row, redact
from twentytwo_protocol.voice import OpenVoice, PastVoice, Voice
from twentytwo_protocol.words import records as words
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.duplicate import Compared
from twentytwo_protocol.words.fairness import Committed
from twentytwo_protocol.words.records import Past, Player
from twentytwo_protocol.words.seating import Joined, Option_

from ...facts import GameEnded
from ...records import telling
from ...records.replay import NotReplayable
from ...session.session import Session
from ...session.streams import Entry, Form, rfc3339
from ...table.deals import DAILY, DUPLICATE, FAIR
from ..access import has_played, may_see_game
from ..host import Host
from ..replays import ReplayStep
from ..tables.room import Room
from .call import Call, Handlers
from .finding import game_found, game_meant, game_over
from .games import game_of, preset_of, rules_now
from .paging import Page, length, no_cursor, position, texts
from .paired import comparison, is_held_back

USUAL = 10
"""How many games are listed by default."""
AT_ONCE = 100
"""How many the store is asked for at a time."""
SPEEDS = range(1, 21)
"""Speeds of a replay, in moves a second."""
PIECE = 7000
"""Letters of a link that go into one line."""


# -------------------------------------------------------------------------------- the list


async def history(call: Call, command: words.History) -> None:
    """Lists games that are over, the last first."""
    name = _full_name(call.host, command.name) if command.name else call.me.name
    key = game_of(call.host, command.game).key if command.game else ""
    most, before = length(command.n, USUAL), _before(command.after)
    wished = may_see_game if command.name else has_played
    seen: list[GameEnded] = []
    # Games that the person may not see are left out before pages are made: nothing tells of them.
    while len(seen) <= most:
        games = await call.ask(partial(call.host.store.past, before=before), name, key, AT_ONCE)
        seen += [game for game in games if wished(call.me, game)]
        if len(games) < AT_ONCE:
            break
        before = (games[-1].ended, int(games[-1].game[1:]))
    found = Page(seen[:most], _cursor(seen[most - 1]) if len(seen) > most else None)
    rows = [_past(call.host, game, name) for game in found.items]
    none = None if rows or command.after else "No games yet."
    whose = f"history {command.name}" if command.name else "history"
    text = texts(none, found.more(whose)) if call.people else None
    call.ok(*rows, n=len(rows), next=found.next, text=text)


def _cursor(game: GameEnded) -> str:
    """Where a game stands in the order of all games: by when it ended, then by its number."""
    return f"{game.ended}.{game.game[1:]}"


def _before(after: str | None) -> tuple[int, int] | None:
    """What a cursor says. Raises `Refused`."""
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


def _past(host: Host, game: GameEnded, name: str = "") -> Past:
    mine = name.lower()
    place = next((s.place for s in game.seats if mine in (s.name.lower(), s.who.lower())), None)
    places = tuple(seat.place for seat in game.seats)
    return Past(
        game.game,
        game.key,
        rules_now(host.games, game.key, game.rules),
        tuple(seat.name for seat in game.seats),
        rfc3339(game.ended),
        game.why,
        places if all(places) else None,
        place or None,
    )


# -------------------------------------------------------------------------------- one game


@dataclass(frozen=True, slots=True)
class Open:
    """A view of a game in which every card is open."""


View = Open | int | None
"""As whom a game is seen: with all cards open, from a seat, or (None) as a watcher."""


@dataclass(frozen=True, slots=True)
class Log:
    """A game as it may be shown: its summary, options, players, and events redacted for `view`.

    `told` is how it compares with that of the other table of a pair.
    """

    past: Past
    options: Sequence[Event]
    players: Sequence[Player]
    events: Iterable[Event]
    view: View
    told: Compared | None = None


async def game(call: Call, command: words.GameOf) -> None:
    """Shows the summary, options and players of a game."""
    log = await _find(call, await game_meant(call, command.id), None)
    players = sorted(log.players, key=_by_place) if call.people else log.players
    told = [log.told] if log.told is not None else []
    rows: list[Row | Event] = [log.past, *log.options, *players, *told]
    names = {player.seat: player.name for player in log.players} if told else call.voice.names
    call.voice = _Plain(names)
    call.ok(*rows, on=log.past.id, n=len(rows))


def _by_place(player: Player) -> tuple[int, int]:
    return player.place or 0, player.seat


class _Plain(Voice):
    """A voice for lists: it shows every option, also those that are silent as events."""

    def sentence(self, command: Event | Row) -> str:
        """The text for a person."""
        if isinstance(command, Option_):
            return f"  {command.key} = {command.set_to}"
        return Voice.sentence(self, command)


async def export(call: Call, command: words.Export) -> None:
    """Sends all events of a game, its record, or a link that holds it."""
    match command.form and command.form.lower():
        case None | "events":
            await _export_events(call, command)
        case "record":
            await _export_record(call, command)
        case "link":
            await _export_link(call, command)
        case _:
            raise Refused("BAD_ARG", "form takes events, record or link.", arg="form")


async def _export_events(call: Call, command: words.Export) -> None:
    log = await _find(call, await game_meant(call, command.id), command.seat)
    on = log.past.id

    call.continue_with(_tell_events(call, log, on))


async def _tell_events(call: Call, log: Log, on: str) -> None:
    try:
        count = await call.send_all(_shown(call.session, _entries(log, on)))
    except CancelledError:
        raise
    except Exception as wrong:
        raise untellable(call.host, on, wrong) from None
    text = f"replay {on} shows it slowly." if call.people else None
    call.ok(on=on, seq=count, text=text)


def _shown(session: Session, entries: Iterable[Entry]) -> Iterator[None]:
    for entry in entries:
        session.show(entry, None)
        yield


async def _export_record(call: Call, command: words.Export) -> None:
    if call.people:
        raise Refused("WRONG_MODE", "Its lines are long: hello 1 first, then export, as a program.")
    game = await _recorded(call, command)
    rows = [words.RecordLine(line or None) for line in game.record.splitlines()]
    call.ok(*rows, on=game.game, n=len(rows))


async def _export_link(call: Call, command: words.Export) -> None:
    game = await _recorded(call, command)
    link = record_link.pack(game.record)
    rows = [words.LinkPiece(link[at : at + PIECE]) for at in range(0, len(link), PIECE)]
    text = (
        "All of the game in one word. twentytwo replay - takes it as it stands, lines and all."
        if call.people
        else None
    )
    call.ok(*rows, on=game.game, n=len(rows), text=text)


async def _recorded(call: Call, command: words.Export) -> GameEnded:
    """The game that is over. Raises `Refused` where there is no record for the person to have."""
    if command.seat is not None:
        raise Refused("BAD_ARG", "A record has all cards: it is nobody's view.", arg="seat")
    id = await game_meant(call, command.id, over=True)
    game = await game_over(call, id, "There is a record when the game is over.")
    return replace(game, record=await _with_seed(call, game))


async def _with_seed(call: Call, game: GameEnded) -> str:
    """The record; with the seed where that was opened after the end of the game, and may be told.

    So it is of a pair, when the other table was done, and of a daily deal, when its day was over.
    """
    found = records.read(game.record)
    kept = await call.ask(call.host.store.promises, game.game, 1) if found.fair is None else ()
    promise = kept[0].promise if kept else None
    if promise is None or promise.alg not in (DAILY, DUPLICATE) or not promise.seed:
        return game.record
    # Whoever is refused a game that is held back has not come here; a seed is worth a second look.
    if call.host.dailies.is_secret(promise.digest) or await is_held_back(call, game.game):
        return game.record
    words = kept[0].words_by_seat or ()
    fair = RecordedShuffle(promise.alg, promise.digest, promise.seed, words, promise.no)
    return records.write(replace(found, fair=fair))


async def replay(call: Call, command: words.Replay) -> None:
    """Starts a replay: shows a game again, move by move."""
    speed = 1 if command.speed is None else command.speed
    if speed not in SPEEDS:
        raise Refused("BAD_ARG", f"speed takes 1 to {SPEEDS.stop - 1}.", arg="speed")
    log = await _find(call, await game_meant(call, command.id, over=True), command.seat)
    on = call.host.replays.next(call.session)
    call.ok(on=on, text=f"{log.past.id} once more; unwatch {on} stops it.")
    steps, pause = _steps(_entries(log, on)), 1000 // speed
    over = f"That was {log.past.id}."
    place = call.link().place
    call.host.replays.start(call.session, place, steps, pause, lambda: call.session.tell(over))


def stop(call: Call, stream: str) -> None:
    """Stops the replay on a stream, `r1`. Raises `Refused` if there is none."""
    if call.host.replays.running(call.session) != stream:
        raise Refused("NO_GAME", f"No replay is running on {stream}.")
    call.host.replays.stop(call.session)
    call.ok(on=stream, text="The replay ends." if call.people else None)


def _steps(entries: Iterable[Entry]) -> Iterator[ReplayStep]:
    """Splits entries into steps, each of which ends with a question."""
    step: ReplayStep = []
    for entry in entries:
        step.append(entry)
        if isinstance(entry.event, Turn):
            yield step
            step = []
    yield step


# ---------------------------------------------------------------------------- telling them


@frozen
class _Told(Entry):
    """An entry whose event is already redacted for `view`, and is shown as it is."""

    view: View = None

    def seen_by(self, seat: int | None) -> Event:
        """The event, not redacted again."""
        return self.event

    def line(self, seat: int | None, form: Form) -> str:
        """The event as a line, without a time."""
        return Entry.line(self, seat, replace(form, time=False))

    def voice(self, seat: int | None) -> Voice:
        """The voice that tells it as `view` heard it."""
        if isinstance(self.view, Open):
            return OpenVoice(self.names, None, self.game)
        return PastVoice(self.names, self.view, self.game)


def _entries(log: Log, on: str) -> Iterator[Entry]:
    """The events of a game as entries of the stream `on`, numbered from 1."""
    names = {player.seat: player.name for player in log.players}
    for seq, event in enumerate(log.events, 1):
        yield _Told(on, seq, event, names, game=log.past.game, view=log.view)


async def _find(call: Call, id: str, seat: int | None) -> Log:
    """The game of that number, as seen from a seat (None: as the person may). Raises `Refused`."""
    game = await game_found(call, id)
    if isinstance(game, Room):
        return running_log(call, game, seat)
    log = _over(call.host, game, seat)
    return log if game.public else replace(log, told=await comparison(call, game))


# -------------------------------------------------------------------------- one that runs


def running_log(call: Call, room: Room, seat: int | None) -> Log:
    """A running game that they may see, with the events that they were shown. Raises `Refused`.

    `seat` may only be their own, or 0 for a watcher: another would show hidden cards.
    """
    match = room.table.match
    assert match is not None
    mine = room.seat_number(call.person)
    if seat is not None and (seat or None) != mine:
        raise Refused("FORBIDDEN", "While a game runs you see only what you were shown.")
    table, entries = room.table, room.game_entries()
    names = entries[0].names
    bots = {each.number: bool(each.level) for each in table.seats}
    told = table.told_options()
    preset = preset_of(table.game, table.settings.preset)
    options = telling.options(table.game.key, table.settings.preset, len(match.banks), told)
    sealed: list[Event] = []
    if table.promised is not None:
        promised = table.promised
        sealed.append(Committed(promised.game, promised.no, promised.alg, promised.digest))
        if promised.alg == FAIR:
            sealed += telling.given(match.words or ())
    joined = [Joined(number, name, bots.get(number, False)) for number, name in names.items()]
    seen = [entry.seen_by(mine) for entry in entries if telling.of_the_game(entry.event)]
    return Log(
        Past(match.id, table.game.key, preset, tuple(names.values())),
        options,
        [Player(each.seat, each.name, each.bot) for each in joined],
        [*options, *joined, *sealed, *map(telling.timeless, seen)],
        mine,
    )


# --------------------------------------------------------------------------- one that is over


def _over(host: Host, game: GameEnded, seat: int | None) -> Log:
    """A game that is over, with all cards, or redacted for `seat` (0: a watcher).

    Raises `Refused` if there is no such seat, or the record cannot be read or replayed.
    """
    if seat is not None and seat not in range(len(game.seats) + 1):
        raise Refused("BAD_ARG", f"seat takes 0 to {len(game.seats)} here.", arg="seat")
    try:
        record = records.read(game.record)
        before = telling.table(record, host.games)
        told = chain(before, telling.telling(record, host.games))
    except (NotARecord, NotReplayable) as wrong:
        raise untellable(host, game.game, wrong) from None
    view: View = Open() if seat is None else seat or None
    shown = told if isinstance(view, Open) else (redact(event, view) for event in told)
    options = [event for event in before if isinstance(event, Option_)]
    return Log(_past(host, game), options, list(_players(record)), shown, view)


def untellable(host: Host, game: str, wrong: Exception) -> Refused:
    """The refusal for a record that cannot be told. Only in an except block.

    It is UNSUPPORTED if today's rules do not accept the record, else INTERNAL, and logged.
    """
    if isinstance(wrong, NotARecord | NotReplayable):
        return Refused("UNSUPPORTED", f"This server cannot tell {game}: {wrong}.")
    ref = host.fault(f"telling {game}")
    return Refused("INTERNAL", f"The server stumbled; quote {ref}.", ref=ref)


def _players(record: Record) -> Iterator[Player]:
    places: dict[int, Any] = {place.seat: place for place in record.places}
    for seat in range(1, record.seats + 1):
        bot, place = record.bots.get(seat), places.get(seat)
        yield Player(
            seat,
            record.name(seat),
            bot is not None,
            bot,
            place.place if place else None,
            place.total if place else None,
        )


HANDLERS: Handlers = {
    words.History: history,
    words.GameOf: game,
    words.Export: export,
    words.Replay: replay,
}
