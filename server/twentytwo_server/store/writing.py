"""Turns facts into SQL: the rows for each table, and their order."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec.structs import astuple
from sqlalchemy import Table

from ..facts import (
    KEYED,
    Account,
    AccountErased,
    AdminAction,
    Blocks,
    Boot,
    CommandDone,
    DailyBegun,
    DailyEnded,
    DailySealed,
    DailyTold,
    Fact,
    Friends,
    Frozen,
    GameEnded,
    GamesClaimed,
    GameSummed,
    GuestKnownAs,
    InboxLine,
    Input,
    InputsDropped,
    InviteCode,
    InviteCodeUsed,
    PasswordChanged,
    PasswordRehashed,
    PersonGone,
    PersonKept,
    PersonMoved,
    Promise,
    Rated,
    RatingDone,
    RatingDue,
    RatingTold,
    Report,
    Sanction,
    SanctionLifted,
    SecretMade,
    SeekEnded,
    SeeksFreed,
    SeeksSeated,
    SshKeyAdded,
    SshKeyRemoved,
    TableClosed,
    TableMembers,
    TableMoved,
    TableOpened,
    TokenGiven,
    TokenRevoked,
)
from . import schema
from .common import INBOX_LINES, chained, folded, is_guest, number_in, score, unversioned
from .nodes import Fence

Row = tuple[Any, ...]
"""The parameters of a statement, in the order of its `?`."""

Step = tuple[str, Row]

TRIM = 50
"""An inbox is cut to its latest `INBOX_LINES` lines after this many new lines."""


# -------------------------------------------------------------------------------- statements


def _insert(table: Table) -> str:
    """Inserts a row; its values are those of all columns except an auto-increment number."""
    columns = [c.name for c in table.columns if c.type is not schema.SERIAL]
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def _put(table: Table) -> str:
    """Inserts a row, or replaces the row with the same primary key."""
    keys = ", ".join(c.name for c in table.primary_key)
    rest = ", ".join(f"{c.name} = excluded.{c.name}" for c in table.columns if not c.primary_key)
    return f"{_insert(table)} ON CONFLICT ({keys}) DO UPDATE SET {rest}"


_STATEMENTS = {
    "boot": _insert(schema.boots),
    "open": _insert(schema.tables),
    "input": _insert(schema.inputs),
    "close": "UPDATE tables SET closed = CAST(closing.column1 AS BIGINT) "
    "FROM (VALUES (?, ?)) AS closing WHERE id = closing.column2",
    "forget members": "DELETE FROM members WHERE table_id = ?",
    "member": _insert(schema.members),
    "drop": "DELETE FROM inputs WHERE table_id IN (VALUES (?))",
    "promise": f"{_insert(schema.promises).removesuffix('?)')}"
    "coalesce((SELECT handovers FROM tables WHERE id = ?), 0))",
    "seed": _insert(schema.seeds),
    "frozen": _insert(schema.frozen),
    "game": _insert(schema.games),
    "record": _insert(schema.records),
    "summary": _insert(schema.summaries),
    "summed": f"{_insert(schema.summaries)} ON CONFLICT DO NOTHING",
    "seat": _insert(schema.seats),
    "player": _insert(schema.players),
    "claim seats": "UPDATE seats SET name = ? WHERE lower(name) = ? "
    "AND game IN (SELECT game FROM players WHERE who = ?) "
    "AND EXISTS (SELECT 1 FROM games WHERE games.id = seats.game AND games.at >= ?) "
    "AND NOT EXISTS (SELECT 1 FROM players WHERE players.game = seats.game AND players.who = ?)",
    "claim games": "UPDATE players SET who = ? WHERE who = ? "
    "AND EXISTS (SELECT 1 FROM games WHERE games.id = players.game AND games.at >= ?) "
    "AND NOT EXISTS "
    "(SELECT 1 FROM players mine WHERE mine.game = players.game AND mine.who = ?)",
    "claim dailies": "UPDATE daily_entries SET who = ?, name = ? WHERE who = ? AND NOT EXISTS "
    "(SELECT 1 FROM daily_entries mine "
    "WHERE mine.day = daily_entries.day AND mine.key = daily_entries.key AND mine.who = ?)",
    "person": _put(schema.people),
    "move": "UPDATE people SET node = ? WHERE name = ? AND node = ?",
    "forget": "DELETE FROM people WHERE name = ?",
    "end seek": "DELETE FROM seeks WHERE no = ?",
    "seated": "UPDATE seeks SET taker = '' WHERE tag = ?",
    "free seeks": "UPDATE seeks SET taker = '', tag = '' WHERE tag = ?",
    "inbox": _put(schema.inbox),
    "trim": "DELETE FROM inbox WHERE name = ? AND seq <= ?",
    "command": _put(schema.commands),
    "forget commands": "DELETE FROM commands WHERE name = ?",
    "blocks": _put(schema.blocks),
    "block instead": "UPDATE blocks SET blocked = trim(replace(' ' || blocked || ' ', ?, ?)) "
    "WHERE ' ' || blocked || ' ' <> replace(' ' || blocked || ' ', ?, '')",
    "unblock": "DELETE FROM blocks WHERE name = ?",
    "friends": _put(schema.friends),
    "unfriend": "DELETE FROM friends WHERE name = ?",
    "account": _insert(schema.accounts),
    "password": "UPDATE accounts SET password = ?, scram = ? WHERE who = ?",
    "rehash": "UPDATE accounts SET password = ?, scram = ? WHERE who = ? AND password = ?",
    "token": _insert(schema.tokens),
    "revoke": "DELETE FROM tokens WHERE who = ? AND number = ?",
    "logout": "DELETE FROM tokens WHERE who = ?",
    "key": _insert(schema.ssh_keys),
    "remove key": "DELETE FROM ssh_keys WHERE who = ? AND number = ?",
    "remove keys": "DELETE FROM ssh_keys WHERE who = ?",
    "secret": f"{_insert(schema.secrets)} ON CONFLICT DO NOTHING",
    "due": _insert(schema.dues),
    "done": "DELETE FROM dues WHERE game = ?",
    "unrate": "DELETE FROM ratings WHERE who = ?",
    "unrate log": "DELETE FROM rating_log WHERE who = ?",
    "rating": _put(schema.ratings),
    "rating log": _put(schema.rating_log),
    "daily seal": f"{_insert(schema.daily_seals)} ON CONFLICT DO NOTHING",
    "daily begun": f"{_insert(schema.daily_entries)} ON CONFLICT DO NOTHING",
    "rating told": "UPDATE rating_log SET untold = '' "
    "WHERE untold <> '' AND who = ? AND untold = ?",
    "daily ended": "UPDATE daily_entries SET game = ?, place = ?, points = ?, ended = ?, "
    "untold = ? WHERE day = ? AND key = ? AND who = ? AND ended = 0",
    "daily told": "UPDATE daily_entries SET untold = false WHERE untold AND game = ?",
    "daily gone": "DELETE FROM daily_entries WHERE who = ?",
    "sanction": _put(schema.sanctions),
    "lift": "DELETE FROM sanctions WHERE kind = ? AND target = ?",
    "report": f"{_put(schema.reports)} WHERE reports.closed = 0 OR excluded.closed > 0",
    "invite code": _insert(schema.invite_codes),
    "use code": "DELETE FROM invite_codes WHERE digest = ?",
    "admin": _insert(schema.admin_log),
    "mark": "UPDATE marks SET value = ? WHERE name = ?",
    # The last of all, because promises of the batch count the hand-overs before. The row of the new
    # owner is locked against those that end it (`nodes.take_tables`), not against its own writes.
    "hand over": "UPDATE tables SET node = ?, handovers = handovers + (SELECT count(*) FROM "
    "(SELECT 1 FROM promises WHERE table_id = tables.id AND log <> ? LIMIT 1) AS elsewhere) "
    "WHERE id = ? AND node = ? "
    "AND EXISTS (SELECT 1 FROM nodes WHERE node = ? AND state = 'active' FOR KEY SHARE)",
}


def statements(placeholder: str) -> Mapping[str, str]:
    """All statements by name, in the order of execution within a stage.

    The order keeps foreign keys valid: parent rows come first. `placeholder` is the driver's
    parameter marker.
    """
    return {name: text.replace("?", placeholder) for name, text in _STATEMENTS.items()}


# ------------------------------------------------------------------------------------- steps


def steps(fact: Fact, chain: str, fence: Fence) -> Iterator[Step]:
    """The writes of a fact: pairs of a statement's name and its row.

    `chain` is the chain of promises after this fact; only a promise needs it. `fence` is the right
    to write.
    """
    match fact:
        case Input():
            yield "input", _input_row(fact)
        case CommandDone(name, no, key, said, answer):
            yield "command", (name, no % KEYED, no, key, said, answer)
        case Boot(boot, at, wall):
            yield "boot", (boot, at, wall)
            yield "mark", (0, "copy")
        case TableOpened(table, game, wall):
            yield "open", (table, number_in(table), game, wall, None, fence.node, 0)
        case TableClosed(table, wall, kept):
            yield "close", (wall, table)
            if kept:
                yield "forget members", (table,)
            else:
                yield "drop", (table,)
        case TableMoved(table, to):
            yield "hand over", (to, to, table, fence.node, to)
        case TableMembers(table, names):
            yield "forget members", (table,)
            for name in names:
                yield "member", (name, table)
        case InputsDropped(tables):
            for table in tables:
                yield "drop", (table,)
        case Promise(game, no, table, alg, seed, digest, wall):
            yield "promise", (no, game, table, alg, digest, wall, chain, fence.log, table)
            yield "seed", (no, seed, fence.log)
        case Frozen(game, words, wall):
            yield "frozen", (game, words, wall)
        case GameEnded():
            yield from _game_steps(fact)
        case GameSummed(game, summary):
            yield "summed", (game, summary)
        case PersonKept(name, program, secret, before, since):
            yield "person", (name, program, secret, before, since, fence.node, folded(name))
        case PersonMoved(name, to):
            yield "move", (to, name, fence.node)
        case GuestKnownAs(guest, account):
            yield "block instead", (f" {guest} ", f" {account} ", f" {guest} ")
        case PersonGone() | InboxLine() | Blocks() | Friends():
            yield from _person_steps(fact)
        case SeekEnded(number):
            yield "end seek", (number,)
        case SeeksSeated(tag):
            yield "seated", (tag,)
        case SeeksFreed(tag):
            yield "free seeks", (tag,)
        case GamesClaimed(name, guest, since):
            who, was = folded(name), folded(guest)
            yield "claim seats", (name, was, was, since, who)
            yield "claim games", (who, was, since, who)
            yield "claim dailies", (who, name, was, who)
        case AccountErased(name, password, scram):
            yield from _account_steps(PasswordChanged(name, password, scram))
            yield from _person_steps(PersonGone(name))
            yield "unblock", (name,)
            yield "unfriend", (name,)
            yield "daily gone", (folded(name),)
            yield "unrate", (unversioned(name),)
            yield "unrate log", (unversioned(name),)
        case Account() | PasswordChanged() | PasswordRehashed() | TokenGiven() | TokenRevoked():
            yield from _account_steps(fact)
        case SshKeyAdded(name, number, kind, digest, label, wall):
            yield "key", (folded(name), number, kind, digest, label, wall)
        case SshKeyRemoved(name, number):
            yield "remove key", (folded(name), number)
        case SecretMade(name, secret):
            yield "secret", (name, secret)
        case RatingDue(game, pool):
            yield "due", (game, pool.value)
        case RatingDone(game):
            yield "done", (game,)
        case RatingTold(name, game):
            yield "rating told", (folded(name), game)
        case Rated():
            row = _rating_row(fact)
            yield "rating", row
            yield "rating log", (*row[:-1], fact.untold)  # without the score
        case DailySealed(day, key, seed, digest, wall):
            yield "daily seal", (day, key, seed, digest, wall)
        case DailyBegun(day, key, name, wall):
            yield "daily begun", (day, key, folded(name), name, wall, "", 0, 0, 0, False)
        case DailyEnded(day, key, name, game, place, points, wall):
            yield "daily ended", (game, place, points, wall, place > 0, day, key, folded(name))
        case DailyTold(game):
            yield "daily told", (game,)
        case _:
            yield _moderation_step(fact)


_PACKS = Input.__struct_fields__.index("packs")


def _input_row(given: Input) -> Row:
    """The input as a row; its columns have the order of the fields."""
    packs = json.dumps(given.packs) if given.packs else ""
    values = astuple(given)
    return (*values[:_PACKS], packs, *values[_PACKS + 1 :])


def _game_steps(game: GameEnded) -> Iterator[Step]:
    number = number_in(game.game)
    yield (
        "game",
        (
            game.game,
            number,
            game.table,
            game.key,
            game.rules,
            game.digest,
            game.why,
            game.rated,
            game.public,
            game.began,
            game.ended,
            *game.events,
            game.at,
            game.undone,
        ),
    )
    yield "record", (game.game, game.record)
    if game.summary:
        yield "summary", (game.game, game.summary)
    for seat in game.seats:
        yield "seat", (game.game, seat.seat, seat.name, seat.version, seat.place, seat.total)
    if game.undone:
        return
    for who in sorted({folded(name) for seat in game.seats for name in (seat.name, seat.who)}):
        yield "player", (who, game.game, game.key, game.ended, number)


def _person_steps(
    fact: PersonGone | InboxLine | Blocks | Friends,
) -> Iterator[Step]:
    match fact:
        case PersonGone(name):
            yield "forget", (name,)
            yield "trim", (name, 2**62)
            yield "forget commands", (name,)
            if is_guest(name):
                yield "unblock", (name,)
                yield "unfriend", (name,)
                yield "daily gone", (folded(name),)
        case Blocks(name, blocked):
            yield "blocks", (name, " ".join(blocked))
        case Friends(name, friends):
            yield "friends", (name, " ".join(friends))
        case InboxLine(name, seq, wall, line, tag):
            yield "inbox", (name, seq, wall, line, tag)
            if seq % TRIM == 0:
                yield "trim", (name, seq - INBOX_LINES)


def _account_steps(
    fact: Account | PasswordChanged | PasswordRehashed | TokenGiven | TokenRevoked,
) -> Iterator[Step]:
    who = folded(fact.name)
    match fact:
        case Account(name, skeleton, password, scram, wall):
            yield "account", (who, name, skeleton, password, scram, wall)
        case PasswordChanged(_, password, scram):
            yield "password", (password, scram, who)
            yield "logout", (who,)
            yield "remove keys", (who,)
        case PasswordRehashed(_, before, password, scram):
            yield "rehash", (password, scram, who, before)
        case TokenGiven(_, number, digest, label, wall):
            yield "token", (who, number, digest, label, wall)
        case TokenRevoked(_, number):
            yield "revoke", (who, number)


def _moderation_step(
    fact: Sanction | SanctionLifted | Report | InviteCode | InviteCodeUsed | AdminAction,
) -> Step:
    match fact:
        case Sanction(kind, target, until, why, wall):
            return "sanction", (kind.value, target, until, why, wall)
        case SanctionLifted(kind, target):
            return "lift", (kind.value, target)
        case Report():
            return "report", astuple(fact)
        case InviteCode(digest, until, wall):
            return "invite code", (digest, until, wall)
        case InviteCodeUsed(digest):
            return "use code", (digest,)
        case AdminAction(uid, command, about, why, wall):
            return "admin", (uid, command, about, why, wall)


def _rating_row(rated: Rated) -> Row:
    return (
        rated.pool.value,
        rated.key,
        rated.rules,
        rated.name,
        unversioned(rated.name),
        rated.mu,
        rated.sigma,
        rated.games,
        rated.wall,
        score(rated),
    )


# ----------------------------------------------------------------------------------- batches

_TAKES_BACK = frozenset(
    (
        TableMembers,
        PersonGone,
        GamesClaimed,
        GuestKnownAs,
        AccountErased,
        PasswordChanged,
        PasswordRehashed,
        TokenRevoked,
        SshKeyRemoved,
        SanctionLifted,
    )
)
"""Facts that change or delete rows that may be written again: they stay in order with all others.

A closed table, a computed rating, a finished daily deal and a used code never come back. Their
statements come after those that wrote the rows, so they need no stage of their own.
"""


@dataclass(slots=True)
class Counters:
    """The counters of a database, and the chain after its last promise (`common.chained`).

    `batch` is the number of the last batch and `at` the latest time on the timeline. The others are
    the highest numbers of tables, games and promises.
    """

    batch: int = 0
    at: int = 0
    table: int = 0
    game: int = 0
    promise: int = 0
    chain: str = ""

    def count(self, fact: Fact) -> None:
        """Updates the counters for a fact."""
        match fact:
            case Input() | Boot():
                self.at = max(self.at, fact.at)
            case PersonKept():
                self.at = max(self.at, fact.since)
            case TableOpened():
                self.table = max(self.table, number_in(fact.table))
            case Promise():
                self.game = max(self.game, number_in(fact.game))
                self.promise = fact.no
                self.chain = chained(self.chain, fact)
            case GameEnded():
                self.game = max(self.game, number_in(fact.game))


@dataclass(slots=True)
class Batch:
    """Facts for one transaction, grouped so that each statement is executed once for many rows.

    A stage holds rows by the names of their statements. Facts in a stage only add rows, so their
    order in it does not matter. Facts that change or delete rows get a stage of their own, together
    with neighbours of the same kind. `before` and `marks` are the counters before and after the
    batch. `fence` is the right to write.
    """

    before: Counters
    fence: Fence
    marks: Counters = field(init=False)
    stages: list[dict[str, list[Row]]] = field(default_factory=lambda: [defaultdict(list)])
    size: int = 0
    _taking: type | None = None

    def __post_init__(self) -> None:
        self.marks = replace(self.before, batch=self.before.batch + 1)

    def add(self, fact: Fact) -> None:
        """Appends a fact."""
        self.size += 1
        self.marks.count(fact)
        kind = type(fact)
        taking = kind if kind in _TAKES_BACK else None
        if taking is not self._taking:
            self.stages.append(defaultdict(list))
            self._taking = taking
        stage = self.stages[-1]
        for name, row in steps(fact, self.marks.chain, self.fence):
            stage[name].append(row)

    def risen(self) -> list[Row]:
        """The rows of the counters that changed."""
        names = ("at", "table", "game", "promise")
        return [
            (getattr(self.marks, name), name)
            for name in names
            if getattr(self.marks, name) != getattr(self.before, name)
        ]
