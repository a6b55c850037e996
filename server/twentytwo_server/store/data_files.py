"""Notices when the files of an open SQLite database are deleted or moved.

SQLite keeps writing into such a file without an error; what it wrote is lost when the process ends.
"""

from __future__ import annotations

from pathlib import Path

from . import Moved


class DataFiles:
    """The file of an open SQLite database and its log, as they were when this was made."""

    def __init__(self, file: Path) -> None:
        log = file.with_name(file.name + "-wal")
        self._files = {path: found for path in (file, log) if (found := _identity(path))}

    def check(self) -> None:
        """Raises `Moved` if one of them is no longer the file of its name."""
        for path, found in self._files.items():
            if _identity(path) != found:
                raise Moved("the data is gone from its folder")


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
