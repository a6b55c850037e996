"""The tables of the database, as they are after the last migration.

Times are milliseconds in big integers. Names of people are kept as they are spelled, and beside
them folded (`who`), where they are looked for.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "uq": "%(table_name)s_%(column_0_name)s_unique",
        "fk": "%(table_name)s_%(column_0_name)s_known",
        "ix": "%(table_name)s_by_%(column_0_name)s",
    }
)

SERIAL = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database counts up."""

marks = Table(
    "marks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""Single numbers: `at`, the highest `table`, `game`, `promise`; the last `batch` that was written;
`copy`, 1 in a backup that nobody has opened."""
MARKS = ("batch", "at", "table", "game", "promise", "copy")
"""Their names: each is there from the beginning, as 0."""

boots = Table(
    "boots",
    metadata,
    Column("no", SERIAL, primary_key=True),
    Column("boot", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("wall", BigInteger, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("closed", BigInteger),
)
Index(
    "tables_open",
    tables.c.number,
    sqlite_where=tables.c.closed.is_(None),
    postgresql_where=tables.c.closed.is_(None),
)

inputs = Table(
    "inputs",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("who", Text, nullable=False),
    Column("program", Boolean, nullable=False),
    Column("standin", Boolean, nullable=False),
    Column("ordered", Text, nullable=False),
    Column("packs", Text, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("digest", BigInteger, nullable=False),
    Column("tag", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""`packs` is a JSON list; `tag` the client's key of the command."""

promises = Table(
    "promises",
    metadata,
    Column("no", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False, unique=True),
    Column("table_id", Text, nullable=False, index=True),
    Column("alg", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("chain", Text, nullable=False),
)

seeds = Table(
    "seeds",
    metadata,
    Column("no", ForeignKey("promises.no"), primary_key=True, autoincrement=False),
    Column("seed", Text, nullable=False),
)

frozen = Table(
    "frozen",
    metadata,
    Column("game", Text, primary_key=True),
    Column("words", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False, server_default=text("0")),
    Column("undone", Boolean, nullable=False, server_default=false()),
)
"""`at` is when the game began, on the timeline; `began` and `ended` are for showing."""
Index("games_past", games.c.public, games.c.ended, games.c.number)
Index("games_past_of_key", games.c.public, games.c.key, games.c.ended, games.c.number)
Index(
    "games_rated",
    games.c.key,
    games.c.rules,
    games.c.ended,
    sqlite_where=games.c.rated,
    postgresql_where=games.c.rated,
)

records = Table(
    "records",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("record", Text, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("total", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

players = Table(
    "players",
    metadata,
    Column("who", Text, primary_key=True),
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("key", Text, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Who has a seat in which game, once however many seats: to find somebody's games by. A bot is
found by its level, and by the name that it had at its table. Games that are `undone` are left out:
the one that goes on from them stands for them."""
Index("players_past", players.c.who, players.c.ended, players.c.number)
Index("players_past_of_key", players.c.who, players.c.key, players.c.ended, players.c.number)

summaries = Table(
    "summaries",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("summary", Text, nullable=False),
)
"""What statistics need of a game, as JSON (`protocol.summary`)."""

dues = Table(
    "dues",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("pool", Text, nullable=False),
)
"""Games that count and are not reckoned yet."""

people = Table(
    "people",
    metadata,
    Column("name", Text, primary_key=True),
    Column("program", Boolean, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("before", LargeBinary, nullable=False),
    Column("since", BigInteger, nullable=False, server_default=text("0")),
)
"""`since` is when they came in, on the timeline."""

inbox = Table(
    "inbox",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("wall", BigInteger, nullable=False),
    Column("line", Text, nullable=False),
    sqlite_with_rowid=False,
)

commands = Table(
    "commands",
    metadata,
    Column("name", Text, primary_key=True),
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("no", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
    Column("said", Text, nullable=False),
    Column("answer", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Commands that were carried out under a key of their client, the last few of each person: the
newest one takes the slot of the oldest."""

blocks = Table(
    "blocks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("blocked", Text, nullable=False),
)
"""Whom somebody has blocked: names with a space between them."""

friends = Table(
    "friends",
    metadata,
    Column("name", Text, primary_key=True),
    Column("friends", Text, nullable=False),
)
"""Whom somebody has as friends: names with a space between them."""

accounts = Table(
    "accounts",
    metadata,
    Column("who", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("skeleton", Text, nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("scram", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("who", ForeignKey("accounts.who"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("pool", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("rules", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("who", Text, nullable=False, index=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", BigInteger, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("score", Double, nullable=False),
)
"""`who` is the name without case and without a bot's version; `score` what ranks are made by."""
Index("ratings_best", ratings.c.pool, ratings.c.key, ratings.c.rules, ratings.c.score)

rating_log = Table(
    "rating_log",
    metadata,
    Column("pool", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("rules", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("who", Text, nullable=False, index=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", BigInteger, primary_key=True, autoincrement=False),
    Column("wall", BigInteger, nullable=False),
)
"""Every rating that somebody had, by how many games led to it."""

daily_seals = Table(
    "daily_seals",
    metadata,
    Column("day", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("seed", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The secrets of the daily deals; `day` is a date in UTC."""

daily_entries = Table(
    "daily_entries",
    metadata,
    Column("day", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("who", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Who has begun which daily deal, and how it ended; `ended` is 0 until then."""
Index("daily_entries_of", daily_entries.c.who, daily_entries.c.day)

sanctions = Table(
    "sanctions",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("target", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Bans and mutes; `until` is a wall time."""

reports = Table(
    "reports",
    metadata,
    Column("no", BigInteger, primary_key=True, autoincrement=False),
    Column("reporter", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("answer", Text, nullable=False),
    Column("closed", BigInteger, nullable=False),
    Column("told", Boolean, nullable=False),
    Column("place", Text, nullable=False, server_default=""),
)
Index("reports_open", reports.c.closed, reports.c.told)

invite_codes = Table(
    "invite_codes",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("wall", BigInteger, nullable=False),
)
"""Those that nobody has used yet."""

admin_log = Table(
    "admin_log",
    metadata,
    Column("no", SERIAL, primary_key=True),
    Column("uid", BigInteger, nullable=False),
    Column("command", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
)
