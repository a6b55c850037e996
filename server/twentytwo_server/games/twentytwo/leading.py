"""Leading: cards of one rank, or a straight if the option is on; one card must stay in the hand.

Jokers may join a set of equal cards (twentysix) but never a straight. A straight is a run of
different ranks, aces high (tvtropes). Ranks are as in `following`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from twentytwo_protocol.cards import SUITS

from ..chance import RandomBelow
from .following import joker_alone
from .hands import JOKERS, ONE, Cards, Ranks, X, ranks
from .rules import TwentyTwoRules


def fault(held: Ranks, play: Ranks, rules: TwentyTwoRules) -> str:
    """The reason against a lead of held cards, as in the protocol; empty if it is legal.

    It does not check the suits of a straight: see `one_suit`.
    """
    if not play:
        return "EMPTY"
    if len(play) >= len(held):
        return "KEEP_ONE"  # pagat: even if all the remaining cards are equal
    if play[0] == JOKERS and joker_alone(held, play):
        return "JOKER_ALONE"
    if play.count(play[0]) == len(play) or is_set(play):
        return ""
    return _straight_fault(play, rules)


def is_set(play: Ranks) -> bool:
    """True if the play's ordinary cards have one rank."""
    return play[play.count(JOKERS) :].count(play[-1]) == len(play) - play.count(JOKERS)


def is_run(play: Ranks) -> bool:
    """True if the play has two or more consecutive ranks, without jokers."""
    return (
        len(play) > 1
        and JOKERS not in play
        and all(high == low + 1 for high, low in pairwise(play))
    )


def _straight_fault(play: Ranks, rules: TwentyTwoRules) -> str:
    if rules.straights == "off" or not is_run(play):
        return "SAME_RANK"
    if len(play) < rules.straight_min:
        return "STRAIGHT_TOO_SHORT"
    if 0 < rules.straight_max < len(play):
        return "STRAIGHT_TOO_LONG"
    return ""


# ------------------------------------------------------------------------- the legal leads


def leads(hand: Cards, rules: TwentyTwoRules) -> Iterator[Ranks]:
    """Yields every legal lead once, the lowest card first, leads with jokers last."""
    held = ranks(hand)
    if held[-1] == JOKERS or rules.straights == "on":
        return _leads_of_all_kinds(hand, held, rules)
    return iter([_set(held, last) for last in range(_sets(held))])


def _leads_of_all_kinds(hand: Cards, held: Ranks, rules: TwentyTwoRules) -> Iterator[Ranks]:
    jokers = held.count(JOKERS)
    most = len(held) - 1
    if jokers == len(held):
        yield from (X * n for n in range(1, most + 1))
        return
    distinct = sorted(set(held) - {JOKERS})
    for rank in distinct:
        one = ONE[rank]
        yield one
        if rules.straights == "on":
            yield from straights(hand, rank, rules)
        for n in range(2, min(held.count(rank), most) + 1):
            yield one * n
    for used in range(1, jokers + 1):
        for rank in distinct:
            for n in range(1, min(held.count(rank), most - used) + 1):
                yield X * used + ONE[rank] * n


def straights(hand: Cards, top: int, rules: TwentyTwoRules) -> Iterator[Ranks]:
    """Yields the legal straights from the rank `top` down, the shortest first."""
    longest = min(rules.straight_max or len(hand), len(hand) - 1)
    suits = range(len(SUITS)) if rules.straight_suited == "yes" else ()
    chains = [{card >> 2 for card in hand if card & 3 == suit} for suit in suits]
    length = max(_chain(chain, top) for chain in chains or [set(ranks(hand))])
    for n in range(rules.straight_min, min(length, longest) + 1):
        yield bytes(range(top - n + 1, top + 1))[::-1]


def _chain(held: set[int], top: int) -> int:
    length = 0
    while top - length in held:
        length += 1
    return length


def one_suit(hand: Cards, play: Ranks, whole: Cards) -> Cards | None:
    """The cards of a straight in one suit, including those in `whole`, or None."""
    for suit in range(len(SUITS)):
        cards = bytes([rank << 2 | suit for rank in play])
        if all(card in hand for card in cards) and all(card in cards for card in whole):
            return cards
    return None


def count(hand: Cards, rules: TwentyTwoRules) -> int:
    """Number of legal leads."""
    held = ranks(hand)
    if held[-1] == JOKERS or rules.straights == "on":
        return sum(1 for _ in leads(hand, rules))
    return _sets(held)


def any_lead(hand: Cards, held: Ranks, rules: TwentyTwoRules, pick: RandomBelow) -> Ranks:
    """A random legal lead; all are equally likely. `held` are the ranks of the hand."""
    if held[-1] == JOKERS or rules.straights == "on":
        every = list(leads(hand, rules))
        return every[pick(len(every))]
    return _set(held, pick(_sets(held)))


def _set(held: Ranks, last: int) -> Ranks:
    """The set of which the card at an index is the last."""
    return held[held.find(held[last]) : last + 1]


def _sets(held: Ranks) -> int:
    # Every card is the last of one set, which consists of it and the equal cards before it. If all
    # cards are equal, the largest set is the whole hand, of which one card must stay.
    return len(held) - (held[0] == held[-1])
