"""Text in cells, each with the role that it plays; and how cards look there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import wcwidth
from msgspec.structs import replace

from twentytwo_protocol.cards import JOKER, Card
from twentytwo_protocol.value import Value

from ..display.cards import shower
from ..display.look import Look, Suits

FELT, QUIET, NAME, TURN, STRONG, CARD = "felt", "quiet", "name", "turn", "strong", "card"
RED, GREEN, BLUE, SHADED, BACK = "red", "green", "blue", "shaded", "back"
TWO_COLOURS = {"D": RED, "H": RED}
FOUR_COLOURS = {"C": GREEN, "D": BLUE, "H": RED}
ON_FELT = (FELT, QUIET, NAME, TURN, STRONG, BACK)
ON_CARD = (CARD, RED, GREEN, BLUE)
MAT, BEST = "mat", "best"
"""What text on the felt is called in the middle of it; and on a card that is to be beaten."""
ASKED = "asked"
"""The name of whoever is to move."""
ROLES = (
    *ON_FELT,
    *ON_CARD,
    SHADED,
    ASKED,
    *(f"{MAT}-{role}" for role in ON_FELT),
    *(f"{BEST}-{role}" for role in ON_CARD),
)


class Glyphs(Value):
    """The signs that say what colours say too."""

    edge: str
    turn: str
    cursor: str
    barred: str
    more: str
    back: str
    frame: str


SIGNS = Glyphs("▏", "▶", "▲", "\N{MULTIPLICATION SIGN}", "…", "▮", "╭─╮│╰─╯")
LETTERS = Glyphs("|", ">", "^", "x", ">", "#", "+-+|+-+")


WAYS = 3
"""In which a card may be written."""


class Faces(Value):
    """How cards look: their text, and its role. `four`: every suit has a colour of its own."""

    write: Callable[[Iterable[Card]], str]
    four: bool
    glyphs: Glyphs

    @classmethod
    def of(cls, look: Look) -> Faces:
        """The faces of cards in a look."""
        suits = look.usual if look.suits is Suits.SPOKEN else look.suits
        plain = replace(look, colour=False, suits=suits)
        return cls(shower(plain), look.four, SIGNS if look.unicode else LETTERS)

    def text(self, card: Card) -> str:
        """What stands on a card."""
        return self.write((card,))

    def texts(self, card: Card) -> tuple[str, str, str]:
        """What may stand on a card, the longest first: `joker(A)`, `X(A)`, `X`."""
        text = self.text(card)
        if card[0] != JOKER:
            return text, text, text
        return text, text.replace("joker", JOKER), JOKER

    def role(self, card: Card) -> str:
        """The role of that text."""
        return (FOUR_COLOURS if self.four else TWO_COLOURS).get(card[1:], CARD)


class Canvas:
    """Cells to write into. What does not fit is cut."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", FELT)] * width for _ in range(height)]
        self._mat = frozenset[tuple[int, int]]()

    def lay(self, cells: Iterable[tuple[int, int]]) -> None:
        """Lays a mat there, by columns and rows: what is written on it is written over it."""
        self._mat = frozenset(cells)

    def put(self, x: int, y: int, text: str, role: str = FELT) -> None:
        """Writes a text into a row, from a column on."""
        if not 0 <= y < self.height:
            return
        for sign in text:
            wide = wcwidth.wcwidth(sign)
            if wide < 1:
                continue
            if x >= 0 and x + wide <= self.width:
                self._cells[y][x] = (sign, role)
                if wide == 2:
                    self._cells[y][x + 1] = ("", role)
            x += wide

    def free(self, x: int, y: int, width: int) -> bool:
        """Whether nothing has been written there."""
        inside = 0 <= y < self.height and x >= 0 and x + width <= self.width
        return inside and all(cell == (" ", FELT) for cell in self._cells[y][x : x + width])

    def runs(self, y: int) -> Iterator[tuple[str, str]]:
        """The texts of a row, each with its role."""
        row = [
            (sign, f"{MAT}-{role}" if (x, y) in self._mat and role in ON_FELT else role)
            for x, (sign, role) in enumerate(self._cells[y])
        ]
        for role, cells in groupby(row, key=lambda cell: cell[1]):
            yield "".join(sign for sign, _ in cells), role

    def lines(self) -> list[str]:
        """The rows as text alone."""
        return ["".join(sign for sign, _ in row).rstrip() for row in self._cells]
