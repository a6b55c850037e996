"""Asks for passwords that a person left out of a command.

The command is first sent as it was typed. If anything else is wrong with it (the name is taken, the
connection can be read by others), the server says so before a secret is typed. Only if it says that
the password is missing, the client asks for it.
"""

from __future__ import annotations

from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.schema import COMMANDS, Command, Malformed, escape
from twentytwo_protocol.wire import read_command, split_command
from twentytwo_protocol.words.accounts import Login, Password, Register
from twentytwo_protocol.words.replies import Err

from ..core.requests import Request

TAKERS = ("register", "login", "password")
"""Verbs that take a password."""

PASSWORD = "Your password, please. It is not shown; an empty line gives up."
OLD = "Your password so far, please. It is not shown; an empty line gives up."
NEW = "Choose a password of 10 characters or more. It is not shown; an empty line gives up."
AGAIN = "The same again, please."

STEPS = {
    (Register, "password"): (("password", NEW), ("password", AGAIN)),
    (Login, "password"): (("password", PASSWORD),),
    (Password, "old"): (("old", OLD),),
    (Password, "new"): (("new", NEW), ("new", AGAIN)),
}
"""What is asked for each field that a command may lack."""


def missing(ask: Request, err: Err) -> Hidden | None:
    """What has to be asked for, if a command was refused because it lacks a password."""
    said = _said(ask)
    steps = STEPS.get((type(said), err.arg or "")) if said and err.code == "BAD_ARG" else None
    if said is None or steps is None or getattr(said, steps[0][0]) is not None:
        return None
    return Hidden(said, steps)


def _said(ask: Request) -> Command | None:
    if ask.verb not in TAKERS:
        return None
    try:
        return read_command(COMMANDS[ask.verb], split_command(ask.line).rest)
    except Malformed:
        return None


def line(said: Command) -> str:
    """The command as it is sent."""
    match said:
        case Register(name, str(password)):
            return f"register {name} {password.strip()}"
        case Login(name, _, str(password)):
            return f"login {name} :{password.strip()}"  # else token=... would be no password
        case Password(str(old), new):
            return f"password {_word(old)} {(new or '').strip()}".rstrip()
    raise TypeError(f"{said.word.word} takes no password")


def _word(password: str) -> str:
    """A password as one word, which does not begin like a text."""
    return escape(password.strip()).replace(":", "%3A")
