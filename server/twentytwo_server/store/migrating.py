"""Migrates the schema of a database to that of this version, with Alembic."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from . import Refused

_LOCK = 2222
"""The advisory lock under which PostgreSQL is migrated by one process at a time."""


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def _known() -> tuple[str, ...]:
    """All versions of the schema, the newest first."""
    script = ScriptDirectory.from_config(_config())
    return tuple(each.revision for each in script.walk_revisions())


def newest() -> str:
    """The version of the schema that this server uses, such as `0003`."""
    return _known()[0]


def current(connection: Connection) -> str:
    """The version of the schema that the database has; empty for a new one."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def migrate(connection: Connection) -> None:
    """Migrates to the newest schema, in the running transaction. Raises `Refused`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if check_schema(connection) != newest():
        command.upgrade(_config(connection), "head")


def check_schema(connection: Connection) -> str:
    """The schema's version in the database. Raises `Refused` if a newer server has made it."""
    found = current(connection)
    if found and found not in _known():
        raise Refused(
            f"the data has schema {found}, made by a newer version; this one knows up to {newest()}"
        )
    return found
