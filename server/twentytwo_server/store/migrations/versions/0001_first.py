"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates every table; all counters begin at 0."""
    _server()
    _played()
    _promised()
    _over()
    _people()
    _daily()
    _moderation()
    marks = sa.table("marks", sa.column("name"), sa.column("value"))
    names = ("batch", "at", "table", "game", "promise", "copy")
    op.bulk_insert(marks, [{"name": name, "value": 0} for name in names])


def _server() -> None:
    """Data of the server itself."""
    op.create_table(
        "marks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("marks_pk")),
    )
    op.create_table(
        "boots",
        sa.Column("no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("boot", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("boots_pk")),
    )


def _played() -> None:
    """Tables and their inputs."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("closed", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("tables_pk")),
    )
    op.create_index(
        "tables_open",
        "tables",
        ["number"],
        unique=False,
        sqlite_where=sa.text("closed IS NULL"),
        postgresql_where=sa.text("closed IS NULL"),
    )
    op.create_table(
        "inputs",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("program", sa.Boolean(), nullable=False),
        sa.Column("standin", sa.Boolean(), nullable=False),
        sa.Column("ordered", sa.Text(), nullable=False),
        sa.Column("packs", sa.Text(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.BigInteger(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("inputs_table_id_known")),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("inputs_pk")),
        sqlite_with_rowid=False,
    )


def _promised() -> None:
    """The fair shuffle."""
    op.create_table(
        "promises",
        sa.Column("no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("alg", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("promises_pk")),
        sa.UniqueConstraint("game", name=op.f("promises_game_unique")),
    )
    op.create_index(op.f("promises_by_table_id"), "promises", ["table_id"], unique=False)
    op.create_table(
        "seeds",
        sa.Column("no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["no"], ["promises.no"], name=op.f("seeds_no_known")),
        sa.PrimaryKeyConstraint("no", name=op.f("seeds_pk")),
    )
    op.create_table(
        "frozen",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game", name=op.f("frozen_pk")),
    )


def _over() -> None:
    """Finished games."""
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("undone", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name=op.f("games_pk")),
    )
    op.create_index("games_past", "games", ["public", "ended", "number"], unique=False)
    op.create_index(
        "games_past_of_key", "games", ["public", "key", "ended", "number"], unique=False
    )
    op.create_table(
        "records",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("records_game_known")),
        sa.PrimaryKeyConstraint("game", name=op.f("records_pk")),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("seats_game_known")),
        sa.PrimaryKeyConstraint("game", "seat", name=op.f("seats_pk")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "players",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("players_game_known")),
        sa.PrimaryKeyConstraint("who", "game", name=op.f("players_pk")),
        sqlite_with_rowid=False,
    )
    op.create_index("players_past", "players", ["who", "ended", "number"], unique=False)
    op.create_index(
        "players_past_of_key", "players", ["who", "key", "ended", "number"], unique=False
    )
    op.create_table(
        "dues",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("dues_game_known")),
        sa.PrimaryKeyConstraint("game", name=op.f("dues_pk")),
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


def _people() -> None:
    """People, accounts, ratings."""
    op.create_table(
        "people",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("program", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("before", sa.LargeBinary(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("name", name=op.f("people_pk")),
    )
    op.create_table(
        "inbox",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", "seq", name=op.f("inbox_pk")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "commands",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("no", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", "slot", name=op.f("commands_pk")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blocks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("blocked", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("blocks_pk")),
    )
    op.create_table(
        "friends",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("friends", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("friends_pk")),
    )
    op.create_table(
        "accounts",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("skeleton", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("scram", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("who", name=op.f("accounts_pk")),
        sa.UniqueConstraint("skeleton", name=op.f("accounts_skeleton_unique")),
    )
    op.create_table(
        "tokens",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["who"], ["accounts.who"], name=op.f("tokens_who_known")),
        sa.PrimaryKeyConstraint("who", "number", name=op.f("tokens_pk")),
        sa.UniqueConstraint("digest", name=op.f("tokens_digest_unique")),
    )
    op.create_table(
        "ratings",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "key", "rules", "name", name=op.f("ratings_pk")),
    )
    op.create_index("ratings_best", "ratings", ["pool", "key", "rules", "score"], unique=False)
    op.create_index(op.f("ratings_by_who"), "ratings", ["who"], unique=False)
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


def _daily() -> None:
    """The daily deals."""
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


def _moderation() -> None:
    """Bans and mutes, reports, invite codes, the operators' log."""
    op.create_table(
        "sanctions",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "target", name=op.f("sanctions_pk")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reports",
        sa.Column("no", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("reporter", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("closed", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("no", name=op.f("reports_pk")),
    )
    op.create_index("reports_open", "reports", ["closed", "told"], unique=False)
    op.create_table(
        "invite_codes",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("invite_codes_pk")),
    )
    op.create_table(
        "admin_log",
        sa.Column("no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("admin_log_pk")),
    )
