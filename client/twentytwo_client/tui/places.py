"""Where the players sit around a table of so many columns and rows, and where their cards lie.

Nobody moves while a hand is played: where they sit depends on how many they are and on the window,
not on what lies on the table.
"""

from __future__ import annotations

from enum import Enum
from math import ceil

from twentytwo_protocol.value import Value


class Edge(Enum):
    """The edge of the table at which somebody sits."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


class Box(Value):
    """So many columns and rows; `x` and `y` are the upper left."""

    x: int
    y: int
    width: int
    height: int


class Place(Value):
    """Where somebody's name stands, and the cells in which their cards lie."""

    edge: Edge
    label: Box
    cards: Box


class CardSize(Value):
    """The columns and rows of a card in the trick."""

    wide: int
    deep: int


CHIP, CARD, LARGE = CardSize(5, 1), CardSize(5, 3), CardSize(7, 5)


class Seating(Value):
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
                window = _Window(width, height, others - 2 * side, side, size, rows, facts)
                if window.fits:
                    return window.seating
    return None


def _sides(count: int) -> list[int]:
    """How many may sit at each side, the most pleasing first."""
    if count < 3:
        return [count // 2, 0]
    best = max(1, ceil((count - 3) / 2))
    return sorted(range(count // 2 + 1), key=lambda side: (abs(side - best), side))


class _Window(Value):
    """The measures of a table in a window, and where seats and cards lie by them.

    `top` sit at the top and `side` at each side. Cards are of that `size`; each player has `rows`
    rows for name and score, and `facts` rows at the top are for what counts. The cards of those at
    the sides lie beside their names, on the mat, or, where that is too narrow, below them.
    """

    width: int
    height: int
    top: int
    side: int
    size: CardSize
    rows: int
    facts: int

    @property
    def fits(self) -> bool:
        """Whether there is room for everybody."""
        if self.size is LARGE and self.width < MAT + 2 * NARROWEST:
            return False
        return self.box >= NARROWEST and self.free >= 0

    @property
    def seating(self) -> Seating:
        """Where everything is."""
        low = self.mine == self.me
        mine = Box(self.left, self.mine, self.width - 2 if low else self.mat, self.size.deep)
        return Seating(
            self.size,
            (*self.at_the_left, *self.at_the_top, *self.at_the_right),
            mine,
            self.me,
            Box(1, self.above, self.width - 2, self.facts),
            Box(1, self.words, self.width - 2, 1),
            self.middle,
        )

    # ------------------------------------------------------------------------ columns

    @property
    def box(self) -> int:
        """Columns for a player's name and score."""
        roomy = max(USUAL, self.width * 3 // 10)
        at_side = (self.width - MIDDLE) // 2 if self.side else self.width
        return min(WIDEST, roomy, at_side, self.width // max(1, self.top))

    @property
    def mat(self) -> int:
        """Columns of the middle, between those at the left and the right."""
        return min(self.width - 2 * self.box if self.side else self.width, MAT)

    @property
    def left(self) -> int:
        """The column at which the middle begins."""
        return (self.width - self.mat) // 2

    @property
    def beside(self) -> bool:
        """Whether the cards of those at the sides lie beside their names, rather than below."""
        return self.mat // 2 - 2 >= BESIDE or (self.size is CHIP and self.side > 1)

    @property
    def column(self) -> int:
        """Columns from somebody at the top to the next."""
        needed = max(self.mat + 2 * self.box, self.top * (self.box + 2))
        return min(self.width, needed) // max(1, self.top)

    @property
    def first_column(self) -> int:
        """Where the first of these begins."""
        return (self.width - self.top * self.column) // 2

    # --------------------------------------------------------------------------- rows

    @property
    def high(self) -> int:
        """Rows of all."""
        return min(self.height, TALLEST)

    @property
    def above(self) -> int:
        """The row at which all begins."""
        return (self.height - self.high) // 2

    @property
    def first(self) -> int:
        """The row below what counts: there are the names of those at the top."""
        return self.above + self.facts

    @property
    def me(self) -> int:
        """The row of the viewer's name, the last."""
        return self.above + self.high - 1

    @property
    def mine(self) -> int:
        """The first row of the viewer's cards; in a low window they lie beside the name."""
        low = self.size is CHIP and self.rows == 2
        return self.me if low else self.me - self.size.deep

    @property
    def words(self) -> int:
        """The row for what is to be beaten."""
        return self.mine - 1

    @property
    def sides(self) -> int:
        """The row at which those at the sides begin."""
        if not self.top:
            return self.first
        if self.top == 1 and self.side and not self.beside:
            # Only their cards have to be below those of the one at the top, not their names.
            return self.first + self.size.deep
        return self.first + self.rows + self.size.deep

    @property
    def each(self) -> int:
        """Rows for somebody at a side, with the cards."""
        deep = self.size.deep
        return max(deep, self.rows) if self.beside else deep + self.rows

    @property
    def free(self) -> int:
        """Rows that are left over at the sides; negative where there are too few."""
        return self.words - self.sides - self.side * self.each

    @property
    def middle(self) -> Box:
        """Where the trick lies: below the names of those at the top, and below all their cards."""
        left = self.left
        if self.top > 1:
            name = self.first_column + (self.column - self.box) // 2
            left = min(left, max(NARROWEST if self.side else 0, name))
        edge = self.first + (self.rows if self.top else 0)
        return Box(left, edge, self.width - 2 * left, self.me - edge)

    # -------------------------------------------------------------------------- seats

    @property
    def at_the_left(self) -> tuple[Place, ...]:
        """The places at the left, from the lowest on."""
        column = self.width // 2 - self.apart - self.reach
        upwards = range(self.side - 1, -1, -1)
        return tuple(self._at_side(Edge.LEFT, at, self.left - self.box, column) for at in upwards)

    @property
    def at_the_top(self) -> tuple[Place, ...]:
        """The places at the top, from the left."""
        alone = self.side and not self.beside and self.top == 1
        room = self.mat if alone else self.column - 1
        return tuple(
            Place(
                Edge.TOP,
                Box(x + (self.column - self.box) // 2, self.first, self.box, self.rows),
                Box(x + (self.column - room) // 2, self.first + self.rows, room, self.size.deep),
            )
            for x in (self.first_column + at * self.column for at in range(self.top))
        )

    @property
    def at_the_right(self) -> tuple[Place, ...]:
        """The places at the right, from the highest on."""
        column = self.width // 2 + self.apart
        downwards = range(self.side)
        return tuple(
            self._at_side(Edge.RIGHT, at, self.left + self.mat, column) for at in downwards
        )

    @property
    def apart(self) -> int:
        """Columns from the centre to the cards of those at the sides."""
        return 4 if self.beside and self.mat // 2 - 5 >= BESIDE else 1

    @property
    def reach(self) -> int:
        """Columns for these cards: to the edge of the mat, or, below names, of the window."""
        return (self.mat if self.beside else self.width) // 2 - 1 - self.apart

    def _at_side(self, edge: Edge, at: int, name: int, cards: int) -> Place:
        """A place at a side, by its number from above and the columns of name and cards."""
        spread = round(self.free * (at + 1) / (self.side + 1))
        y = self.sides + at * self.each + spread
        deep = self.size.deep
        # Beside each other the lower of both is in the middle of the higher one.
        label = y + (self.each - self.rows) // 2 if self.beside else y
        lie = y + (self.each - deep) // 2 if self.beside else y + self.rows
        return Place(edge, Box(name, label, self.box, self.rows), Box(cards, lie, self.reach, deep))


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
