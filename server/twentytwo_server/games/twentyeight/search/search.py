"""The search of Twenty-Eight: worlds, candidate moves, and the ends of hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Redeal, Trump
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Bid, Handover, Play, Turn

from ...chance import RandomBelow
from ...searchable import Ends, Stake
from ..auction import HIGHEST_BID, LOWEST_BID, OVER_PARTNER, least, may_redeal
from ..plays import Calls, legal_cards
from ..policy import MARGIN, best_suit
from ..ranking import ascending, suit_of
from ..rules import PLAYERS, TwentyEightRules
from ..states import Bidding, Choosing, Over, Playing, State, after, side_of
from .bits import BIT, POINTS_OF, hand_bits
from .evaluation import OFF, chance, ends, foreseen, made
from .knowledge import Knowledge, knowledge_of
from .reasons import reason
from .rollout import bidders_points
from .worlds import Several, imagined

HIGHER = (20, 25)
"""The lowest bids that score more."""
DARING = 1
"""Maximum points above the expectation for such a bid to be a candidate."""
SURE_ERROR, UNSURE_ERROR = 0.15, 0.3
"""The error of a playout in points: at the end of a hand, and for each trick before it."""
SAID, SAID_MORE = 0.1, 0.05
"""The error of a playout in points for displayed probabilities of losing: at the end of a hand, and
for each trick before it.

These values were found by calibration (`make bench ARGS=calibration`). The larger errors above are
better for comparing moves in few worlds.
"""
SAID_OFF, SAID_OVER = 1.8, 0.5
"""Before the first trick: the error of the prediction in points, and its bias (too low)."""


class TwentyEightSearch:
    """Twenty-Eight, searched hand by hand."""

    version = 3
    stake = Stake("your side loses the hand", "lose the hand")

    def known(
        self, rules: TwentyEightRules, seat: int, seen: Sequence[Event], *, figures: bool = False
    ) -> Knowledge:
        """The knowledge of a seat about the current hand."""
        return knowledge_of(rules, seat, seen)

    def imagine(self, known: Knowledge, turn: Turn, pick: RandomBelow) -> State:
        """A state that fits the knowledge, with the seat on turn."""
        return imagined(known, turn, pick)

    def candidates(self, state: State) -> Sequence[Deed]:
        """The candidate moves for the seat on turn."""
        match state:
            case Bidding():
                return list(_bids(state))
            case Choosing():
                return list(_trumps(state))
            case Playing() if state.asked:
                return list(Calls(state))
            case Playing():
                return [Play((card,)) for card in unlike(state)]
        raise ValueError("no seat is on turn")

    def playout(self, state: State, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """The end of the hand if everybody plays on by the policy, and the losing side."""
        won, lost = _prospects(state)
        losers = next((e.losers for e in happened if isinstance(e, Handover)), ())
        if losers:
            lost = float(1 in losers), float(2 in losers)
        win = (won, 1 - won) * (PLAYERS // 2)
        return Ends(win, lost * (PLAYERS // 2), win)

    def reason(self, known: Knowledge, turn: Turn, token: str) -> str:
        """The reason for a move, from what the seat sees."""
        return reason(known, turn, token)

    def risks_alike(self, turn: Turn) -> bool:
        """False in the auction: a bid may cost more than a pass."""
        return turn.act != "bid"

    def fact(self, turn: Turn) -> str:
        """Empty: figures never mislead in this game."""
        return ""


SEARCH = TwentyEightSearch()


# ----------------------------------------------------------------------- moves worth a look


def _bids(state: Bidding) -> Iterator[Deed]:
    """A pass, the lowest bid, and with good cards the lowest bid that scores more."""
    lowest = least(state)
    if state.bids:
        yield Bid("pass")
    good_for, _ = best_suit(state.hands[state.seat - 1])
    for bid in dict.fromkeys((lowest, *HIGHER)):
        if bid == lowest or lowest < bid <= good_for + DARING:
            yield Bid(str(bid))
    if may_redeal(state):
        yield Redeal()


def _trumps(state: Choosing) -> Iterator[Deed]:
    """The lowest card of every suit, because the card is out of play until a call."""
    hand = ascending(state.hands[state.bidder - 1], state.standing.rules.order)
    for suit in {suit_of(card): None for card in hand}:
        yield Trump((next(card for card in hand if suit_of(card) == suit),))


def unlike(state: Playing) -> list[Card]:
    """The legal cards; of equivalent cards only the lowest."""
    legal = legal_cards(state)
    if len(legal) < 2:
        return legal
    order = state.standing.rules.order
    bits, points = BIT[order], POINTS_OF[order]
    mine = hand_bits(state.held, order)
    others = 0
    for hand in state.hands:
        others |= hand_bits(hand, order)
    others = (others | hand_bits(state.plays, order)) & ~mine
    found: list[Card] = []
    last: dict[tuple[str, int], int] = {}
    for card in legal:
        bit = bits[card]
        kind = card[1], points[bit]
        below = last.get(kind)
        # cards are equivalent if nobody else has a card between them
        if below is None or others & (bit - 1) & -below:
            found.append(card)
        last[kind] = bit
    return found


# ------------------------------------------------------------------------------- how it ends


Prospects = tuple[float, tuple[float, float]]
"""The chance of side 0 to win the game, and of each side to lose the hand."""


def _prospects(state: State) -> Prospects:
    """The mean over the deals of the world."""
    match state:
        case Playing() | Bidding() | Choosing():
            standing = state.standing
            if isinstance(standing, Several):
                each = [_foreseen(replace(state, hands=hands)) for hands in standing.deals]
                won, lost = (fmean(column) for column in zip(*each, strict=True))
            else:
                won, lost = _foreseen(state)
            return won, (lost, 1 - lost)
        case Over():
            return float(1 in state.winners), (0.0, 0.0)
    return chance(state.standing.rules, state.standing.totals), (0.0, 0.0)


def _foreseen(state: Playing | Bidding | Choosing) -> tuple[float, float]:
    match state:
        case Playing() if (sure := _decided(state)) is not None:
            return _ended(state, sure)
        case Playing():
            points, left = bidders_points(state) - state.bid, 9 - state.trick
            won, _ = _ended(state, made(points, SURE_ERROR + UNSURE_ERROR * left))
            _, lost = _ended(state, made(points, SAID + SAID_MORE * left))
            return won, lost
        case Bidding():
            state = _auctioned(state)
    # The prediction from four cards is better than a few playouts.
    over = foreseen(state.hands, state.bidder) - state.bid
    won, _ = _ended(state, made(over, OFF))
    _, lost = _ended(state, made(over + SAID_OVER, SAID_OFF))
    return won, lost


def _decided(state: Playing) -> float | None:
    """1 if the bid is made, 0 if it is already lost, None if still open."""
    side = side_of(state.bidder)
    ours, theirs = state.won[side], state.won[1 - side]
    if ours >= state.bid:
        return 1.0
    return 0.0 if HIGHEST_BID - theirs < state.bid else None


def _ended(state: Choosing | Playing, sure: float) -> tuple[float, float]:
    """The chances of side 0 to win the game and to lose the hand; `sure`: to make the bid."""
    standing, side = state.standing, side_of(state.bidder)
    make, fail = ends(standing.rules, standing.totals, side, state.bid)
    return sure * make + (1 - sure) * fail, 1 - sure if side == 0 else sure


def _auctioned(state: Bidding) -> Choosing:
    """The rest of the auction: everybody bids the lowest bid that their cards are worth."""
    seat, bidder, bid = state.seat, state.bidder, state.bids[-1] if state.bids else 0
    passed = set(state.passed)
    while len(passed) < PLAYERS - 1 and bid < HIGHEST_BID:
        if seat not in passed:
            lowest = _lowest(seat, bidder, bid)
            good_for = best_suit(state.hands[seat - 1])[0] - MARGIN
            if not bid or good_for >= lowest:
                bidder, bid = seat, lowest
                if state.standing.rules.pass_out == "no":
                    passed.clear()
            else:
                passed.add(seat)
        seat = after(seat)
    return Choosing(state.standing, state.hands, state.stock, bidder, bid)


def _lowest(seat: int, bidder: int, bid: int) -> int:
    if not bid:
        return LOWEST_BID
    return max(bid + 1, OVER_PARTNER) if (seat - bidder) % PLAYERS == 2 else bid + 1
