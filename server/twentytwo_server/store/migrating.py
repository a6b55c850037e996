"""Brings the schema of a database to that of this version.

An empty database gets it as it is written down in `schema`, in a hundredth of a second. Alembic is
imported only for an older one, to migrate it: that takes as long as the rest of a start. Both ways
end with the same tables, down to the last default.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, text
from sqlalchemy.schema import PrimaryKeyConstraint

from ..failpoints import failpoint
from . import Refused
from .schema import MARKS, marks, metadata

_LOCK = 2222
"""The advisory lock under which PostgreSQL is migrated by one process at a time."""

_version = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic keeps the version of the schema."""

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
    found = check_schema(connection)
    if not found:
        create(connection)
    elif found != newest():
        upgrade(connection)


def create(connection: Connection) -> None:
    """Makes the newest schema in an empty database, with its first rows."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(marks), [{"name": name, "value": 0} for name in MARKS])
    _version.create(connection, checkfirst=False)
    connection.execute(insert(_version), {"version_num": newest()})
    failpoint("schema step made")


def upgrade(connection: Connection, to: str = "head") -> None:
    """Carries out the migrations up to one that the database has not had; all if it is empty."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, to)


def check_schema(connection: Connection) -> str:
    """The schema's version in the database. Raises `Refused` if a newer server has made it."""
    found = current(connection)
    if found and found not in known():
        raise Refused(
            f"the data has schema {found}, made by a newer version; this one knows up to {newest()}"
        )
    return found
