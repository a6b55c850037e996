"""Following: the legal plays to a trick. Pure functions of ranks, without suits and seats.

A legal play equals or beats the bar, card for card, or is the lowest play. Two plays of equal
length are compared by their sorted ranks. If the cards of one can be paired with those of the other
so that each is at least its partner, then the sorted lists can be paired index by index. So a play
covers a bar if and only if it does so at each index, and no search is needed.

A joker takes the rank of an ordinary card played with it; the highest such rank is always the best.
A hand is ascending, a play descending (see `hands`); jokers come last in a hand and first in a
play.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from ..chance import RandomBelow
from .hands import ACE, JOKERS, ONE, Ranks, X


def reading(play: Ranks) -> Ranks:
    """The ranks of a play, with its jokers replaced by ordinary ranks."""
    if play[0] != JOKERS:
        return play
    count = play.count(JOKERS)
    if count == len(play):
        # twentysix: jokers from a hand of only jokers rank as aces
        return bytes([ACE]) * count
    return play[count : count + 1] * count + play[count:]


def covers(play: Ranks, bar: Ranks) -> bool:
    """True if a play, after `reading`, equals or beats a bar of the same length."""
    return play >= bar and (len(bar) == 1 or covers(play[1:], bar[1:]))


def lowest(held: Ranks, count: int) -> Ranks:
    """The lowest play of `count` cards; it has jokers only if there are too few ordinary cards."""
    return held[:count][::-1]


def can_cover(held: Ranks, bar: Ranks) -> bool:
    """True if some play of the hand covers the bar, which is the case if its highest cards do."""
    if held[-1] != JOKERS:
        return covers(held[::-1], bar)
    ordinary = held.rstrip(X)
    if not ordinary:
        return True  # all cards are jokers, which rank as aces
    used = min(len(held) - len(ordinary), len(bar) - 1)
    return covers(ordinary[::-1], beside(bar, used))


def beside(bar: Ranks, jokers: int) -> Ranks:
    """The bar for the ordinary cards of a play with this number of jokers.

    The jokers rank as its highest ordinary card. So they cover their places if that card covers the
    first.
    """
    return bar[:1] + bar[jokers + 1 :]


def fault(held: Ranks, bar: Ranks, play: Ranks, must_beat: bool) -> str:
    """The reason against a play of held cards, as in the protocol; empty if it is legal.

    `must_beat`: a player who can cover the bar must do so (rasmussen, tvtropes), otherwise may
    (pagat).
    """
    if len(play) != len(bar):
        return "WRONG_COUNT"
    if play[0] == JOKERS and joker_alone(held, play):
        return "JOKER_ALONE"
    if play >= bar if len(bar) == 1 else covers(reading(play), bar):
        return ""
    if play == lowest(held, len(bar)):
        return "MUST_BEAT" if must_beat and can_cover(held, bar) else ""
    return "BEAT_OR_LOWEST"


def joker_alone(held: Ranks, play: Ranks) -> bool:
    """True if a play has only jokers although the hand has an ordinary card."""
    # twentysix: allowed if the hand has only jokers
    return play[-1] == JOKERS and held[0] != JOKERS


def may_throw_lowest(held: Ranks, bar: Ranks, must_beat: bool) -> bool:
    """True if the lowest play is legal."""
    return not must_beat or covers(reading(lowest(held, len(bar))), bar) or not can_cover(held, bar)


# ------------------------------------------------------------------------- the legal plays


def follows(held: Ranks, bar: Ranks, must_beat: bool) -> Iterator[Ranks]:
    """Yields every legal play once, the lowest cards first."""
    # A bar of one card and a hand without jokers is the most common and simplest case.
    if len(bar) == 1 and held[-1] != JOKERS:
        covering = _covering_singles(held, bar)
        if held[0] >= bar[0] or (must_beat and covering):
            return iter(covering)
        return iter([held[:1], *covering])
    return _follows_many(held, bar, must_beat)


def _covering_singles(held: Ranks, bar: Ranks) -> list[Ranks]:
    return [*map(ONE.__getitem__, dict.fromkeys(held[bisect_left(held, bar[0]) :]))]


def _follows_many(held: Ranks, bar: Ranks, must_beat: bool) -> Iterator[Ranks]:
    low = lowest(held, len(bar))
    if may_throw_lowest(held, bar, must_beat):
        yield low
    for play in covering(held, bar):
        if play != low:
            yield play


def covering(held: Ranks, bar: Ranks) -> Iterator[Ranks]:
    """Yields every play that covers the bar once, the cheapest first, plays with jokers last."""
    ordinary = held.rstrip(X)
    jokers = len(held) - len(ordinary)
    if not ordinary:
        yield X * len(bar)
        return
    for used in range(min(jokers, len(bar) - 1) + 1):
        for cards in _dominating(ordinary, beside(bar, used)):
            yield X * used + cards


def _dominating(held: Ranks, bar: Ranks) -> Iterable[Ranks]:
    return _covering_singles(held, bar) if len(bar) == 1 else _dominating_many(held, bar)


def _dominating_many(held: Ranks, bar: Ranks) -> Iterator[Ranks]:
    # The first index from which the cards below cover the rest of the bar.
    first = max([bisect_left(held, rank) + below for below, rank in enumerate(bar)])
    for index in range(first, len(held)):
        top = ONE[held[index]]
        if held[index + 1 : index + 2] != top:  # only the last of equal cards
            for rest in _dominating(held[:index], bar[1:]):
                yield top + rest


def count(held: Ranks, bar: Ranks, must_beat: bool) -> int:
    """Number of legal plays, computed without listing them."""
    if len(bar) == 1 and held[-1] != JOKERS:
        return len([*follows(held, bar, must_beat)])
    return covering_count(held, bar) + _may_throw_less(held, bar, must_beat)


def _may_throw_less(held: Ranks, bar: Ranks, must_beat: bool) -> bool:
    """True if the lowest play is legal although it does not cover the bar."""
    low = reading(lowest(held, len(bar)))
    return not covers(low, bar) and not (must_beat and can_cover(held, bar))


def covering_count(held: Ranks, bar: Ranks) -> int:
    """Number of plays that cover the bar."""
    ordinary = held.rstrip(X)
    jokers = len(held) - len(ordinary)
    if not ordinary:
        return 1
    most = min(jokers, len(bar) - 1)
    return sum(_ways(ordinary, beside(bar, used))[0][-1] for used in range(most + 1))


def _ways(held: Ranks, bar: Ranks) -> list[list[int]]:
    """The number of ways in which a hand's lowest cards cover the lower part of the bar.

    The first index is the start of that part, the second the number of cards. The empty part
    is covered in one way by every hand.
    """
    others = [1] * (len(held) + 1)
    rows = [others]
    for needed in reversed(bar):
        first = bisect_left(held, needed)
        row, before, below, last = [0] * (first + 1), 0, 0, -1
        for index in range(first, len(held)):
            if held[index] != last:
                below, last = before, held[index]
            # With this card on top, or a lower one; the last of equal cards stands for all.
            before = below + others[index]
            row.append(before)
        rows.append(row)
        others = row
    return rows[::-1]


def any_follow(held: Ranks, bar: Ranks, must_beat: bool, pick: RandomBelow) -> Ranks:
    """A random legal play; all are equally likely."""
    if len(bar) > 1 or held[-1] == JOKERS:
        return _any_of_many(held, bar, must_beat, pick)
    least = bisect_left(held, bar[0])
    first = least
    if least and (least == len(held) or not must_beat):
        first -= 1  # the index before the covering cards stands for the lowest card
    while True:
        index = first + pick(len(held) - first)
        if index < least:
            return ONE[held[0]]
        # Only the first of equal cards counts.
        if index == least or held[index] != held[index - 1]:
            return ONE[held[index]]


def _any_of_many(held: Ranks, bar: Ranks, must_beat: bool, pick: RandomBelow) -> Ranks:
    low = lowest(held, len(bar))
    if not can_cover(held, bar):
        return low
    ordinary = held.rstrip(X)
    jokers = len(held) - len(ordinary)
    if not ordinary:
        return X * len(bar)
    ways = [_ways(ordinary, bar)]
    while len(ways) <= jokers and len(ways) < len(bar):
        ways.append(_ways(ordinary, beside(bar, len(ways))))
    less = not must_beat and not covers(reading(low), bar)
    which = pick(sum([rows[0][-1] for rows in ways]) + less) - less
    if which < 0:
        return low
    for used, rows in enumerate(ways):
        if which < rows[0][-1]:
            return X * used + _dominating_at(which, ordinary, rows)
        which -= rows[0][-1]
    raise AssertionError("there are as many plays as were counted")


def _dominating_at(which: int, held: Ranks, ways: list[list[int]]) -> Ranks:
    """The play number `which` in the order of `covering`, without jokers; see `_ways`."""
    play, end = b"", len(held)
    for row in ways[:-1]:
        top = held[bisect_right(row, which, 0, end + 1) - 1]
        which -= row[bisect_left(held, top)]
        end = bisect_right(held, top, 0, end) - 1
        play += ONE[top]
    return play
