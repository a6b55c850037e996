"""Where the players sit around a table of so many columns and rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil


class Edge(Enum):
    """The edge of the table at which somebody sits."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Place:
    """A box of `width` columns and so many rows at an edge; `x` and `y` are its upper left."""

    edge: Edge
    x: int
    y: int
    width: int
    height: int


WIDEST, NARROWEST = 22, 13
"""Columns of the box of a player."""
MIDDLE = 16
"""Columns that are left for the trick between those at the left and the right."""


def places(
    played: Sequence[int], width: int, height: int, rows: int, deep: int
) -> list[Place] | None:
    """The places of the others, clockwise from the viewer's left, in boxes of so many rows.

    `played` is how many columns the cards need that each has played; they lie before them, in
    `deep` rows.

    None where they do not fit around a table: then they have to be listed.
    """
    count = len(played)
    if count == 0:
        return []
    for side in _sides(count):
        top = count - 2 * side
        middle = max((0, *played[:side])) + max((0, *played[count - side :])) + 4
        beside = (width - max(MIDDLE, middle)) // 2 if side else width
        box = min(WIDEST, beside, width // top if top else width)
        below = rows + deep if top else 0
        room = height - below - deep - 1
        if box < NARROWEST or side * rows > room or room < 0:
            continue
        gap = (width - top * box) // (top + 1)
        if top > 1 and max(played[side : side + top]) > box + gap - 1:
            continue
        left = _spread(side, below, height - deep - 1, rows)
        return [
            *(Place(Edge.LEFT, 0, y, box, rows) for y in reversed(left)),
            *(Place(Edge.TOP, gap + at * (box + gap), 0, box, rows) for at in range(top)),
            *(Place(Edge.RIGHT, width - box - 1, y, box, rows) for y in left),
        ]
    return None


def _sides(count: int) -> list[int]:
    """How many may sit at each side, the most pleasing first."""
    if count < 3:
        return [count // 2, 0]
    best = max(1, ceil((count - 3) / 2))
    return sorted(range(count // 2 + 1), key=lambda side: (abs(side - best), side))


def _spread(count: int, first: int, end: int, rows: int) -> list[int]:
    """The first rows of boxes that stand below each other, with equal gaps."""
    free = max(0, end - first - count * rows)
    return [first + at * rows + round(free * (at + 1) / (count + 1)) for at in range(count)]
