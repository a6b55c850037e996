"""The layout of the table: the positions of players and cards in a window of any size.

The layout depends only on the number of players and the size of the window. So nothing moves during
a hand.
"""

from __future__ import annotations

from enum import Enum
from math import ceil

from twentytwo_protocol.value import Value


class Edge(Enum):
    """The side of the table at which a player sits."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


class Box(Value):
    """A rectangle of columns and rows; `x` and `y` are its upper left corner."""

    x: int
    y: int
    width: int
    height: int


class SeatBoxes(Value):
    """The position of a player: the box of the name and the box of the cards."""

    edge: Edge
    label: Box
    cards: Box


class CardSize(Value):
    """The size of a card in the trick, in columns and rows."""

    wide: int
    deep: int


CHIP, MEDIUM, LARGE = CardSize(5, 1), CardSize(5, 3), CardSize(7, 5)


class Seating(Value):
    """The layout: the other players clockwise from the viewer's left, and the viewer's cards.

    `facts` are the rows for facts, `words` the row for the play to beat, `mat` the box of the
    trick, `me` the row of the viewer's name.
    """

    size: CardSize
    others: tuple[SeatBoxes, ...]
    mine: Box
    me: int
    facts: Box
    words: Box
    mat: Box


SHAPES = (
    (LARGE, ((4, 2),)),
    (MEDIUM, ((4, 2), (3, 2), (3, 1))),
    (CHIP, ((3, 1), (2, 1))),
)
"""The sizes of cards, each with the rows for a player and for facts."""
WIDEST, USUAL, NARROWEST = 22, 16, 13
"""The widths of a player's box."""
MIDDLE = 16
"""The minimum width of the middle, between the players at the left and the right."""
MAT = 60
"""The maximum width of the middle, so that players stay close to the trick in a large window."""
TALLEST = 34
"""The maximum height of the layout."""
BESIDE = 21
"""The minimum width for a seat's cards to be beside its name, not below it."""


def seating(others: int, width: int, height: int) -> Seating | None:
    """The layout; None if the players do not fit around a table and have to be listed."""
    # Large cards and rows for notes are tried first.
    for size, shapes in SHAPES:
        for side in _sides(others):
            for rows, facts in shapes:
                window = _Window(width, height, others - 2 * side, side, size, rows, facts)
                if window.fits:
                    return window.seating
    return None


def _sides(count: int) -> list[int]:
    """The possible numbers of players at each side, the best-looking first."""
    if count < 3:
        return [count // 2, 0]
    best = max(1, ceil((count - 3) / 2))
    return sorted(range(count // 2 + 1), key=lambda side: (abs(side - best), side))


class _Window(Value):
    """A layout for given parameters.

    `top` players are at the top, `side` at each side. Cards have the given `size`. Each player has
    `rows` rows for name and score; `facts` rows at the top are for facts. The cards of players at
    the sides are beside their names, on the mat, or, in a narrow window, below.
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
        """True if everything fits."""
        if self.size is LARGE and self.width < MAT + 2 * NARROWEST:
            return False
        return self.box >= NARROWEST and self.free >= 0

    @property
    def seating(self) -> Seating:
        """The layout as a value."""
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
        """The width of a player's name and score."""
        roomy = max(USUAL, self.width * 3 // 10)
        at_side = (self.width - MIDDLE) // 2 if self.side else self.width
        return min(WIDEST, roomy, at_side, self.width // max(1, self.top))

    @property
    def mat(self) -> int:
        """The width of the middle, between the players at the left and the right."""
        return min(self.width - 2 * self.box if self.side else self.width, MAT)

    @property
    def left(self) -> int:
        """The first column of the middle."""
        return (self.width - self.mat) // 2

    @property
    def beside(self) -> bool:
        """True if the cards of players at the sides are beside their names, not below."""
        return self.mat // 2 - 2 >= BESIDE or (self.size is CHIP and self.side > 1)

    @property
    def column(self) -> int:
        """The distance in columns between two players at the top."""
        needed = max(self.mat + 2 * self.box, self.top * (self.box + 2))
        return min(self.width, needed) // max(1, self.top)

    @property
    def first_column(self) -> int:
        """The column of the first player at the top."""
        return (self.width - self.top * self.column) // 2

    # --------------------------------------------------------------------------- rows

    @property
    def high(self) -> int:
        """The height of the layout."""
        return min(self.height, TALLEST)

    @property
    def above(self) -> int:
        """The first row of the layout."""
        return (self.height - self.high) // 2

    @property
    def first(self) -> int:
        """The row of the names at the top, below the facts."""
        return self.above + self.facts

    @property
    def me(self) -> int:
        """The row of the viewer's name, which is the last row."""
        return self.above + self.high - 1

    @property
    def mine(self) -> int:
        """The first row of the viewer's cards. In a low window they are beside the name."""
        low = self.size is CHIP and self.rows == 2
        return self.me if low else self.me - self.size.deep

    @property
    def words(self) -> int:
        """The row of the play to beat."""
        return self.mine - 1

    @property
    def sides(self) -> int:
        """The first row of the players at the sides."""
        if not self.top:
            return self.first
        if self.top == 1 and self.side and not self.beside:
            # Only their cards must be below the top player's cards, not their names.
            return self.first + self.size.deep
        return self.first + self.rows + self.size.deep

    @property
    def each(self) -> int:
        """The rows for a player at a side, with the cards."""
        deep = self.size.deep
        return max(deep, self.rows) if self.beside else deep + self.rows

    @property
    def free(self) -> int:
        """The unused rows at the sides; negative if there are too few."""
        return self.words - self.sides - self.side * self.each

    @property
    def middle(self) -> Box:
        """The box of the trick, below the names and cards at the top."""
        left = self.left
        if self.top > 1:
            name = self.first_column + (self.column - self.box) // 2
            left = min(left, max(NARROWEST if self.side else 0, name))
        edge = self.first + (self.rows if self.top else 0)
        return Box(left, edge, self.width - 2 * left, self.me - edge)

    # -------------------------------------------------------------------------- seats

    @property
    def at_the_left(self) -> tuple[SeatBoxes, ...]:
        """The players at the left, from the bottom up."""
        column = self.width // 2 - self.apart - self.reach
        upwards = range(self.side - 1, -1, -1)
        return tuple(self._at_side(Edge.LEFT, at, self.left - self.box, column) for at in upwards)

    @property
    def at_the_top(self) -> tuple[SeatBoxes, ...]:
        """The players at the top, from left to right."""
        alone = self.side and not self.beside and self.top == 1
        room = self.mat if alone else self.column - 1
        return tuple(
            SeatBoxes(
                Edge.TOP,
                Box(x + (self.column - self.box) // 2, self.first, self.box, self.rows),
                Box(x + (self.column - room) // 2, self.first + self.rows, room, self.size.deep),
            )
            for x in (self.first_column + at * self.column for at in range(self.top))
        )

    @property
    def at_the_right(self) -> tuple[SeatBoxes, ...]:
        """The players at the right, from the top down."""
        column = self.width // 2 + self.apart
        downwards = range(self.side)
        return tuple(
            self._at_side(Edge.RIGHT, at, self.left + self.mat, column) for at in downwards
        )

    @property
    def apart(self) -> int:
        """The columns from the centre to the cards at the sides."""
        return 4 if self.beside and self.mat // 2 - 5 >= BESIDE else 1

    @property
    def reach(self) -> int:
        """The columns for these cards: to the edge of the mat, or, below names, of the window."""
        return (self.mat if self.beside else self.width) // 2 - 1 - self.apart

    def _at_side(self, edge: Edge, at: int, name: int, cards: int) -> SeatBoxes:
        """A player at a side: its number from above, the columns of name and cards."""
        spread = round(self.free * (at + 1) / (self.side + 1))
        y = self.sides + at * self.each + spread
        deep = self.size.deep
        # The lower of name and cards is centred on the higher one.
        label = y + (self.each - self.rows) // 2 if self.beside else y
        lie = y + (self.each - deep) // 2 if self.beside else y + self.rows
        return SeatBoxes(
            edge, Box(name, label, self.box, self.rows), Box(cards, lie, self.reach, deep)
        )


def fan(cards: int, room: int, wide: int, least: int) -> tuple[int, int]:
    """The number of visible cards in `room` columns, and the distance between them.

    Without enough room the cards overlap; then at least `least` columns of each are visible. If
    some cards are hidden, two columns are reserved for a sign.
    """
    if cards < 2 or cards * (wide + 1) - 1 <= room:
        return cards, wide + 1
    apart = min(wide, (room - wide) // (cards - 1))
    if apart >= least:
        return cards, apart
    return max(1, (room - wide - 2) // least + 1), least
