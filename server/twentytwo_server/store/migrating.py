"""Migrates the schema of a database to the current version.

An empty database gets the schema of the module `schema` directly, in 10 ms. Alembic is imported
only to migrate an older schema, because its import doubles the time of a start. Both ways create
the same tables, including column defaults.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.schema import PrimaryKeyConstraint

from ..failpoints import failpoint
from . import Refused
from .schema import MARKS, OLDEST_SCHEMA, ONLY_POSTGRESQL, marks, metadata

_LOCK = 2222
"""The advisory lock that lets only one process at a time migrate a PostgreSQL database."""

VERSION_TABLE = "schema_version"
"""The table in which Alembic stores the schema version."""
DEVELOPMENT = "alembic_version"
"""The version table of development versions before the first release. Such data is refused."""

_version = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)

MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def known() -> tuple[str, ...]:
    """All schema versions, the oldest first, from their file names: `0003_what_it_does.py`."""
    return tuple(sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("0*_*.py")))


def newest() -> str:
    """The schema version of this server, such as `0003`."""
    return known()[-1]


def current(connection: Connection) -> str:
    """The schema version of the database; empty for a new one.

    Raises `Refused` if a development version created the database.
    """
    tables = inspect(connection)
    if tables.has_table(DEVELOPMENT):
        raise of_development(str(connection.engine.url.database))
    if not tables.has_table(VERSION_TABLE):
        return ""
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar() or ""


def of_development(name: str) -> Refused:
    """The refusal of a database that a development version created."""
    return Refused(
        f"the data in {name} was made by a development version from before 0.1.0, and no release"
        " can read it; it stays as it is: start with an empty folder, --data FOLDER"
    )


def migrate(connection: Connection) -> None:
    """Migrates to the newest schema within the current transaction. Raises `Refused`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    found = check_schema(connection)
    if not found:
        create(connection)
    elif found != newest():
        upgrade(connection)


def create(connection: Connection) -> None:
    """Creates the newest schema in an empty database, with its first rows."""
    metadata.create_all(connection, checkfirst=False)
    if connection.dialect.name == "postgresql":
        for statement in ONLY_POSTGRESQL:
            connection.execute(text(statement))
    connection.execute(
        insert(marks), [{"name": name, "value": value} for name, value in MARKS.items()]
    )
    _version.create(connection, checkfirst=False)
    connection.execute(insert(_version), {"version_num": newest()})
    failpoint("schema step made")


def import_alembic() -> None:
    """Imports Alembic, before the transaction that needs it.

    On a slow machine the import takes longer than a transaction may wait.
    """
    import alembic.command
    import alembic.config  # noqa: F401


def upgrade(connection: Connection, to: str = "head") -> None:
    """Runs the missing migrations up to a version; runs all of them on an empty database."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, to)
    if to == "head":
        its = update(marks).where(marks.c.name == "oldest", marks.c.value < OLDEST_SCHEMA)
        connection.execute(its.values(value=OLDEST_SCHEMA))


def check_schema(connection: Connection) -> str:
    """The schema version of the database; empty for a new one.

    A newer schema counts as the newest of this server if its servers can use it. Raises `Refused`
    for another newer schema, and if a development version created the schema.
    """
    found = current(connection)
    if found and found not in known():
        oldest = select(marks.c.value).where(marks.c.name == "oldest")
        if connection.execute(oldest).scalar_one() <= int(newest()):
            return newest()
        raise Refused(
            f"the data has schema {found}, made by a newer version; this one knows up to {newest()}"
        )
    return found
