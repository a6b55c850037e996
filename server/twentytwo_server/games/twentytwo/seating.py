"""Seats: left and right of a seat, and the next seat in turn.

Seats are numbered in the order of play. In a clockwise game the seat on the left has the next
number, in a counterclockwise game the previous one.
"""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from .rules import TwentyTwoRules


def left_of(seat: int, among: Container[int], seats: int, rules: TwentyTwoRules) -> int:
    """The nearest of `among` on the left of a seat."""
    return _nearest(seat, 1 if rules.direction == "cw" else -1, among, seats)


def right_of(seat: int, among: Container[int], seats: int, rules: TwentyTwoRules) -> int:
    """The nearest of `among` on the right of a seat."""
    return _nearest(seat, -1 if rules.direction == "cw" else 1, among, seats)


def after(seat: int, among: Container[int], seats: int) -> int:
    """The nearest of `among` that acts after a seat."""
    return _nearest(seat, 1, among, seats)


def _nearest(seat: int, step: int, among: Container[int], seats: int) -> int:
    seat = (seat - 1 + step) % seats + 1
    while seat not in among:
        seat = (seat - 1 + step) % seats + 1
    return seat


@lru_cache(maxsize=1 << 12)
def circle(playing: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """For every seat the next playing seat in turn; index 0 is unused."""
    return (0, *(after(seat, playing, seats) for seat in range(1, seats + 1)))


def in_order(first: int, playing: tuple[int, ...]) -> tuple[int, ...]:
    """The playing seats in the order of play, from `first` on."""
    index = playing.index(first)
    return playing[index:] + playing[:index]
