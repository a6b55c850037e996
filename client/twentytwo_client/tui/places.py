"""Where the players sit around a table of so many columns and rows, and where their cards lie.

Nobody moves while a hand is played: where they sit depends on how many they are and on the window,
not on what lies on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import ceil


class Edge(Enum):
    """The edge of the table at which somebody sits."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Box:
    """So many columns and rows; `x` and `y` are the upper left."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody's name stands, and the cells in which their cards lie."""

    edge: Edge
    label: Box
    cards: Box


@dataclass(frozen=True, slots=True)
class CardSize:
    """The columns and rows of a card in the trick."""

    wide: int
    deep: int


CHIP, CARD, LARGE = CardSize(5, 1), CardSize(5, 3), CardSize(7, 5)


@dataclass(frozen=True, slots=True)
class Seating:
    """Where everything is: the others clockwise from the viewer's left, and the viewer's cards.

    `facts` are the rows for what counts, `words` the row for what is to be beaten, `mat` is where
    the trick lies, `me` the row of the viewer's name.
    """

    size: CardSize
    others: tuple[Place, ...]
    mine: Box
    me: int
    facts: Box
    words: Box
    mat: Box


SHAPES = (
    (LARGE, ((4, 2),)),
    (CARD, ((4, 2), (3, 2), (3, 1))),
    (CHIP, ((3, 1), (2, 1))),
)
"""Sizes of cards, and with each the rows of a player and those for what counts."""
WIDEST, USUAL, NARROWEST = 22, 16, 13
"""Columns of the box of a player."""
MIDDLE = 16
"""Columns that are left for the trick between those at the left and the right."""
MAT = 60
"""Columns of the middle at most: in a large window all sit close enough to see the trick."""
TALLEST = 34
"""Rows of all at most."""
BESIDE = 21
"""Columns for the cards of a seat from which they lie beside it, not below."""


def seating(others: int, width: int, height: int) -> Seating | None:
    """Where everybody sits; None where they do not fit around a table: then they are listed."""
    # What is more to see comes first: large cards, and what the game says of everybody.
    for size, shapes in SHAPES:
        for side in _sides(others):
            for rows, facts in shapes:
                found = _seated(others - 2 * side, side, width, height, size, rows, facts)
                if found is not None:
                    return found
    return None


def _sides(count: int) -> list[int]:
    """How many may sit at each side, the most pleasing first."""
    if count < 3:
        return [count // 2, 0]
    best = max(1, ceil((count - 3) / 2))
    return sorted(range(count // 2 + 1), key=lambda side: (abs(side - best), side))


def _seated(
    top: int, side: int, width: int, height: int, size: CardSize, rows: int, facts: int
) -> Seating | None:
    if size is LARGE and width < MAT + 2 * NARROWEST:
        return None
    deep = size.deep
    roomy = max(USUAL, width * 3 // 10)
    box = min(WIDEST, roomy, (width - MIDDLE) // 2 if side else width, width // max(1, top))
    mat = min(width - 2 * box if side else width, MAT)
    high = min(height, TALLEST)
    above, left, centre = (height - high) // 2, (width - mat) // 2, width // 2
    first, me = above + facts, above + high - 1
    # In a low window one's own cards lie beside one's name.
    mine = me if size is CHIP and rows == 2 else me - deep
    words = mine - 1
    beside = mat // 2 - 2 >= BESIDE or (size is CHIP and side > 1)
    start = first + (rows + deep if top else 0)
    if side and not beside and top != 1:
        start += rows  # nobody's name stands where the cards of those at the top lie
    each = max(deep, rows) if beside else deep + rows
    if box < NARROWEST or words - start < side * each - (rows if side and not beside else 0):
        return None
    gap = 4 if beside and mat // 2 - 5 >= BESIDE else 1
    half = (mat if beside else width) // 2 - 1 - gap
    free = words - start + (0 if beside else rows) - side * each
    tops = [
        start - (0 if beside else rows) + at * each + round(free * (at + 1) / (side + 1))
        for at in range(side)
    ]
    labels = [y + (each - rows) // 2 if beside else y for y in tops]
    cards = [y + (each - deep) // 2 if beside else y + rows for y in tops]
    column = min(width, max(mat + 2 * box, top * (box + 2))) // top if top else 0
    begin = (width - top * column) // 2
    room = mat if side and not beside and top == 1 else column - 1
    # The mat lies below the cards of all at the top, too.
    wider = max(NARROWEST if side else 0, begin + (column - box) // 2)
    spread = min(left, wider) if top > 1 else left
    edge = first + (rows if top else 0)
    return Seating(
        size,
        (
            *(
                Place(
                    Edge.LEFT,
                    Box(left - box, label, box, rows),
                    Box(centre - gap - half, y, half, deep),
                )
                for label, y in zip(reversed(labels), reversed(cards), strict=True)
            ),
            *(
                Place(
                    Edge.TOP,
                    Box(begin + at * column + (column - box) // 2, first, box, rows),
                    Box(begin + at * column + (column - room) // 2, first + rows, room, deep),
                )
                for at in range(top)
            ),
            *(
                Place(
                    Edge.RIGHT,
                    Box(left + mat, label, box, rows),
                    Box(centre + gap, y, half, deep),
                )
                for label, y in zip(labels, cards, strict=True)
            ),
        ),
        Box(left, mine, mat if mine < me else width - 2, deep),
        me,
        Box(1, above, width - 2, facts),
        Box(1, words, width - 2, 1),
        Box(spread, edge, width - 2 * spread, me - edge),
    )


def fan(cards: int, room: int, wide: int, least: int) -> tuple[int, int]:
    """How many of the cards are to be seen in so many columns, and how far apart they begin.

    They lie apart, or over each other if there is no room; then at `least` columns of each are to
    be seen. Where fewer are seen than there are, two columns are left to say so.
    """
    if cards < 2 or cards * (wide + 1) - 1 <= room:
        return cards, wide + 1
    apart = min(wide, (room - wide) // (cards - 1))
    if apart >= least:
        return cards, apart
    return max(1, (room - wide - 2) // least + 1), least
