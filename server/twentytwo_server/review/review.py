"""The review of a game: reviews each hand, and combines the hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha512
from itertools import chain

from twentytwo_protocol.fair import picker
from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import vocabulary

from ..games.chance import RandomBelow
from ..games.sums import added
from .judging import USUAL_EFFORT, Effort, Judged, Mark, glanced, judged
from .luck import HandLuck, Luck, luck_of, lucks
from .played_again import Choice, Hand, PlayedAgain

DEAREST = 3
"""Maximum number of costly moves that a review names for a seat."""
MOST_JUDGED = 1_000
"""Maximum number of judged moves in a game; earlier moves are not judged."""


def chance(name: str) -> RandomBelow:
    """Randomness determined by a name, so that the same game has the same review everywhere."""
    return picker(sha512(name.encode()).hexdigest())


class Point(Value):
    """A point of the curve: every player's chance to win the game after a move, from 0 to 1."""

    move: int
    turn: int
    hand: int
    chances: tuple[float, ...]


class HandReview(Value):
    """The review of a hand: its moves, the chances after them, the luck, and the result.

    `hopes` has for each move: its number, the number of the turn, the seat, and the seat's chance
    to win. `after` are the chances of all seats after the hand; empty if the game was cut short.
    """

    no: int
    judged: tuple[Judged, ...]
    hopes: tuple[tuple[int, int, int, float], ...]
    luck: HandLuck | None
    last: int
    after: tuple[float, ...]


class Review(Value):
    """The review of a game: the moves of the seats in `reviewed`, and the chances and luck of all
    seats.

    `unjudged` is the number of their moves that exceeded the limit and were not judged.
    """

    played: PlayedAgain
    reviewed: tuple[int, ...]
    moves: tuple[Judged, ...]
    curve: tuple[Point, ...]
    luck: tuple[Luck, ...]
    unjudged: int = 0

    def dearest(self, seat: int) -> list[Judged]:
        """The marked moves of a seat, the most expensive first, at most `DEAREST`."""
        marked = [
            each for each in self.moves if each.decision.seat == seat and each.mark is not Mark.NONE
        ]
        return sorted(marked, key=lambda each: -each.cost)[:DEAREST]

    def hand_ends(self) -> list[Point]:
        """The points of the curve at the start of the game and at the end of each hand."""
        ends = {0: self.curve[0]}
        for point in self.curve[1:]:
            ends[point.hand] = point  # the last point of the hand wins
        return [*ends.values()]


def hands_of(played: PlayedAgain) -> list[int]:
    """The numbers of the hands in order."""
    return [hand.no for hand in played.hands]


def hand_review(
    played: PlayedAgain, no: int, seats: Sequence[int], effort: Effort = USUAL_EFFORT
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
    """A move of a seat, with the seat's estimated chance to win after it."""
    hope = found.chance if found else glanced(played, decision, chance(f"hope {decision.move}"))
    return decision.move, decision.turn.turn, decision.seat, hope


def _after(played: PlayedAgain, hand: Hand, pick: RandomBelow) -> tuple[float, ...]:
    if hand.over is None:
        return ()
    search = played.game.search
    assert search is not None
    return tuple(search.playout(hand.over, hand.ending, pick).win)


def put_together(played: PlayedAgain, hands: Sequence[HandReview], seats: Sequence[int]) -> Review:
    """Combines the reviews of the hands, in order, into the review of the game."""
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
    """The points of the curve. Each seat's estimate uses its knowledge at its last move; the
    estimates of all seats are scaled to a common sum.
    """
    seats, partners = played.record.seats, vocabulary(played.record.game).partners
    whole = seats / len(partners) if partners else 1
    hopes = [1 / seats] * seats

    def point(move: int, turn: int, hand: int) -> Point:
        hoped = added(hopes)
        if not hoped:  # every seat saw only how bad its own cards were
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
