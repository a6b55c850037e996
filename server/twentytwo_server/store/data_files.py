"""Whether the files of a database are still under their names.

SQLite goes on writing into a file that somebody has deleted or moved away, and says that all is
well; what it wrote is then gone with the process.
"""

from __future__ import annotations

from pathlib import Path

from . import Moved


class DataFiles:
    """The file of an open database of SQLite, and its log, as they are now."""

    def __init__(self, file: Path) -> None:
        log = file.with_name(file.name + "-wal")
        self._files = {path: found for path in (file, log) if (found := _identity(path))}

    def check(self) -> None:
        """Raises `Moved` where one of them is not under its name any more."""
        for path, found in self._files.items():
            if _identity(path) != found:
                raise Moved("the data is gone from its folder")


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells the file of that name from all others; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
