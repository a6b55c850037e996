"""What stands on the screen: the table, the hand, the choices, the log, the line that is typed."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import wcwidth
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, RichLog

from twentytwo_protocol.cards import SUITS, Card
from twentytwo_protocol.value import Value

from ..terminal import faults
from .canvas import ASKED, CARD, QUIET, ROLES, SHADED, STRONG, TURN, Canvas, Faces
from .offers import Offer
from .painting import Scene, painted

FEW = 3
"""Rows in which the last text stands where there is no room for the log."""
REMEMBERED = 500
"""Texts that the log keeps."""


class CanvasView(Widget):
    """A widget that is painted in cells. Roles are looked up in the style sheet.

    What goes wrong while it is painted is a line in a file of the folder `state`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"cell--{role}" for role in ROLES}
    can_focus = False

    def __init__(self, faces: Faces, state: Path, *, id: str) -> None:
        super().__init__(id=id)
        self.faces = faces
        self._state = state
        self._painted: Canvas | None = None

    def canvas(self, width: int, height: int) -> Canvas:
        """What is to be seen in so many cells."""
        return Canvas(width, height)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Textual: rows of the screen, for all of which it is painted once."""
        self._painted = None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Textual: one of these rows."""
        width, height = self.size
        if self._painted is None:
            self._painted = Canvas(width, height)
            with faults.noted(self._state):
                self._painted = self.canvas(width, height)
        segments = [
            Segment(text, self.get_component_rich_style(f"cell--{role}"))
            for text, role in self._painted.runs(y)
        ]
        return Strip(segments, width)

    def shown(self) -> list[str]:
        """The rows as text alone."""
        return self.canvas(*self.size).lines()


class TableView(CanvasView):
    """The players and the trick."""

    def __init__(self, faces: Faces, state: Path, *, id: str) -> None:
        super().__init__(faces, state, id=id)
        self.scene: Scene | None = None

    def show(self, scene: Scene, faces: Faces) -> None:
        """Shows a table."""
        self.scene, self.faces = scene, faces
        self.refresh()

    def canvas(self, width: int, height: int) -> Canvas:
        """The table, once there is one."""
        if self.scene is None:
            return Canvas(width, height)
        return painted(self.scene, self.faces, width, height)


# ---------------------------------------------------------------------------------- hand


class Hand(Value):
    """The cards of a hand. `barred` may not be played now, `chosen` are to be, by their places.

    `cursor` is the place that keys act on; `down` lies face down, apart from the others.
    """

    cards: tuple[Card, ...] = ()
    barred: frozenset[int] = frozenset()
    chosen: tuple[int, ...] = ()
    cursor: int | None = None
    down: Card | None = None


class Slot(Value):
    """Where a card lies: its column and row, and how many columns of it are to be seen."""

    x: int
    y: int
    width: int

    @property
    def room(self) -> int:
        """The columns for what stands on the card: an edge is none, nor what parts wide cards."""
        return self.width - (self.width > 4) - 1


def placed(wide: int, width: int, centre: int | None) -> int:
    """Where something so wide begins: around a column, or the middle, of so many columns."""
    middle = width // 2 if centre is None else centre
    return max(0, min(width - wide, middle - wide // 2))


def slots(count: int, width: int, deep: int, centre: int | None = None) -> list[Slot]:
    """Where so many cards lie in so many columns, each in `deep` rows and one.

    They lie around a column, or in the middle.
    """
    if not count or width < 4:
        return []
    wide = max(4, min(9 if deep > 3 else 7, width // count))
    each = max(1, min(count, width // wide))
    rows = -(-count // each)
    each = -(-count // rows)
    found = []
    for at in range(count):
        row, column = divmod(at, each)
        here = min(each, count - row * each)
        start = placed(here * wide, width, centre)
        found.append(Slot(start + column * wide, row * (deep + 1) + 1, wide))
    return found


class HandView(CanvasView):
    """Your cards: those that are chosen stand higher, those that may not be played are crossed.

    `words` stand there while no card does.
    """

    class Picked(Message):
        """A card was clicked."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, faces: Faces, state: Path, *, id: str) -> None:
        super().__init__(faces, state, id=id)
        self.hand = Hand()
        self.words: tuple[str, ...] = ()
        self.deep = 2
        self.centre: int | None = None

    def show(self, hand: Hand, faces: Faces) -> None:
        """Shows a hand."""
        self.hand, self.faces = hand, faces
        self.refresh()

    def rows(self, width: int, count: int) -> int:
        """The rows that so many cards, or those in the hand if they are more, need."""
        found = slots(max(count, self._count), width, self.deep, self.centre)
        return found[-1].y + self.deep if found else self.deep + 1

    @property
    def _count(self) -> int:
        return len(self.hand.cards) + (self.hand.down is not None)

    def slots_in(self, width: int) -> list[Slot]:
        """Where the cards lie in so many columns, the one that lies face down last."""
        return slots(self._count, width, self.deep, self.centre)

    def canvas(self, width: int, height: int) -> Canvas:
        """The cards, and a face-down one at their end."""
        canvas = Canvas(width, height)
        hand, glyphs = self.hand, self.faces.glyphs
        for y, line in enumerate(self.words, (height - len(self.words)) // 2):
            wide = wcwidth.width(line)
            centre = self.centre if wide < 2 * (self.centre or 0) else None
            canvas.put(placed(wide, width, centre), y, line, STRONG)
        found = self.slots_in(width)
        for at, (card, slot) in enumerate(zip(hand.cards, found, strict=False)):
            barred = at in hand.barred
            y = slot.y - (at in hand.chosen)
            role = SHADED if barred else self.faces.role(card)
            text = next(
                (t for t in self.faces.texts(card) if wcwidth.width(t) <= slot.room), card[0]
            )
            suited = card[1:] in {*SUITS} and self.deep > 3 and slot.width > 6
            sign = text[-1] if suited else ""
            middle = [
                f"{sign:>{(slot.width - 2) // 2}}" if 2 * row == self.deep - 3 else ""
                for row in range(self.deep - 2)
            ]
            foot = (glyphs.cursor if at == hand.cursor else " ") + (glyphs.barred if barred else "")
            self._card(canvas, slot, y, [text, *middle, foot], role)
        if hand.down is not None and found:
            word = "down" if found[-1].width > 5 else "dn"
            rows = [self.faces.text(hand.down), *[""] * (self.deep - 2), word]
            self._card(canvas, found[-1], found[-1].y, rows, SHADED)
        return canvas

    def _card(self, canvas: Canvas, slot: Slot, y: int, rows: Sequence[str], role: str) -> None:
        edge = SHADED if role == SHADED else CARD
        for row, text in enumerate(rows):
            # Where cards touch, an edge parts them.
            sign = " " if slot.width > 4 else self.faces.glyphs.edge
            canvas.put(slot.x, y + row, sign, edge)
            body = f" {text}" if 4 < slot.room > wcwidth.width(text) else text
            canvas.put(slot.x + 1, y + row, wcwidth.ljust(body, slot.room)[: slot.room], role)

    def at(self, x: int, y: int) -> int | None:
        """The place of the card that lies in a cell."""
        for at, slot in enumerate(self.slots_in(self.size.width)[: len(self.hand.cards)]):
            top = slot.y - (at in self.hand.chosen)
            if slot.x <= x < slot.x + slot.width and top <= y < top + self.deep:
                return at
        return None

    def on_click(self, event: events.Click) -> None:
        """Textual: somebody clicks."""
        at = self.at(event.x, event.y)
        if at is not None:
            self.post_message(self.Picked(at))


# ------------------------------------------------------------------------------- choices


class ChoiceBar(CanvasView):
    """What can be done now, in a row to click, or to choose from by keys."""

    class Taken(Message):
        """A choice was clicked."""

        def __init__(self, choice: Offer) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, faces: Faces, state: Path, *, id: str) -> None:
        super().__init__(faces, state, id=id)
        self.choices: tuple[Offer, ...] = ()
        self.cursor: int | None = None
        self.centre: int | None = None

    def show(self, choices: tuple[Offer, ...], faces: Faces, at: int | None = None) -> None:
        """Shows choices, the cursor on one of them; it stays as long as they are the same."""
        if choices != self.choices or at is not None:
            self.cursor = at
        self.choices, self.faces = choices, faces
        self.refresh()

    def move(self, by: int) -> None:
        """Moves the cursor, on to the first choice if there was none."""
        if self.choices:
            start = -1 if by > 0 else 0
            at = start if self.cursor is None else self.cursor
            self.cursor = (at + by) % len(self.choices)
            self.refresh()

    @property
    def chosen(self) -> Offer | None:
        """The choice under the cursor."""
        return None if self.cursor is None else self.choices[self.cursor]

    def places(self, width: int, height: int) -> list[tuple[int, int]]:
        """Column and row of each choice, as far as they fit into so many columns and rows."""
        return [place for _, place in self._seen(width, height)]

    def _seen(self, width: int, height: int) -> list[tuple[Offer, tuple[int, int]]]:
        """The choices that are to be seen, the one under the cursor among them, and where."""
        rows: list[list[int]] = [[]]
        for at in range(len(self.choices)):
            wide = self._wide(at)
            if rows[-1] and sum(map(self._wide, rows[-1])) + wide - 1 > width:
                rows.append([])
            rows[-1].append(at)
        here = next((y for y, row in enumerate(rows) if self.cursor in row), 0)
        found = []
        for y, row in enumerate(rows[max(0, here + 1 - height) :][:height]):
            x = placed(sum(map(self._wide, row)) - 1, width, self.centre)
            for at in row:
                found.append((self.choices[at], (x, y)))
                x += self._wide(at)
        return found

    def _wide(self, at: int) -> int:
        return wcwidth.width(self.choices[at].label) + 3

    def canvas(self, width: int, height: int) -> Canvas:
        """The choices; the one under the cursor has a mark."""
        canvas = Canvas(width, height)
        found = self._seen(width, height)
        for each, (x, y) in found:
            here = each is self.chosen
            mark = self.faces.glyphs.turn if here else " "
            canvas.put(x, y, mark, TURN)
            canvas.put(x + 1, y, each.label, ASKED if here else STRONG)
        if len(found) < len(self.choices):
            canvas.put(width - 1, height - 1, self.faces.glyphs.more, QUIET)
        return canvas

    def on_click(self, event: events.Click) -> None:
        """Textual: somebody clicks."""
        for each, (x, y) in self._seen(*self.size):
            if y == event.y and x <= event.x < x + wcwidth.width(each.label) + 2:
                self.post_message(self.Taken(each))


# ------------------------------------------------------------------------------ the rest


class LogPane(RichLog):
    """What has happened and what was said, wrapped anew where its width changes."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, wrap=True, min_width=1, max_lines=4 * REMEMBERED)
        self._texts: list[str] = []
        self._aside = ""
        self._wide = 0

    def add(self, text: str) -> None:
        """Adds a text, which may have styles of a terminal in it."""
        self._texts = [*self._texts[1 - REMEMBERED :], text]
        if self._wide:
            self._put(text)

    def put_aside(self, text: str) -> None:
        """A text stands elsewhere, and not here, until there is another one, or none."""
        if text != self._aside:
            self._aside = text
            self._put_all()

    def last(self, columns: int) -> str:
        """The last text, or of a long one its last lines: as many as go into a few rows."""
        *lines, found = self._texts[-1].split("\n") if self._texts else [""]
        rows = rows_of(found, columns)
        for line in reversed(lines):
            rows += rows_of(line, columns)
            if rows > FEW:
                break
            found = f"{line}\n{found}"
        return found

    def on_resize(self, event: events.Resize) -> None:
        """Textual: the window has another size."""
        if event.size.width != self._wide:
            self._wide = event.size.width
            self._put_all()

    def _put_all(self) -> None:
        self.clear()
        for text in self._texts if self._wide else ():
            self._put(text)

    def _put(self, text: str) -> None:
        if text == self._aside:
            return
        # A column is free before the scrollbar.
        self.write(Text.from_ansi(text), width=max(1, self._wide - 2 - 2))


def rows_of(text: str, columns: int) -> int:
    """How many rows a text takes, wrapped at its spaces."""
    lines = Text.from_ansi(text).plain.split("\n")
    return sum(len(textwrap.wrap(line, max(1, columns))) or 1 for line in lines)


class CommandLine(Input):
    """The line that is typed. While it is empty some keys are not for it: they are `Pressed`.

    It is here that they are told apart, where keys come in their order: an application would see
    Enter before what was typed quickly before it.
    """

    OTHERS = ("left", "right", "space", "enter", "ctrl+d")

    class Pressed(Message):
        """A key that is not for the line, since nothing is typed."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)

    async def _on_key(self, event: events.Key) -> None:
        # What was typed before the terminal was ours ends with a line feed.
        key = "enter" if event.key == "ctrl+j" else event.key
        if key in self.OTHERS and not self.value:
            event.stop()
            event.prevent_default()
            self.post_message(self.Pressed(key))
        elif key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Submitted(self, self.value))
            self.value = ""  # at once: what is typed right behind it is a line of its own

    def _on_paste(self, event: events.Paste) -> None:
        """Textual: a text is pasted; several lines are entered, each as one of its own."""
        event.stop()
        event.prevent_default()
        first, *more = event.text.splitlines() or [""]
        self.replace(first, *self.selection)
        if more or event.text.endswith(("\r", "\n")):
            self.post_message(self.Submitted(self, "\n".join([self.value, *more])))
            self.value = ""
