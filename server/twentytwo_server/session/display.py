"""A person's display settings, such as width, suit signs and colour; wrapping lines to a width."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.cards import SUIT_SIGNS, Card
from twentytwo_protocol.columns import columns, cut
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import plain_cards

BOUNDS = {"width": range(30, 401)}
CHOICES = {
    "charset": ("ascii", "utf8"),
    "suits": ("letters", "signs"),
    "colour": ("off", "on"),
    "bell": ("off", "turn"),
    "terse": ("off", "on"),
    "forced": ("off", "on"),
    "remarks": ("on", "off"),
}
"""Settings with a fixed list of values; the first value is the default."""

RED, PLAIN = "\x1b[31m", "\x1b[0m"
COLOUR = re.compile("\x1b\\[[0-9]*m")
_SPACE = re.compile(" (?!%)")
INDENT = "    "
"""The indentation of every line of a wrapped sentence except the first."""


class DisplaySettings(Value):
    """A person's settings for display and for typing.

    `width` is in columns. `forced`: an empty line plays the only legal move. `remarks`: practice
    tables explain after each hand which play decided it.
    """

    width: int = 79
    charset: str = "ascii"
    suits: str = "letters"
    colour: str = "off"
    bell: str = "off"
    terse: str = "off"
    forced: str = "off"
    remarks: str = "on"

    def with_(self, key: str, value: str) -> DisplaySettings:
        """The settings with one value changed. Raises `Refused` for an unknown setting or value.

        ASCII has no suit signs: it turns signs off, and signs are refused while it is on.
        """
        key, value = {"color": "colour"}.get(key, key), value.lower()
        if key in BOUNDS:
            span = BOUNDS[key]
            if not (value.isascii() and value.isdigit() and int(value[:6]) in span):
                raise Refused(
                    "BAD_ARG", f"{key} takes {span.start} to {span.stop - 1}.", arg="value"
                )
            return self._changed({key: int(value)})
        if key not in CHOICES:
            known = ", ".join([*BOUNDS, *CHOICES])
            text = f"There is no setting {key}; the settings are {known}."
            raise Refused("NO_SUCH_OPTION", text, arg="key")
        if value not in CHOICES[key]:
            raise Refused("BAD_ARG", f"{key} takes {' or '.join(CHOICES[key])}.", arg="value")
        if key == "suits" and value == "signs" and self.charset == "ascii":
            raise Refused("BAD_ARG", "Signs need set charset utf8 first.", arg="value")
        if key == "charset" and value == "ascii":
            return self._changed({key: value, "suits": "letters"})
        return self._changed({key: value})

    def _changed(self, fields: dict[str, Any]) -> DisplaySettings:
        return replace(self, **fields)

    def show(self, cards: Iterable[Card]) -> str:
        """Cards as this person sees them."""
        return " ".join(map(self._card, cards))

    def lines(self, sentences: Iterable[str]) -> list[str]:
        """Sentences wrapped to this person's width, in this person's character set."""
        return [
            line
            for sentence in sentences
            for part in sentence.split("\n")
            for line in self._wrapped(part)
        ]

    def _wrapped(self, sentence: str) -> list[str]:
        if self.charset == "ascii":
            sentence = sentence.encode("ascii", "replace").decode()
        return wrapped(sentence, self.width) if sentence.strip() else []

    def _card(self, card: Card) -> str:
        shown, suit = plain_cards([card]), card[-1] if len(card) > 1 else ""
        if self.suits == "signs" and suit in SUIT_SIGNS:
            shown = shown[:-1] + SUIT_SIGNS[suit]
        return f"{RED}{shown}{PLAIN}" if self.colour == "on" and suit in ("D", "H") else shown


def wrapped(sentence: str, width: int) -> list[str]:
    """Wraps a sentence to lines of at most `width` columns, not counting colour codes.

    A choice between bars (`A 8 | A J`) stays on one line if the line is long enough.
    """
    lines, used = [""], 0
    for word in _units(sentence, width - len(INDENT)):
        size = _columns(word)
        if used and used + 1 + size > width:
            lines.append(INDENT + word)
            used = len(INDENT) + size
        else:
            lines[-1] += word if not used and not lines[-1] else " " + word
            used += size + (1 if used or not word else 0)
    return [part for line in lines for part in _cut(line.rstrip(), width)]


def _units(sentence: str, width: int) -> list[str]:
    """The unbreakable parts of a sentence: words, a number with its %, and whole choices after a
    bar if they fit a line.
    """
    first, *choices = sentence.replace(" | ", " |\0").split("\0")
    units = _SPACE.split(first)
    for choice in choices:
        fits = _columns(choice) <= width
        units += [choice] if fits else _SPACE.split(choice)
    return units


def _cut(line: str, width: int) -> list[str]:
    """Cuts a line into pieces of at most `width` columns, for words longer than a line."""
    return [line] if _columns(line) <= width else cut(line, width)


def _columns(text: str) -> int:
    return columns(COLOUR.sub("", text))
