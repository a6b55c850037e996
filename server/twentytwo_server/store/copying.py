"""Backups: copies of an SQLite database, even while it is in use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from . import Refused
from .engines import DATA_FILE, PRAGMAS, check_there
from .faults import fault, is_locked

PAGES = 256
"""Pages copied in one step. Between two steps the writer may write."""

_PAUSE = 0.002
"""Seconds between two steps."""


def copy(
    source: sqlite3.Connection, target: Path, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Copies a database into a new file, in its state at the end of copying, and marks the copy.

    Other threads may use the connection meanwhile. `stopped` is polled; if it returns true, the
    copy is abandoned. The file appears under its name only when it is complete and synced; only its
    owner can read it. Raises `Refused` if the file exists, the data is damaged, or copying fails or
    is abandoned; also raises `OSError`.
    """

    def going_on(*_: int) -> None:
        if stopped():
            raise Refused("the server stops")

    if target.exists():
        raise Refused(f"{target} is there already")
    if not target.parent.is_dir():
        raise Refused(f"there is no folder {target.parent}")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as made:
            source.backup(made, pages=PAGES, sleep=_PAUSE, progress=going_on)
            _finish(made)
        to_disk(part)
        part.rename(target)
        to_disk(target.parent)
    except sqlite3.Error as error:
        raise Refused(f"the copy failed: {fault(error).why}") from error
    finally:
        part.unlink(missing_ok=True)


def copy_of(folder: Path, target: Path) -> None:
    """Copies the database of a folder that no server uses. Raises the same errors as `copy`."""
    check_there(folder)
    with closing(_opened(folder)) as source:
        copy(source, target)
    note_backup(folder / DATA_FILE)


def note_backup(file: Path) -> None:
    """Records the time of a backup in a marker file beside the database."""
    _note(file).touch(mode=0o600)


def last_backup(file: Path) -> float | None:
    """The time of the last backup of a file, in seconds since 1970; None if there was none."""
    try:
        return _note(file).stat().st_mtime
    except OSError:
        return None


def _note(file: Path) -> Path:
    return file.with_name(file.name + "-backup")


def _opened(folder: Path) -> sqlite3.Connection:
    source = None
    try:
        source = sqlite3.connect(folder / DATA_FILE, isolation_level=None)
        for pragma in PRAGMAS:
            source.execute(f"PRAGMA {pragma}")
    except sqlite3.Error as error:
        if source is not None:
            source.close()
        why = "another program uses it" if is_locked(error) else fault(error).why
        raise Refused(f"the data in {folder} cannot be opened: {why}") from error
    return source


def _finish(made: sqlite3.Connection) -> None:
    """Turns the copy into a single file without a write-ahead log, marks it as a copy and checks
    it.
    """
    made.execute("PRAGMA journal_mode=DELETE")
    made.execute("UPDATE marks SET value = 1 WHERE name = 'copy'")
    (found,) = made.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise Refused(f"the data is damaged: {found}")


def to_disk(path: Path) -> None:
    """Syncs a file or a folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
