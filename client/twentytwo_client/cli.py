"""The command line of `twentytwo`."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from ssl import SSLError
from typing import TypeVar

import click
from msgspec.structs import replace

from twentytwo_protocol import __version__

from . import address
from .address import Address
from .chance import table_word
from .display.look import LookOptions
from .encryption import context_of
from .exit_status import EXIT_STATUS_HELP
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
from .trouble import trouble

EXAMPLES = """\
\b
examples:
  twentytwo practice                     against three bots, no server needed
  twentytwo practice bots=2 level=easy   against two easy ones
  twentytwo tutorial whist22             learn a game by playing it
  twentytwo play                         on the server on this machine
  twentytwo play cards.example.org       on another one
  twentytwo play tls://cards.example.org on another one, encrypted
  twentytwo play cards.example.org --table kiwi-fox
                                         at a friend's private table
  twentytwo play --tui                   a table that fills the terminal
  twentytwo play --plain                 in sentences, for a screen reader
  twentytwo host                         a server here, for friends
  twentytwo match --seats hard,steady,steady,steady -n 100
                                         bots against bots
  twentytwo replay game.txt --seat 2     a game that is over, by seat 2
  twentytwo whatif game.txt --at 3.2     play on from there, against bots
  twentytwo review game.txt --seat 2     what seat 2 could have done better
  twentytwo stats --svg stats.svg        your practice games as a picture
  twentytwo record check game.txt        whether a record is right
  twentytwo conform localhost:2222       whether a server keeps SPEC.md
"""

T = TypeVar("T")


def usage() -> str:
    """The usage of the program, in a few lines."""
    context = click.Context(main, info_name="twentytwo", **main.context_settings)
    lines = "\n".join(line for line in EXAMPLES.splitlines()[2:] if line.strip())
    return f"{main.get_usage(context)}\n\n{lines}\n\ntwentytwo --help says more.\n"


def read(arguments: Sequence[str]) -> Options:
    """Parses the arguments of the command line.

    Raises `SystemExit`: with status 2 after an error message, with 0 after --help.
    """
    try:
        asked = main.main(list(arguments), prog_name="twentytwo", standalone_mode=False)
    except click.ClickException as wrong:
        context = getattr(wrong, "ctx", None)
        command = context.command_path if isinstance(context, click.Context) else "twentytwo"
        why = wrong.format_message().rstrip(".")
        more = f" See {command} --help" if why.endswith("?") else f"; see {command} --help"
        print(f"{command}: {why}{more}", file=sys.stderr)
        raise SystemExit(wrong.exit_code) from None
    if isinstance(asked, int):  # --help and --version have printed their output
        raise SystemExit(asked)
    found: Options = asked
    return found


# ----------------------------------------------------------------------------- argument types


def _address(text: str | Address) -> Address:
    try:
        return text if isinstance(text, Address) else address.parse(text)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong)) from None


def _authority(file: str) -> str:
    """The path of a file with certificates of authorities."""
    if file:
        try:
            context_of(Address(tls=True, ca=file))
        except OSError as wrong:
            why = "no certificate in it" if isinstance(wrong, SSLError) else trouble(wrong)
            raise click.BadParameter(f"{file}: {why}") from None
    return file


_ca = click.option(
    "--ca",
    type=_authority,
    metavar="FILE",
    default="",
    help="The authority that has signed the certificate of tls://HOST, if the system has none.",
)


def _server(text: str | Address) -> Address:
    """The host and port of a server."""
    found = _address(text)
    if found.path:
        raise click.BadParameter("HOST or HOST:PORT, please, or tls:// before it")
    return found


def _word(text: str) -> str:
    """A word without spaces, for a line to the server."""
    if text and not (text.isprintable() and " " not in text):
        raise click.BadParameter("one word, please")
    return text


def _hand_and_trick(text: str) -> tuple[int, int]:
    """The numbers of a hand and a trick; 0 is the beginning of the hand."""
    hand, _, trick = text.partition(".")
    if not (hand.isdecimal() and (trick or "0").isdecimal()):
        raise click.BadParameter(f"{text!r} is not HAND or HAND.TRICK")
    return int(hand), int(trick or 0)


def _looks(command: Callable[..., T]) -> Callable[..., T]:
    """Adds the display options to a command, which gets them as its argument `look`."""

    @click.option("--plain", is_flag=True, help="Sentences only, for a screen reader.")
    @click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto")
    @click.option("--four-color", is_flag=True, help="A colour for every suit.")
    @click.option("--suits", type=click.Choice(["auto", "letters", "signs"]), default="auto")
    @click.option("--bell", is_flag=True, help="Ring at your turn.")
    @functools.wraps(command)
    def with_look(
        plain: bool, color: str, four_color: bool, suits: str, bell: bool, **rest: object
    ) -> T:
        return command(look=LookOptions(plain, color, suits, four_color, bell), **rest)

    return with_look


def _full_screen(command: Callable[..., T]) -> Callable[..., T]:
    """Adds --tui to a command with display options."""

    @click.option("--tui", is_flag=True, help="A table that fills the terminal: mouse and keys.")
    @functools.wraps(command)
    def with_tui(tui: bool, look: LookOptions, **rest: object) -> T:
        if tui and look.plain:
            raise click.UsageError("--plain or --tui, not both")
        return command(look=replace(look, tui=tui), **rest)

    return with_tui


# ---------------------------------------------------------------------------------- commands


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog=f"{EXAMPLES}\n{EXIT_STATUS_HELP}",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> Menu | None:
    """Play Twenty-Two and its relatives in the terminal."""
    return Menu() if context.invoked_subcommand is None else None


@main.command(epilog="example: twentytwo play cards.example.org --table kiwi-fox")
@click.argument("server", metavar="[HOST[:PORT]|tls://HOST]", type=_address, default=Address())
@_ca
@click.option(
    "--table", type=_word, metavar="WORD", default="", help="Join a table: t7, or its word."
)
@click.option("--name", type=_word, metavar="NAME", default="", help="The name to go by.")
@click.option(
    "--login",
    type=_word,
    metavar="NAME",
    default="",
    help="Your account; you are asked for its password.",
)
@click.option("--do", metavar="LINE", default="", help="Begin with a line: tables, daily.")
@_looks
@_full_screen
def play(
    server: Address, ca: str, table: str, name: str, login: str, do: str, look: LookOptions
) -> Play:
    """Play on a server; by default on the server of this machine.

    After a lost connection or a restart, the client takes your seat back by itself.
    """
    if not do.isprintable():
        raise click.BadParameter("one line, please")
    return Play(replace(server, ca=ca), table, login or name, look, bool(login), do)


@main.command(epilog="example: twentytwo practice twentytwo --bots 2 --level easy exchange=off")
@click.argument("words", metavar="[GAME] [OPTION=VALUE]...", type=_word, nargs=-1)
@click.option("--bots", type=int, metavar="N", help="How many bots.  [3]")
@click.option("--level", type=_word, metavar="LEVEL", help="easy, steady or hard.")
@click.option("--rules", type=_word, metavar="PRESET", help="A preset of the game's options.")
@click.option("--seed", type=int, metavar="N", help="The same number, the same cards.")
@click.option("--no-history", is_flag=True, help="Keep nothing of it for twentytwo stats.")
@_looks
@_full_screen
def practice(
    words: tuple[str, ...], look: LookOptions, no_history: bool, **named: object
) -> Practice:
    """Play against bots, without a server.

    The result of a finished game is kept for twentytwo stats.
    """
    return Practice(_line("practice", words, named, named), look, not no_history)


def _line(
    verb: str, words: Sequence[str], named: Mapping[str, object], fields: Collection[str]
) -> str:
    """A command for the server, with a game and options. Options outside `fields` are options of
    the game.
    """
    games = [word for word in words if "=" not in word]
    if len(games) > 1:
        raise click.UsageError(f"one game at a time, not {' and '.join(games)}")
    given = [f"{key}={value}" for key, value in named.items() if value is not None]
    typed = [word for word in words if "=" in word]
    given += [word for word in typed if word.partition("=")[0] in fields]
    options = ",".join(
        word.replace("=", ":", 1) for word in typed if word.partition("=")[0] not in fields
    )
    given += [f"options={options}"] if options else []
    return " ".join([verb, *games, *given])


OF_A_TABLE = ("rules", "seats", "watch", "bots", "level", "clock", "rated", "seed")
"""The options of a table, beside the options of its game."""


@main.command(
    short_help="Start a server here, with a table for your friends.",
    epilog="example: twentytwo host whist22 seats=4 --port 0",
)
@click.argument("words", metavar="[GAME] [OPTION=VALUE]...", type=_word, nargs=-1)
@click.option("--word", type=_word, metavar="WORD", default="", help="What lets friends in.")
@click.option("--name", type=_word, metavar="NAME", default="", help="The name to go by.")
@click.option(
    "--address",
    type=_word,
    metavar="ADDRESS",
    default="0.0.0.0",
    show_default=True,
    help="Where to listen; 127.0.0.1 is for this machine only.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=address.PORT,
    show_default=True,
    help="0 takes a free one.",
)
@click.option(
    "--web",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=address.WEB_PORT,
    show_default=True,
    help="The port of the page for browsers; 0 takes a free one.",
)
@click.option("--no-web", is_flag=True, help="No page for browsers.")
@_looks
@_full_screen
def host(
    words: tuple[str, ...],
    word: str,
    name: str,
    address: str,
    port: int,
    web: int,
    no_web: bool,
    look: LookOptions,
) -> Host:
    """Start a server in this terminal, and a table on it for your friends.

    It prints a link to send to them, and what to type in a terminal. The server listens on all
    addresses of this machine, and stops when you leave. Connections to it are not encrypted.
    """
    private = word or table_word()
    line = _line("open", words, {"private": private}, OF_A_TABLE)
    page = None if no_web else web
    return Host(line, private, address.strip("[]"), port, page, look, name)


@main.command(epilog="example: twentytwo stats --svg stats.svg")
@click.option("--json", "as_json", is_flag=True, help="The same figures as JSON.")
@click.option("--svg", metavar="FILE", default="", help="A picture, written to a file.")
def stats(as_json: bool, svg: str) -> Stats:
    """Show statistics of your practice games: ranks, last cards, bids.

    They cover the games that you have finished with this client on this machine. The last 10,000
    are kept.
    """
    return Stats(as_json, svg)


def _tutorial(name: str, does: str, *, hidden: bool = False) -> None:
    """Adds the command for lessons under a name."""

    @main.command(name, help=does, epilog="example: twentytwo tutorial whist22", hidden=hidden)
    @click.argument("game", metavar="[GAME]", type=_word, default="")
    @click.option("--step", type=int, metavar="N", help="Begin there.")
    @_looks
    @_full_screen
    def command(game: str, step: int | None, look: LookOptions) -> Tutorial:
        return Tutorial(game, step, look)


_LEARN = """Learn a game by playing it, one rule a step, without a server.

Twenty-Two, if no game is named. It goes on where you left.
"""
_tutorial("tutorial", _LEARN)
_tutorial("learn", _LEARN, hidden=True)


@main.command(epilog="example: twentytwo replay g51 --server cards.example.org --seat 2 --from 3.1")
@click.argument("what", metavar="GAME")
@click.option(
    "--server",
    type=_address,
    metavar="HOST[:PORT]",
    default=Address(),
    show_default=True,
    help="For gN.",
)
@_ca
@click.option("--seat", type=int, metavar="N", help="With the eyes of this seat.")
@click.option("--open", "opened", is_flag=True, help="With all cards open.")
@click.option("--from", "start", type=_hand_and_trick, metavar="HAND[.TRICK]", help="Begin there.")
@click.option("--log", is_flag=True, help="Print it as lines of the protocol.")
@click.option("--html", metavar="FILE", default="", help="Write it as one page for a browser.")
@click.option("--review", metavar="FILE", default="", help="For --html: what review --json said.")
@click.option("--cast", metavar="FILE", default="", help="Write it as an asciicast.")
@click.option(
    "--columns",
    type=click.IntRange(20, 500),
    metavar="N",
    default=80,
    show_default=True,
    help="For --cast.",
)
@_looks
def replay(
    what: str,
    server: Address,
    ca: str,
    seat: int | None,
    opened: bool,
    start: tuple[int, int] | None,
    log: bool,
    html: str,
    review: str,
    cast: str,
    columns: int,
    look: LookOptions,
) -> Replay:
    """Show a finished game.

    GAME is a record, a link or a log (in a file, or -), a link itself, gN of a server, or HOST:PORT
    that serves a log. A terminal shows the game step by step; otherwise all of it is printed. Each
    step shows only the cards that were visible then: those of a spectator, or of --seat.
    """
    if review and not html:
        raise click.UsageError("--review is for --html")
    where = replace(server, ca=ca)
    return Replay(what, where, seat, opened, start, log, look, html, review, cast, columns)


@main.command(
    short_help="Play on from a point of a game, against bots.",
    epilog="example: twentytwo whatif game.txt --at 3.2 --seat 2",
)
@click.argument("what", metavar="RECORD")
@click.option(
    "--at",
    type=_hand_and_trick,
    metavar="HAND[.TRICK]",
    default="1",
    help="From the first choice there on.",
)
@click.option("--seat", type=int, metavar="N", help="In whose place.  [1]")
@click.option("--level", type=_word, metavar="LEVEL", default="", help="easy, steady or hard.")
@_looks
@_full_screen
def whatif(
    what: str, at: tuple[int, int], seat: int | None, level: str, look: LookOptions
) -> WhatIf:
    """Continue a finished game from any point, against bots, with the same cards.

    RECORD is a file with a record or a link in it, or a link itself. In twentytwo replay the key w
    does the same at the current step.
    """
    return WhatIf(what, at, seat, level, look)


@main.command(epilog="example: twentytwo conform cards.example.org:2222 --id S3 --id O1")
@click.argument("server", metavar="[HOST[:PORT]]", type=_server, default=Address())
@_ca
@click.option("--client", metavar="CMD", default="", help="Check a client: CMD gets HOST PORT.")
@click.option("-k", "words", metavar="WORD", multiple=True, help="Checks with it in their name.")
@click.option("--id", "ids", metavar="ID", multiple=True, help="Checks of this MUST, such as S3.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
def conform(
    server: Address,
    ca: str,
    client: str,
    words: tuple[str, ...],
    ids: tuple[str, ...],
    as_json: bool,
) -> Conform:
    """Check whether a server speaks cardline/1 as SPEC.md says.

    The report says pass or FAIL for each MUST of the specification. If the server has rate limits,
    the checks keep to them, and checks of more than three minutes are skipped. Run your own server
    with --dev: then nearly everything is checked in less than one minute. Ends with status 5 if a
    check failed.
    """
    return Conform(replace(server, ca=ca), client, words, tuple(id.upper() for id in ids), as_json)


def _of_the_server(name: str, does: str) -> None:
    """Adds a command of the server's program, which has its own --help."""

    @main.command(
        name,
        help=does,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def command(words: tuple[str, ...]) -> ServerCommand:
        return ServerCommand((name, *words))


_of_the_server("match", "Have bots play each other.")
_of_the_server("record", "Check, show and tell records again.")
_of_the_server("review", "Say what the moves of a game cost.")
_of_the_server("web", "Write the page for browsers into a folder.")
