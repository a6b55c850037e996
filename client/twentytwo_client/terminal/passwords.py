"""Asks for a password that a person omitted from a command.

The command is first sent as typed. So the server can report other errors (the name is taken, others
can read the connection) before a secret is typed. The client asks for the password only if the
server reports that it is missing.
"""

from __future__ import annotations

from msgspec.structs import replace

from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.schema import COMMANDS, Command, Malformed
from twentytwo_protocol.wire import read_command, split_command, write_command
from twentytwo_protocol.words.accounts import Login, Password, Register
from twentytwo_protocol.words.replies import Err

from ..core.requests import SentCommand
from ..core.updates import Replied, Unanswered, Update

TAKERS = ("register", "login", "password")
"""The verbs with a password."""

PASSWORD = "Your password (hidden; an empty line cancels):"
OLD = "Your current password (hidden; an empty line cancels):"
NEW = "Choose a password of at least 10 characters (hidden; an empty line cancels):"
REPEAT_PASSWORD = "The same password again:"

STEPS = {
    (Register, "password"): (("password", NEW), ("password", REPEAT_PASSWORD)),
    (Login, "password"): (("password", PASSWORD),),
    (Password, "old"): (("old", OLD),),
    (Password, "new"): (("new", NEW), ("new", REPEAT_PASSWORD)),
}
"""The questions for each field that a command may lack."""


def missing(ask: SentCommand, err: Err) -> Hidden | None:
    """The questions for a refused command that lacks a password; None for other refusals."""
    said = _said(ask)
    steps = STEPS.get((type(said), err.arg or "")) if said and err.code == "BAD_ARG" else None
    if said is None or steps is None or getattr(said, steps[0][0]) is not None:
        return None
    return Hidden(said, steps)


def _said(ask: SentCommand) -> Command | None:
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
    """The pending questions for a command that lacks a password.

    `hidden` is the pending question, None if there is none.
    """

    def __init__(self) -> None:
        self.hidden: Hidden | None = None
        self._answered: Hidden | None = None
        self._awaits = ""

    @property
    def awaited(self) -> bool:
        """True if the reply to a sent command may report a missing password."""
        return bool(self._awaits)

    def sent(self, ask: SentCommand, answered: Hidden | None = None) -> None:
        """Call with each sent command. `answered` are the passwords that complete it."""
        if ask.verb in TAKERS:
            self._awaits, self._answered = ask.id, answered

    def wanted(self, value: Update) -> Hidden | None:
        """The questions after the reply to a command, if it was refused for a missing password."""
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
        """Forgets the pending command."""
        self._awaits, self._answered = "", None
