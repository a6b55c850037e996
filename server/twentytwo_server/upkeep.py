"""Commands for the data of a server: backup, migrate, check."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

DATA = click.option(
    "--data",
    default="data",
    metavar="FOLDER|URL",
    help="Where everything is kept: a folder, or postgresql://...  [data]",
)


def _refusing(command: Callable[..., None]) -> Callable[..., None]:
    """Says in one line why the data cannot be worked on."""

    @wraps(command)
    def refusing(*args: Any, **kwargs: Any) -> None:
        from .store import Refused

        try:
            command(*args, **kwargs)
        except (Refused, OSError) as error:
            print(f"twentytwo-server: {error}", file=sys.stderr)
            sys.exit(1)

    return refusing


@click.command()
@DATA
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_refusing
def backup(data: str, file: Path) -> None:
    """Copy everything into a new FILE, whether a server runs on it or not.

    To go on from it, put it into an empty folder as twentytwo.db. It holds the secrets of the
    games that run: keep it as safe as the original.
    """
    from .admin import tell
    from .store import Refused

    if "://" in data:
        raise Refused("a database of PostgreSQL is backed up with pg_dump")
    target = file.absolute()
    answer = tell(Path(data), f"backup {target}")
    if answer is None:
        from .store.copying import copy_of

        copy_of(Path(data), target)
    elif answer != "OK":
        raise Refused(answer.removeprefix("ERR "))
    print(f"{target}: {target.stat().st_size} bytes")


@click.command()
@DATA
@click.option("--restored", is_flag=True, help="It was restored from a dump made by pg_dump.")
@_refusing
def migrate(data: str, restored: bool) -> None:
    """Bring the data to the schema of this version. A server does so too when it starts.

    A file of SQLite is copied first, into the same folder. A backup knows that it is one; a dump
    of PostgreSQL does not: say --restored, so that nothing is given out twice.
    """
    from .store.sql import migrated

    before, after = asyncio.run(migrated(data, restored))
    print(f"schema {after}" if before == after else f"schema {before or 'none'} -> {after}")


@click.command()
@DATA
@_refusing
def check(data: str) -> None:
    """Look whether the data is whole; exit status 1 if it is not. No server may be using it."""
    from .store.checking import complaints

    async def found() -> list[str]:
        return [each async for each in complaints(data)]

    wrong = asyncio.run(found())
    print("\n".join(wrong) or "ok")
    sys.exit(1 if wrong else 0)


COMMANDS = (backup, migrate, check)
