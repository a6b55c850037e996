"""Runs Alembic's migrations in the connection given to it."""

from alembic import context

from twentytwo_server.failpoints import failpoint
from twentytwo_server.store.migrating import VERSION_TABLE
from twentytwo_server.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=connection.dialect.name == "sqlite",
    on_version_apply=lambda **_: failpoint("schema step made"),
)
context.run_migrations()
