"""`twentytwo replay`: shows a finished game from a file, from a server, or from a socket."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from twentytwo_protocol import logs
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
from .page import page
from .playback import Perspective, Playback
from .sources import (
    NUMBER,
    NoGame,
    ServerLogin,
    contents,
    is_link,
    of_file,
    of_server,
    of_socket,
    of_text,
    record_of,
    record_of_server,
)
from .stepping import Presentation, pressed


def main(options: Replay, env: Mapping[str, str]) -> Practice | int:
    """`twentytwo replay`. Returns the exit status, or a practice game that the person wants to
    play.
    """
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
    return Exit.OK


def _events(options: Replay, env: Mapping[str, str]) -> list[Event]:
    """The events of the requested game. Raises `NoGame`."""
    what = options.what
    if what == "-" or os.path.exists(what):
        return of_file(what)
    if is_link(what):
        return of_text(what)
    if NUMBER.fullmatch(what):
        return of_server(_login(options.server, env), what)
    if ":" in what:
        try:
            return list(of_socket(replace(parse(what), ca=options.server.ca)))
        except ValueError as wrong:
            raise NoGame(str(wrong)) from None
    raise NoGame(f"there is no file {what}")


def _record(options: Replay, env: Mapping[str, str]) -> str:
    """The record of the shown game, to continue it. Raises `NoGame`."""
    what = options.what
    if NUMBER.fullmatch(what) and not os.path.exists(what):
        return record_of_server(_login(options.server, env), what)
    return record_of(what)


def _login(server: Address, env: Mapping[str, str]) -> ServerLogin:
    """The server, with the saved session's name and token if there is one."""
    with contextlib.suppress(OSError), SessionFile(state_dir(env)) as sessions:
        saved = sessions.take(str(server))
        if saved is not None:
            return ServerLogin(server, saved.name, saved.token)
    return ServerLogin(server, "viewer")


def _write_files(options: Replay, events: Sequence[Event]) -> int:
    """Writes the page, the cast, or both. Raises `NoGame`."""
    try:
        if options.html:
            review = contents(options.review) if options.review else ""
            _write(options.html, page(events, options.seat, review, opened=options.opened))
        if options.cast:
            how = Look(Suits.SIGNS, colour=True, unicode=True)
            whose = Perspective(how, lambda: options.columns, options.seat, opened=options.opened)
            viewing = Playback(events, whose)
            steps = iter(lambda: None if viewing.over else list(viewing.play()), None)
            _write(options.cast, "".join(f"{line}\n" for line in cast(steps, options.columns)))
    except ValueError as wrong:
        raise NoGame(str(wrong)) from None
    return 0


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as wrong:
        raise NoGame(file_trouble(path, wrong)) from None
    print(f"{path}: written")


def _print_log(options: Replay, events: list[Event]) -> int:
    """Prints the game as a log that can be served, with the view of a seat if one is given."""
    game = next(event for event in events if isinstance(event, Game_))
    seat = options.seat
    seen = events if seat is None else [redact(event, seat or None) for event in events]
    title = vocabulary(game.game).title
    out = StandardOutput()
    for line in logs.written(game.id, title, seen):
        out.write(line)
    return 0
