"""A record told again: the events of the game as a table told them, every one of them.

A record has no time in it. So what has to do with time and company is not told again: the clock
in TURN (`ms=`, `bank=`), who was away, who spoke.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Gameover,
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

from ..games.game import HOUSE, AnyGame, Illegal
from ..games.options import Option, digest, told_of
from ..table import match as matches
from ..table.match import MOST_HANDS, TOO_LONG, Match, Words, announced, marked
from .replay import NotReplayable, begun, check_turn, deed_of, refused

NUMBERLESS = "g0"
"""The number of a game whose record does not tell any."""
AROUND = (Paused, Said, Timeout, Unpaused, Vote)
"""Events during a game that are not of the game: they come of people and of time."""


def of_the_game(event: Event) -> bool:
    """Whether an event of a table belongs to the game, and so to its record."""
    kind = type(event)
    return kind.stream == "table" and kind.scope != "table" and not isinstance(event, AROUND)


def timeless(event: Event) -> Event:
    """The event without what is left of the time: as it is told again."""
    return replace(event, ms=None, bank=None) if isinstance(event, Turn) else event


def table(record: Record, games: Mapping[str, AnyGame]) -> list[Event]:
    """The table before the game: its options, who sits where, what was sealed, the words.

    Raises `NotReplayable`.
    """
    game = _game(record, games)
    shown = {"game": record.game, "preset": record.rules, "seats": str(record.seats)}
    shown |= {option.name: option.value for option in _options(record, game)}
    names = {seat: record.names.get(seat, f"seat{seat}") for seat in range(1, record.seats + 1)}
    return [
        *(Option_(key, value) for key, value in shown.items()),
        *(Joined(seat, name, _is_bot(record, seat)) for seat, name in names.items()),
        *_sealed(record),
    ]


def _options(record: Record, game: AnyGame) -> list[Option]:
    """The options that were told at the table, as far as the record has them."""
    rules = game.options(game.rules(record.rules, record.options))
    return told_of(rules, game.options(game.presets[record.rules]), record.options)


def _sealed(record: Record) -> Iterator[Event]:
    fair = record.fair
    if fair is not None:
        yield Committed(record.id or NUMBERLESS, fair.no, fair.alg, fair.commitment)
        yield from given(fair.words)


def given(words: Sequence[str | None]) -> Iterator[Event]:
    """That players gave these words, by seat from seat 1; without one, None or `-`."""
    for seat, word in enumerate(words, 1):
        if word not in (None, "-"):
            yield Seeded(seat, word)


def _is_bot(record: Record, seat: int) -> bool:
    return seat in record.bots or record.names.get(seat, "").startswith("bot:")


def told(record: Record, games: Mapping[str, AnyGame]) -> list[Event]:
    """All that happened, from GAME on: to GAMEOVER, or as far as it goes.

    Raises `NotReplayable`.
    """
    return list(telling(record, games))


def telling(record: Record, games: Mapping[str, AnyGame]) -> Iterator[Event]:
    """The same one by one, each move played when it is asked for."""
    return _Replaying(record, _game(record, games)).events()


def _game(record: Record, games: Mapping[str, AnyGame]) -> AnyGame:
    game = games.get(record.game)
    if game is None:
        raise NotReplayable(f"there is no game {record.game}")
    begun(record, game)
    return game


class _Replaying:
    """A record on its way through a match."""

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
        match, events = matches.begin(
            game,
            rules,
            record.id or NUMBERLESS,
            record.seats,
            None,
            0,
            self._house,
            self._words(),
            # Only a record that says so was ended: before there was this end games went on.
            MOST_HANDS if record.end == TOO_LONG else 0,
        )
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
            deed = deed_of(made, self._game)
            assert not isinstance(deed, Shuffle)
            after, events = match.play(deed, 0, self._house)
        except (Illegal, ValueError) as wrong:
            if isinstance(wrong, NotReplayable):
                raise
            raise refused(made, wrong, number) from None
        return after, marked(events) if made.auto else events

    def _house(self, n: int, pack: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle n, as it was."""
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
        """The events, where they end the game with the seed before, and the games won so far."""
        won = {place.seat: place.won for place in self._record.places}
        fair = self._record.fair
        ends = next((e for e in events if isinstance(e, Result | Gameover | Aborted)), None)
        for event in events:
            if event is ends and fair is not None and fair.seed:
                yield Revealed(self._record.id or NUMBERLESS, fair.seed)
            yield replace(event, wins=won.get(event.seat)) if isinstance(event, Result) else event

    def _broken_off(self) -> Sequence[Event]:
        """How a game ended that was not played to its end; nothing where it still runs."""
        why, _, rest = self._record.end.partition(" ")
        if why == "aborted":
            reason, _, ref = rest.partition(" ")
            return [Aborted(reason, ref or None)]
        if why != "resigned":
            return []
        places = self._record.places
        results = [Result(each.seat, each.place, each.total) for each in places]
        winners = tuple(each.seat for each in places if each.place == 1)
        return [*results, Gameover(winners, why)]
