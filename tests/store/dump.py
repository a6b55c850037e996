"""What the newest schema makes of the data of the one before, as a script of SQL.

    python -m tests.store.dump > tests/store/released/NUMBER.sql

writes it down, once, when a migration is added. Later versions must be able to go on with that.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.store.kit import Folder, opened
from twentytwo_server.store.migrating import newest

RELEASED = Path(__file__).parent / "released"


async def _brought_up(folder: Folder) -> None:
    async with opened(folder):
        pass


def script() -> str:
    """The data of the newest schema that has a script and is not this version's, brought up."""
    before = max(each for each in RELEASED.glob("*.sql") if each.stem < newest())
    with tempfile.TemporaryDirectory() as made:
        folder = Folder(Path(made) / "data")
        folder.folder.mkdir()
        with closing(sqlite3.connect(folder.file)) as db:
            db.executescript(before.read_text())
        asyncio.run(_brought_up(folder))
        with closing(sqlite3.connect(folder.file)) as db:
            return "\n".join(db.iterdump()) + "\n"


if __name__ == "__main__":
    sys.stdout.write(script())
