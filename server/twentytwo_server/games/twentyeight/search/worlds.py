"""Samples worlds for a seat: deals the hidden cards to their possible holders.

A seat that bid voluntarily is probably strong: it gets the best of several draws. The bidder gets a
trump more often than by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.cards import SUITS, Card, pack32
from twentytwo_protocol.words.cardplay import Turn

from ...chance import RandomBelow, shuffle
from ..auction import ROUND_CARDS
from ..policy import best_suit
from ..ranking import power, suit_of
from ..rules import PLAYERS, TwentyEightRules
from ..states import Bidding, Choosing, Hands, Playing, Standing
from .knowledge import Knowledge

PACK = pack32()
TRIES = 40
"""Maximum number of deals until one fits the known voids."""
LIKELY = {"J": 3, "9": 2}
"""Weights of cards for the likelihood that their suit is the trump; others count 1."""
DRAWS = 3
"""Number of draws, of which a voluntary bidder gets the best."""
DEALS = 6
"""Number of deals in a world of the auction."""
STRONG = 2
"""Probability, in thirds, that the bidder gets another trump, if there is one."""


class Several(Standing):
    """A standing with several deals, so that fewer worlds are needed.

    Before the first trick the cards hardly affect the legal moves, but strongly affect the result.
    """

    deals: tuple[Hands, ...] = ()


def imagined(seen: Knowledge, turn: Turn, pick: RandomBelow) -> Bidding | Choosing | Playing:
    """A state that fits the knowledge, with the seat on turn."""
    hand = turn.hand or ()
    hidden = [card for card in PACK if card not in seen.gone and card not in hand]
    match turn.act:
        case "bid":
            return _bidding(seen, hand, hidden, pick)
        case "trump":
            return _choosing(seen, hand, hidden, pick)
    return _playing(seen, turn, hand, hidden, pick)


# ------------------------------------------------------------------------------ the auction


def _bidding(
    seen: Knowledge, hand: tuple[Card, ...], hidden: list[Card], pick: RandomBelow
) -> Bidding:
    fours = [_fours(seen, hand, hidden, pick) for _ in range(DEALS)]
    hands, stock = fours[0]
    standing = Several(*_fields(seen), tuple(hands for hands, _ in fours))
    return Bidding(standing, hands, stock, seen.seat, seen.bidder, seen.bids, seen.passed)


def _choosing(
    seen: Knowledge, hand: tuple[Card, ...], hidden: list[Card], pick: RandomBelow
) -> Choosing:
    """Deals the stock in four ways, so that every seat gets each part of it once."""
    fours, stock = _fours(seen, hand, hidden, pick)
    rounds = [
        stock[index : index + ROUND_CARDS] for index in range(0, ROUND_CARDS * PLAYERS, ROUND_CARDS)
    ]
    deals = tuple(
        tuple((*four, *rounds[(index + turned) % PLAYERS]) for index, four in enumerate(fours))
        for turned in range(PLAYERS)
    )
    return Choosing(Several(*_fields(seen), deals), fours, stock, seen.bidder, seen.bid)


def _fields(seen: Knowledge) -> tuple[TwentyEightRules, tuple[int, int], int, int]:
    return seen.rules, seen.totals, seen.no, seen.dealer


def _fours(
    seen: Knowledge, hand: tuple[Card, ...], hidden: Sequence[Card], pick: RandomBelow
) -> tuple[Hands, tuple[Card, ...]]:
    """Four cards for each seat, and the cards of the second round."""
    left = list(hidden)
    shuffle(left, pick)
    hands = [hand] * PLAYERS
    for seat in range(1, PLAYERS + 1):
        if seat != seen.seat:
            hands[seat - 1] = _drawn(left, DRAWS if seat in seen.free else 1)
    return tuple(hands), tuple(left)


def _drawn(left: list[Card], draws: int) -> tuple[Card, ...]:
    """The best four of several draws from the cards left; the others stay there."""
    drawn = [
        tuple(left[index : index + ROUND_CARDS])
        for index in range(0, ROUND_CARDS * draws, ROUND_CARDS)
    ]
    best = max(range(draws), key=lambda number: best_suit(drawn[number])[0]) if draws > 1 else 0
    del left[best * ROUND_CARDS : (best + 1) * ROUND_CARDS]
    return drawn[best]


def _playing(
    seen: Knowledge, turn: Turn, hand: tuple[Card, ...], hidden: list[Card], pick: RandomBelow
) -> Playing:
    held, trump, down = _held(seen, hidden, pick)
    if seen.bidder == seen.seat:
        trump, down = seen.trump, turn.down or ""
    elif pick(3) < STRONG:
        _strengthen(seen, held, trump, pick)
    held[seen.seat - 1] = list(hand)
    return Playing(
        seen.standing,
        seen.bidder,
        seen.bid,
        tuple(map(tuple, held)),
        trump,
        down,
        seen.seat,
        seen.leader,
        seen.trick,
        seen.plays,
        seen.shown_after,
        seen.caller,
        turn.act == "declare",
        seen.won,
    )


def _held(
    seen: Knowledge, hidden: list[Card], pick: RandomBelow
) -> tuple[list[list[Card]], str, Card]:
    """The hidden cards of the other seats, with the bidder's face-down card first if it is known;
    the trump suit; the trump card.
    """
    for _ in range(TRIES):
        left, known, trump, down = list(hidden), "", seen.trump, ""
        if seen.bidder != seen.seat and seen.hidden:
            trump, down = _trump(seen, hidden, pick)
        known = down or (seen.turned if seen.turned in hidden else "")
        if known:
            left.remove(known)
        sizes = _sizes(seen, known)
        found = dealt(left, sizes, seen.void, pick)
        if found is not None:
            break
    else:
        # The supposed voids are wrong: then any seat may hold any card.
        found = dealt(left, sizes, [set()] * PLAYERS, pick) or [[]] * PLAYERS
    if known:
        found[seen.bidder - 1].insert(0, known)
    return found, trump, down


def _sizes(seen: Knowledge, known: Card) -> list[int]:
    """The number of hidden cards for each seat; one of the bidder's cards is known."""
    return [
        0 if seat == seen.seat else size - (bool(known) and seat == seen.bidder)
        for seat, size in enumerate(seen.sizes, 1)
    ]


def _strengthen(seen: Knowledge, held: list[list[Card]], trump: str, pick: RandomBelow) -> None:
    """Swaps a card of the bidder for another seat's trump, if each seat may hold the card that it
    gets.
    """
    mine = held[seen.bidder - 1]
    if trump in seen.void[seen.bidder - 1]:
        return
    others = [(seat, card) for seat in range(PLAYERS) for card in held[seat]]
    trumps = [(s, c) for s, c in others if s != seen.bidder - 1 and suit_of(c) == trump]
    if not trumps:
        return
    order = seen.rules.order
    one, other = trumps[pick(len(trumps))], trumps[pick(len(trumps))]
    seat, card = max(one, other, key=lambda found: power(found[1], order))
    void = seen.void[seat]
    back = [c for c in mine if suit_of(c) != trump and suit_of(c) not in void]
    if back:
        given = back[pick(len(back))]
        mine[mine.index(given)] = card
        held[seat][held[seat].index(card)] = given


def _trump(seen: Knowledge, hidden: Sequence[Card], pick: RandomBelow) -> tuple[str, Card]:
    """A possible trump of the bidder, and a low card of it."""
    likely = [_likely(seen, suit, hidden) for suit in SUITS]
    found = pick(sum(likely)) if any(likely) else -1
    suit = SUITS[0]
    for index, weight in enumerate(likely):
        found -= weight
        if found < 0 < weight:
            suit = SUITS[index]
            break
    cards = [card for card in hidden if suit_of(card) == suit] or list(hidden)
    order = seen.rules.order
    one, other = cards[pick(len(cards))], cards[pick(len(cards))]
    down = min(one, other, key=lambda card: power(card, order))
    return suit_of(down), down


def _likely(seen: Knowledge, suit: str, hidden: Sequence[Card]) -> int:
    """The likelihood that a suit is the hidden trump."""
    weight = sum(LIKELY.get(card[0], 1) for card in hidden if suit_of(card) == suit)
    if suit in seen.led:
        return 0
    return weight if suit in seen.void[seen.bidder - 1] else weight * weight * 2


# ------------------------------------------------------------------- among those who may have it


def dealt(
    cards: Sequence[Card], sizes: Sequence[int], void: Sequence[set[str]], pick: RandomBelow
) -> list[list[Card]] | None:
    """Deals cards to each seat, respecting the voids; None if that failed.

    Cards that some seats cannot have are dealt first.
    """
    allowed = {
        suit: [seat for seat, size in enumerate(sizes) if size and suit not in void[seat]]
        for suit in SUITS
    }
    everybody = sum(size > 0 for size in sizes)
    left = list(sizes)
    held: list[list[Card]] = [[] for _ in sizes]
    free = [card for card in cards if len(allowed[card[1]]) >= everybody]
    bound = [card for card in cards if len(allowed[card[1]]) < everybody]
    for card in sorted(bound, key=lambda card: len(allowed[card[1]])):
        seat = _random_seat(allowed[card[1]], left, pick)
        if seat is None:
            return None
        held[seat].append(card)
        left[seat] -= 1
    shuffle(free, pick)
    for seat, size in enumerate(left):
        held[seat] += free[:size]
        del free[:size]
    return held


def _random_seat(seats: Sequence[int], left: Sequence[int], pick: RandomBelow) -> int | None:
    """A random seat, weighted by its missing cards; None if none is left."""
    room = sum(left[seat] for seat in seats)
    found = pick(room) if room else 0
    for seat in seats:
        found -= left[seat]
        if found < 0:
            return seat
    return None
