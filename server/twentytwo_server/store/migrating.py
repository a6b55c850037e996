"""Migrates the schema of a database to that of this version, with Alembic.

Alembic is imported only where a migration is due: that takes as long as the rest of a start.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from . import Refused

_LOCK = 2222
"""The advisory lock under which PostgreSQL is migrated by one process at a time."""

_MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def known() -> tuple[str, ...]:
    """All versions of the schema, the oldest first, from their files: `0003_what_it_does.py`."""
    return tuple(sorted(file.name[:4] for file in (_MIGRATIONS / "versions").glob("0*_*.py")))


def newest() -> str:
    """The version of the schema that this server uses, such as `0003`."""
    return known()[-1]


def current(connection: Connection) -> str:
    """The version of the schema that the database has; empty for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or ""


def migrate(connection: Connection) -> None:
    """Migrates to the newest schema, in the running transaction. Raises `Refused`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if check_schema(connection) != newest():
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")


def check_schema(connection: Connection) -> str:
    """The schema's version in the database. Raises `Refused` if a newer server has made it."""
    found = current(connection)
    if found and found not in known():
        raise Refused(
            f"the data has schema {found}, made by a newer version; this one knows up to {newest()}"
        )
    return found
