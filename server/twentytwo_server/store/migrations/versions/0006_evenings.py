"""The daily deals, friends, summaries of games, and how ratings have changed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nothing was sealed for a day yet; the ratings of now begin the log of them."""
    op.create_table(
        "friends",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("friends", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("friends_pk")),
    )
    op.create_table(
        "summaries",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("summaries_game_known")),
        sa.PrimaryKeyConstraint("game", name=op.f("summaries_pk")),
    )
    op.create_index(
        "games_rated",
        "games",
        ["key", "rules", "ended"],
        unique=False,
        sqlite_where=sa.text("rated"),
        postgresql_where=sa.text("rated"),
    )
    op.create_table(
        "rating_log",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "pool", "key", "rules", "name", "games", name=op.f("rating_log_pk")
        ),
    )
    op.create_index("rating_log_by_who", "rating_log", ["who"], unique=False)
    op.execute(
        "INSERT INTO rating_log (pool, key, rules, name, who, mu, sigma, games, wall) "
        "SELECT pool, key, rules, name, who, mu, sigma, games, wall FROM ratings"
    )
    op.create_table(
        "daily_seals",
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", "key", name=op.f("daily_seals_pk")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily_entries",
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", "key", "who", name=op.f("daily_entries_pk")),
        sqlite_with_rowid=False,
    )
    op.create_index("daily_entries_of", "daily_entries", ["who", "day"], unique=False)
