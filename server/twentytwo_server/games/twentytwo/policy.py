"""The evaluation of hands for the bots of Twenty-Two and Twenty-Six, by ranks alone.

The worth of a play is the worth of the cards left after it, plus a little for taking the trick or
for the lead. To win a hand, end with a low card; to keep a low card, have high cards to play in its
place. So the middle cards go first, and the worth of a card depends on the number of cards left.
The parameters are fitted to playouts, which counted how often the hand was lost after every play.
They order plays, and have no unit. They are integers in millionths, so that sums are the same with
every version of Python.

`steady` plays by this policy. `hard` uses it for playouts, and assumes that other players prefer
plays that the policy rates higher.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from .following import covers, follows, reading
from .hands import JOKERS, ONE, Ranks, X, without

MOST = 16
"""Maximum number of plays that are evaluated."""
MILLION = 1_000_000

MIDDLING = range(3, 10)
"""The ranks to exchange: five to jack."""
MIDDLING_OF_FEW = {
    1: range(6, JOKERS + 1),
    2: range(6, 12),
    3: range(5, 12),
    4: range(4, 11),
    5: range(4, 11),
}
"""The ranks to exchange from a small hand, where low cards are soon forced out and face cards are
useless.
"""


class Fitted(NamedTuple):
    """The fitted parameters for a number of remaining cards, in millionths.

    `cards` has the worth of each rank. `lowest`, `second` and `highest` are multiplied by the ranks
    of these cards of the hand. A covering play adds `take`, `top` times the rank of its highest
    card, and `keep` times the rank of the lowest card left. Each of these is a pair: with players
    still to come in the trick, and without. A lead adds `lead` times its rank, and `many` for each
    further card.
    """

    cards: tuple[int, ...]
    lowest: int
    second: int
    highest: int
    take: tuple[int, int]
    top: tuple[int, int]
    keep: tuple[int, int]
    lead: int
    many: int

    def sum_of(self, held: Ranks) -> int:
        """The sum of the cards' worths."""
        cards = self.cards
        return sum([cards[rank] for rank in held])

    def ends(self, left: Ranks) -> int:
        """The terms for the lowest, second and highest card."""
        if len(left) == 1:
            return self.lowest * left[0]
        return self.lowest * left[0] + self.second * left[1] + self.highest * left[-1]

    def less(self, every: int, held: Ranks, end: int, index: int, n: int) -> int:
        """The worth of `held[:end]` without `n` equal cards. `every` is the sum of the cards'
        worths.
        """
        worth = every - n * self.cards[held[index]] + self.lowest * held[0 if index else n]
        if end - n > 1:
            worth += self.second * held[1 if index > 1 else n + 1]
            worth += self.highest * held[end - 1 if index + n < end else index - 1]
        return worth


# One row for each number of cards left; the last row is for all higher numbers. The first column is
# the average worth of the cards left, and then come the parameters. Parameters per rank are for ten
# ranks.
TABLE = """
    2     3     4     5     6     7     8     9     T     J     Q     K     A     X
 0.74  0.77  0.70  0.56  0.49  0.34  0.10 -0.15 -0.51 -0.47 -0.71 -0.87 -1.09 -1.30
 0.86  1.04  0.83  0.61  0.22 -0.13 -0.66 -0.74 -1.07 -1.01 -0.59 -0.06  0.84 -1.30
 1.55  1.70  1.41  1.05  0.42 -0.42 -0.78 -1.25 -1.44 -1.06 -0.47  0.24  1.51 -2.00
 2.02  2.09  1.60  1.05  0.10 -1.05 -1.66 -2.03 -2.00 -1.62 -1.11 -0.11  1.76 -2.60
 2.18  2.13  1.63  0.83 -0.36 -1.44 -1.81 -1.85 -1.86 -1.49 -0.73  0.44  2.46 -2.60
 2.06  2.10  1.29  0.41 -0.90 -1.68 -2.06 -2.13 -1.97 -1.67 -0.73  0.72  2.79 -2.60
 2.01  1.87  1.08  0.32 -1.01 -1.67 -2.01 -1.93 -1.52 -1.26 -0.24  1.00  3.02 -2.60
 1.76  1.47  0.80 -0.11 -1.33 -1.77 -1.92 -1.62 -1.05 -0.88  0.07  1.05  2.75 -2.60
 1.98  1.81  0.87 -0.70 -1.49 -1.85 -1.63 -1.22 -0.74 -0.34  0.40  1.20  2.24 -2.60
 0.44  0.33 -0.05 -0.22 -0.20 -0.36 -0.24 -0.18 -0.09 -0.03  0.17  0.42  0.63 -0.40

lowest second highest  take  last   top  last  keep  last  lead  many
 -2.48  0.00   0.00    0.63  1.57  0.88 -0.50 -0.77 -0.28  2.11  0.98
 -3.69  0.08   0.08   -0.40  1.47  1.53 -0.20 -0.19  0.05  1.84  0.90
 -3.46  0.60  -0.42   -0.64  1.22  0.79 -0.50  0.75  0.64  1.21  0.69
 -3.37  0.97   0.07   -0.44  1.10  0.41 -0.66  0.91  0.71  0.90  0.35
 -3.24  0.93   0.07   -0.27  1.18  0.19 -0.91  0.89  1.21  0.77  0.24
 -3.01  1.01   0.22   -0.15  1.00  0.09 -0.81  0.89  1.10  0.67  0.22
 -2.89  0.92   0.27    0.03  1.16 -0.09 -1.06  0.72  1.08  0.59  0.15
 -2.36  0.86   0.41    0.24  1.29 -0.25 -1.18  0.39  0.67  0.46  0.22
 -1.97  0.79   0.69    0.48  1.13 -0.48 -1.04  0.37  0.59  0.16  0.03
 -0.86 -0.33   1.23    0.60  0.72 -0.50 -0.77  0.09  0.08  0.11  0.00
"""


def _rows(table: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, line.split())) for line in table.strip().splitlines()[1:]]


_WORTHS, _OTHERS = map(_rows, TABLE.split("\n\n"))


def _fitted(left: int) -> Fitted:
    row = min(left, len(_WORTHS)) - 1
    cards = tuple(round(MILLION * worth / left) for worth in _WORTHS[row])
    one, ten = [[round(MILLION * each / of) for each in _OTHERS[row]] for of in (1, 10)]
    lowest, second, highest, _, _, top, top_last, keep, keep_last, lead, _ = ten
    _, _, _, take, take_last, *_, many = one
    return Fitted(
        cards,
        lowest,
        second,
        highest,
        (take, take_last),
        (top, top_last),
        (keep, keep_last),
        lead,
        many,
    )


FITTED = [_fitted(left or 1) for left in range(4 * JOKERS)]
"""The parameters by the number of cards left."""


# ---------------------------------------------------------------------------- exchanging


def middling(cards: int) -> range:
    """The ranks to exchange from a hand of this size."""
    return MIDDLING_OF_FEW.get(cards, MIDDLING)


@lru_cache(maxsize=1 << 14)
def thrown(held: Ranks, stock: int) -> Ranks:
    """The cards to exchange: the middle ranks, from the middle outwards."""
    among = middling(len(held))
    twice = among.start + among.stop - 1
    found = sorted((r for r in held if r in among), key=lambda rank: abs(2 * rank - twice))
    return bytes(found[:stock])


# ----------------------------------------------------------------------------- following


@lru_cache(maxsize=1 << 17)
def choose(held: Ranks, bar: Ranks, must: bool, last: bool) -> Ranks:
    """The play to a trick: the best of the first legal plays.

    `must` is as in `follows`; `last`: nobody plays after it.
    """
    if len(bar) == 1:
        return _choose_one(held, bar[0], must, last)
    fitted = FITTED[len(held) - len(bar)]
    taking, top, keeping = fitted.take[last], fitted.top[last], fitted.keep[last]
    cards, every = fitted.cards, fitted.sum_of(held)
    best, most = b"", -1000 * MILLION
    for play in islice(follows(held, bar, must), MOST):
        left = without(held, play)
        worth = every + fitted.ends(left)
        for rank in play:
            worth -= cards[rank]
        counts_as = reading(play) if play[0] == JOKERS else play
        if best or covers(counts_as, bar):  # only the first may fail to cover
            worth += taking + top * counts_as[0] + keeping * left[0]
        if worth > most:
            best, most = play, worth
    return best


def _choose_one(held: Ranks, bar: int, must: bool, last: bool) -> Ranks:
    """`choose` for a single card, the most common case."""
    size = len(held)
    ordinary = bisect_left(held, JOKERS)  # a joker alone is illegal while the hand has other cards
    if not ordinary or held[ordinary - 1] < bar:
        return held[:1]
    fitted = FITTED[size - 1]
    taking, top, keeping = fitted.take[last], fitted.top[last], fitted.keep[last]
    every = fitted.sum_of(held)
    start = bisect_left(held, bar)
    best, most = held[0], -1000 * MILLION
    if start and not must:
        most = fitted.less(every, held, size, 0, 1)
    # Of equal cards any will do. The remaining hands differ only in their lowest and highest cards.
    for index in range(start, ordinary):
        rank = held[index]
        worth = fitted.less(every, held, size, index, 1) + taking + top * rank
        worth += keeping * held[0 if index else 1]
        if worth > most:
            best, most = rank, worth
    return ONE[best]


def worth_following(held: Ranks, bar: Ranks, play: Ranks, last: bool) -> int:
    """The worth of a hand after a play to a trick; `last` as in `choose`."""
    left = without(held, play)
    counts_as = reading(play)
    if not covers(counts_as, bar):
        return left_over(left)
    fitted = FITTED[len(left)]
    taking = fitted.take[last] + fitted.top[last] * counts_as[0]
    return left_over(left) + taking + fitted.keep[last] * left[0]


# ------------------------------------------------------------------------------- leading


@lru_cache(maxsize=1 << 16)
def choose_lead(held: Ranks) -> Ranks:
    """The lead: one card of a rank or all of them, in Twenty-Six also with jokers."""
    size, jokers = len(held), held.count(JOKERS)
    if jokers == size:
        return X * (size - 1)
    best, most, index = b"", -1000 * MILLION, 0
    sums: dict[tuple[int, int], int] = {}
    while index < size - jokers:
        rank = held[index]
        equal = held.count(rank)
        for used in range(jokers + 1):
            end = size - used
            for n in range(1, min(equal, end - 1) + 1):
                fitted = FITTED[end - n]
                every = sums.get((used, n))
                if every is None:
                    every = sums[used, n] = fitted.sum_of(held[:end])
                worth = fitted.less(every, held, end, index, n)
                worth += fitted.lead * rank + fitted.many * (used + n - 1)
                if worth > most:
                    best, most = X * used + ONE[rank] * n, worth
        index += equal
    return best


def worth_leading(held: Ranks, play: Ranks) -> int:
    """The worth of a hand after a lead."""
    left = without(held, play)
    fitted = FITTED[len(left)]
    return left_over(left) + fitted.lead * play[-1] + fitted.many * (len(play) - 1)


# ------------------------------------------------------------------------- what is left


def left_over(left: Ranks) -> int:
    """The worth of the remaining cards."""
    fitted = FITTED[len(left)]
    return fitted.sum_of(left) + fitted.ends(left)
