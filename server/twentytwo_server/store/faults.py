"""Classifies database errors: transient or not, damaged data or not, and a text for users."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from twentytwo_protocol.value import Value

from . import Conflict, Moved
from .schema import FENCED

_SQLITE_FATAL = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")
"""Failed fsyncs. They must never be retried: a second fsync may report success although data was
lost.
"""

_NO_TEXT = "Could not decode to UTF-8"
"""The beginning of Python's message for a damaged stored text."""

_SQLITE_PASSING = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "the data is locked by another program",
    "SQLITE_LOCKED": "the data is locked by another program",
    "SQLITE_IOERR": "the disk cannot be read or written",
    "SQLITE_CANTOPEN": "the data cannot be opened",
    "SQLITE_READONLY": "the data cannot be written",
    "SQLITE_NOMEM": "there is not enough memory",
}

_POSTGRES_PASSING = {
    "08": "the database cannot be reached",
    "25006": "the database can only be read",
    "25P03": "the database has given up the transaction",
    "28": "the database lets nobody in",
    "3D": "the database is not there",
    "40": "the database is busy",
    "53100": "the database's disk is full",
    "53": "the database has no room",
    "55P03": "the database is locked",
    "57": "the database is shutting down or starting",
    "58": "the database cannot read or write its disk",
}
"""Prefixes of transient SQLSTATE codes: all five characters or the first two. The longer one wins.
"""

_CONNECTION = ("OperationalError", "ConnectionTimeout")
"""Errors of psycopg without an SQLSTATE: the server did not answer."""

_DRIVER = ("connection failed: ", "connection is bad: ")
"""The prefix that psycopg puts before PostgreSQL's own message. It is removed; the message never
contains a password.
"""

_POSTGRES_DAMAGED = ("XX001", "XX002")

UNREACHABLE = "the database cannot be reached"


class StoreFault(Value):
    """An error of the database; `why` describes it in a few words.

    `passing`: the error is transient, so try again. `damaged`: stored data is permanently
    unreadable.
    """

    why: str
    passing: bool
    damaged: bool = False


def fault(error: BaseException) -> StoreFault:
    """Classifies an error raised by reading or writing."""
    match error:
        case OSError(filename=str() as file):
            return StoreFault(f"{file}: {error.strerror}", True)
        case OSError():
            return StoreFault(UNREACHABLE, True)
        case sqlite3.Error() as mine:
            return _sqlite(mine)
        case DBAPIError(orig=sqlite3.Error() as mine):
            return _sqlite(mine)
        case DBAPIError():
            return _postgres(error.orig, error.connection_invalidated)
        case Moved():
            return StoreFault(str(error), True)
        case Conflict():
            return StoreFault(str(error), False)
    if hasattr(error, "sqlstate"):  # an error of psycopg itself
        return _postgres(error)
    return StoreFault(f"{type(error).__name__}: {_first_line(error)}", False)


def is_locked(error: BaseException) -> bool:
    """True if another process has the SQLite database open."""
    why = fault(error).why
    return why == _SQLITE_PASSING["SQLITE_BUSY"]


def _sqlite(error: sqlite3.Error) -> StoreFault:
    name = getattr(error, "sqlite_errorname", "")
    words = "_".join(name.split("_")[:2])
    if name in _SQLITE_FATAL or name == "SQLITE_READONLY_DBMOVED" or words not in _SQLITE_PASSING:
        why = _first_line(error)
        damaged = words == "SQLITE_CORRUPT" or why.startswith(_NO_TEXT)
        return StoreFault(f"{name}: {why}", False, damaged)
    return StoreFault(_SQLITE_PASSING[words], True)


def _postgres(error: BaseException | None, invalidated: bool = False) -> StoreFault:
    state = getattr(error, "sqlstate", None)
    said = _first_line(error)
    if state == FENCED:
        return StoreFault(said, False)
    for prefix in _DRIVER:
        said = said.removeprefix(prefix)
    if state is None and (invalidated or type(error).__name__ in _CONNECTION):
        return StoreFault(f"{UNREACHABLE}: {said}", True)
    for length in (5, 2):
        if why := _POSTGRES_PASSING.get((state or "")[:length]):
            return StoreFault(f"{why}: {said}", True)
    return StoreFault(f"{state}: {said}", False, state in _POSTGRES_DAMAGED)


def _first_line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0]
