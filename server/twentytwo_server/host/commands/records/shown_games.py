"""A game as a person may see it: from a seat, as a watcher, or with all cards open.

A finished game is shown with all cards. Of a running game a person gets only the events that they
saw at the table. Private and practice games are visible only to their players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol import record as records
from twentytwo_protocol.fair import FAIR_ALG
from twentytwo_protocol.folding import Fold
from twentytwo_protocol.record import NotARecord, Record
from twentytwo_protocol.schema import Event, Refused, redact
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import OpenVoice, PastVoice, Voice
from twentytwo_protocol.words.duplicate import Compared
from twentytwo_protocol.words.fairness import Committed
from twentytwo_protocol.words.records import Past, Player
from twentytwo_protocol.words.seating import Joined, Option_

from ....facts import GameEnded
from ....games.game import Games
from ....records import telling
from ....records.replay import NotReplayable
from ....session.streams import Entry, Form, rfc3339
from ....table.match import MOST_HANDS
from ...faults import Faults
from ...tables.rooms import AnyRoom
from ...tables.shown_table import ShownTable
from ..call import Call
from ..finding import GameFinder


class Open(Value):
    """The view with all cards open."""


View = Open | int | None
"""A view of a game: all cards open, a seat, or None for a watcher."""


class ShownGame(Value):
    """A visible game: its summary, options, players, and its events redacted for `view`.

    `told` is the comparison with the other table of a pair.
    """

    past: Past
    options: Sequence[Event]
    players: Sequence[Player]
    events: Iterable[Event]
    view: View
    told: Compared | None = None


def past(game: GameEnded, name: str = "") -> Past:
    """The summary of a finished game, with the place of the person `name`."""
    mine = name.lower()
    place = next((s.place for s in game.seats if mine in (s.name.lower(), s.who.lower())), None)
    places = tuple(seat.place for seat in game.seats)
    return Past(
        game.game,
        game.key,
        game.rules,
        tuple(seat.name for seat in game.seats),
        rfc3339(game.ended),
        game.why,
        places if all(places) else None,
        place or None,
    )


class _Told(Entry):
    """An entry whose event is already redacted for `view`, so that `whole` is empty.

    `known` is a model with the game's options and its GAME event, for the sentences.
    """

    view: View = None
    known: Fold | None = None

    def seen_by(self, seat: int | None) -> Event:
        """The event, not redacted again."""
        return self.event

    def line(self, seat: int | None, form: Form) -> str:
        """The event as a line, without a time."""
        return Entry.line(self, seat, replace(form, time=False))

    def voice(self, seat: int | None) -> Voice:
        """The voice for `view`."""
        if isinstance(self.view, Open):
            return OpenVoice(self.names, None, self.game, known=self.known)
        return PastVoice(self.names, self.view, self.game, known=self.known)


def entries(log: ShownGame, on: str) -> Iterator[Entry]:
    """The events of a game as entries of the stream `on`, numbered from 1."""
    names, known = {player.seat: player.name for player in log.players}, Fold(on)
    for seq, event in enumerate(log.events, 1):
        telling.note(event, known)
        yield _Told(on, seq, event, "", names, game=log.past.game, view=log.view, known=known)


@dataclass(slots=True)
class GameViews:
    """Shows running and finished games to the sender of a command."""

    _finder: GameFinder
    _games: Games
    _faults: Faults

    async def find(self, call: Call, id: str, seat: int | None) -> ShownGame:
        """The game with that id: as seen from `seat`, or, for None, from the view that the person
        may have.

        Raises `Refused`.
        """
        game = await self._finder.find(call, id)
        if isinstance(game, ShownTable):
            return running_log(call, game, seat)
        log = self._over(game, seat)
        return log if game.public else replace(log, told=await self._finder.comparison(call, game))

    def _over(self, game: GameEnded, seat: int | None) -> ShownGame:
        """A finished game, with all cards, or redacted for `seat` (0: a watcher).

        Raises `Refused` if there is no such seat, or the record cannot be read or replayed.
        """
        if seat is not None and seat not in range(len(game.seats) + 1):
            raise Refused("BAD_ARG", f"seat takes 0 to {len(game.seats)} here.", arg="seat")
        try:
            record = records.read(game.record)
            before = telling.table(record, self._games)
            told = chain(before, telling.telling(record, self._games))
            hands = telling.hands_set(record, self._games)
        except (NotARecord, NotReplayable) as wrong:
            raise self.untellable(game.game, wrong) from None
        view: View = Open() if seat is None else seat or None
        shown = told if isinstance(view, Open) else (redact(event, view) for event in told)
        options = [event for event in before if isinstance(event, Option_)]
        found = replace(past(game), hands=hands if 0 < hands < MOST_HANDS else None)
        return ShownGame(found, options, list(_players(game, record)), shown, view)

    def untellable(self, game: str, wrong: Exception) -> Refused:
        """The refusal for a record that cannot be replayed. Only in an except block.

        It is UNSUPPORTED if today's rules do not accept the record, else INTERNAL, and logged.
        """
        if isinstance(wrong, NotARecord | NotReplayable):
            return Refused("UNSUPPORTED", f"This server cannot tell {game}: {wrong}.")
        ref = self._faults.log(f"telling {game}")
        return Refused("INTERNAL", f"An error happened in the server; quote {ref}.", ref=ref)


# -------------------------------------------------------------------------- one that runs


def running_log(call: Call, room: AnyRoom, seat: int | None) -> ShownGame:
    """A running game, with the events that the person saw. Raises `Refused`.

    `seat` may only be their own, or 0 for a watcher: another would show hidden cards.
    """
    assert room.table.match is not None
    terms = room.table.match.terms
    mine = room.seat_number(call.person)
    if seat is not None and (seat or None) != mine:
        raise Refused("FORBIDDEN", "During a game you can only see your own view of it.")
    table, entries = room.table, room.game_entries()
    # Events from the start of the game may name seats that existed before it.
    names = {seat: entries[0].names[seat] for seat in range(1, terms.seats + 1)}
    bots = {each.number: bool(each.level) for each in table.seats}
    told = table.told_options()
    preset = table.settings.preset
    options = telling.options(table.game.key, table.settings.preset, terms.seats, told)
    sealed: list[Event] = []
    if table.promised is not None:
        promised = table.promised
        sealed.append(Committed(promised.game, promised.no, promised.alg, promised.digest))
        if promised.alg == FAIR_ALG:
            sealed += telling.given(terms.words or ())
    joined = [Joined(number, name, bots.get(number, False)) for number, name in names.items()]
    seen = [entry.seen_by(mine) for entry in entries if telling.of_the_game(entry.event)]
    return ShownGame(
        Past(terms.id, table.game.key, preset, tuple(names.values()), hands=terms.set_hands),
        options,
        [Player(each.seat, each.name, each.bot) for each in joined],
        [*options, *joined, *sealed, *map(telling.timeless, seen)],
        mine,
    )


def _players(game: GameEnded, record: Record) -> Iterator[Player]:
    """The players by their names of today: a record keeps the name of a guest who registered."""
    names = {seat.seat: seat.name for seat in game.seats}
    results: dict[int, Any] = {each.seat: each for each in record.results}
    for seat in range(1, record.seats + 1):
        bot, result = record.bots.get(seat), results.get(seat)
        yield Player(
            seat,
            names[seat],
            bot is not None,
            bot,
            result.place if result else None,
            result.total if result else None,
        )
