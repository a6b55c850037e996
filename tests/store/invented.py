"""A migration that no version has, and that only adds."""

from __future__ import annotations

from pathlib import Path

from twentytwo_server.store.migrating import newest

_STEP = """
import sqlalchemy as sa
from alembic import op

revision = "{new}"
down_revision = "{old}"


def upgrade() -> None:
    for table in ("boots", "inputs"):
        op.add_column(table, sa.Column("invented", sa.Text(), nullable=False, server_default="x"))
    op.create_index("inputs_invented", "inputs", ["wall"], unique=False)
"""


def invent(migrations: Path) -> None:
    """Adds the migration to those in a folder, which are the server's."""
    new = f"{int(newest()) + 1:04}"
    step = _STEP.format(new=new, old=newest())
    (migrations / "versions" / f"{new}_invented.py").write_text(step, encoding="utf-8")
