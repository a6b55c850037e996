"""Detects that the files of an open SQLite database were deleted or moved.

SQLite continues to write to such a file without an error; when the process ends, the written data
is lost.
"""

from __future__ import annotations

from pathlib import Path

from . import Moved


class DataFiles:
    """The database file and its log, identified by device and inode at construction."""

    def __init__(self, file: Path) -> None:
        log = file.with_name(file.name + "-wal")
        self._files = {path: found for path in (file, log) if (found := _identity(path))}

    def check(self) -> None:
        """Raises `Moved` if a name now refers to another file or no file, or is inaccessible."""
        for path, found in self._files.items():
            try:
                there = _identity(path) == found
            except PermissionError:
                raise Moved("the data folder is closed to the server") from None
            if not there:
                raise Moved("the data is gone from its folder")


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file; None if there is none. Raises `PermissionError`."""
    try:
        found = path.stat()
    except PermissionError:
        raise
    except OSError:
        return None
    return found.st_dev, found.st_ino
