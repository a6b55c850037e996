"""Repairs a damaged SQLite file: copies all readable data into a new file, and lists the losses.

A running server only records the damage (`note_damage`), and its answers omit unreadable data. The
next start calls `repair` before it opens the file; so does `twentytwo-server repair`. The damaged
file is kept beside the new one, for example as `twentytwo-damaged-1.db`. Nothing is written to it,
except that its log is moved into it. The new file is synced and then renamed in one step: a crash
before the renaming leaves the old file.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from . import Refused
from .common import AFTER_BACKUP
from .copying import to_disk
from .engines import PRAGMAS
from .faults import fault, is_locked
from .migrating import DEVELOPMENT, VERSION_TABLE, newest, of_development
from .schema import OLDEST_SCHEMA, metadata

NAMED = 10
"""Maximum number of lost rows listed for a table."""

_HIGHEST = {
    "copy": "SELECT 0",
    "oldest": f"SELECT {OLDEST_SCHEMA}",
    "at": "SELECT max(at) FROM (SELECT at FROM inputs UNION ALL SELECT at FROM boots)",
    "table": "SELECT max(number) FROM tables",
    "game": "SELECT max(n) FROM (SELECT number AS n FROM games"
    " UNION ALL SELECT CAST(substr(game, 2) AS INTEGER) FROM promises)",
    "promise": "SELECT max(no) FROM promises",
}
"""Queries that recompute each counter from other data, for a lost counter."""

LOST = "the orders from here on cannot be read"
"""Placeholder for lost orders. It does not parse as an order, so the table is set aside."""

Values = tuple[Any, ...]


@dataclass
class Repaired:
    """The outcome of a repair: saved rows of each table, and a line for the losses of each table.

    `damaged_copy` is the new path of the damaged file.
    """

    file: Path
    damaged_copy: Path = field(init=False)
    saved: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The report: saved rows, lost rows, the path of the damaged file."""
        yield f"saved: {sum(self.saved.values())} rows of {len(self.saved)} tables"
        for each in self.lost:
            yield f"lost: {each}"
        if not self.lost:
            yield "lost: nothing"
        yield f"{self.file} is whole again; the damaged file is kept as {self.damaged_copy.name}"

    def lose(self, table: str, rows: list[str]) -> None:
        """Records lost rows of a table by their names."""
        more = f", and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
        self.lost.append(f"{table}: {', '.join(rows[:NAMED])}{more}")


def note_damage(file: Path) -> None:
    """Marks the file as damaged, so that the next start repairs it."""
    _note(file).touch(mode=0o600)


def is_noted(file: Path) -> bool:
    """True if the file is marked as damaged."""
    return _note(file).exists()


def repair(file: Path) -> Repaired:
    """Replaces a damaged file by a new one with all readable data.

    No server may have the file open. Raises `Refused` if nothing is readable or another process
    uses the file; also raises `OSError`.
    """
    done = Repaired(file)
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with (
            closing(sqlite3.connect(file, isolation_level=None)) as damaged,
            closing(sqlite3.connect(part, isolation_level=None)) as whole,
        ):
            damaged.text_factory = lambda found: found.decode(errors="replace")
            for pragma in PRAGMAS:
                damaged.execute(f"PRAGMA {pragma}")
            _copy(damaged, whole, done)
            # SQLite would apply a leftover log of the damaged file to the new file.
            busy, *_ = damaged.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise Refused(f"the log of {file} cannot be moved into it")
        done.damaged_copy = _put_aside(file)
        to_disk(part)
        part.replace(file)
        to_disk(file.parent)
    except sqlite3.Error as error:
        if is_locked(error):
            raise Refused(f"the data folder {file.parent} is in use by another server") from error
        why = f"{file} is damaged, and nothing of it can be read: go back to a backup"
        raise Refused(f"{why} ({fault(error).why})") from error
    finally:
        part.unlink(missing_ok=True)
    _note(file).unlink(missing_ok=True)
    return done


def _note(file: Path) -> Path:
    return file.with_name(file.name + "-damaged")


def _put_aside(file: Path) -> Path:
    """Links the damaged file to a second name, which it keeps; returns that name."""
    names = (file.with_name(f"{file.stem}-damaged-{number}{file.suffix}") for number in count(1))
    damaged_copy = next(name for name in names if not name.exists())
    try:
        os.link(file, damaged_copy)
    except OSError:  # the file system has no hard links
        shutil.copy2(file, damaged_copy)
    return damaged_copy


def _copy(damaged: sqlite3.Connection, whole: sqlite3.Connection, done: Repaired) -> None:
    made = damaged.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC"
    ).fetchall()
    if any(name == DEVELOPMENT for _, name, _ in made):
        raise of_development(str(done.file))
    whole.execute("BEGIN")
    for kind, name, sql in made:
        whole.execute(sql)
        if kind == "table":
            rows = _Rows(damaged, name)
            done.saved[name] = rows.copy(whole)
            if rows.lost:
                done.lose(name, rows.lost)
            if name == "inputs":
                _mark_cut(whole, {row[0] for row in rows.before})
    _mend_schema(whole)
    _mend_marks(whole)
    _drop_orphans(whole, done)
    whole.execute("COMMIT")


class _Rows:
    """The rows of a damaged table, read in the order of their keys, which is their order in the
    file.

    Reading stops at damaged pages. So rows are read from both ends up to the damage, and those in
    between are lost.
    """

    def __init__(self, damaged: sqlite3.Connection, table: str) -> None:
        self._damaged = damaged
        self._table = table
        columns = damaged.execute(f'PRAGMA table_info("{table}")').fetchall()
        self._width = len(columns)
        keys = sorted((position, name) for _, name, _, _, _, position in columns if position)
        self._keys = [name for _, name in keys]
        self._at = [index for index, (*_, position) in enumerate(columns) if position]
        self.lost: list[str] = []
        """Names of unreadable rows."""
        self.before: list[Values] = []
        """Rows directly before a possible gap."""

    def copy(self, whole: sqlite3.Connection) -> int:
        """Copies all readable rows; returns their number."""
        values = ",".join("?" * self._width)
        copied = 0
        for row in self._all():
            try:
                whole.execute(f'INSERT INTO "{self._table}" VALUES ({values})', row)
                copied += 1
            except sqlite3.Error:  # damaged values may violate a constraint
                self.lost.append(self._name(row))
                self.before.append(row)
        return copied

    def _all(self) -> Iterator[Values]:
        """The rows before the damage, then the rows after it."""
        last: Values | None = None
        try:
            for row in self._scan("ASC"):
                yield row
                last = row
            return
        except sqlite3.DatabaseError as error:
            if not fault(error).damaged:
                raise
        behind: list[Values] = []
        try:
            for row in self._scan("DESC"):
                if row == last:
                    break
                behind.append(row)
        except sqlite3.DatabaseError as error:
            if not fault(error).damaged:
                raise
        if last is not None:
            self.before.append(last)
        first = self._name(last) if last else "the beginning"
        end = self._name(behind[-1]) if behind else "the end"
        self.lost.append(f"all between {first} and {end}")
        yield from reversed(behind)

    def _scan(self, order: str) -> Iterator[Values]:
        keys = ", ".join(f'"{key}" {order}' for key in self._keys) or f"rowid {order}"
        wanted = f'SELECT * FROM "{self._table}" NOT INDEXED ORDER BY {keys}'
        return iter(self._damaged.execute(wanted))

    def _name(self, row: Values) -> str:
        return " ".join(str(row[index]) for index in self._at) or "one"


def _mark_cut(whole: sqlite3.Connection, tables: set[Any]) -> None:
    """Appends an unreadable order to each table that may have lost its last orders.

    This order causes the table to be set aside. Otherwise the server would rebuild the table in an
    earlier state and continue there, although it had acknowledged later orders.
    """
    for table in tables:
        whole.execute(
            "INSERT INTO inputs"
            " SELECT table_id, seq + 1, at, wall, '', 0, 0, ?, '', last, digest, ''"
            " FROM inputs WHERE table_id = ? ORDER BY seq DESC LIMIT 1",
            (LOST, table),
        )


def _mend_schema(whole: sqlite3.Connection) -> None:
    """Restores a lost schema version if the columns are those of the current schema."""
    if whole.execute(f"SELECT 1 FROM {VERSION_TABLE}").fetchone():
        return
    for table in metadata.tables.values():
        columns = [row[1] for row in whole.execute(f'PRAGMA table_info("{table.name}")')]
        if set(columns) != set(table.columns.keys()):
            raise Refused("the data is damaged, and its version is unknown")
    whole.execute(f"INSERT INTO {VERSION_TABLE} VALUES (?)", (newest(),))


def _mend_marks(whole: sqlite3.Connection) -> None:
    """Restores lost counters, safely above every number in use."""
    for name, highest in _HIGHEST.items():
        if not whole.execute("SELECT 1 FROM marks WHERE name = ?", (name,)).fetchone():
            (found,) = whole.execute(highest).fetchone()
            beyond = AFTER_BACKUP if name in ("table", "game", "promise") else 0
            whole.execute("INSERT INTO marks VALUES (?, ?)", (name, (found or 0) + beyond))


def _drop_orphans(whole: sqlite3.Connection, done: Repaired) -> None:
    """Deletes rows whose parent row is lost."""
    for table, _, parent, number in whole.execute("PRAGMA foreign_key_check").fetchall():
        of = whole.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
        pairs = [(mine, theirs) for id, _, _, mine, theirs, *_ in of if id == number]
        same = " AND ".join(f'"{table}"."{mine}" = "{parent}"."{key}"' for mine, key in pairs)
        found = whole.execute(
            f'DELETE FROM "{table}" WHERE NOT EXISTS (SELECT 1 FROM "{parent}" WHERE {same})'
            f' RETURNING "{pairs[-1][0]}"'
        ).fetchall()
        if found:
            lost = sorted({str(value) for (value,) in found})
            done.saved[table] -= len(found)
            done.lose(table, [f"what belongs to {value} of {parent}" for value in lost])
