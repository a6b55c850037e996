"""Players of Twenty-Two and Twenty-Six.

`easy` plays like a beginner. `steady` plays by `policy`: it evaluates its hand after each move.
Both choose among the moves listed in the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twentytwo_protocol.cards import RANK_ORDER, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Hand_, Played, Trick, Turn

from ..chance import RandomBelow
from ..game import QuickBots
from .hands import Ranks
from .policy import middling, worth_following, worth_leading
from .rules import TwentyTwoRules

MIDDLING_OF_EASY = range(3, 9)
"""The ranks that `easy` exchanges: five to ten."""


class Easy:
    """Keeps high and low cards; covers cheaply, or plays the first legal move."""

    def __init__(self, rules: TwentyTwoRules, seat: int, pick: RandomBelow) -> None:
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Does nothing: this bot has no memory."""

    def choose(self, turn: Turn) -> str:
        """The token of a legal move."""
        if turn.choose == "subset":
            return _joined(_middling(turn.cards or (), MIDDLING_OF_EASY)[: turn.max])
        legal = turn.legal or (turn.default or "",)
        if turn.beat and len(legal) > 1 and self._pick(2):
            return legal[1]  # the first is the lowest play, or else the cheapest covering play
        return legal[self._pick(len(legal))]


class Steady:
    """Plays the move that leaves the most valuable hand."""

    def __init__(self, rules: TwentyTwoRules, seat: int, pick: RandomBelow) -> None:
        """Ignores its arguments."""
        self._players = self._played = 0

    def see(self, happened: Event) -> None:
        """Counts the players still to come: a trick that nobody can take any more is worth more."""
        match happened:
            case Hand_():
                self._players = 0
            case Dealt():
                self._players += 1
            case Trick():
                self._played = 0
            case Played():
                self._played += 1

    def choose(self, turn: Turn) -> str:
        """The token of a legal move."""
        if turn.choose == "subset":
            cards = turn.cards or ()
            return _joined(_middling(cards, middling(len(cards)))[: turn.max])
        legal = turn.legal or (turn.default or "",)
        held, bar = bytes(sorted(_ranks(turn.hand or ()))), _ranks(turn.beat or ())
        last = self._played == self._players - 1
        return max(legal, key=lambda token: _worth(held, bar, _ranks(token.split("+")), last))


def _worth(held: Ranks, bar: Ranks, play: Ranks, last: bool) -> float:
    return worth_following(held, bar, play, last) if bar else worth_leading(held, play)


def _ranks(cards: Iterable[Card]) -> Ranks:
    return bytes(RANK_ORDER[card[0]] for card in cards)


def _middling(hand: Sequence[Card], among: range) -> list[Card]:
    """The cards of these ranks, from the middle outwards."""
    twice = among.start + among.stop - 1
    found = [card for card in hand if RANK_ORDER[card[0]] in among]
    return sorted(found, key=lambda card: abs(2 * RANK_ORDER[card[0]] - twice))


def _joined(cards: Sequence[Card]) -> str:
    return "+".join(cards) or "-"


BOTS: QuickBots[TwentyTwoRules] = QuickBots({"easy": Easy, "steady": Steady}, version=3)
"""The bots, the weakest first."""
