"""Turns events into text for a person: the protocol's sentences, in the person's look."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable

import wcwidth
from msgspec.structs import replace

from twentytwo_protocol.cards import TAROT
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Row
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import OpenVoice, Voice
from twentytwo_protocol.wire import write
from twentytwo_protocol.words import talk
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.connection import Note, Warn
from twentytwo_protocol.words.looking import Line
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.reviewing import Marked

from ..core.streams import GameToldAgain
from . import escaping
from .cards import in_prose, ranks_in_prose, shower, spoken_counts, spoken_trumps
from .look import Look

BOLD, CYAN = ("1", "22"), ("36", "39")
"""The escape codes that start and end a style."""

TALK = (talk.Said, talk.Told, talk.Shouted, talk.Kibitzed)

_CHOICE = " | "
_LESSON = re.compile(r"(?:^|\n)((?:Type: |Lesson done).*)$")
"""The last line of a lesson's text: the line to type, or the end of the lesson."""
_LINES = re.compile(r"(?<=[.:!?])  (?=\S)")
"""The separator on the wire that stands for a line end within a text."""
_BOT = re.compile(r"\bbot:([a-z]+)(\d*)")
_ORDINALS = (
    *("", "", "second ", "third ", "fourth ", "fifth ", "sixth "),
    *("seventh ", "eighth ", "ninth ", "tenth ", "eleventh ", "twelfth "),
)
_DECORATION = re.compile(r"^(\*{1,3}|-{3}) ")


class Renderer:
    """Turns messages into lines of text. `width` is called each time, because windows are
    resized.
    """

    def __init__(self, look: Look, width: Callable[[], int | None]) -> None:
        self.width = width
        self.look = look

    @property
    def look(self) -> Look:
        """The look. A new look applies from the next line on."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        self._look = look
        self.cards = shower(look)

    # ------------------------------------------------------------------------ sentences

    def voice(self, table: TableModel | None) -> Voice:
        """The voice that tells events of a table, in this look."""
        if table is None:
            return Voice({}, show=self.cards)
        if self.look.rich:
            # The facts of the hand are in view: questions need not repeat them.
            table = dataclasses.replace(table, so_far=tuple)
        # In a retold game every event may be told, whatever cards it shows.
        kind = OpenVoice if isinstance(table, GameToldAgain) else Voice
        return self.voice_of(kind, table, table.me)

    def voice_of(self, kind: type[Voice], table: TableModel, me: int | None) -> Voice:
        """A voice of that kind for the player at seat `me`, or for a spectator (None)."""
        names = {seat: escaping.visible(each.name) for seat, each in table.seats.items()}
        game = table.game.game if table.game else ""
        trumps = vocabulary(game).deck is TAROT
        show = spoken_trumps if self.look.plain and trumps else self.cards
        count = spoken_counts if self.look.plain else None
        return kind(names, me, game, show, table, count=count)

    def message(
        self, said: Event | Row, table: TableModel | None = None, *, label: str = ""
    ) -> str:
        """The text of a message, after a label; empty if it has none."""
        said = escaping.message(said)
        if isinstance(said, Ok | Err | Line | Note | Marked) and said.text:
            text = in_prose(said.text, self.cards)
            said = replace(said, text=ranks_in_prose(text) if self.look.plain else text)
        if isinstance(said, Ok) and said.text:
            said = replace(said, text=_LINES.sub("\n", said.text))
        try:
            sentence = self.voice(table).sentence(said)
        except Exception:  # a nonsensical message must not end the client
            sentence = escaping.visible(write(said))
        if not sentence.strip():
            return ""
        if self.look.plain and not isinstance(said, Err | Line):  # which contain text to type
            sentence = bots_in_prose(sentence)
        return self.lines(sentence, self._style(said), aloud=isinstance(said, Event), label=label)

    def note(self, text: str) -> str:
        """A message of the client itself."""
        return self.lines(f"* {escaping.visible(text)}", aloud=True)

    def refusal(self, text: str) -> str:
        """The client's reason for not doing something."""
        return self.lines(f"! {escaping.visible(text)}", BOLD)

    def text(self, text: str, *, label: str = "") -> str:
        """Other text."""
        return self.lines(escaping.visible(text), label=label)

    def _style(self, said: Event | Row) -> tuple[str, str] | None:
        match said:
            case Turn(default=str()) | Err() | Warn():
                return BOLD
            case _ if isinstance(said, TALK):
                return CYAN
        return None

    # ---------------------------------------------------------------------------- lines

    def lines(
        self,
        text: str,
        style: tuple[str, str] | None = None,
        *,
        aloud: bool = False,
        label: str = "",
    ) -> str:
        """The text as it is printed: wrapped, with its last line styled, or as sentences for
        reading aloud.
        """
        if self.look.plain:
            text, *lesson = _LESSON.split(text)
            said = label + (sentence(text) if aloud else _linear(text)) if text else ""
            parts = (part for line in (said, *lesson) if line for part in wrap(line, self.width()))
            return escaping.finished("\n".join(parts))
        text = label + text
        if not self.look.unicode:
            text = text.encode("ascii", "replace").decode()
        *most, last = text.split("\n")
        lines = [part for line in most for part in wrap(line, self.width())]
        on, off = style if style and self.look.colour else ("", "")
        for part in wrap(last, self.width()):
            lines.append(f"\x1b[{on}m{part}\x1b[{off}m" if on else part)
        return escaping.finished("\n".join(lines))


def sentence(text: str) -> str:
    """The text for reading aloud: without bars and asterisks, with a full stop at the end."""
    said = bots_in_prose(_linear(_DECORATION.sub("", text.strip())))
    said = said.replace("| ... ", "| ").replace(" - ", ", ").replace(_CHOICE, ", or ")
    return _ended(said)


def bots_in_prose(text: str) -> str:
    """The text with bots as people say them: `second steady bot` for `bot:steady2`."""

    def said(bot: re.Match[str]) -> str:
        number = int(bot[2] or 0)
        return f"{_ORDINALS[number] if number < len(_ORDINALS) else f'{number}th '}{bot[1]} bot"

    return _BOT.sub(said, text)


def _linear(text: str) -> str:
    """The lines as sentences on one line, without columns."""
    *most, last = [" ".join(line.split()) for line in text.split("\n") if line.strip()] or [""]
    return " ".join([*map(_ended, most), last])


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def wrap(line: str, width: int | None) -> Iterable[str]:
    """The line in pieces of at most that many columns. Choices are kept together if possible."""
    if width is None or wcwidth.width(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()) + 2, width // 2)
    if _CHOICE in line:
        return _packed(line.split(_CHOICE), width, indent)
    return wcwidth.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)


def _packed(units: list[str], width: int, indent: str) -> Iterable[str]:
    line: str | None = None
    bar = _CHOICE.rstrip()
    for unit in units:
        longer = unit if line is None else f"{line}{_CHOICE}{unit}"
        # A bar stays at the end of its line, as a sign that the list goes on.
        if wcwidth.width(longer) + len(bar) <= width:
            line = longer
            continue
        if line is not None:
            yield line + bar
            unit = indent + unit
        *full, line = _pieces(unit, width - len(bar), indent)
        yield from full
    yield line or ""


def _pieces(line: str, width: int, indent: str) -> Iterable[str]:
    if wcwidth.width(line) <= width:
        return [line]
    return wcwidth.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
