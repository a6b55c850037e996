"""The stores: in memory, or by SQL in SQLite or PostgreSQL."""

from __future__ import annotations


class Conflict(Exception):
    """A fact does not fit what is stored: another process must have written there too."""


class Moved(Exception):
    """The database files were moved or deleted: what is written now would be lost."""


class Refused(Exception):
    """A store cannot be opened or worked on; the text says why, in one line for the operator."""


__all__ = ["Conflict", "Moved", "Refused"]
