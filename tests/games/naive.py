"""The rules of a trick once more, by trying everything out: slow, and hard to get wrong."""

from __future__ import annotations

from itertools import combinations, permutations, product

ACE, JOKER = 12, 13
Ranks = tuple[int, ...]


def plays(hand: Ranks, count: int) -> set[Ranks]:
    """Every choice of so many cards, as ranks descending."""
    return {tuple(sorted(cards, reverse=True)) for cards in combinations(hand, count)}


def readings(play: Ranks) -> set[Ranks]:
    """All that a play can count as: each joker takes the rank of some card beside it."""
    ordinary = [rank for rank in play if rank != JOKER]
    jokers = len(play) - len(ordinary)
    taken = product(set(ordinary) or {ACE}, repeat=jokers)
    return {tuple(sorted([*ordinary, *ranks], reverse=True)) for ranks in taken}


def covers(play: Ranks, bar: Ranks) -> bool:
    """Whether the cards can be paired off so that each is at least its partner."""
    return any(
        all(mine >= other for mine, other in zip(order, bar, strict=True))
        for reading in readings(play)
        for order in permutations(reading)
    )


def allowed(hand: Ranks, play: Ranks) -> bool:
    """Whether no joker goes alone though an ordinary card is held."""
    return set(play) != {JOKER} or set(hand) == {JOKER}


def lowest(hand: Ranks, count: int) -> Ranks:
    """The lowest cards, a joker being the highest."""
    return tuple(sorted(sorted(hand)[:count], reverse=True))


def follows(hand: Ranks, bar: Ranks, must_beat: bool) -> set[Ranks]:
    """The legal plays on a bar."""
    covering = {play for play in plays(hand, len(bar)) if allowed(hand, play) and covers(play, bar)}
    if must_beat and covering:
        return covering
    return covering | {lowest(hand, len(bar))}


def leads(hand: Ranks, straight_min: int = 0) -> set[Ranks]:
    """The legal leads; straights of so many cards or more, 0 for none."""
    every = {play for count in range(1, len(hand)) for play in plays(hand, count)}
    sets = {play for play in every if allowed(hand, play) and len({*play} - {JOKER}) <= 1}
    runs = {
        play
        for play in every
        if straight_min and len(play) >= straight_min and JOKER not in play
        and list(play) == list(range(play[0], play[0] - len(play), -1))
    }  # fmt: skip
    return sets | runs
