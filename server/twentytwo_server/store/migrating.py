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

VERSION = "schema_version"
"""The table in which Alembic keeps the version of the schema."""
DEVELOPMENT = "alembic_version"
"""The same table in the data of versions from before the first release, which is not read."""

_version = Table(
    VERSION,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION}_pkc"),
)

MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def known() -> tuple[str, ...]:
    """All versions of the schema, the oldest first, from their files: `0003_what_it_does.py`."""
    return tuple(sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("0*_*.py")))


def newest() -> str:
    """The version of the schema that this server uses, such as `0003`."""
    return known()[-1]


def current(connection: Connection) -> str:
    """The version of the schema that the database has; empty for a new one.

    Raises `Refused` if a development version has made it.
    """
    tables = inspect(connection)
    if tables.has_table(DEVELOPMENT):
        raise of_development(str(connection.engine.url.database))
    if not tables.has_table(VERSION):
        return ""
    return connection.execute(text(f"SELECT version_num FROM {VERSION}")).scalar() or ""


def of_development(name: str) -> Refused:
    """The refusal of a database that a development version has made."""
    return Refused(
        f"the data in {name} was made by a development version from before 0.1.0, and no release"
        " can read it; it stays as it is: start with an empty folder, --data FOLDER"
    )


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
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, to)


def check_schema(connection: Connection) -> str:
    """The schema's version in the database; empty for a new one.

    Raises `Refused` if a newer server, or a development version, has made it.
    """
    found = current(connection)
    if found and found not in known():
        raise Refused(
            f"the data has schema {found}, made by a newer version; this one knows up to {newest()}"
        )
    return found
