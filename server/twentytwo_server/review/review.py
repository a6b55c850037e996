"""The review of a game, a hand at a time, and all of it put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha512
from itertools import chain

from twentytwo_protocol.fair import picker
from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import vocabulary

from ..games.chance import RandomBelow
from ..games.sums import added
from .judging import USUAL, Effort, Judged, Mark, glanced, judged
from .luck import HandLuck, Luck, luck_of, lucks
from .played_again import Choice, Hand, PlayedAgain

DEAREST = 3
"""How many moves of a seat a review names."""
MOST_JUDGED = 1_000
"""How many moves of a game are judged at most: those of its last hands."""


def chance(name: str) -> RandomBelow:
    """Chance that is the same for the same name: so the same game has the same review anywhere."""
    return picker(sha512(name.encode()).hexdigest())


class Point(Value):
    """A point of the curve: everybody's chance to win the game after a move, from 0 to 1."""

    move: int
    turn: int
    hand: int
    chances: tuple[float, ...]


class HandReview(Value):
    """A hand that was reviewed: its moves, what the movers hoped for, its luck, where it led.

    `hopes` are, after each move: its number, that of the turn, the seat and its chance to win.
    `after` is everybody's chance when it was over; empty where it was broken off.
    """

    no: int
    judged: tuple[Judged, ...]
    hopes: tuple[tuple[int, int, int, float], ...]
    luck: HandLuck | None
    last: int
    after: tuple[float, ...]


class Review(Value):
    """A game reviewed: the moves of the seats in `reviewed`, everybody's chances and luck.

    `unjudged` is how many of their moves were too many to be judged.
    """

    played: PlayedAgain
    reviewed: tuple[int, ...]
    moves: tuple[Judged, ...]
    curve: tuple[Point, ...]
    luck: tuple[Luck, ...]
    unjudged: int = 0

    def dearest(self, seat: int) -> list[Judged]:
        """The moves of a seat that cost most, the dearest first: `DEAREST` at most, all marked."""
        marked = [
            each for each in self.moves if each.decision.seat == seat and each.mark is not Mark.NONE
        ]
        return sorted(marked, key=lambda each: -each.cost)[:DEAREST]

    def hand_ends(self) -> list[Point]:
        """The points of the curve at the start and at the end of each hand."""
        ends = {0: self.curve[0]}
        for point in self.curve[1:]:
            ends[point.hand] = point  # the last of the hand
        return [*ends.values()]


def hands_of(played: PlayedAgain) -> list[int]:
    """The numbers of the hands, in order."""
    return [hand.no for hand in played.hands]


def hand_review(
    played: PlayedAgain, no: int, seats: Sequence[int], effort: Effort = USUAL
) -> HandReview:
    """Reviews a hand; only the moves of these seats are judged."""
    hand = next(hand for hand in played.hands if hand.no == no)
    decisions = [each for each in played.decisions if each.hand == no]
    wanted = {each.move for each in _to_judge(played, seats)}
    tried = [
        (
            each,
            judged(played, each, chance(f"judge {each.move}"), effort)
            if each.move in wanted
            else None,
        )
        for each in decisions
    ]
    return HandReview(
        no,
        tuple(found for _, found in tried if found is not None),
        tuple(_hope(played, each, found) for each, found in tried if not each.forced),
        luck_of(played, hand, chance(f"luck {no}")),
        hand.last,
        _after(played, hand, chance(f"after {no}")),
    )


def _to_judge(played: PlayedAgain, seats: Sequence[int]) -> Sequence[Choice]:
    return [each for each in played.decisions if each.seat in seats][-MOST_JUDGED:]


def _hope(
    played: PlayedAgain, decision: Choice, found: Judged | None
) -> tuple[int, int, int, float]:
    """What a seat may hope for after its move."""
    hope = found.chance if found else glanced(played, decision, chance(f"hope {decision.move}"))
    return decision.move, decision.turn.turn, decision.seat, hope


def _after(played: PlayedAgain, hand: Hand, pick: RandomBelow) -> tuple[float, ...]:
    if hand.over is None:
        return ()
    search = played.game.search
    assert search is not None
    return tuple(search.playout(hand.over, hand.ending, pick).win)


def put_together(played: PlayedAgain, hands: Sequence[HandReview], seats: Sequence[int]) -> Review:
    """The review of a game from those of its hands, in order."""
    asked = sum(each.seat in seats for each in played.decisions)
    return Review(
        played,
        tuple(seats),
        tuple(chain.from_iterable(hand.judged for hand in hands)),
        tuple(_curve(played, hands)),
        tuple(lucks([hand.luck for hand in hands if hand.luck], played.record.seats)),
        max(0, asked - MOST_JUDGED),
    )


def _curve(played: PlayedAgain, hands: Sequence[HandReview]) -> Iterator[Point]:
    """Each seat hopes by what it knew when it moved last; all hopes are brought to one whole."""
    seats, partners = played.record.seats, vocabulary(played.record.game).partners
    whole = seats / len(partners) if partners else 1
    hopes = [1 / seats] * seats

    def point(move: int, turn: int, hand: int) -> Point:
        hoped = added(hopes)
        if not hoped:  # nobody hoped any more: each knew the worst of their own cards only
            return Point(move, turn, hand, (whole / seats,) * seats)
        return Point(move, turn, hand, tuple(hope * whole / hoped for hope in hopes))

    yield point(0, 0, 0)
    for hand in hands:
        turn = 0
        for move, turn, seat, hope in hand.hopes:
            hopes[seat - 1] = hope
            yield point(move, turn, hand.no)
        if hand.after:
            hopes[:] = hand.after
            yield point(hand.last, turn, hand.no)
