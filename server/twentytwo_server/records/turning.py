"""Where a player of a game that is over could have turned another way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from twentytwo_protocol.record import Record
from twentytwo_protocol.words.cardplay import Hand_, Trick, Turn

from ..games.game import HOUSE, AnyGame
from .telling import telling


def choices(
    record: Record, games: Mapping[str, AnyGame], seat: int
) -> Iterator[tuple[int, int, int]]:
    """Where a seat had a choice: the number of the moves before it, the hand, and the trick.

    Hands and tricks are numbered as events number them; the trick is 0 before the first of a hand.
    Raises `NotReplayable`.
    """
    answers = (number for number, made in enumerate(record.moves) if made.seat != HOUSE)
    hand = trick = 0
    for event in telling(record, games):
        match event:
            case Hand_(no=no):
                hand, trick = no, 0
            case Trick():
                trick = event.trick
            case Turn():
                before = next(answers, None)
                free = event.choose == "subset" or (event.nlegal or 0) > 1
                if before is not None and event.seat == seat and free:
                    yield before, hand, trick
