"""How a scenario ends before its end."""

from __future__ import annotations


class Wrong(Exception):
    """The client did what it must not do, or did not do what it must.

    `duty` is the one that is broken; where the scenario is not about it, its first that is open.
    `lure` is a part of the line that the client was taken in by.
    """

    def __init__(self, did: str, expected: str, duty: str = "", lure: str = "") -> None:
        super().__init__(did)
        self.did, self.expected, self.duty, self.lure = did, expected, duty, lure


class NotNeeded(Exception):
    """The client need not do what the scenario is about, and does not; the text says why."""


class HungUp(Exception):
    """The client has closed the connection, or is gone."""


class Silent(Exception):
    """The client has said nothing for as long as one waits."""


class Left(Exception):
    """The client has said `quit`."""


class Stays(Exception):
    """The client has not come back: it has ended, or is still there and does nothing."""

    def __init__(self, why: str, *, ended: bool) -> None:
        super().__init__(why)
        self.ended = ended
