"""Errors besides `Wrong` that end a scenario early."""

from __future__ import annotations

from ..check import Skipped


class NotNeeded(Skipped):
    """The client does not do what the scenario checks, and need not; the message says why."""


class HungUp(Exception):
    """The client has closed the connection or has ended."""


class Silent(Exception):
    """The client has sent nothing within its time limit."""


class Left(Exception):
    """The client has sent `quit`."""


class Stays(Exception):
    """The client has not reconnected: it has ended, or runs without doing anything."""

    def __init__(self, why: str, *, ended: bool) -> None:
        super().__init__(why)
        self.ended = ended
