"""The search of Whist 22: worlds, candidate moves, and the ends of hands."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from twentytwo_protocol.cards import TAROT
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Handover, Turn

from ...chance import RandomBelow
from ...searchable import Ends, Stake
from ...sums import added
from ..bidding import bids_of
from ..plays import Plays
from ..policy import bits, numbers
from ..rules import Whist22Rules
from ..states import Bidding, Over, Playing, Standing, State
from .knowledge import Imagined, Knowledge, knowledge_of
from .reasons import reason
from .rollout import of_bidding, of_playing
from .worlds import imagined

COST = 0.7
"""Loss of points in the rest of the game for every point of the lowest score."""
WIN = 4.0
"""The worth of winning, in points."""
CLOSE, DRIFT = 0.3, 0.25
"""The lead in points that multiplies the odds of winning by e: at the end, and the increase for
each point to go.
"""
NEAR = 2.0
"""Scores that differ by fewer points count as equally near to the end of the game."""
SCALE, LOW = 100, 20
"""The linear map from points to a worth from 0 to 1: the width of its scale, and the points below
zero that it covers.
"""


def worth(totals: Sequence[int]) -> list[float]:
    """The worth of the end of a hand for each seat: the expected final score, and the win.

    The sooner the lowest score reaches 0, the fewer points the others lose until then.
    """
    to_come = lowest(totals)
    return _worth(totals, to_come, shares(totals, to_come))


def _ends(totals: Sequence[int], missed: Sequence[float]) -> Ends:
    to_come = lowest(totals)
    win = shares(totals, to_come)
    return Ends(_worth(totals, to_come, win), missed, win)


def _worth(totals: Sequence[int], to_come: float, win: Sequence[float]) -> list[float]:
    return [
        min(1.0, max(0.0, (LOW + total - COST * to_come + WIN * share) / SCALE))
        for total, share in zip(totals, win, strict=True)
    ]


def shares(totals: Sequence[int], to_come: float) -> list[float]:
    """The approximate chance of each seat to win; `to_come` is the lowest score."""
    most, near = max(totals), CLOSE + DRIFT * to_come
    weights = [exp((total - most) / near) for total in totals]
    whole = added(weights)
    return [weight / whole for weight in weights]


def lowest(totals: Sequence[int]) -> float:
    """The lowest score, lowered if several are near it; 0 if the game is over."""
    least = min(totals)
    if least <= 0:
        return 0.0
    near = NEAR * log(added(exp((least - each) / NEAR) for each in totals))
    return max(0.0, least - near)


class Whist22Search:
    """Whist 22, searched hand by hand."""

    version = 1
    stake = Stake("you miss your bid", "miss the bid")

    def known(
        self, rules: Whist22Rules, seat: int, seen: Sequence[Event], *, figures: bool = False
    ) -> Knowledge:
        """The knowledge of a seat about the current hand."""
        return knowledge_of(rules, seat, seen)

    def imagine(self, known: Knowledge, turn: Turn, pick: RandomBelow) -> State:
        """A state that fits the knowledge, with the seat on turn."""
        return imagined(known, pick)

    def candidates(self, state: State) -> Sequence[Deed]:
        """The candidate moves for the seat on turn."""
        if isinstance(state, Bidding):
            return list(bids_of(state))
        assert isinstance(state, Playing)
        return plays(state)

    def playout(self, state: State, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """The end of the hand if everybody plays on by the policy, and the missed bids."""
        totals = state.standing.totals
        match state:
            case Bidding():
                missed = of_bidding(state, _stock(state.standing))
            case Playing():
                missed = of_playing(state, _stock(state.standing))
            case Over(winners=winners):
                win = [float(seat in winners) for seat in range(1, len(totals) + 1)]
                return Ends(worth(totals), _missed(happened, len(totals)), win)
            case _:
                return _ends(totals, _missed(happened, len(totals)))
        after = [total - lost for total, lost in zip(totals, missed, strict=True)]
        return _ends(after, [float(lost > 0) for lost in missed])

    def reason(self, known: Knowledge, turn: Turn, token: str) -> str:
        """The reason for a move, from what the seat sees."""
        return reason(known, turn, token)

    def risks_alike(self, turn: Turn) -> bool:
        """Always True: a bid is either made or missed."""
        return True

    def fact(self, turn: Turn) -> str:
        """A fact if the bid is missed already, or for a card that its owner does not see (W10).

        Such a card is searched as if it were the Fool, because its value matters only then.
        """
        if turn.act != "play":
            return ""
        if turn.hand:
            return "you miss your bid, whatever you play" if _is_missed(turn) else ""
        if turn.nlegal == 1:
            return "it is all that you may play"
        return "it matters only if your card is the Fool"


def _is_missed(turn: Turn) -> bool:
    """True if the bid is missed already, whatever the play."""
    needs = (turn.bid or 0) - (turn.won or 0)
    return not 0 <= needs <= len(turn.hand or ())


def _missed(happened: Sequence[Event], seats: int) -> list[float]:
    """The seats that missed their bids in the hand ended by this move."""
    losers = {seat for event in happened if isinstance(event, Handover) for seat in event.losers}
    return [float(seat in losers) for seat in range(1, seats + 1)]


def _stock(standing: Standing) -> int:
    assert isinstance(standing, Imagined)
    return standing.stock


def plays(state: Playing) -> list[Deed]:
    """The plays that differ. Cards with no hidden card between them are equivalent: only the lowest
    is a play here.
    """
    legal = Plays(state)
    if state.blind:
        return list(legal)
    of = numbers(state.standing.rules)
    others = (card for hand in state.hands for card in hand if hand != legal.hand)
    hidden = bits(of[card] for card in others) | _stock(state.standing)
    best = TAROT.order[state.best] if state.best else -1
    found: dict[tuple[int, bool], Deed] = {}
    for deed in legal:
        counts = TAROT.order[deed.token]
        lower = (hidden & (1 << counts) - 1).bit_count()
        key = (lower, counts > best) if deed.token[0] != "F" else (-1 - counts, True)
        found.setdefault(key, deed)
    return list(found.values())


SEARCH = Whist22Search()
"""The search of Whist 22."""
