"""Recreates the events of a game from its record, as the table sent them.

A record holds only moves. So these are missing: the clock in TURN (`ms=`, `bank=`), absences, talk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.knowledge import Knowledge
from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event, Refused
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Continued,
    Game_,
    Gameover,
    Handover,
    Paused,
    Result,
    Shuffle,
    Timeout,
    Turn,
    Unpaused,
    Vote,
)
from twentytwo_protocol.words.fairness import Committed, Revealed, Seeded
from twentytwo_protocol.words.seating import Joined, Option_
from twentytwo_protocol.words.talk import Said

from ..games.game import HOUSE, AnyGame, deed_of
from ..games.options import Option, digest, told_of
from ..table import match as matches
from ..table.match import TOO_LONG, Match, Words, announced, marked
from .replay import NotReplayable, begun, check_turn, refused, replay

NUMBERLESS = "g0"
"""The name of a game whose record has no name."""
AROUND = (Continued, Paused, Said, Timeout, Unpaused, Vote)
"""Events during a game that are not part of it: people and time cause them."""


def of_the_game(event: Event) -> bool:
    """True if a table's event belongs to the game; these events are recreated from its record."""
    kind = type(event)
    return kind.stream == "table" and kind.scope != "table" and not isinstance(event, AROUND)


def timeless(event: Event) -> Event:
    """The event as recreated from a record: a TURN without its clock."""
    return replace(event, ms=None, bank=None) if isinstance(event, Turn) else event


def note(event: Event, known: Knowledge) -> None:
    """Updates the knowledge on which a game's sentences depend: options and GAME."""
    match event:
        case Option_():
            event.fold(known)
        case Game_():
            known.game = event


def table(record: Record, games: Mapping[str, AnyGame]) -> list[Event]:
    """The events before the game: options, seats, the commitment, the players' words.

    Raises `NotReplayable`.
    """
    game = _game(record, games)
    names = {seat: record.name(seat) for seat in range(1, record.seats + 1)}
    return [
        *options(record.game, record.rules, record.seats, _options(record, game)),
        *(Joined(seat, name, _is_bot(record, seat)) for seat, name in names.items()),
        *_sealed(record),
    ]


def options(game: str, preset: str, seats: int, told: Iterable[Option]) -> list[Event]:
    """The OPTION events before a game with this number of players, also for its replay."""
    shown = {"game": game, "preset": preset, "seats": str(seats)}
    shown |= {option.name: option.value for option in told}
    return [Option_(key, value) for key, value in shown.items()]


def _options(record: Record, game: AnyGame) -> list[Option]:
    """The options that the table sent: those in the record, and all others with changed values."""
    rules = game.options(game.rules(record.rules, record.options))
    return told_of(rules, game.options(game.presets[record.rules]), record.options)


def _sealed(record: Record) -> Iterator[Event]:
    fair = record.fair
    if fair is not None:
        yield Committed(record.id or NUMBERLESS, fair.no, fair.alg, fair.commitment)
        yield from given(fair.words)


def given(words: Sequence[str | None]) -> Iterator[Event]:
    """The SEEDED events for these words, by seat from seat 1; None or `-` means no word."""
    for seat, word in enumerate(words, 1):
        if word not in (None, "-"):
            yield Seeded(seat, word)


def _is_bot(record: Record, seat: int) -> bool:
    return seat in record.bots or record.names.get(seat, "").startswith("bot:")


def told(record: Record, games: Mapping[str, AnyGame]) -> list[Event]:
    """All events of the game, from GAME to the end of the game or of the record.

    Raises `NotReplayable`.
    """
    return list(telling(record, games))


def telling(record: Record, games: Mapping[str, AnyGame]) -> Iterator[Event]:
    """Yields the events of `told`; a move is replayed only when its events are requested.

    Raises `NotReplayable`, at once or during the iteration.
    """
    return _Replaying(record, _game(record, games)).events()


def _game(record: Record, games: Mapping[str, AnyGame]) -> AnyGame:
    game = games.get(record.game)
    if game is None:
        raise NotReplayable(f"there is no game {record.game}")
    begun(record, game)
    return game


def hands_set(record: Record, games: Mapping[str, AnyGame]) -> int:
    """The number of hands after which the score ends the game; 0 if none. Raises `NotReplayable`.

    Older records lack this number. There it is the number of hands played, if they ended the game.
    """
    if record.hands or record.end != TOO_LONG:
        return record.hands
    return sum(isinstance(event, Handover) for event in replay(record, games).events)


class _Replaying:
    """Replays the moves of a record through a match, once."""

    def __init__(self, record: Record, game: AnyGame) -> None:
        self._record = record
        self._game = game
        self._next = 0

    def events(self) -> Iterator[Event]:
        """The events, in order. Raises `NotReplayable`."""
        record, game = self._record, self._game
        rules = game.rules(record.rules, record.options)
        if not record.moves:
            return
        terms = matches.Terms(
            game,
            rules,
            record.id or NUMBERLESS,
            record.seats,
            words=self._words(),
            most_hands=hands_set(record, {game.key: game}),
        )
        match, events = matches.begin(terms, 0, self._house)
        yield announced(match, digest(game.key, game.version, _options(record, game)))
        yield from self._ending(events)
        while self._next < len(record.moves):
            match, events = self._move(match)
            yield from self._ending(events)
        if not match.over:
            yield from self._ending(self._broken_off())

    def _words(self) -> Words | None:
        fair = self._record.fair
        if fair is None or not fair.words:
            return None
        return tuple(None if word == "-" else word for word in fair.words)

    def _move(self, match: Match) -> tuple[Match, list[Event]]:
        made, number = self._take()
        asked = match.question
        check_turn(made, asked.seat if asked else None, number)
        try:
            deed = deed_of(self._game, made.seat, made.act, made.token)
            assert not isinstance(deed, Shuffle)
            after, events = match.play(deed, 0, self._house)
        except (Refused, ValueError) as wrong:
            if isinstance(wrong, NotReplayable):
                raise
            raise refused(made, wrong, number) from None
        return after, marked(events) if made.auto else events

    def _house(self, n: int, pack: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle number n of the record."""
        if self._next == len(self._record.moves):
            raise NotReplayable("it ends where the house has to shuffle", self._next)
        made, number = self._take()
        check_turn(made, HOUSE, number)
        cards = Shuffle.of(made.token).cards
        if sorted(cards) != sorted(pack):
            raise refused(made, ValueError("the shuffle is not of the pack"), number)
        return cards

    def _take(self) -> tuple[RecordedMove, int]:
        self._next += 1
        return self._record.moves[self._next - 1], self._next

    def _ending(self, events: Sequence[Event]) -> Iterator[Event]:
        """The events, with REVEALED before those of the end, and `won` in the results."""
        won = {each.seat: each.won for each in self._record.results}
        fair = self._record.fair
        ends = next((e for e in events if isinstance(e, Result | Gameover | Aborted)), None)
        for event in events:
            if event is ends and fair is not None and fair.seed:
                yield Revealed(self._record.id or NUMBERLESS, fair.seed)
            yield replace(event, wins=won.get(event.seat)) if isinstance(event, Result) else event

    def _broken_off(self) -> Sequence[Event]:
        """The events of an early end by abort or resignation; empty without one."""
        why, _, rest = self._record.end.partition(" ")
        if why == "aborted":
            reason, _, ref = rest.partition(" ")
            return [Aborted(reason, ref or None)]
        if why != "resigned":
            return []
        recorded = self._record.results
        results = [Result(each.seat, each.place, each.total) for each in recorded]
        winners = tuple(each.seat for each in recorded if each.place == 1)
        return [*results, Gameover(winners, why)]
