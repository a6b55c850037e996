"""Parses the lines and JSON objects of programs as commands. `twentytwo_protocol.typed` reads the
lines of people.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twentytwo_protocol import wire
from twentytwo_protocol.objects import read_object
from twentytwo_protocol.schema import COMMANDS, Command, Malformed, Refused
from twentytwo_protocol.wire import bad_argument, read_command, usage


def read_program(verb: str, rest: str) -> Command:
    """Parses a program's line. Raises `Refused` (UNKNOWN_VERB, BAD_ARG)."""
    cls = COMMANDS.get(verb)
    if cls is None:
        raise _unknown(verb)
    try:
        return read_command(cls, rest)
    except Malformed as wrong:
        raise bad_argument(wrong, usage(cls), cls.example) from None


def read_arguments(verb: str, arguments: Mapping[str, Any]) -> tuple[Command, str]:
    """The command in a program's JSON object, and the key of `once`, empty if there is none.

    Raises `Refused` (UNKNOWN_VERB, BAD_ARG).
    """
    arguments = dict(arguments)
    once = arguments.pop("once", "")
    if not isinstance(once, str) or " " in once:
        once = "?"  # an invalid key
    _, once = take_once(f"once={once}" if once else "")
    cls = COMMANDS.get(verb)
    if cls is None:
        raise _unknown(verb)
    try:
        return read_object(cls, arguments), once
    except Malformed as wrong:
        text = f"{wrong}. describe verbs {verb} tells what it takes."
        raise Refused("BAD_ARG", text, arg=wrong.field or None) from None


def _unknown(verb: str) -> Refused:
    return Refused("UNKNOWN_VERB", f"There is no verb {verb}; help lists them.")


def take_once(rest: str) -> tuple[str, str]:
    """A program's arguments without `once=`, and the key from it, empty if there is none.

    Raises `Refused` (BAD_ARG) for an invalid key.
    """
    try:
        return wire.take_once(rest)
    except Malformed as wrong:
        raise Refused("BAD_ARG", f"{wrong}.", arg="once") from None
