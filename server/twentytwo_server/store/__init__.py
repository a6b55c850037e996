"""Where what must not be forgotten is kept: in memory, or by SQL in SQLite or PostgreSQL."""

from __future__ import annotations


class Conflict(Exception):
    """What was to be kept is there already, or what it belongs to is not: somebody else writes."""


class Moved(Exception):
    """The files of the database are not where they were: what is written now would be lost."""


class Refused(Exception):
    """A store that cannot be opened, and why, in one line for the operator."""


__all__ = ["Conflict", "Moved", "Refused"]
