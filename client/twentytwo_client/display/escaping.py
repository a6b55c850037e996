"""Makes text from the network harmless to the terminal: control characters are shown as escapes.

ESC and, in some terminals, U+009B begin a control sequence. Bidirectional overrides reorder a line.
Stacked combining marks cover other lines.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TypeVar

from msgspec.structs import replace

from twentytwo_protocol.schema import Message

M = TypeVar("M", bound=Message)

ACCENTS = 3
"""The number of combining marks shown on one character."""

_JOINER = "\u200d"  # joins the parts of an emoji
HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = re.compile(r"[ -~]*")
COLOUR = re.compile("\x1b\\[[0-9;]{0,8}m")
_ALLOWED = re.compile("(\x1b\\[[0-9;]{0,8}m|\n)")


def visible(text: str) -> str:
    """The text with every control and formatting character replaced by an escape."""
    if _PLAIN.fullmatch(text):
        return text
    shown: list[str] = []
    accents = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        accents = accents + 1 if category in ("Mn", "Me") else 0
        if category in HARMFUL and char != _JOINER:
            shown.append(char.encode("unicode_escape", "backslashreplace").decode())
        elif accents <= ACCENTS:
            shown.append(char)
    return "".join(shown)


def message(said: M) -> M:
    """The message with all its texts made visible."""
    changed = {}
    for name in said.__struct_fields__:
        value = getattr(said, name)
        shown = _value(value)
        if shown != value:
            changed[name] = shown
    return replace(said, **changed) if changed else said


def _value(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, tuple):
        return tuple(map(_value, value))
    return value


def finished(text: str) -> str:
    """The text for the terminal: only line ends and our own colours stay unescaped."""
    return "".join(
        part if COLOUR.fullmatch(part) or part == "\n" else visible(part)
        for part in _ALLOWED.split(text)
    )
