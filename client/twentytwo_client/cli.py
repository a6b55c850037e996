"""The command line: what may be typed after `twentytwo`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from twentytwo_protocol import __version__

from . import address
from .address import Address
from .look import Wishes

EXAMPLES = """\
examples:
  twentytwo practice                     against three bots, no server needed
  twentytwo practice bots=2 level=easy   against two easy ones
  twentytwo play                         on the server on this machine
  twentytwo play cards.example.org       on another one
  twentytwo play cards.example.org --table kiwi-fox
                                         at a friend's private table
  twentytwo play --plain                 in sentences, for a screen reader
  twentytwo match --seats hard,steady,steady,steady -n 100
                                         bots against bots
  twentytwo replay game.txt --seat 2     a game that is over, as seat 2 saw it
  twentytwo record check game.txt        whether a record is right
"""

MENU = """\
twentytwo plays Twenty-Two and its relatives in the terminal.

  twentytwo practice          play against bots, right now
  twentytwo play              the server on this machine
  twentytwo play HOST         a server elsewhere
  twentytwo match --help      have bots play each other
  twentytwo replay GAME       go through a game that is over
  twentytwo --help            the rest, with examples
"""


@dataclass(frozen=True, slots=True)
class Play:
    """`twentytwo play`."""

    address: Address
    table: str = ""
    name: str = ""
    wishes: Wishes = field(default_factory=Wishes)
    login: bool = False


@dataclass(frozen=True, slots=True)
class Practice:
    """`twentytwo practice`; `line` is the command for the server."""

    line: str = "practice"
    wishes: Wishes = field(default_factory=Wishes)


@dataclass(frozen=True, slots=True)
class Replay:
    """`twentytwo replay`; `start` is a hand and a trick of it, `log` is whether to print lines."""

    what: str
    server: Address = field(default_factory=Address)
    seat: int | None = None
    opened: bool = False
    start: tuple[int, int] | None = None
    log: bool = False
    wishes: Wishes = field(default_factory=Wishes)


@dataclass(frozen=True, slots=True)
class Menu:
    """`twentytwo` alone."""


Options = Play | Practice | Replay | Menu


def read(arguments: Sequence[str]) -> Options:
    """What the arguments ask for. Raises `SystemExit`: 2 if they make no sense, 0 for --help."""
    parser = _parser()
    found, rest = parser.parse_known_args(arguments)
    # argparse takes words only in one place; options may stand before and after them.
    if found.command == "practice" and not any(word.startswith("-") for word in rest):
        found.words += rest
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    match found.command:
        case "play":
            word = _word(parser, found.table, "--table")
            name = _word(parser, found.login or found.name, "--name")
            return Play(found.address, word, name, _wishes(found), bool(found.login))
        case "practice":
            return Practice(_practice(parser, found), _wishes(found))
        case "replay":
            return Replay(
                found.what,
                found.server,
                found.seat,
                found.open,
                found.start,
                found.log,
                _wishes(found),
            )
    return Menu()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="twentytwo",
        description="Play Twenty-Two and its relatives in the terminal.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"twentytwo {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_play(commands)
    _add_practice(commands)
    _add_replay(commands)
    # These are the server's commands, run from here: their own --help says more.
    commands.add_parser("match", help="have bots play each other", add_help=False)
    commands.add_parser("record", help="check, show and tell records again", add_help=False)
    return parser


Commands = argparse._SubParsersAction


def _add_play(commands: Commands[argparse.ArgumentParser]) -> None:
    play = commands.add_parser(
        "play",
        help="play on a server",
        description="Play on a server. After a lost connection, or when started again, the client "
        "takes your seat back by itself.",
        epilog="example: twentytwo play cards.example.org --table kiwi-fox",
    )
    play.add_argument(
        "address",
        metavar="HOST[:PORT]",
        nargs="?",
        type=_address,
        default=Address(),
        help=f"the server [localhost:{address.PORT}]",
    )
    play.add_argument("--table", metavar="WORD", default="", help="join a table: t7, or its word")
    play.add_argument("--name", metavar="NAME", default="", help="the name to go by")
    play.add_argument(
        "--login", metavar="NAME", default="", help="your account; you are asked for its password"
    )
    _add_look(play)


def _add_practice(commands: Commands[argparse.ArgumentParser]) -> None:
    practice = commands.add_parser(
        "practice",
        help="play against bots, without a server",
        description="Play against bots. Nothing else has to be running, and nothing is left over.",
        epilog="example: twentytwo practice twentytwo --bots 2 --level easy exchange=off",
    )
    practice.add_argument(
        "words", metavar="GAME or OPTION=VALUE", nargs="*", help="the game [twentytwo], its options"
    )
    practice.add_argument("--bots", metavar="N", type=int, help="how many bots [3]")
    practice.add_argument("--level", metavar="LEVEL", help="easy, steady or hard")
    practice.add_argument("--rules", metavar="PRESET", help="a preset of the game's options")
    practice.add_argument("--seed", metavar="N", type=int, help="the same number, the same cards")
    _add_look(practice)


def _add_replay(commands: Commands[argparse.ArgumentParser]) -> None:
    replay = commands.add_parser(
        "replay",
        help="go through a game that is over",
        description="Go through a game that is over, step by step, or all at once where nobody "
        "types. Nothing is told before it happens, and cards stay closed but for --seat's.",
        epilog="example: twentytwo replay g51 --server cards.example.org --seat 2 --from 3.1",
    )
    replay.add_argument(
        "what",
        metavar="GAME",
        help="a record or a log (a file, or -), gN of a server, or HOST:PORT that serves a log",
    )
    replay.add_argument(
        "--server", metavar="HOST[:PORT]", type=_address, default=Address(), help="for gN"
    )
    replay.add_argument("--seat", metavar="N", type=int, help="with the eyes of this seat")
    replay.add_argument("--open", action="store_true", help="with all cards open")
    replay.add_argument(
        "--from", metavar="HAND[.TRICK]", dest="start", type=_place, help="begin there"
    )
    replay.add_argument("--log", action="store_true", help="print it as lines of the protocol")
    _add_look(replay)


def _place(text: str) -> tuple[int, int]:
    hand, _, trick = text.partition(".")
    if not (hand.isdecimal() and (trick or "0").isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not HAND or HAND.TRICK")
    return int(hand), int(trick or 0)


def _add_look(parser: argparse.ArgumentParser) -> None:
    look = parser.add_argument_group("how it looks")
    look.add_argument("--plain", action="store_true", help="sentences only, for a screen reader")
    look.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    look.add_argument("--four-color", action="store_true", help="a colour for every suit")
    look.add_argument("--suits", choices=("auto", "letters", "signs"), default="auto")
    look.add_argument("--bell", action="store_true", help="ring at your turn")


def _wishes(found: argparse.Namespace) -> Wishes:
    return Wishes(found.plain, found.color, found.suits, found.four_color, found.bell)


def _address(text: str) -> Address:
    try:
        return address.parse(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None


def _word(parser: argparse.ArgumentParser, text: str, option: str) -> str:
    if text and not (text.isprintable() and " " not in text):
        _fail(parser, f"argument {option}: one word, please")
    return text


def _practice(parser: argparse.ArgumentParser, found: argparse.Namespace) -> str:
    words = [_word(parser, word, "GAME or OPTION=VALUE") for word in found.words]
    games = [word for word in words if "=" not in word]
    if len(games) > 1:
        _fail(parser, f"one game at a time, not {' and '.join(games)}")
    named = {key: getattr(found, key) for key in ("bots", "level", "rules", "seed")}
    given = [f"{key}={value}" for key, value in named.items() if value is not None]
    return " ".join(["practice", *games, *given, *(word for word in words if "=" in word)])


def _fail(parser: argparse.ArgumentParser, why: str) -> NoReturn:
    parser.error(why)
