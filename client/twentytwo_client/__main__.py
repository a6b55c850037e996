"""`twentytwo`: runs the client."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from msgspec.structs import replace

from . import cli, hangup, menu, practice_history
from .display.look import LookOptions, look
from .exit_status import Exit
from .options import (
    Conform,
    Host,
    Menu,
    Options,
    Play,
    Practice,
    Replay,
    ServerCommand,
    Stats,
    Tutorial,
    WhatIf,
)
from .standard_streams import open_closed_streams
from .trouble import trouble

AS_OURS = "from twentytwo_server.cli import main; main(prog_name='twentytwo')"
"""The Python code that runs the server's program as `twentytwo`, the name in its help and error
texts.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command `twentytwo` and returns its exit status."""
    open_closed_streams()
    try:
        options = cli.read(sys.argv[1:] if arguments is None else arguments)
        if not isinstance(options, ServerCommand | Conform | Stats):  # which need no terminal
            hangup.watch()
        return _run(options)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


def _run(options: Options) -> int:
    match options:
        case Menu():
            return _menu()
        case ServerCommand((("review" | "record") as name, *words)):
            return _by_the_server([name, *map(_file, words)])
        case ServerCommand(words):
            return _by_the_server(words)
        case Replay(what):
            from .replay import command

            return _gone_on(command.main(replace(options, what=_file(what)), os.environ))
        case WhatIf(what):
            from .replay import going_on

            return _gone_on(going_on.main(replace(options, what=_file(what))))
        case Stats():
            from .statistics import command as statistics

            return statistics.main(options, os.environ)
        case Conform():
            return _conform(options)
        case Play() | Practice() | Tutorial() | Host():
            return _in_the_terminal(options)


def _gone_on(to: Practice | int) -> int:
    """Plays the practice game to which a command led, or returns the exit status of the command."""
    return to if isinstance(to, int) else _in_the_terminal(to)


def _file(what: str) -> str:
    """The file for an argument: `last` is the practice game that was finished last."""
    found = practice_history.named(what, os.environ)
    if found == practice_history.LAST_GAME and not os.path.exists(found):
        print("twentytwo: no game that you practised has been kept yet.", file=sys.stderr)
        raise SystemExit(Exit.FAILED)
    return found


def _menu() -> int:
    """Shows the menu to a person. Without a terminal it prints the usage."""
    if not (os.isatty(0) and os.isatty(1)):
        print(cli.usage(), end="", file=sys.stderr)
        return Exit.USAGE
    last = practice_history.LAST_GAME
    last_game = last if practice_history.named(last, os.environ) != last else ""
    columns = os.get_terminal_size(1).columns
    try:
        words = menu.ask(cli.main.commands, columns, input, print, last=last_game)
    except KeyboardInterrupt:
        print()
        raise
    status = _chosen(words) if words else Exit.OK
    failed = status in {*Exit} - {Exit.OK, Exit.INTERRUPTED}  # an error message has been printed
    return _menu() if failed else status


def _chosen(words: Sequence[str]) -> int:
    """Runs the chosen command line and returns its exit status. Errors in the answers are
    reported.
    """
    try:
        return main(words)
    except SystemExit as wrong:
        return int(wrong.code or 0)


def _by_the_server(words: Sequence[str]) -> int:
    """Runs a command of the server's program in a child process: the client has no rules and no
    bots.
    """
    with subprocess.Popen([sys.executable, "-c", AS_OURS, *words]) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the child gets Ctrl-C as well: wait until it ends


def _conform(options: Conform) -> int:
    from twentytwo_conform import command
    from twentytwo_conform.connections import Encrypted

    from .encryption import context_of

    server = options.server
    try:
        if options.client:
            return command.client(options.client, options.ids, as_json=options.json)
        where = (server.lookup, server.port)
        context = context_of(server)
        return command.server(
            Encrypted.at(where, context) if context else where,
            options.words,
            options.ids,
            as_json=options.json,
        )
    except OSError as error:
        print(
            f"twentytwo conform: {options.client or server}: {trouble(error)}",
            file=sys.stderr,
        )
        return Exit.FAILED if options.client else Exit.UNREACHABLE


def _in_the_terminal(options: Play | Practice | Tutorial | Host) -> int:
    _say_starting(options.look)
    full_screen = None
    if options.look.tui:
        if not _full_screen_fits(options.look):
            return Exit.USAGE
        try:
            from .tui.screen import TableScreen
        except ModuleNotFoundError as missing:
            if missing.name is None or not missing.name.startswith("textual"):
                raise
            print(
                "--tui needs Textual: pip install 'twentytwo[tui]' gets it."
                " Without --tui everything works.",
                file=sys.stderr,
            )
            return Exit.FAILED
        full_screen = TableScreen(os.environ)
    from .terminal import commands, login
    from .terminal.app import Environment

    around = Environment(os.environ, time.time, full_screen)
    if isinstance(options, Practice):
        return asyncio.run(commands.practice(options, around))
    if isinstance(options, Tutorial):
        return asyncio.run(commands.tutorial(options, around))
    if isinstance(options, Host):
        return asyncio.run(commands.host(options, around))
    try:
        password = login.password_of(options.name) if options.login else ""
    except EOFError:
        print("twentytwo play: no password was typed", file=sys.stderr)
        return Exit.FAILED
    return asyncio.run(commands.play(options, around, password))


def _say_starting(wishes: LookOptions) -> None:
    """Prints that the client starts, on a line that the first output replaces."""
    typed, seen = os.isatty(0), os.isatty(1)
    if seen:
        rich = look(wishes, os.environ, typed=typed, seen=seen).rich
        print("Starting...", end="\r" if rich else "\n", flush=True)


def _full_screen_fits(wishes: LookOptions) -> bool:
    """True if the terminal can show the full screen; otherwise prints why not."""
    typed, seen = os.isatty(0), os.isatty(1)
    fits = look(wishes, os.environ, typed=typed, seen=seen).rich
    if not fits:
        print(
            "--tui needs a terminal whose cursor can be moved; without it lines will do.",
            file=sys.stderr,
        )
    return fits


if __name__ == "__main__":
    sys.exit(main())
