"""`twentytwo replay`: a game that is over, from a file, from a server, or served by netcat."""

from __future__ import annotations

import contextlib
import os
import sys
import termios
import tty
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from twentytwo_protocol import logs
from twentytwo_protocol.record_link import is_link
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.words.cardplay import Game_

from ..address import Address, parse
from ..display.look import Look, Suits, look
from ..display.output import StandardOutput, columns
from ..exit_status import Exit
from ..options import Practice, Replay
from ..saved_sessions import SessionFile, state_dir
from ..trouble import file_trouble
from .cast import cast
from .going_on import going_on
from .page import page
from .playback import Perspective, Playback
from .sources import (
    NUMBER,
    NoGame,
    ServerPlace,
    contents,
    of_file,
    of_server,
    of_socket,
    of_text,
    record_of,
    record_of_server,
)

KEYS = """\
space or n: next play   b: back   ] [ a trick on, back   } { a hand on, back
g 3.4: hand 3, trick 4   v: other eyes   a: all   q: quit
w: play on from here, against bots"""


# --------------------------------------------------------------------------------- showing


@dataclass(frozen=True, slots=True)
class Presentation:
    """How a game is to be shown, and where. `record` fetches its record; it raises `NoGame`."""

    options: Replay
    look: Look
    width: Callable[[], int | None]
    write: Callable[[str], None]
    record: Callable[[], str]

    def run(self, events: Sequence[Event], keys: Iterable[str] | None) -> Practice | None:
        """Shows it: step by step as the keys say, or (None) all of it. Raises `NoGame`.

        Returns the practice game in which the person wants to play on, if so.
        """
        options = self.options
        try:
            viewing = Playback(events, self._eyes(options.seat, options.opened))
        except ValueError as wrong:
            raise NoGame(str(wrong)) from None
        if options.seat not in (None, *viewing.seats):
            raise NoGame(f"there is no seat {options.seat}; the last is {viewing.seats.stop - 1}")
        if options.start:
            self._write(viewing.go_to(*options.start))
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
        self._write([KEYS])
        if not self.options.start:
            self._write(viewing.play())
        keys = iter(keys)
        for key in keys:
            if key == "q":
                break
            if key == "w":
                try:
                    return going_on(
                        self.record(), viewing.place, viewing.eyes.seat, self.options.look
                    )
                except NoGame as wrong:
                    self._write([f"! {wrong}"])
                    continue
            self._write(self._wanted(keys, viewing) if key == "g" else self._does(key, viewing))
        return None

    def _wanted(self, keys: Iterator[str], viewing: Playback) -> Iterable[str]:
        """Where `g` goes: the keys behind it, `3.4` or `3`, up to the first that is another."""
        self._write(["Go to which hand, or hand.trick? For example 3.4, then Enter."])
        typed = "".join(takewhile(lambda key: key.isdecimal() or key in ". ", keys))
        hand, _, trick = typed.strip().partition(".")
        if not (hand.isdecimal() and (trick or "0").isdecimal()):
            return ["Nowhere, then."]
        return viewing.go_to(int(hand), int(trick or 0))

    def _does(self, key: str, viewing: Playback) -> Iterable[str]:
        """What a key shows."""
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
                return [KEYS]
            case _ if key in onward:
                return ["The end. b goes back, q quits."] if viewing.over else onward[key]()
        return []

    def _next_eyes(self, viewing: Playback) -> Perspective:
        """A spectator's, then each seat's, then, if all cards may be seen, all of them."""
        eyes = viewing.eyes
        if eyes.opened:
            return self._eyes(None, False)
        seat = (eyes.seat or 0) + 1
        if seat in viewing.seats:
            return self._eyes(seat, False)
        return self._eyes(None, self.options.opened)


NAMES = {" ": "n", "\r": "n", "\n": "n", "\x1b[C": "n", "\x1b[D": "b", "\x04": "q", "\x1b": "q"}
"""Keys that go by another name: space, Enter, the arrows, Ctrl-D, Escape."""


def pressed(handle: int = 0) -> Generator[str, None, None]:
    """The keys that are pressed, one by one, until there are no more; Ctrl-C is q."""
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        while key := os.read(handle, 8).decode("utf-8", "replace"):
            yield NAMES.get(key, key[:1].lower())
    except KeyboardInterrupt:
        yield "q"
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(handle, termios.TCSADRAIN, before)


# ----------------------------------------------------------------------------- the command


def main(options: Replay, env: Mapping[str, str]) -> Practice | int:
    """`twentytwo replay`; the exit code, or the practice game that the person goes on to."""
    typed, seen = os.isatty(0), os.isatty(1)
    try:
        events = _events(options, env)
        if options.log:
            return _print_log(options, events)
        if options.html or options.cast:
            return _write_files(options, events)
        how = look(options.look, env, typed=typed, seen=seen)
        stepping = typed and seen and not how.plain and options.what != "-"
        record = partial(_record, options, env)
        show = Presentation(options, how, columns, StandardOutput().write, record)
        with contextlib.closing(pressed()) as keys:
            wanted = show.run(events, keys if stepping else None)
        if wanted is not None:
            return wanted
    except NoGame as wrong:
        print(f"twentytwo replay: {wrong}", file=sys.stderr)
        return wrong.status
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return 0


def _events(options: Replay, env: Mapping[str, str]) -> list[Event]:
    """The events of what is asked for. Raises `NoGame`."""
    what = options.what
    if what == "-" or os.path.exists(what):
        return of_file(what)
    if is_link(what):
        return of_text(what)
    if NUMBER.fullmatch(what):
        return of_server(_place(options.server, env), what)
    if ":" in what:
        try:
            return list(of_socket(replace(parse(what), ca=options.server.ca)))
        except ValueError as wrong:
            raise NoGame(str(wrong)) from None
    raise NoGame(f"there is no file {what}")


def _record(options: Replay, env: Mapping[str, str]) -> str:
    """The record of what is shown, from which one can play on. Raises `NoGame`."""
    what = options.what
    if NUMBER.fullmatch(what) and not os.path.exists(what):
        return record_of_server(_place(options.server, env), what)
    return record_of(what)


def _place(server: Address, env: Mapping[str, str]) -> ServerPlace:
    """This server, with the name and the token of the place kept for it, if there is one."""
    with contextlib.suppress(OSError), SessionFile(state_dir(env)) as sessions:
        kept = sessions.take(str(server))
        if kept is not None:
            return ServerPlace(server, kept.name, kept.token)
    return ServerPlace(server, "viewer")


def _write_files(options: Replay, events: Sequence[Event]) -> int:
    """Writes the page, the cast, or both. Raises `NoGame`."""
    try:
        if options.html:
            review = contents(options.review) if options.review else ""
            _keep(options.html, page(events, options.seat, review))
        if options.cast:
            how = Look(Suits.SIGNS, colour=True, unicode=True)
            whose = Perspective(how, lambda: options.columns, options.seat, opened=options.opened)
            viewing = Playback(events, whose)
            steps = iter(lambda: None if viewing.over else list(viewing.play()), None)
            _keep(options.cast, "".join(f"{line}\n" for line in cast(steps, options.columns)))
    except ValueError as wrong:
        raise NoGame(str(wrong)) from None
    return 0


def _keep(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as wrong:
        raise NoGame(file_trouble(path, wrong)) from None
    print(f"{path}: written")


def _print_log(options: Replay, events: list[Event]) -> int:
    """Prints the game as a log that can be served, with what the seat saw where one is named."""
    game = next(event for event in events if isinstance(event, Game_))
    seat = options.seat
    seen = events if seat is None else [redact(event, seat or None) for event in events]
    title = vocabulary(game.game).title
    out = StandardOutput()
    for line in logs.written(game.id, title, seen):
        out.write(line)
    return 0
