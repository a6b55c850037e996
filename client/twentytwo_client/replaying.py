"""`twentytwo replay`: a game that is over, from a file, from a server, or served by netcat."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
import subprocess
import sys
import termios
import tty
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from twentytwo_protocol import logs
from twentytwo_protocol.framing import Flaw, LineBuffer
from twentytwo_protocol.record import FORMAT
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.words.cardplay import Game_

from . import sdk
from .address import Address, parse, trouble
from .cli import Replay
from .look import Look, look
from .sessions import Sessions, state_dir
from .terminal import LONGEST, Output, columns
from .viewing import Eyes, Viewing

KEYS = "space or n: next play   t: trick   h: hand   b: back   s: other eyes   a: all   q: quit"
NUMBER = re.compile("g[0-9]{1,12}", re.IGNORECASE)
"""A game's number."""
CONNECTS_WITHIN = 10.0
"""Seconds for a connection to be made."""


class NoGame(Exception):
    """There is nothing to show; the text says why."""


class Screen(Protocol):
    """Where text goes."""

    def write(self, text: str) -> None:
        """Shows whole lines."""


# --------------------------------------------------------------------------------- sources


def of_file(path: str) -> list[Event]:
    """The events of a record or of a log. Raises `NoGame`."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise NoGame(str(wrong)) from None
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    if lines and lines[0].startswith(FORMAT):
        text = _told(text)
    return _read(text.splitlines())


def _told(record: str) -> str:
    """The log of a record: the laws that turn moves into events are the server's."""
    command = [sys.executable, "-m", "twentytwo_server", "record", "events", "-"]
    done = subprocess.run(command, input=record, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoGame(done.stderr.strip().rpartition("\n")[2].partition("record: ")[2])
    return done.stdout


def _read(lines: Iterable[str]) -> list[Event]:
    try:
        return list(logs.read(lines))
    except logs.NotALog as wrong:
        raise NoGame(f"this is neither a record nor a log of a game; {wrong}") from None


def of_server(server: Address, game: str, name: str, token: str = "") -> list[Event]:
    """The events of a game that a server has kept. Raises `NoGame`.

    With the token of a place at that server the game may be a private one.
    """

    async def fetch() -> list[Event]:
        async with sdk.connect(str(server), name=name, bot=False, token=token) as player:
            return await player.export(game)

    try:
        return asyncio.run(fetch())
    except sdk.Refused as refused:
        raise NoGame(refused.err.text or refused.code) from None
    except (OSError, TimeoutError, sdk.Dismissed) as wrong:
        raise NoGame(f"{server}: {trouble(wrong)}") from None


def of_socket(where: Address) -> Iterator[Event]:
    """The events that a log served at an address tells, as they come. Raises `NoGame`."""
    try:
        yield from logs.read(_lines(where))
    except logs.NotALog as wrong:
        raise NoGame(str(wrong)) from None
    except OSError as wrong:
        raise NoGame(f"{where}: {trouble(wrong)}") from None


def _lines(where: Address) -> Iterator[str]:
    """What is said there, line by line; nothing is said from here."""
    buffer = LineBuffer(LONGEST)
    with _connected(where) as wire:
        while data := wire.recv(1 << 16):
            for line in buffer.feed(data):
                yield "" if isinstance(line, Flaw) else line


def _connected(where: Address) -> socket.socket:
    if where.path:
        wire = socket.socket(socket.AF_UNIX)
        wire.settimeout(CONNECTS_WITHIN)
        wire.connect(where.path)
    else:
        wire = socket.create_connection((where.host, where.port), CONNECTS_WITHIN)
    wire.settimeout(None)
    return wire


# --------------------------------------------------------------------------------- showing


@dataclass(frozen=True, slots=True)
class Show:
    """How a game is to be shown, and where."""

    options: Replay
    look: Look
    width: Callable[[], int | None]
    screen: Screen

    def run(self, events: Sequence[Event], keys: Iterable[str] | None) -> None:
        """Shows it: step by step as the keys say, or (None) all of it. Raises `NoGame`."""
        options = self.options
        try:
            viewing = Viewing(events, self._eyes(options.seat, options.opened))
        except ValueError as wrong:
            raise NoGame(str(wrong)) from None
        if options.seat not in (None, *viewing.seats):
            raise NoGame(f"there is no seat {options.seat}; the last is {viewing.seats.stop - 1}")
        if options.start:
            self._write(viewing.go_to(*options.start))
        if keys is None:
            self._write(viewing.rest())
        else:
            self._step(viewing, keys)

    def _eyes(self, seat: int | None, opened: bool) -> Eyes:
        return Eyes(self.look, self.width, seat, opened=opened)

    def _write(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.screen.write(text)

    def _step(self, viewing: Viewing, keys: Iterable[str]) -> None:
        self._write([KEYS])
        if not self.options.start:
            self._write(viewing.play())
        for key in keys:
            if key == "q":
                return
            self._write(self._does(key, viewing))

    def _does(self, key: str, viewing: Viewing) -> Iterable[str]:
        """What a key shows."""
        onward: dict[str, Callable[[], Iterable[str]]] = {
            "n": viewing.play,
            "t": viewing.trick,
            "h": viewing.hand,
            "a": viewing.rest,
        }
        match key:
            case "b":
                return viewing.back()
            case "s":
                return viewing.turn_to(self._next_eyes(viewing))
            case "?":
                return [KEYS]
            case _ if key in onward:
                return ["The end. b goes back, q quits."] if viewing.over else onward[key]()
        return []

    def _next_eyes(self, viewing: Viewing) -> Eyes:
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


def pressed(handle: int = 0) -> Iterator[str]:
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


def main(options: Replay, env: Mapping[str, str]) -> int:
    """`twentytwo replay`; the exit code."""
    typed, seen = os.isatty(0), os.isatty(1)
    try:
        events = _events(options, env)
        if options.log:
            return _print_log(options, events)
        how = look(options.wishes, env, typed=typed, seen=seen)
        stepping = typed and seen and not how.plain and options.what != "-"
        show = Show(options, how, columns, Output())
        show.run(events, pressed() if stepping else None)
    except NoGame as wrong:
        print(f"twentytwo replay: {wrong}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _events(options: Replay, env: Mapping[str, str]) -> list[Event]:
    """The events of what is asked for. Raises `NoGame`."""
    what = options.what
    if what == "-" or os.path.exists(what):
        return of_file(what)
    if NUMBER.fullmatch(what):
        return of_server(options.server, what, *_who(options.server, env))
    if ":" in what:
        try:
            return list(of_socket(parse(what)))
        except ValueError as wrong:
            raise NoGame(str(wrong)) from None
    raise NoGame(f"there is no file {what}")


def _who(server: Address, env: Mapping[str, str]) -> tuple[str, str]:
    """The name and the token of the place kept for this server, if there is one."""
    with contextlib.suppress(OSError), Sessions(state_dir(env)) as sessions:
        kept = sessions.take(str(server))
        if kept is not None:
            return kept.name, kept.token
    return "viewer", ""


def _print_log(options: Replay, events: list[Event]) -> int:
    """Prints the game as a log that can be served, with what the seat saw where one is named."""
    game = next(event for event in events if isinstance(event, Game_))
    seat = options.seat
    seen = events if seat is None else [redact(event, seat or None) for event in events]
    title = vocabulary(game.game).title
    for line in logs.written(game.id, title, seen):
        print(line)
    return 0
