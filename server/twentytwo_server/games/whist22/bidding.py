"""The bids: each seat bids its number of tricks, once, beginning on the dealer's left.

Nobody passes, and nobody bids more than the number of tricks in the hand (W5). The dealer bids
last, and may not make the bids add up to the number of tricks. If the other bids already exceed it,
the dealer is free (W6). This also holds in hands of one card (W7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words.cardplay import Bid, Bid_, Pass, Trick

from ..chance import RandomBelow
from ..game import Further, Illegal, JudgedMoves, wrong_act
from . import refusals
from .rules import Whist22Rules
from .states import Bidding, Playing, Step


def forbidden(so_far: Sequence[int], size: int, seats: int, rules: Whist22Rules) -> int | None:
    """The bid that the hook forbids the next seat, or None."""
    if len(so_far) < seats - 1 or rules.hook == "no" or sum(so_far) > size:
        return None
    return size - sum(so_far)


@lru_cache(maxsize=64)
def bid_of(tricks: int) -> Bid:
    """The deed that bids this number of tricks."""
    return Bid(str(tricks))


class Bids(JudgedMoves):
    """The legal bids: every number of tricks except the one that the hook forbids."""

    __slots__ = ("_hook", "_so_far", "_tricks", "hand")
    act = "bid"
    beat = low = None

    def __init__(
        self, hand: tuple[Card, ...], tricks: int, so_far: tuple[int, ...], hook: int | None
    ) -> None:
        self.hand = hand
        self._tricks = tricks
        self._so_far = so_far
        self._hook = hook

    @property
    def also(self) -> Further:
        """The bids so far, and the number of tricks."""
        return {"tricks": self._tricks, "bids": self._so_far}

    @property
    def default(self) -> Bid:
        """The lowest bid."""
        return next(iter(self))

    def __iter__(self) -> Iterator[Bid]:
        return (bid_of(bid) for bid in range(self._tricks + 1) if bid != self._hook)

    def __len__(self) -> int:
        return self._tricks + (self._hook is None)

    def any(self, pick: RandomBelow) -> Bid:
        """A random legal bid; every legal bid is possible."""
        bid = pick(len(self))
        return bid_of(bid if self._hook is None or bid < self._hook else bid + 1)

    def judged(self, deed: Deed) -> int | Illegal:
        """The number bid, or an `Illegal`."""
        if not isinstance(deed, (Bid, Pass)):
            return wrong_act("bid")
        word = deed.token
        if not (word.isascii() and word.isdigit()):
            return refusals.no_pass(self._legal())
        bid = int(word)
        if bid > self._tricks:
            return refusals.too_high(self._tricks, self._legal())
        if bid == self._hook:
            return refusals.hook(bid, self._tricks, self._legal())
        return bid

    def _legal(self) -> list[str]:
        return [bid.token for bid in self]


def bids_of(state: Bidding) -> Bids:
    """The legal bids of the seat on turn."""
    rules, size, so_far = state.standing.rules, state.size, state.bids
    hand = () if rules.is_blind(size) else state.hands[state.seat - 1]
    return Bids(hand, size, so_far, forbidden(so_far, size, state.standing.seats, rules))


def bid_made(state: Bidding, bid: int) -> Step:
    """The state after a bid of the seat on turn; after the last bid the first trick begins."""
    happened = Bid_(state.seat, str(bid))
    bids, standing = (*state.bids, bid), state.standing
    if len(bids) < standing.seats:
        return Bidding(standing, state.hands, bids), [happened]
    leader = standing.after(standing.dealer)
    by_seat = tuple(bids[(seat - leader) % standing.seats] for seat in range(1, standing.seats + 1))
    playing = Playing(
        standing,
        state.hands,
        standing.rules.is_blind(state.size),
        by_seat,
        (0,) * standing.seats,
        1,
        leader,
        leader,
    )
    return playing, [happened, Trick(1, leader)]
