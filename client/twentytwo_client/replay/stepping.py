"""Shows a finished game, either all of it or step by step by single keys."""

from __future__ import annotations

import contextlib
import os
import re
import termios
import tty
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import takewhile

from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value

from ..display.look import Look
from ..exit_status import Exit
from ..options import Practice, Replay
from .going_on import going_on
from .playback import NoSuchPlace, Perspective, Playback
from .sources import NoGame

KEYS = """\
space or n: next play   b: back   ] [ a trick on, back   } { a hand on, back
g 3.4: hand 3, trick 4   v: other eyes   a: all   q: quit
w: play on from here, against bots"""


class Presentation(Value):
    """The settings for showing a game. `record` fetches its record; it raises `NoGame`."""

    options: Replay
    look: Look
    width: Callable[[], int | None]
    write: Callable[[str], None]
    record: Callable[[], str]

    def run(self, events: Sequence[Event], keys: Iterable[str] | None) -> Practice | None:
        """Shows the game: step by step by the keys, or (None) all of it. Raises `NoGame`.

        Returns a practice game if the person wants to continue the game.
        """
        options = self.options
        try:
            viewing = Playback(events, self._eyes(options.seat, options.opened))
        except ValueError as wrong:
            raise NoGame(str(wrong)) from None
        if options.seat not in (None, *viewing.seats):
            last = viewing.seats.stop - 1
            raise NoGame(f"there is no seat {options.seat}; the last is {last}", Exit.USAGE)
        if options.start:
            try:
                self._write(viewing.go_to(*options.start))
            except NoSuchPlace as wrong:
                raise NoGame(str(wrong), Exit.USAGE) from None
        if keys is not None:
            return self._step(viewing, keys)
        self._write(viewing.rest())
        return None

    def _eyes(self, seat: int | None, opened: bool) -> Perspective:
        return Perspective(self.look, self.width, seat, opened=opened)

    def _write(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    def _step(self, viewing: Playback, keys: Iterable[str]) -> Practice | None:
        self._write(self._said(KEYS))
        if not self.options.start:
            self._write(viewing.play())
        keys = iter(keys)
        for key in keys:
            if key == "q":
                break
            if key == "w":
                try:
                    return going_on(
                        self.record(), viewing.position, viewing.eyes.seat, self.options.look
                    )
                except NoGame as wrong:
                    self._write([viewing.eyes.refusal(str(wrong))])
                    continue
            self._write(self._wanted(keys, viewing) if key == "g" else self._does(key, viewing))
        return None

    def _said(self, text: str) -> Iterable[str]:
        """Lines of the client itself, wrapped like the lines of the game."""
        return [self._eyes(None, False).lines(text)]

    def _wanted(self, keys: Iterator[str], viewing: Playback) -> Iterable[str]:
        """The target of `g`: the keys after it, `3.4` or `3`, up to the first other key."""
        self._write(self._said("Go to which hand, or hand.trick? For example 3.4, then Enter."))
        typed = "".join(takewhile(lambda key: key.isdecimal() or key in ". ", keys))
        hand, _, trick = typed.strip().partition(".")
        if not (hand.isdecimal() and (trick or "0").isdecimal()):
            return ["Nowhere, then."]
        try:
            return viewing.go_to(int(hand), int(trick or 0))
        except NoSuchPlace as wrong:
            return [viewing.eyes.refusal(f"{str(wrong).capitalize()}.")]

    def _does(self, key: str, viewing: Playback) -> Iterable[str]:
        """The output for a key."""
        onward: dict[str, Callable[[], Iterable[str]]] = {
            "n": viewing.play,
            "t": viewing.trick,
            "h": viewing.hand,
            "]": viewing.trick,
            "}": viewing.hand,
            "a": viewing.rest,
        }
        match key:
            case "b":
                return viewing.back()
            case "[":
                return viewing.trick_back()
            case "{":
                return viewing.hand_back()
            case "s" | "v":
                return viewing.turn_to(self._next_eyes(viewing))
            case "?":
                return self._said(KEYS)
            case _ if key in onward:
                return ["The end. b goes back, q quits."] if viewing.over else onward[key]()
        return []

    def _next_eyes(self, viewing: Playback) -> Perspective:
        """The next point of view: a spectator, each seat, then, if allowed, all cards."""
        eyes = viewing.eyes
        if eyes.opened:
            return self._eyes(None, False)
        seat = (eyes.seat or 0) + 1
        if seat in viewing.seats:
            return self._eyes(seat, False)
        return self._eyes(None, self.options.opened)


NAMES = {" ": "n", "\r": "n", "\n": "n", "\x1b[C": "n", "\x1b[D": "b", "\x04": "q", "\x1b": "q"}
"""Keys with the effect of another key: space, Enter, the arrows, Ctrl-D, Escape."""
_KEY = re.compile("\x1b\\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)


def pressed(handle: int = 0) -> Generator[str, None, None]:
    """The pressed keys, one by one, until the input ends."""
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        while typed := os.read(handle, 1024).decode("utf-8", "replace"):
            for key in _KEY.findall(typed):  # fast typing delivers several at once
                yield NAMES.get(key, key[:1].lower())
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(handle, termios.TCSADRAIN, before)
