"""The widgets of the screen: the table, the hand, the choices, the log, the input line."""

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
from .canvas import (
    ASKED,
    CARD_ROLE,
    QUIET_ROLE,
    ROLES,
    SHADED,
    STRONG_ROLE,
    TURN_ROLE,
    Canvas,
    Faces,
)
from .offers import Offer
from .painting import Scene, painted

SHORT_LOG_ROWS = 3
"""The rows for the last text in windows without room for the log."""
REMEMBERED = 500
"""The maximum number of texts in the log."""


class CanvasView(Widget):
    """A widget that is painted on a canvas. The style sheet maps roles to styles.

    Exceptions during painting are logged in a file of the folder `state`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"cell--{role}" for role in ROLES}
    can_focus = False

    def __init__(self, faces: Faces, state: Path, *, id: str) -> None:
        super().__init__(id=id)
        self.faces = faces
        self._state = state
        self._painted: Canvas | None = None

    def canvas(self, width: int, height: int) -> Canvas:
        """The canvas of this size."""
        return Canvas(width, height)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Textual: rows of the screen, painted together."""
        self._painted = None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Textual: one row."""
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
        """The rows as text only."""
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
        """The table; empty before there is one."""
        if self.scene is None:
            return Canvas(width, height)
        return painted(self.scene, self.faces, width, height)


# ---------------------------------------------------------------------------------- hand


class HandContent(Value):
    """The cards of a hand. `barred` cannot be played now, `chosen` are selected; both are
    positions.

    `cursor` is the position that keys act on. `down` is a face-down card, apart from the others.
    """

    cards: tuple[Card, ...] = ()
    barred: frozenset[int] = frozenset()
    chosen: tuple[int, ...] = ()
    cursor: int | None = None
    down: Card | None = None


class Slot(Value):
    """The position of a card: its column and row, and its visible width."""

    x: int
    y: int
    width: int

    @property
    def room(self) -> int:
        """The columns for the text of the card, without edges and separators."""
        return self.width - (self.width > 4) - 1


def centred(wide: int, width: int, centre: int | None) -> int:
    """The first column of something `wide`, centred on a column, or in `width` columns."""
    middle = width // 2 if centre is None else centre
    return max(0, min(width - wide, middle - wide // 2))


def slots(count: int, width: int, deep: int, centre: int | None = None) -> list[Slot]:
    """The positions of `count` cards in `width` columns, each `deep` rows high.

    They are centred on a column, or in the middle.
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
        start = centred(here * wide, width, centre)
        found.append(Slot(start + column * wide, row * (deep + 1) + 1, wide))
    return found


class HandView(CanvasView):
    """Your cards. Selected cards are raised, illegal ones are crossed out.

    `words` are shown while there are no cards.
    """

    class Picked(Message):
        """A card was clicked."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, faces: Faces, state: Path, *, id: str) -> None:
        super().__init__(faces, state, id=id)
        self.hand = HandContent()
        self.words: tuple[str, ...] = ()
        self.deep = 2
        self.centre: int | None = None

    def show(self, hand: HandContent, faces: Faces) -> None:
        """Shows a hand."""
        self.hand, self.faces = hand, faces
        self.refresh()

    def rows(self, width: int, count: int) -> int:
        """The rows that this many cards need, or the current hand if it is larger."""
        found = slots(max(count, self._count), width, self.deep, self.centre)
        return found[-1].y + self.deep if found else self.deep + 1

    @property
    def _count(self) -> int:
        return len(self.hand.cards) + (self.hand.down is not None)

    def slots_in(self, width: int) -> list[Slot]:
        """The positions of the cards in a width, the face-down card last."""
        return slots(self._count, width, self.deep, self.centre)

    def canvas(self, width: int, height: int) -> Canvas:
        """The cards, the face-down card at the end."""
        canvas = Canvas(width, height)
        hand, glyphs = self.hand, self.faces.glyphs
        for y, line in enumerate(self.words, (height - len(self.words)) // 2):
            wide = wcwidth.width(line)
            centre = self.centre if wide < 2 * (self.centre or 0) else None
            canvas.put(centred(wide, width, centre), y, line, STRONG_ROLE)
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
        edge = SHADED if role == SHADED else CARD_ROLE
        for row, text in enumerate(rows):
            # Adjacent cards are separated by an edge.
            sign = " " if slot.width > 4 else self.faces.glyphs.edge
            canvas.put(slot.x, y + row, sign, edge)
            body = f" {text}" if 4 < slot.room > wcwidth.width(text) else text
            canvas.put(slot.x + 1, y + row, wcwidth.ljust(body, slot.room)[: slot.room], role)

    def at(self, x: int, y: int) -> int | None:
        """The index of the card at a cell; None if there is none."""
        for at, slot in enumerate(self.slots_in(self.size.width)[: len(self.hand.cards)]):
            top = slot.y - (at in self.hand.chosen)
            if slot.x <= x < slot.x + slot.width and top <= y < top + self.deep:
                return at
        return None

    def on_click(self, event: events.Click) -> None:
        """Textual: a click."""
        at = self.at(event.x, event.y)
        if at is not None:
            self.post_message(self.Picked(at))


# ------------------------------------------------------------------------------- choices


class ChoiceBar(CanvasView):
    """The current choices in a row, for clicks and keys."""

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
        """Shows choices with a cursor, which stays while the choices stay the same."""
        if choices != self.choices or at is not None:
            self.cursor = at
        self.choices, self.faces = choices, faces
        self.refresh()

    def move(self, by: int) -> None:
        """Moves the cursor; without a cursor, to the first choice."""
        if self.choices:
            start = -1 if by > 0 else 0
            at = start if self.cursor is None else self.cursor
            self.cursor = (at + by) % len(self.choices)
            self.refresh()

    @property
    def chosen(self) -> Offer | None:
        """The choice under the cursor."""
        return None if self.cursor is None else self.choices[self.cursor]

    def positions(self, width: int, height: int) -> list[tuple[int, int]]:
        """The column and row of each choice that fits."""
        return [position for _, position in self._seen(width, height)]

    def _seen(self, width: int, height: int) -> list[tuple[Offer, tuple[int, int]]]:
        """The visible choices with their positions; the one under the cursor is among them."""
        rows: list[list[int]] = [[]]
        for at in range(len(self.choices)):
            wide = self._wide(at)
            if rows[-1] and sum(map(self._wide, rows[-1])) + wide - 1 > width:
                rows.append([])
            rows[-1].append(at)
        here = next((y for y, row in enumerate(rows) if self.cursor in row), 0)
        found = []
        for y, row in enumerate(rows[max(0, here + 1 - height) :][:height]):
            x = centred(sum(map(self._wide, row)) - 1, width, self.centre)
            for at in row:
                found.append((self.choices[at], (x, y)))
                x += self._wide(at)
        return found

    def _wide(self, at: int) -> int:
        return wcwidth.width(self.choices[at].label) + 3

    def canvas(self, width: int, height: int) -> Canvas:
        """The choices, with a mark at the cursor."""
        canvas = Canvas(width, height)
        found = self._seen(width, height)
        for each, (x, y) in found:
            here = each is self.chosen
            mark = self.faces.glyphs.turn if here else " "
            canvas.put(x, y, mark, TURN_ROLE)
            canvas.put(x + 1, y, each.label, ASKED if here else STRONG_ROLE)
        if len(found) < len(self.choices):
            canvas.put(width - 1, height - 1, self.faces.glyphs.more, QUIET_ROLE)
        return canvas

    def on_click(self, event: events.Click) -> None:
        """Textual: a click."""
        for each, (x, y) in self._seen(*self.size):
            if y == event.y and x <= event.x < x + wcwidth.width(each.label) + 2:
                self.post_message(self.Taken(each))


# ------------------------------------------------------------------------ log and input


class LogPane(RichLog):
    """The log of events and chat, which is wrapped again when its width changes."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, wrap=True, min_width=1, max_lines=4 * REMEMBERED)
        self._texts: list[str] = []
        self._aside = ""
        self._wide = 0

    def add(self, text: str) -> None:
        """Adds a text, which may contain styles of the terminal."""
        self._texts = [*self._texts[1 - REMEMBERED :], text]
        if self._wide:
            self._put(text)

    def put_aside(self, text: str) -> None:
        """Omits a text that is shown elsewhere, until another text or none is."""
        if text != self._aside:
            self._aside = text
            self._put_all()

    def last(self, columns: int) -> str:
        """The last text, or its last lines if it is long."""
        *lines, found = self._texts[-1].split("\n") if self._texts else [""]
        rows = rows_of(found, columns)
        for line in reversed(lines):
            rows += rows_of(line, columns)
            if rows > SHORT_LOG_ROWS:
                break
            found = f"{line}\n{found}"
        return found

    def on_resize(self, event: events.Resize) -> None:
        """Textual: the widget was resized."""
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
        # One column before the scrollbar is empty.
        self.write(Text.from_ansi(text), width=max(1, self._wide - 2 - 2))


def rows_of(text: str, columns: int) -> int:
    """The number of rows of a text, wrapped at its spaces."""
    lines = Text.from_ansi(text).plain.split("\n")
    return sum(len(textwrap.wrap(line, max(1, columns))) or 1 for line in lines)


class CommandLine(Input):
    """The input line. While it is empty, some keys are passed on as `Pressed`.

    This widget sees keys in their order. The application would see Enter before earlier fast input.
    """

    OTHERS = ("left", "right", "space", "enter", "ctrl+d")

    class Pressed(Message):
        """A key that is not for the input line, which is empty."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)

    async def _on_key(self, event: events.Key) -> None:
        # Input from before the terminal was in raw mode ends with a line feed.
        key = "enter" if event.key == "ctrl+j" else event.key
        if key in self.OTHERS and not self.value:
            event.stop()
            event.prevent_default()
            self.post_message(self.Pressed(key))
        elif key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Submitted(self, self.value))
            self.value = ""  # at once: fast input after it is another line

    def _on_paste(self, event: events.Paste) -> None:
        """Textual: a paste. Its lines are entered one by one."""
        event.stop()
        event.prevent_default()
        first, *more = event.text.splitlines() or [""]
        self.replace(first, *self.selection)
        if more or event.text.endswith(("\r", "\n")):
            self.post_message(self.Submitted(self, "\n".join([self.value, *more])))
            self.value = ""
