"""What is on a terminal, as a picture: SVG that needs no font but one of equal widths."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

import pyte
from pyte.screens import Char

from tests.client.screen import Terminal

WIDE, HIGH, SIZE = 8.4, 18, 14
"""Columns and rows in pixels, and letters."""
EDGE, BAR = 12, 30
"""What is around the text, and above it."""
FONT = "ui-monospace,'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"
PAPER, INK, FRAME, QUIET = "#15191a", "#d8dcd6", "#24292a", "#8fa39a"
COLOURS = {
    "black": "#15191a",
    "red": "#f2786d",
    "green": "#7fc08a",
    "brown": "#e0b868",
    "blue": "#82aef0",
    "magenta": "#d69ae0",
    "cyan": "#7fc6c6",
    "white": INK,
    "brightblack": "#7d8a86",
}
"""The colours of a terminal, as pyte calls them."""

HARD = "\N{NO-BREAK SPACE}"
"""A space of which two are not made into one."""

Kind = tuple[str, str, bool]
"""Ink, paper, whether it is bold."""


def picture(terminal: Terminal, title: str) -> str:
    """The terminal as it is now, in a window with a title; its cursor is to be seen."""
    screen = terminal.screen
    wide = round(screen.columns * WIDE + 2 * EDGE)
    high = screen.lines * HIGH + BAR + EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}" role="img"><title>{escape(title)}</title>',
        f'<rect width="{wide}" height="{high}" rx="8" fill="{FRAME}"/>',
        f'<rect x="2" y="{BAR - 6}" width="{wide - 4}" height="{high - BAR + 4}" rx="6" '
        f'fill="{PAPER}"/>',
        f'<g font-family="{FONT}" font-size="{SIZE}" fill="{INK}">',
        f'<text x="{EDGE}" y="17" font-size="12" fill="{QUIET}">{escape(title)}</text>',
    ]
    for y in range(screen.lines):
        parts += _row(screen, y)
    return "\n".join([*parts, "</g></svg>"]) + "\n"


def _row(screen: pyte.Screen, y: int) -> Iterator[str]:
    cells = [screen.buffer[y][x] for x in range(screen.columns)]
    cursor = None if screen.cursor.hidden else (screen.cursor.x, screen.cursor.y)
    kinds = [_kind(cell, (x, y) == cursor) for x, cell in enumerate(cells)]
    base = BAR + y * HIGH
    for kind, places in groupby(range(screen.columns), key=lambda x: kinds[x]):
        ink, paper, bold = kind
        run = list(places)
        x, wide = EDGE + run[0] * WIDE, len(run) * WIDE
        if paper != PAPER:
            box = f'x="{x:.1f}" y="{base}" width="{wide:.1f}" height="{HIGH}"'
            yield f'<rect {box} fill="{paper}"/>'
        text = "".join(cells[each].data for each in run)
        shown = text.rstrip()
        if shown:
            blank = len(shown) - len(shown.lstrip())
            look = f' fill="{ink}"' if ink != INK else ""
            look += ' font-weight="bold"' if bold else ""
            long = (len(shown) - blank) * WIDE
            yield (
                f'<text x="{x + blank * WIDE:.1f}" y="{base + 14}" textLength="{long:.1f}"{look}>'
                f"{escape(shown.lstrip(), quote=False).replace(' ', HARD)}</text>"
            )


def _kind(cell: Char, under: bool) -> Kind:
    ink = _colour(cell.fg, INK)
    paper = _colour(cell.bg, PAPER)
    if cell.reverse != under:
        ink, paper = paper, ink
    return ink, paper, cell.bold


def _colour(name: str, usual: str) -> str:
    if name == "default":
        return usual
    return COLOURS.get(name) or f"#{name}"
