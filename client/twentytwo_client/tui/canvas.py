"""A grid of characters, each with a style role, and the faces of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import wcwidth
from msgspec.structs import replace

from twentytwo_protocol.cards import JOKER, Card
from twentytwo_protocol.value import Value

from ..display.cards import shower
from ..display.look import Look, Suits

FELT_ROLE, QUIET_ROLE, NAME_ROLE, TURN_ROLE, STRONG_ROLE, CARD_ROLE = (
    "felt",
    "quiet",
    "name",
    "turn",
    "strong",
    "card",
)
RED, GREEN, BLUE, SHADED, BACK = "red", "green", "blue", "shaded", "back"
TWO_COLOURS = {"D": RED, "H": RED}
FOUR_COLOURS = {"C": GREEN, "D": BLUE, "H": RED}
ON_FELT = (FELT_ROLE, QUIET_ROLE, NAME_ROLE, TURN_ROLE, STRONG_ROLE, BACK)
ON_CARD = (CARD_ROLE, RED, GREEN, BLUE)
MAT, BEST = "mat", "best"
"""The roles of text on the mat in the middle, and of the best play."""
ASKED = "asked"
"""The role of the name of the player on turn."""
ROLES = (
    *ON_FELT,
    *ON_CARD,
    SHADED,
    ASKED,
    *(f"{MAT}-{role}" for role in ON_FELT),
    *(f"{BEST}-{role}" for role in ON_CARD),
)


class Glyphs(Value):
    """The signs that repeat the meaning of colours."""

    edge: str
    turn: str
    cursor: str
    barred: str
    more: str
    back: str
    frame: str


SIGNS = Glyphs("▏", "▶", "▲", "\N{MULTIPLICATION SIGN}", "…", "▮", "╭─╮│╰─╯")
ASCII_GLYPHS = Glyphs("|", ">", "^", "x", ">", "#", "+-+|+-+")


WAYS = 3
"""The number of ways to write a card."""


class Faces(Value):
    """The faces of cards: their text and its role. `four`: every suit has its own colour."""

    write: Callable[[Iterable[Card]], str]
    four: bool
    glyphs: Glyphs

    @classmethod
    def of(cls, look: Look) -> Faces:
        """The faces in a look."""
        suits = look.usual if look.suits is Suits.SPOKEN else look.suits
        plain = replace(look, colour=False, suits=suits)
        return cls(shower(plain), look.four, SIGNS if look.unicode else ASCII_GLYPHS)

    def text(self, card: Card) -> str:
        """The text of a card."""
        return self.write((card,))

    def texts(self, card: Card) -> tuple[str, str, str]:
        """The possible texts of a card, the longest first: `joker(A)`, `X(A)`, `X`."""
        text = self.text(card)
        if card[0] != JOKER:
            return text, text, text
        return text, text.replace("joker", JOKER), JOKER

    def role(self, card: Card) -> str:
        """The role of a card's text."""
        return (FOUR_COLOURS if self.four else TWO_COLOURS).get(card[1:], CARD_ROLE)


class Canvas:
    """A grid of characters. Text outside it is cut."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", FELT_ROLE)] * width for _ in range(height)]
        self._mat = frozenset[tuple[int, int]]()

    def lay(self, cells: Iterable[tuple[int, int]]) -> None:
        """Covers cells, by column and row, with the mat. Text can be written on it."""
        self._mat = frozenset(cells)

    def put(self, x: int, y: int, text: str, role: str = FELT_ROLE) -> None:
        """Writes a text into row `y`, from column `x` on."""
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
        """True if nothing has been written in these columns."""
        inside = 0 <= y < self.height and x >= 0 and x + width <= self.width
        return inside and all(cell == (" ", FELT_ROLE) for cell in self._cells[y][x : x + width])

    def runs(self, y: int) -> Iterator[tuple[str, str]]:
        """The texts of a row, each with its role."""
        row = [
            (sign, f"{MAT}-{role}" if (x, y) in self._mat and role in ON_FELT else role)
            for x, (sign, role) in enumerate(self._cells[y])
        ]
        for role, cells in groupby(row, key=lambda cell: cell[1]):
            yield "".join(sign for sign, _ in cells), role

    def lines(self) -> list[str]:
        """The rows as text only."""
        return ["".join(sign for sign, _ in row).rstrip() for row in self._cells]
