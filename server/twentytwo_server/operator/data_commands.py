"""Commands for the data of a server: backup, migrate, check, copy, repair, table."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..config.paths import data_by_environment
from ..config.reading import BadConfig

if TYPE_CHECKING:
    from ..facts import OpenTable


def _usual_data() -> str:
    try:
        return data_by_environment(os.environ)
    except BadConfig as bad:
        raise click.UsageError(str(bad)) from None


DATA = click.option(
    "--data",
    default=_usual_data,
    metavar="FOLDER|URL",
    help="The data: a folder, or postgresql://...  [as for `run`]",
)


@click.command()
@DATA
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="FILE is a folder: name the copy after the time, and keep the latest N copies.",
)
@click.argument("file", type=click.Path(path_type=Path))
def backup(data: str, keep: int | None, file: Path) -> None:
    """Back up all data into a new FILE, even while a server uses it.

    To use the backup, put it into an empty folder as twentytwo.db. It contains the secrets of
    running games: protect it like the original.
    """
    from ..config.paths import ADMIN_SOCKET
    from ..store import Refused
    from .admin import tell

    if "://" in data:
        raise Refused("a database of PostgreSQL is backed up with pg_dump")
    target = file.absolute()
    if keep is not None:
        target.mkdir(mode=0o700, exist_ok=True)
        target /= time.strftime("twentytwo-%Y%m%dT%H%M%SZ.db", time.gmtime())
    if tell(Path(data) / ADMIN_SOCKET, "backup", file=str(target)) is None:
        from ..store.copying import copy_of

        copy_of(Path(data), target)
    print(f"{target}: {target.stat().st_size} bytes")
    if keep is not None:
        for old in sorted(target.parent.glob(COPIES))[:-keep]:
            old.unlink()
            print(f"{old} is deleted")


COPIES = "twentytwo-????????T??????Z.db"
"""The name pattern of the copies that `backup --keep` makes and deletes."""


@click.command()
@DATA
@click.option("--restored", is_flag=True, help="The data was restored from a dump of pg_dump.")
def migrate(data: str, restored: bool) -> None:
    """Migrate the data to the schema of this version, as a server does when it starts.

    An SQLite file is first copied into the same folder. A backup is marked as a copy, but a
    restored dump of PostgreSQL is not: pass --restored for it, so that no number is used twice.
    """
    from ..store.engines import check_there
    from ..store.sql import migrated

    check_there(data)
    before, after = asyncio.run(migrated(data, restored))
    print(f"schema {after}" if before == after else f"schema {before or 'none'} -> {after}")


@click.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_command(source: str, target: str) -> None:
    """Copy all data to another database: from or to a folder (SQLite) or postgresql://...

    TO must be empty, and no server may be using either database. All rows are compared afterwards.
    Games continue in TO, so no server may use FROM any more. For a copy to return to, use `backup`.
    """
    from ..store.engines import shown
    from ..store.transfer import transfer

    found = asyncio.run(transfer(source, target))
    print(
        f"{shown(target)}: {sum(found.values())} rows of {len(found)} tables, as in {shown(source)}"
    )
    print(f"Start no server on {shown(source)} any more: both would give out the same numbers.")


@click.command()
@DATA
def check(data: str) -> None:
    """Check whether the data is intact; the exit status is 1 if not. No server may be using it.

    Every open table is rebuilt, as at a start. A table that cannot be rebuilt would be set aside: a
    server starts without it, and keeps its data.
    """
    sys.exit(1 if _complain(data) else 0)


@click.command()
@DATA
def repair(data: str) -> None:
    """Copy all readable data from a damaged file into a new one, and list the losses.

    The damaged file is kept beside the new one. Intact data is not changed. No server may be using
    the data. A starting server repairs damage that it finds by itself.
    """
    from ..store import Refused
    from ..store.checking import ComplaintKind, complaints
    from ..store.engines import DATA_FILE, check_there
    from ..store.repair import repair as repaired

    if "://" in data:
        raise Refused("a database of PostgreSQL is restored from a dump")
    check_there(data)

    async def damage() -> list[str]:
        return [each.line async for each in complaints(data) if each.kind is ComplaintKind.DAMAGE]

    found = asyncio.run(damage())
    if not found:
        print(f"{Path(data) / DATA_FILE} is not damaged")
        return
    for line in found:
        print(f"found: {line}")
    for line in repaired(Path(data) / DATA_FILE).lines():
        print(line)
    sys.exit(1 if _complain(data) else 0)


def _complain(data: str) -> bool:
    """Prints the faults of the data with advice for each kind, or `ok`. Returns True if there are
    any.

    The log is silent meanwhile, because it would report the same faults again.
    """
    from ..store.checking import Complaint, complaints
    from .dry_start import set_aside

    async def every() -> list[Complaint]:
        return [each async for each in complaints(data, set_aside)]

    _hush()
    found = asyncio.run(every())
    print("\n".join(each.line for each in found) or "ok")
    for kind in dict.fromkeys(each.kind for each in found):
        if advice := ADVICE.get(kind.name):
            print(advice)
    return bool(found)


ADVICE = {
    "DAMAGE": """\
To copy all readable data into a new file, and keep the damaged one:
               twentytwo-server repair --data DATA""",
    "SCHEMA": """\
To migrate it to this version:
               twentytwo-server migrate --data DATA""",
    "CHAIN": """\
A promise has been changed. A server starts with it; only a backup has the original.""",
    "TABLE": """\
A server starts without such a table and keeps its data; a later version may rebuild it. To see its
orders:        twentytwo-server table NAME --data DATA
To close it:   twentytwo-server table NAME --data DATA --give-up""",
}
"""The recommended next step for each kind of fault."""


@click.command()
@DATA
@click.argument("name")
@click.option("--give-up", is_flag=True, help="Close the table for good, if it cannot be rebuilt.")
def table(data: str, name: str, give_up: bool) -> None:
    """Show the stored orders of the open table NAME (t7), and whether the table can be rebuilt from
    them.

    No server may be using the data.
    """
    from ..store import Refused
    from ..store.checking import read_data
    from .dry_start import set_aside

    _hush()
    remembered = asyncio.run(read_data(data))
    stored = next((each for each in remembered.tables if each.table == name), None)
    if stored is None:
        raise Refused(f"no table {name} is open in {data}")
    why = set_aside(remembered).get(name)
    print("\n".join(_orders(stored)))
    print(f"{name} cannot be built again: {why}" if why else f"{name} can be built again")
    if give_up and why is None:
        raise Refused(f"a server can rebuild {name}: it is not closed")
    if give_up:
        asyncio.run(_give_up(data, stored))
        print(f"{name} is closed")


def _orders(stored: OpenTable) -> Iterator[str]:
    """The stored orders of a table, a line each."""
    from ..session.streams import rfc3339

    for each in stored.inputs:
        yield f"{each.seq:5}  {rfc3339(each.wall)}  {each.who or '-'}  {each.order}"


async def _give_up(data: str, stored: OpenTable) -> None:
    """Closes a table for good in its last state. Raises `Refused`."""
    from ..facts import TableClosed
    from ..store import Refused
    from ..store.sql import open_store

    closed = asyncio.get_running_loop().create_future()
    store = await open_store(data, lambda why: closed.set_exception(Refused(why)))
    try:
        wall = max((each.wall for each in stored.inputs), default=0)
        store.keep([TableClosed(stored.table, wall)], lambda: closed.set_result(None))
        await closed
    finally:
        await store.close()


def _hush() -> None:
    """Silences the log: the command itself prints the fault of a table, in one line."""
    logging.getLogger("twentytwo").addHandler(logging.NullHandler())


DATA_COMMANDS = (backup, migrate, check, copy_command, repair, table)
