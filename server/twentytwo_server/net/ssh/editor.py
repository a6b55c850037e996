"""A line editor for a terminal at the other end of a connection; it has no socket.

`receive` takes the bytes of the terminal; `show` takes output, and puts it above the line that is
being typed. The line takes one row, and is scrolled sideways when it is longer. It is drawn with
carriage returns and spaces, which every terminal knows; only Ctrl-L needs an escape sequence.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Protocol

from twentytwo_protocol.columns import columns, cut
from twentytwo_protocol.verbs import without_secrets

PROMPT = "> "
LONGEST = 1000
"""Maximum length of a line in characters; more of them are not taken."""
HISTORY = 100
"""Number of lines that are kept for the arrow keys, until the connection ends."""
LISTED = 40
"""Maximum number of completions that are listed."""
HINT = "(quit leaves)"
_KEY = re.compile("\x1b(?:[\\[O][0-9;?]*[ -/]*[@-~]|[^\\[O\x1b])")
_BEGINS_KEY = re.compile("\x1b(?:[\\[O][0-9;?]{0,16}[ -/]*)?")
_WORDS = re.compile(r"\S+\s*")

Completions = Callable[[str], Iterator[tuple[str, str]]]
"""The completions of a text: the end to replace, and its replacement."""


class Typing(Protocol):
    """The effects of the editor other than drawing."""

    def write(self, text: str) -> None:
        """Sends text to the terminal."""

    def line(self, line: str) -> None:
        """A line is complete."""

    def end(self) -> None:
        """The person ends the input (Ctrl-D)."""


class LineEditor:
    """The line that a person is typing, with its history.

    `width` is that of the terminal in columns. `hidden`: the typed text is not shown and not
    remembered, because it is a password. `held`: nothing is drawn, because the terminal does not
    read; `release` draws the line again.
    """

    def __init__(
        self, typing: Typing, completions: Completions, width: int, *, utf8: bool = True
    ) -> None:
        self._typing = typing
        self._completions = completions
        self._width = width
        self._encoding = "utf-8" if utf8 else "latin-1"
        self._decoder = codecs.getincrementaldecoder(self._encoding)("replace")
        self._unfinished_key = ""
        self._after_return = False
        self._text = ""
        self._at = 0
        self._first = 0
        self._hidden = False
        self._held = False
        self._drawn = 0
        self._shown: tuple[str, str] | None = None
        self._history: list[str] = []
        self._back = 0
        self._unsent = ""
        self._killed = ""

    # ------------------------------------------------------------------------- the input

    def receive(self, data: bytes) -> None:
        """Takes bytes from the terminal, cut anywhere; draws the line once at the end."""
        text = self._unfinished_key + self._decoder.decode(data)
        self._unfinished_key = ""
        if self._appends(text):
            return
        while text:
            if text[0] == "\x1b":
                found = _KEY.match(text)
                if found is None and _BEGINS_KEY.fullmatch(text):
                    self._unfinished_key = text
                    break
                key = found[0] if found else text[0]
            else:
                key = text[0]
            text = text[len(key) :]
            self._press(key)
        self._draw()

    def _appends(self, text: str) -> bool:
        """Takes the usual input, characters at the end of the line, and shows only these."""
        if self._shown is None or self._shown[1] or not text.isprintable():
            return False
        if self._at < len(self._text) or self._hidden or self._held:
            return False
        if self._drawn + columns(text) >= self._width or len(self._text) + len(text) > LONGEST:
            return False
        self._after_return = False
        self._insert(text)
        self._drawn += columns(text)
        self._shown = (self._shown[0] + text, "")
        self._typing.write(text)
        return True

    def _press(self, key: str) -> None:
        after_return, self._after_return = self._after_return, key == "\r"
        if key == "\n" and after_return:
            return
        action = _KEYS.get(key)
        if action is not None:
            action(self)
        elif key.isprintable():
            self._insert(key)

    def _insert(self, text: str) -> None:
        text = text[: LONGEST - len(self._text)]
        self._text = self._text[: self._at] + text + self._text[self._at :]
        self._at += len(text)

    # ------------------------------------------------------------------------------ keys

    def _enter(self) -> None:
        line, hidden = self._text, self._hidden
        self._move(len(line))
        self._leave_line()
        self._set("")
        if not hidden:
            self._remember(line)
        self._typing.line(line)

    def _remember(self, line: str) -> None:
        self._back, self._unsent = 0, ""
        kept = bool(line.strip()) and without_secrets(line) == line
        if kept and self._history[-1:] != [line]:
            self._history = [*self._history, line][-HISTORY:]

    def _interrupt(self) -> None:
        if self._hidden:
            self._give_up()
            return
        hint = "" if self._text else HINT
        self._leave_line(f"^C{hint}")
        self._set("")
        self._back = 0

    def _give_up(self) -> None:
        """Answers a hidden question with an empty line, which cancels."""
        self._set("")
        self._enter()

    def _end_or_delete(self) -> None:
        if self._text:
            self._delete()
        elif self._hidden:
            self._give_up()
        else:
            self._leave_line()
            self._typing.end()

    def _set(self, text: str) -> None:
        self._text, self._at = text, len(text)

    def _move(self, at: int) -> None:
        self._at = max(0, min(len(self._text), at))

    def _cut(self, start: int, end: int) -> None:
        """Removes the text between two places, and keeps it for Ctrl-Y."""
        self._killed = "" if self._hidden else self._text[start:end]
        self._text = self._text[:start] + self._text[end:]
        self._at = start

    def _backspace(self) -> None:
        if self._at:
            self._text = self._text[: self._at - 1] + self._text[self._at :]
            self._at -= 1

    def _delete(self) -> None:
        self._text = self._text[: self._at] + self._text[self._at + 1 :]

    def _word_left(self) -> int:
        starts = [found.start() for found in _WORDS.finditer(self._text)]
        return max((start for start in starts if start < self._at), default=0)

    def _word_right(self) -> int:
        ends = [found.start() + len(found[0].rstrip()) for found in _WORDS.finditer(self._text)]
        return min((end for end in ends if end > self._at), default=len(self._text))

    def _older(self) -> None:
        self._recall(self._back + 1)

    def _newer(self) -> None:
        self._recall(self._back - 1)

    def _recall(self, back: int) -> None:
        if self._hidden or not 0 <= back <= len(self._history):
            return
        if not self._back:
            self._unsent = self._text
        self._back = back
        self._set(self._history[-back] if back else self._unsent)

    def _complete(self) -> None:
        if self._hidden or self._held:
            return
        before = self._text[: self._at]
        found = list(self._completions(before))
        whole = [before[: len(before) - len(end)] + instead for end, instead in found]
        if not whole:
            return
        more = f"{whole[0]} " if len(whole) == 1 else _common_start(whole)
        if len(more) > len(before) and more.lower().startswith(before.lower()):
            self._text = more + self._text[self._at :]
            self._at = len(more)
        else:
            self._list([instead for _, instead in found])

    def _list(self, words: list[str]) -> None:
        """Shows completions above the line, in columns."""
        rest = len(words) - LISTED
        words = [*words[:LISTED], *([f"and {rest} more"] if rest > 0 else [])]
        size = max(map(columns, words)) + 2
        each = max(1, (self._width - 1) // size)
        rows = [words[row : row + each] for row in range(0, len(words), each)]
        lines = ["".join(f"{word:<{size}}" for word in row).rstrip() for row in rows]
        self.show("".join(f"{line}\r\n" for line in lines))

    def _clear_screen(self) -> None:
        if not self._held:
            self._typing.write("\x1b[H\x1b[2J")
            self._forget_drawing()

    # --------------------------------------------------------------------------- drawing

    def show(self, output: str) -> None:
        """Writes lines, with their ends, above the line that is being typed."""
        erased = f"\r{' ' * self._drawn}\r" if self._drawn else ""
        self._forget_drawing()
        self._typing.write(erased + output)
        self._draw()

    def resize(self, width: int) -> None:
        """Draws the line for another width."""
        self._width = width
        self._drawn = min(self._drawn, width)
        self._draw(anew=True)

    def hide(self, hidden: bool) -> None:
        """Hides typed text, or shows it again."""
        self._hidden = hidden
        if hidden:
            self._draw()

    def finish(self) -> None:
        """Removes the line for good: the connection is about to close."""
        if self._drawn and not self._held:
            self._typing.write(f"\r{' ' * self._drawn}\r")
        self.hold()

    def hold(self) -> None:
        """Draws nothing until `release`."""
        self._held = True

    def release(self) -> None:
        """Draws the line again."""
        self._held = False
        self._draw()

    def _draw(self, *, anew: bool = False) -> None:
        """Draws the line and puts the cursor into it, unless it is drawn so already."""
        if self._held:
            return
        before, after = ("", "") if self._hidden else self.visible()
        if (before, after) == self._shown and not anew:
            return
        whole = f"{PROMPT}{before}{after}"
        size = columns(whole)
        spaces = " " * (self._drawn - size)
        back = f"\r{PROMPT}{before}" if after or spaces else ""
        self._typing.write(f"\r{whole}{spaces}{back}")
        self._drawn, self._shown = size, (before, after)

    def visible(self) -> tuple[str, str]:
        """The parts of the line before and after the cursor that fit the terminal.

        It is scrolled by half its width, so that not every key moves the whole line.
        """
        room = max(1, self._width - 1 - columns(PROMPT))
        if columns(self._text) < room:
            self._first = 0
        elif self._at < self._first:
            self._first = max(0, self._at - room // 2)
        while columns(self._text[self._first : self._at]) >= room:
            self._first += max(1, room // 2)
        before, after = self._text[self._first : self._at], self._text[self._at :]
        left = room - columns(before)
        after = cut(after, left)[0]
        return before, after if columns(after) <= left else ""

    def _leave_line(self, mark: str = "") -> None:
        """Leaves the whole line on the screen, and goes to the next row."""
        if not self._held:
            self._draw()
            whole = f"\r{PROMPT}{self._text}" if self._first and not self._hidden else ""
            self._typing.write(f"{whole}{mark}\r\n")
            self._forget_drawing()

    def _forget_drawing(self) -> None:
        self._drawn, self._shown = 0, None


def _common_start(words: list[str]) -> str:
    """The longest beginning that all these words have."""
    first, last = min(words), max(words)
    same = (index for index, char in enumerate(first) if last[index : index + 1] != char)
    return first[: next(same, len(first))]


Action = Callable[[LineEditor], None]


def _to_start(editor: LineEditor) -> None:
    editor._move(0)


def _to_end(editor: LineEditor) -> None:
    editor._move(len(editor._text))


_KEYS: dict[str, Action] = {
    "\r": LineEditor._enter,
    "\n": LineEditor._enter,
    "\t": LineEditor._complete,
    "\x7f": LineEditor._backspace,
    "\b": LineEditor._backspace,
    "\x01": _to_start,
    "\x05": _to_end,
    "\x02": lambda editor: editor._move(editor._at - 1),
    "\x06": lambda editor: editor._move(editor._at + 1),
    "\x03": LineEditor._interrupt,
    "\x04": LineEditor._end_or_delete,
    "\x0b": lambda editor: editor._cut(editor._at, len(editor._text)),
    "\x15": lambda editor: editor._cut(0, editor._at),
    "\x17": lambda editor: editor._cut(editor._word_left(), editor._at),
    "\x19": lambda editor: editor._insert(editor._killed),
    "\x0c": LineEditor._clear_screen,
    "\x10": LineEditor._older,
    "\x0e": LineEditor._newer,
    "\x1bb": lambda editor: editor._move(editor._word_left()),
    "\x1bf": lambda editor: editor._move(editor._word_right()),
    "\x1b\x7f": lambda editor: editor._cut(editor._word_left(), editor._at),
}
"""The keys without a name of their own; those with one follow."""
for _codes, _action in (
    ("\x1b[A \x1bOA", LineEditor._older),
    ("\x1b[B \x1bOB", LineEditor._newer),
    ("\x1b[C \x1bOC", _KEYS["\x06"]),
    ("\x1b[D \x1bOD", _KEYS["\x02"]),
    ("\x1b[1;5C \x1b[1;3C", _KEYS["\x1bf"]),
    ("\x1b[1;5D \x1b[1;3D", _KEYS["\x1bb"]),
    ("\x1b[H \x1bOH \x1b[1~ \x1b[7~", _to_start),
    ("\x1b[F \x1bOF \x1b[4~ \x1b[8~", _to_end),
    ("\x1b[3~", LineEditor._delete),
):
    _KEYS.update(dict.fromkeys(_codes.split(), _action))
