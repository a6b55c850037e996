"""Stores in memory, in SQLite and in PostgreSQL."""

from __future__ import annotations


class Conflict(Exception):
    """A fact contradicts the stored data: another process must have written to the database."""


class Moved(Exception):
    """The database files were moved or deleted, so anything written now would be lost."""


class Refused(Exception):
    """A store cannot be opened or used; the message is one line for the operator."""


__all__ = ["Conflict", "Moved", "Refused"]
