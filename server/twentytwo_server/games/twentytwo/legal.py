"""The legal moves of the seat on turn: plays to a trick, and exchanges. They are lazy; see
`game.Moves`.

A deed is checked in this order: are the cards held, is their number right, does a rule forbid it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, groupby
from operator import sub
from typing import ClassVar

from twentytwo_protocol.cards import RANKS, Card
from twentytwo_protocol.games.twentytwo import Exchange, Keep
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Play

from ..chance import RandomBelow
from ..game import Further, Illegal, JudgedMoves, wrong_act
from . import following, leading, refusals
from .hands import LETTERS, ONE, RANK_OF, Cards, Ranks, letters, ranks, tokens
from .naming import Named, held_cards, missing, named, read
from .rules import TwentyTwoRules


@lru_cache(maxsize=1 << 14)
def play_of(of: Ranks) -> Play:
    """The deed that plays these ranks."""
    return Play(letters(of))


@lru_cache(maxsize=1 << 14)
def token_of(of: Ranks) -> str:
    """The token of the deed that plays these ranks."""
    return play_of(of).token


PLAY_OF_ONE = {of: play_of(of) for of in ONE}
ONE_RANK: dict[tuple[str, ...], int] = {(letter,): rank for rank, letter in enumerate(RANKS)}
"""The rank byte of a deed that names one ordinary card by its rank."""


class Plays(Value, JudgedMoves):
    """The legal plays of a hand: leads if `bar` is empty, else plays to the trick.

    `cards` is the hand. `bar` has the ranks to equal or beat, descending, after `reading`.
    """

    cards: Cards
    bar: Ranks
    rules: TwentyTwoRules
    act: ClassVar[str] = "play"
    also: ClassVar[Further] = {}

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards held, ascending."""
        return tokens(self.cards)

    @property
    def beat(self) -> tuple[Card, ...] | None:
        """The ranks to equal or beat; None for a lead."""
        return letters(self.bar) or None

    @property
    def low(self) -> tuple[Card, ...] | None:
        """The lowest play, if it is legal; None for a lead."""
        held, bar = self.cards.translate(RANK_OF), self.bar
        must = self.rules.heading == "mandatory"
        if not bar or (must and not following.may_throw_lowest(held, bar, must)):
            return None
        return letters(following.lowest(held, len(bar)))

    @property
    def default(self) -> Play:
        """The lowest card for a lead; else the lowest play, or the cheapest covering play."""
        return next(iter(self))

    def _ranks(self) -> Iterator[Ranks]:
        held, bar, rules = self.cards.translate(RANK_OF), self.bar, self.rules
        if not bar:
            return leading.leads(self.cards, rules)
        return following.follows(held, bar, rules.heading == "mandatory")

    def __iter__(self) -> Iterator[Play]:
        return map(play_of, self._ranks())

    def tokens(self) -> Iterator[str]:
        """The tokens of the plays."""
        return map(token_of, self._ranks())

    def __len__(self) -> int:
        held, bar, rules = self.cards.translate(RANK_OF), self.bar, self.rules
        if not bar:
            return leading.count(self.cards, rules)
        return following.count(held, bar, rules.heading == "mandatory")

    def any(self, pick: RandomBelow) -> Play:
        """A random legal play; all are equally likely."""
        held, bar, rules = self.cards.translate(RANK_OF), self.bar, self.rules
        if bar:
            play = following.any_follow(held, bar, rules.heading == "mandatory", pick)
        else:
            play = leading.any_lead(self.cards, held, rules, pick)
        return PLAY_OF_ONE.get(play) or play_of(play)

    def judged(self, deed: Deed) -> Cards | Illegal:
        """The cards that the deed plays, highest first, or an `Illegal`."""
        return judged_play(deed, self.cards, self.bar, self.rules)


def judged_play(deed: Deed, hand: Cards, bar: Ranks, rules: TwentyTwoRules) -> Cards | Illegal:
    """The cards that the deed plays from the hand, highest first, or an `Illegal`."""
    if not isinstance(deed, Play):
        return wrong_act("play")
    rank = ONE_RANK.get(deed.cards)
    if rank is not None and len(bar) < 2:
        # Fast path: most plays are a single card named by its rank.
        index = bisect_left(hand, rank << 2)
        card = hand[index : index + 1]
        if card and card[0] >> 2 == rank:
            if rank >= bar[0] if bar else len(hand) > 1:
                return card
            if bar and not index and rules.heading != "mandatory":
                return card
    by, held = named(deed.cards), hand.translate(RANK_OF)
    cards = held_cards(hand, held, by)
    if cards is None:
        return refusals.not_held(missing(hand, by), hand)
    if not bar:
        return _judged_lead(by, cards, hand, held, rules)
    play = by.ranks
    reason = following.fault(held, bar, play, rules.heading == "mandatory")
    if reason:
        return refusals.follow(reason, held, bar, play, rules)
    return _as_claimed(by, cards) if by.claims else cards


def _judged_lead(
    by: Named, cards: Cards, hand: Cards, held: Ranks, rules: TwentyTwoRules
) -> Cards | Illegal:
    reason = leading.fault(held, by.ranks, rules)
    if not reason and rules.straight_suited == "yes" and leading.is_run(by.ranks):
        straight = leading.one_suit(hand, by.ranks, by.whole)
        if straight is not None:
            return straight
        reason = "SAME_RANK"
    if reason:
        return refusals.lead(reason, hand, by.ranks, rules, by.claims)
    return _as_claimed(by, cards) if by.claims else cards


def _as_claimed(by: Named, cards: Cards) -> Cards | Illegal:
    if by.claims != {following.reading(by.ranks)[0]}:
        return refusals.joker_rank(by.ranks)
    return cards


class Exchanges(Value, JudgedMoves):
    """The legal exchanges of a hand: 0 to `max` of its `cards`."""

    cards: Cards
    max: int
    act: ClassVar[str] = "exchange"
    subset: ClassVar[bool] = True
    beat: ClassVar[None] = None
    low: ClassVar[None] = None

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards held, ascending."""
        return tokens(self.cards)

    @property
    def default(self) -> Exchange:
        """Keeping all cards."""
        return Exchange(())

    def __iter__(self) -> Iterator[Exchange]:
        equal = _equal(ranks(self.cards))
        for size in range(self.max + 1):
            for chosen in _of_size(equal, size):
                yield Exchange(letters(chosen))

    def __len__(self) -> int:
        return _ways(tuple(map(len, _equal(ranks(self.cards)))), self.max)[0][-1]

    def any(self, pick: RandomBelow) -> Exchange:
        """A random exchange; all are equally likely."""
        held, most = ranks(self.cards).translate(LETTERS).decode(), self.max
        kinds = dict.fromkeys(held)
        if 2 * most < len(held):
            equal = [(letter, held.count(letter)) for letter in kinds]
            return Exchange(_any_few(equal, most, pick))
        while True:
            chosen = ""
            for letter in kinds:
                chosen += letter * pick(held.count(letter) + 1)
            if len(chosen) <= most:
                return Exchange(tuple(chosen))

    def judged(self, deed: Deed) -> Cards | Illegal:
        """The cards that the deed exchanges, ascending, or an `Illegal`."""
        if not isinstance(deed, Exchange):
            return b"" if isinstance(deed, Keep) else wrong_act(self.act)
        by = read(deed.cards)
        cards = held_cards(self.cards, ranks(self.cards), by)
        if cards is None or by.claims:
            word = missing(self.cards, by) or next(w for w in deed.cards if len(w) > 1)
            return refusals.not_held(word, self.cards)
        if len(cards) > self.max:
            return refusals.too_many(len(cards), self.max)
        return cards[::-1]


def _equal(held: Ranks) -> tuple[Ranks, ...]:
    """The ranks of a hand, grouped by equality, ascending."""
    return tuple(bytes(group) for _, group in groupby(held))


def _of_size(equal: tuple[Ranks, ...], size: int) -> Iterator[Ranks]:
    """Yields every choice of `size` ranks, ascending."""
    if not equal:
        if not size:
            yield b""
        return
    cards, *rest = equal
    for n in range(min(len(cards), size), -1, -1):
        for others in _of_size(tuple(rest), size - n):
            yield cards[:n] + others


@lru_cache(maxsize=1 << 10)
def _ways(sizes: tuple[int, ...], most: int) -> list[list[int]]:
    """The numbers of choices from groups of equal cards, by first group and maximum size."""
    rows = [[1] * (most + 1)]
    for size in reversed(sizes):
        # Each number is the sum of the last `size + 1` numbers of the row for the other groups.
        rows.append([*accumulate(map(sub, rows[-1], [0] * (size + 1) + rows[-1]))])
    return rows[::-1]


def _any_few(equal: list[tuple[str, int]], most: int, pick: RandomBelow) -> tuple[str, ...]:
    """A random choice of at most `most` of these cards; all choices are equally likely."""
    ways, left, chosen = _ways(tuple([count for _, count in equal]), most), most, ""
    for (letter, _), these, others in zip(equal, ways, ways[1:], strict=False):
        which = pick(these[left])
        while which >= others[left]:
            which, left, chosen = which - others[left], left - 1, chosen + letter
    return tuple(chosen)
