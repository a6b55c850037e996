"""Players of Twenty-Two and Twenty-Six.

`easy` plays like somebody who was told the rules a minute ago. `steady` weighs what it would
hold after each move: what wins is to end with a low card, and what keeps a low card is to have
high ones to play in its stead. So it throws the middling cards away, leads them in sets, takes
tricks where it can, and throws its lowest only where nothing else is worth it.

Both answer from the question alone, and pick from the moves that it lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twentytwo_protocol.cards import JOKER, RANK_ORDER, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn

from ..chance import RandomBelow
from ..game import QuickBots
from .rules import TwentyTwoRules


class Easy:
    """Keeps high and low cards, then covers cheaply or plays whatever is legal."""

    def __init__(self, rules: TwentyTwoRules, seat: int, pick: RandomBelow) -> None:
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Remembers nothing."""

    def choose(self, turn: Turn) -> str:
        """A legal token."""
        if turn.choose == "subset":
            return _joined(_middling(turn.cards or (), "5", "T")[: turn.max])
        legal = turn.legal or (turn.default or "",)
        if turn.beat and len(legal) > 1 and self._pick(2):
            return legal[1]  # the first is the lowest play, or else the cheapest that covers
        return legal[self._pick(len(legal))]


class Steady:
    """Plays the move after which its hand is worth most."""

    def __init__(self, rules: TwentyTwoRules, seat: int, pick: RandomBelow) -> None:
        """Needs none of them."""

    def see(self, happened: Event) -> None:
        """Remembers nothing: counting cards was tried, and did not win more games."""

    def choose(self, turn: Turn) -> str:
        """A legal token."""
        if turn.choose == "subset":
            return _joined(_middling(turn.cards or (), "5", "J")[: turn.max])
        legal = turn.legal or (turn.default or "",)
        return max(legal, key=lambda token: _worth(turn, token))


# The weights were found by hill climbing in games of four against earlier ones.

WORTH: Mapping[str, float] = dict(
    zip("23456789TJQKAX", (6, 5.5, 5, 4, 3, 2, 1, 0, -0.8, -0.2, 2.7, 3.1, 5.7, -2), strict=True)
)
"""What a card in the hand is worth: the low to end with, the high to take tricks with."""
PER_RANK = 1.78
"""What it costs when the lowest card of the hand is a rank higher."""
TAKING = 0.33
"""What it is worth to have the best play of the trick so far."""
SHEDDING = 0.83
"""What it is worth to lead one card more."""
LEADING = 0.1
"""What it is worth to lead a rank higher."""


def _worth(turn: Turn, token: str) -> float:
    play = token.split("+")
    left = [card[0] for card in turn.hand or ()]
    for rank in play:
        left.remove(rank[0])
    lowest = min(RANK_ORDER[rank] for rank in left)
    if len(left) == 1:
        return -lowest  # the card that will be shown
    held = sum(WORTH[rank] for rank in left) / len(left) - PER_RANK * lowest
    if turn.beat is None:
        return held + SHEDDING * (len(play) - 1) + LEADING * RANK_ORDER[play[0]]
    return held + (TAKING if _covers(play, turn.beat) else 0)


def _covers(play: Sequence[str], beat: Sequence[Card]) -> bool:
    jokers = play.count(JOKER)
    highest = play[jokers] if jokers < len(play) else "A"
    ranks = [highest] * jokers + [*play[jokers:]]
    return all(RANK_ORDER[mine] >= RANK_ORDER[bar] for mine, bar in zip(ranks, beat, strict=True))


def _middling(hand: Sequence[Card], low: str, high: str) -> list[Card]:
    """The cards between two ranks, from the middle outwards."""
    first, last = RANK_ORDER[low], RANK_ORDER[high]
    found = [card for card in hand if first <= RANK_ORDER[card[0]] <= last]
    return sorted(found, key=lambda card: abs(2 * RANK_ORDER[card[0]] - first - last))


def _joined(cards: Sequence[Card]) -> str:
    return "+".join(cards) or "-"


BOTS: QuickBots[TwentyTwoRules] = QuickBots({"easy": Easy, "steady": Steady})
"""The bots, the weakest first."""
