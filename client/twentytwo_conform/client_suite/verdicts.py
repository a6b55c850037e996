"""Errors that end a scenario before its end, besides `Wrong`."""

from __future__ import annotations

from ..check import Skipped


class NotNeeded(Skipped):
    """The client does not do what the scenario is about, and need not; the message says why."""


class HungUp(Exception):
    """The client has closed the connection, or is gone."""


class Silent(Exception):
    """The client has said nothing within the time that it has."""


class Left(Exception):
    """The client has said `quit`."""


class Stays(Exception):
    """The client has not come back: it has ended, or it still runs and does nothing."""

    def __init__(self, why: str, *, ended: bool) -> None:
        super().__init__(why)
        self.ended = ended
