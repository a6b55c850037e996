"""The tables of the database after the last migration.

Times are big integers, in milliseconds. The names of people are stored as spelled. Tables that are
searched by name also have the folded name (`who`).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
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
"""A number that the database increments itself."""

marks = Table(
    "marks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""Single numbers. `at`: the latest time; `table`, `game`, `promise`: the highest numbers; `copy`: 1
in a backup that no server has opened; `oldest`: the oldest schema whose servers can use this one.
"""
OLDEST_SCHEMA = 2
"""The oldest schema whose servers can also use a database with this schema.

A server can if its schema lacks nothing but tables, columns with a default, and indexes of this
one. In an upgrade such servers run beside newer ones.
"""
MARKS = {"at": 0, "table": 0, "game": 0, "promise": 0, "copy": 0, "oldest": OLDEST_SCHEMA}
"""The rows in `marks`, each with its first value."""

nodes = Table(
    "nodes",
    metadata,
    Column("node", Text, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("beat", BigInteger, nullable=False),
    Column("batch", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("at", BigInteger, nullable=False, server_default=text("0")),
    Column("promise", BigInteger, nullable=False, server_default=text("0")),
)
"""The servers of this database (`nodes`).

`at` and `promise` are counters of a server that shares it with others; the only server of a
database has its counters in `marks`.
"""
Index(
    "nodes_serving",
    nodes.c.state,
    unique=True,
    sqlite_where=nodes.c.state == text("'serving'"),
    postgresql_where=nodes.c.state == text("'serving'"),
)

FENCE = """
CREATE FUNCTION fence(of_node text, of_epoch bigint, last bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET batch = last + 1
        WHERE node = of_node AND epoch = of_epoch AND batch = last AND state = 'serving';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server writes into the same database' USING ERRCODE = 'TT022';
    END IF;
END
$$
"""
"""PostgreSQL's fence around a server's writes; see `committing`."""
FENCE_ACTIVE = """
CREATE FUNCTION fence_active(
    of_node text, of_epoch bigint, last bigint, latest bigint, promised bigint
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET batch = last + 1, at = latest, promise = promised
        WHERE node = of_node AND epoch = of_epoch AND batch = last AND state = 'active';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server has taken over' USING ERRCODE = 'TT022';
    END IF;
END
$$
"""
"""The same for a server that shares the database with others; it keeps its counters in its row."""
FENCED = "TT022"
"""Their error code for a server that has lost the right to write."""

NODE_RANGE = 'CREATE TYPE node_range AS RANGE (subtype = text, collation = "C")'
ONE_OR_ACTIVE = """
ALTER TABLE nodes ADD CONSTRAINT nodes_one_or_active EXCLUDE USING gist ((
    CASE state WHEN 'serving' THEN node_range(NULL, NULL) ELSE node_range(node, node, '[]') END
) WITH &&) WHERE (state IN ('serving', 'active'))
"""
"""PostgreSQL: one server that serves alone, or any number of active ones.

The range of one that serves alone has all names in it. An older version cannot break this rule.
"""
ONLY_POSTGRESQL = (FENCE, FENCE_ACTIVE, NODE_RANGE, ONE_OR_ACTIVE)
"""Parts of the schema that only PostgreSQL has."""
ACTIVE_SCHEMA = 5
"""The oldest schema whose servers can use a database after servers were active in it.

Older ones take promises of two logs with the same number for one.
"""

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
    Column("node", Text, nullable=False, server_default=""),
    Column("handovers", BigInteger, nullable=False, server_default=text("0")),
)
"""`node` is the server that owns the table while it is open.

`handovers` goes up when a server takes the table that will write its promises into another log.
"""
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
"""`packs` is a JSON list; `tag` is the client's key of the command."""

promises = Table(
    "promises",
    metadata,
    Column("no", BigInteger, nullable=False),
    Column("game", Text, nullable=False, unique=True),
    Column("table_id", Text, nullable=False, index=True),
    Column("alg", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("chain", Text, nullable=False),
    Column("log", Text, nullable=False, server_default=""),
    Column("handovers", BigInteger, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("log", "no"),
)
"""`no` counts within a log. The only server of a database has the log without a name; one that
shares it with others has a log of its own name. A table's promises are in order of `handovers`,
which is the table's at the time, and `no`.
"""

seeds = Table(
    "seeds",
    metadata,
    Column("no", BigInteger, nullable=False),
    Column("seed", Text, nullable=False),
    Column("log", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("log", "no"),
    ForeignKeyConstraint(["log", "no"], ["promises.log", "promises.no"], name="seeds_no_known"),
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
"""`at` is the game's beginning on the timeline; `began` and `ended` are wall times for display."""
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
"""The players of each game, one row for each player, for finding a player's games. A bot has a row
for its level and one for its name at the table. Games that are `undone` have no rows: the game that
continues them has.
"""
Index("players_past", players.c.who, players.c.ended, players.c.number)
Index("players_past_of_key", players.c.who, players.c.key, players.c.ended, players.c.number)

summaries = Table(
    "summaries",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("summary", Text, nullable=False),
)
"""The statistics of a game, as JSON (`protocol.summary`)."""

dues = Table(
    "dues",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("pool", Text, nullable=False),
)
"""Rated games whose ratings are not computed yet."""

people = Table(
    "people",
    metadata,
    Column("name", Text, primary_key=True),
    Column("program", Boolean, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("before", LargeBinary, nullable=False),
    Column("since", BigInteger, nullable=False, server_default=text("0")),
    Column("node", Text, nullable=False, server_default=""),
    Column("who", Text, nullable=False, server_default=""),
)
"""`since` is the person's arrival, on the timeline; `node` is the server that keeps the person. An
older server leaves both `node` and `who` empty.
"""
for index in (
    Index("people_by_who", people.c.who, unique=True, postgresql_where=people.c.who != text("''")),
    Index("people_by_secret", people.c.secret),
    Index("people_by_before", people.c.before),
    Index("people_by_node", people.c.node),
):
    index.ddl_if(dialect="postgresql")  # a server that is alone finds people in its memory

inbox = Table(
    "inbox",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("wall", BigInteger, nullable=False),
    Column("line", Text, nullable=False),
    Column("tag", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)
"""`tag` is that of the message by which another server has sent the line."""

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
"""Commands executed under a client's key, the last few of each person. The newest one takes the
slot of the oldest.
"""

blocks = Table(
    "blocks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("blocked", Text, nullable=False),
)
"""The names that a person has blocked, separated by spaces."""

friends = Table(
    "friends",
    metadata,
    Column("name", Text, primary_key=True),
    Column("friends", Text, nullable=False),
)
"""The names of a person's friends, separated by spaces."""

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

Index("accounts_by_wall", accounts.c.wall).ddl_if(dialect="postgresql")  # for several servers

tokens = Table(
    "tokens",
    metadata,
    Column("who", ForeignKey("accounts.who"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
)

ssh_keys = Table(
    "ssh_keys",
    metadata,
    Column("who", ForeignKey("accounts.who"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("label", Text, nullable=False),
    Column("wall", BigInteger, nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Secrets that all servers of the database share."""

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
"""`who` is the folded name without a bot's version; `score` is the sort key of ranks."""
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
    Column("untold", Text, nullable=False, server_default=""),
)
"""All past and current ratings of a name, by number of games.

`untold` is the game that led to the rating, until its player is told.
"""
Index(
    "rating_log_untold",
    rating_log.c.who,
    sqlite_where=rating_log.c.untold != text("''"),
    postgresql_where=rating_log.c.untold != text("''"),
)

words = Table(
    "words",
    metadata,
    Column("word", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("node", Text, nullable=False),
    Column("epoch", BigInteger, nullable=False),
)
"""Secret words of tables, in lower case, while several servers share the database (`claiming`).

A row counts while its table is open, and before that while `node` runs under `epoch`.
"""

members = Table(
    "members",
    metadata,
    Column("name", Text, primary_key=True),
    Column("table_id", Text, primary_key=True, index=True),
)
"""The people at open tables, while several servers share the database (`TableMembers`)."""

seeks = Table(
    "seeks",
    metadata,
    Column("no", SERIAL, primary_key=True),
    Column("name", Text, nullable=False),
    Column("program", Boolean, nullable=False),
    Column("node", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("players", BigInteger, nullable=False),
    Column("preset", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("taker", Text, nullable=False, server_default=""),
    Column("tag", Text, nullable=False, server_default=""),
)
"""People who look for players, while several servers share the database (`seeking`).

`node` keeps the person. `tag` is that of the match, if there is one, and `taker` the server that
opens the table for it; it is empty once the table is open.
"""

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
    Column("untold", Boolean, nullable=False, server_default=false()),
    sqlite_with_rowid=False,
)
"""The players of each daily deal with their results; `ended` is 0 until the player has finished.

`untold`: the player has not been told the result.
"""
Index("daily_entries_of", daily_entries.c.who, daily_entries.c.day)
Index(
    "daily_entries_untold",
    daily_entries.c.who,
    sqlite_where=daily_entries.c.untold,
    postgresql_where=daily_entries.c.untold,
)

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
"""Unused invite codes."""

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
