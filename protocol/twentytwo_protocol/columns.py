"""The width of a text in terminal columns. A character takes no column, one, or two."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["columns", "cut"]

_JOINED = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")
"""Medial vowels and final consonants of Korean, which share the columns of the letter before."""


def columns(text: str) -> int:
    """The number of columns of a text: two for a wide character, none for a combining mark."""
    return len(text) if text.isascii() else sum(map(_width, text))


def cut(text: str, width: int) -> list[str]:
    """The text in pieces of at most `width` columns. A combining mark stays with its letter."""
    pieces, used = [""], 0
    for char in text:
        wide = _width(char)
        if used and used + wide > width:
            pieces.append("")
            used = 0
        pieces[-1] += char
        used += wide
    return pieces


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me") or _JOINED.match(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
