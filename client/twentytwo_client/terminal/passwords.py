"""Asks for passwords that a person left out of a command.

The command is first sent as it was typed. If anything else is wrong with it (the name is taken, the
connection can be read by others), the server says so before a secret is typed. Only if it says that
the password is missing, the client asks for it.
"""

from __future__ import annotations

from msgspec.structs import replace

from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.schema import COMMANDS, Command, Malformed
from twentytwo_protocol.wire import read_command, split_command, write_command
from twentytwo_protocol.words.accounts import Login, Password, Register
from twentytwo_protocol.words.replies import Err

from ..core.requests import Request
from ..core.updates import Replied, Unanswered, Update

TAKERS = ("register", "login", "password")
"""Verbs that take a password."""

PASSWORD = "Your password (hidden; an empty line cancels):"
OLD = "Your current password (hidden; an empty line cancels):"
NEW = "Choose a password of at least 10 characters (hidden; an empty line cancels):"
AGAIN = "The same password again:"

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
    if not isinstance(said, Register | Login | Password):
        raise TypeError(f"{said.word.word} takes no password")
    typed = {field.attr: getattr(said, field.attr) for field in said.word.fields}
    return write_command(
        replace(said, **{key: value.strip() for key, value in typed.items() if value is not None})
    )


class PasswordRequests:
    """What a person is asked to type for a command that lacks a password.

    `hidden` is what the next line is, if it is a password.
    """

    def __init__(self) -> None:
        self.hidden: Hidden | None = None
        self._answered: Hidden | None = None
        self._awaits = ""

    @property
    def awaited(self) -> bool:
        """True if a command was sent whose answer may be that a password is missing."""
        return bool(self._awaits)

    def sent(self, ask: Request, answered: Hidden | None = None) -> None:
        """Call with each command that was sent; `answered` are the passwords asked for it."""
        if ask.verb in TAKERS:
            self._awaits, self._answered = ask.id, answered

    def wanted(self, value: Update) -> Hidden | None:
        """What to ask for after the reply to a command, if it was refused without a password."""
        if not isinstance(value, Replied | Unanswered) or value.ask is None:
            return None
        if value.ask.id != self._awaits:
            return None
        answered = self._answered
        self.forget()
        if isinstance(value, Unanswered) or not isinstance(value.final, Err):
            return None
        wanted = missing(value.ask, value.final)
        if wanted is None and answered is not None and value.final.code == "BAD_ARG":
            return replace(answered, told=(), wrong=value.final.text or "That will not do.")
        return wanted

    def forget(self) -> None:
        """Awaits no answer any more."""
        self._awaits, self._answered = "", None
