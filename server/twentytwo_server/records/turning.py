"""The questions of a finished game with their answers, for finding its turning points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Hand_, Trick, Turn, forced

from ..games.game import HOUSE, AnyGame
from .telling import telling


class AnsweredTurn(Value):
    """A question and its answer; the question is not redacted.

    `told` is the number of the game's events before it. `move` is the number of the answer in the
    record, from 1, counting shuffles. `hand` and `trick` are numbered as in events; `trick` is 0
    before the first trick of a hand.
    """

    told: int
    move: int
    hand: int
    trick: int
    turn: Turn
    made: RecordedMove


def answered(record: Record, events: Iterable[Event]) -> Iterator[AnsweredTurn]:
    """The answered questions in order; `events` are all events of the game."""
    answers = ((n, made) for n, made in enumerate(record.moves, 1) if made.seat != HOUSE)
    hand = trick = 0
    for told, event in enumerate(events):
        match event:
            case Hand_(no=no):
                hand, trick = no, 0
            case Trick():
                trick = event.trick
            case Turn():
                move, made = next(answers, (0, None))
                if made is None:
                    return
                yield AnsweredTurn(told, move, hand, trick, event, made)


def choices(record: Record, games: Mapping[str, AnyGame], seat: int) -> Iterator[AnsweredTurn]:
    """The questions at which a seat had a choice. Raises `NotReplayable`."""
    for each in answered(record, telling(record, games)):
        if each.turn.seat == seat and forced(each.turn) is None:
            yield each
