"""The deal, the auction, and the choice of the trump."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twentytwo_protocol.cards import PIQUET, Card
from twentytwo_protocol.games.twentyeight import Redeal, Redealt, Trump, Trump_, partner
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Bid, Bid_, Contract, Dealt, Hand_, Pass, Trick

from ..chance import RandomBelow
from ..game import Further, Illegal, JudgedMoves, wrong_act
from . import refusals
from .naming import card_meant
from .ranking import ascending, points_of, power, suit_of
from .rules import PLAYERS
from .states import (
    SIDES,
    Bidding,
    Choosing,
    Dealing,
    Hands,
    Playing,
    Standing,
    Step,
    after,
    side_of,
)

LOWEST_BID, HIGHEST_BID = 14, 28
"""The lowest bid and the highest."""
OVER_PARTNER = 20
"""The lowest bid that overcalls one's partner."""
ROUND_CARDS = 4
"""Cards for each seat in a round of the deal."""

_by_pack_order = PIQUET.order.__getitem__


# ---------------------------------------------------------------------------------- the deal


def dealt(state: Dealing, shuffled: Sequence[Card]) -> Step:
    """Deals four cards each, one at a time from the top, beginning with the first bidder."""
    before = state.standing
    standing = before.then(before.totals, before.hand + 1, before.dealer)
    first = after(standing.dealer)
    hands = _round(((),) * PLAYERS, shuffled, first)
    stock = tuple(shuffled[ROUND_CARDS * PLAYERS :])
    events: list[Event] = [Hand_(standing.hand, standing.dealer, ROUND_CARDS, len(stock))]
    events += _told(hands, first)
    return Bidding(standing, hands, stock, first), events


def _round(hands: Hands, cards: Sequence[Card], first: int) -> Hands:
    """The hands after one more round."""
    return tuple(
        tuple(
            sorted(
                (*hand, *cards[(seat - first) % PLAYERS : ROUND_CARDS * PLAYERS : PLAYERS]),
                key=_by_pack_order,
            )
        )
        for seat, hand in enumerate(hands, 1)
    )


def _told(hands: Hands, first: int, before: Hands = ((),) * PLAYERS) -> list[Event]:
    """The DEALT events of all seats, in order from the first bidder."""
    seats = [(first + index - 1) % PLAYERS + 1 for index in range(PLAYERS)]
    told: list[Event] = []
    for seat in seats:
        had = before[seat - 1]
        new = [card for card in hands[seat - 1] if card not in had] if had else hands[seat - 1]
        told.append(Dealt(seat, ROUND_CARDS, tuple(new)))
    return told


# ------------------------------------------------------------------------------- the auction


def least(state: Bidding) -> int:
    """The lowest bid that the seat on turn may make; more than 28 never occurs."""
    if not state.bids:
        return LOWEST_BID
    higher = state.bids[-1] + 1
    # denexa: at least 20 to overcall a partner; over 20 merely higher (E8)
    return max(higher, OVER_PARTNER) if state.bidder == partner(state.seat) else higher


def may_redeal(state: Bidding) -> bool:
    """True if the seat on turn may ask for a new deal."""
    # pagat: only the first bidder, before bidding, with a hand without points
    asks = state.standing.rules.redeal_no_points == "yes" and not state.bids
    return asks and not points_of(state.hands[state.seat - 1])


PASS = Bid("pass")
NUMBERS = tuple(Bid(str(points)) for points in range(HIGHEST_BID + 1))
"""The deeds of all bids; the index is the number of points."""


class Bids(JudgedMoves):
    """The legal bids: a number, a pass after the first bid, or a request for a new deal."""

    __slots__ = ("_state",)
    act = "bid"
    beat = low = None

    def __init__(self, state: Bidding) -> None:
        self._state = state

    @property
    def hand(self) -> tuple[Card, ...]:
        """The four cards."""
        return self._state.hands[self._state.seat - 1]

    @property
    def also(self) -> Further:
        """The bids so far, and the highest bidder."""
        return {"bids": self._state.bids, "holder": self._state.bidder or None}

    @property
    def default(self) -> Deed:
        """A pass; if passing is not allowed, the lowest bid."""
        return next(iter(self))

    def __iter__(self) -> Iterator[Deed]:
        if self._state.bids:
            yield PASS
        yield from NUMBERS[least(self._state) :]
        if may_redeal(self._state):
            yield Redeal()

    def __len__(self) -> int:
        numbers = HIGHEST_BID + 1 - least(self._state)
        return numbers + bool(self._state.bids) + may_redeal(self._state)

    def judged(self, deed: Deed) -> Illegal | None:
        """The reason why a bid is illegal, or None."""
        if type(deed) is Redeal:
            return None if may_redeal(self._state) else refusals.no_redeal(self._state)
        if not isinstance(deed, (Bid, Pass)):
            return wrong_act("bid")
        lowest = least(self._state)
        if deed.token == "pass":
            return None if self._state.bids else refusals.must_bid()
        if int(deed.token) < lowest:
            return refusals.too_low(self._state, lowest)
        return refusals.too_high(lowest) if int(deed.token) > HIGHEST_BID else None

    def any(self, pick: RandomBelow) -> Deed:
        """A random legal bid: the default half of the time, otherwise any bid."""
        if pick(2):
            return self.default
        return list(self)[pick(len(self))]


def bid(state: Bidding, deed: Deed) -> Step:
    """The state after a legal bid of the seat on turn."""
    if type(deed) is Redeal:
        # E33: the same dealer deals the same hand again
        before = state.standing
        standing = before.then(before.totals, before.hand - 1, before.dealer)
        return Dealing(standing), [Redealt(state.seat)]
    events: list[Event] = [Bid_(state.seat, deed.token)]
    bidder, bids, passed = state.bidder, state.bids, state.passed
    if deed.token == "pass":
        passed = (*passed, state.seat)
    else:
        bidder, bids = state.seat, (*bids, int(deed.token))
        passed = passed if state.standing.rules.pass_out == "yes" else ()
    standing, hands, stock = state.standing, state.hands, state.stock
    # denexa: until three have passed in succession; nobody could bid over 28 (E11)
    if len(passed) == PLAYERS - 1 or bids[-1] == HIGHEST_BID:
        events.append(Contract(bidder, bids[-1], SIDES[side_of(bidder)]))
        return Choosing(standing, hands, stock, bidder, bids[-1]), events
    seat = after(state.seat)
    while seat in passed:
        seat = after(seat)
    return Bidding(standing, hands, stock, seat, bidder, bids, passed), events


# --------------------------------------------------------------------------------- the trump


class Choices(JudgedMoves):
    """The cards that may be laid face down: any of the bidder's four."""

    __slots__ = ("_order", "_state")
    act = "trump"
    beat = low = None

    def __init__(self, state: Choosing) -> None:
        self._state = state
        self._order = state.standing.rules.order

    @property
    def hand(self) -> tuple[Card, ...]:
        """The four cards."""
        return self._state.hands[self._state.bidder - 1]

    @property
    def default(self) -> Trump:
        """The lowest card of the longest suit; among equally long suits, of the strongest."""
        return next(iter(self))

    def __iter__(self) -> Iterator[Trump]:
        for card in sorted(ascending(self.hand, self._order), key=self._worse):
            yield Trump((card,))

    def _worse(self, card: Card) -> tuple[int, int]:
        suit = [held for held in self.hand if suit_of(held) == suit_of(card)]
        return -len(suit), -sum(power(held, self._order) for held in suit)

    def __len__(self) -> int:
        return len(self.hand)

    def judged(self, deed: Deed) -> Card | Illegal:
        """The card that the deed lays down, or an `Illegal`."""
        if not isinstance(deed, Trump):
            return wrong_act("choose the trump")
        return card_meant(deed.cards, self.hand, self.hand, self.act)

    def any(self, pick: RandomBelow) -> Trump:
        """A random card of the four."""
        return Trump((self.hand[pick(len(self.hand))],))


def chosen(state: Choosing, card: Card) -> Step:
    """The state after the bidder's choice: four more cards each, then the first trick."""
    standing = state.standing
    first = after(standing.dealer)
    hands = _round(state.hands, state.stock, first)
    events: list[Event] = [Trump_(state.bidder, False, suit_of(card), card)]
    events += [*_told(hands, first, state.hands), Trick(1, first)]
    playing = Playing(
        standing, state.bidder, state.bid, hands, suit_of(card), card, first, leader=first
    )
    return playing, events


# ----------------------------------------------------------------------------- the next hand


def to_deal(standing: Standing, dealer: int) -> Dealing:
    """The state before the deal."""
    return Dealing(standing.then(standing.totals, standing.hand, dealer))
