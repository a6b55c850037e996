"""Turns facts into SQL: which rows are written into which tables, and in what order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Dialect, Executable, Table, bindparam, delete, insert, update
from sqlalchemy.dialects import postgresql, sqlite

from ..facts import (
    KEYED,
    Account,
    Blocks,
    Boot,
    CommandDone,
    Fact,
    Frozen,
    GameEnded,
    InboxLine,
    Input,
    PasswordChanged,
    PasswordRehashed,
    PersonGone,
    PersonKept,
    Promise,
    Rated,
    RatingDone,
    RatingDue,
    TableClosed,
    TableOpened,
    TokenGiven,
    TokenRevoked,
)
from . import schema
from .common import INBOX, chained, folded, is_guest, number_in, score, unversioned

Row = dict[str, Any]
Step = tuple[str, Row]

TRIM = 50
"""An inbox is cut to its latest `INBOX` lines once in so many new ones."""


# -------------------------------------------------------------------------------- statements


def _put(dialect: Dialect, table: Table) -> Executable:
    """A statement that inserts a row, or replaces the one with the same primary key."""
    module = {"sqlite": sqlite, "postgresql": postgresql}[dialect.name]
    new = module.insert(table)
    rest = {c.name: new.excluded[c.name] for c in table.columns if not c.primary_key}
    put: Executable = new.on_conflict_do_update(index_elements=table.primary_key, set_=rest)
    return put


def statements(dialect: Dialect) -> Mapping[str, Executable]:
    """All statements by name, in the order in which those of one stage are executed.

    The order keeps foreign keys valid: what others refer to comes first.
    """
    tables, people, accounts, tokens = (
        schema.tables,
        schema.people,
        schema.accounts,
        schema.tokens,
    )
    whose = tokens.c.who == bindparam("_who")
    return {
        "boot": insert(schema.boots),
        "open": insert(tables),
        "input": insert(schema.inputs),
        "close": update(tables).where(tables.c.id == bindparam("_table")),
        "drop": delete(schema.inputs).where(schema.inputs.c.table_id == bindparam("_table")),
        "promise": insert(schema.promises),
        "seed": insert(schema.seeds),
        "frozen": insert(schema.frozen),
        "game": insert(schema.games),
        "record": insert(schema.records),
        "seat": insert(schema.seats),
        "player": insert(schema.players),
        "person": _put(dialect, people),
        "forget": delete(people).where(people.c.name == bindparam("_name")),
        "inbox": _put(dialect, schema.inbox),
        "trim": delete(schema.inbox).where(
            schema.inbox.c.name == bindparam("_name"), schema.inbox.c.seq <= bindparam("_seq")
        ),
        "command": _put(dialect, schema.commands),
        "forget commands": delete(schema.commands).where(
            schema.commands.c.name == bindparam("_name")
        ),
        "blocks": _put(dialect, schema.blocks),
        "unblock": delete(schema.blocks).where(schema.blocks.c.name == bindparam("_name")),
        "account": insert(accounts),
        "password": update(accounts).where(accounts.c.who == bindparam("_who")),
        "rehash": update(accounts).where(
            accounts.c.who == bindparam("_who"), accounts.c.password == bindparam("_before")
        ),
        "token": insert(tokens),
        "revoke": delete(tokens).where(whose, tokens.c.number == bindparam("_number")),
        "logout": delete(tokens).where(whose),
        "due": insert(schema.dues),
        "done": delete(schema.dues).where(schema.dues.c.game == bindparam("_game")),
        "rating": _put(dialect, schema.ratings),
        "mark": update(schema.marks).where(schema.marks.c.name == bindparam("_name")),
    }


# ------------------------------------------------------------------------------------- steps


def steps(fact: Fact, chain: str) -> Iterator[Step]:
    """What a fact writes: pairs of a statement's name and its row.

    `chain` is the chain of promises after this fact; only a promise needs it.
    """
    match fact:
        case Boot():
            yield "boot", {"boot": fact.boot, "at": fact.at, "wall": fact.wall}
            yield "mark", {"_name": "copy", "value": 0}
        case TableOpened() | Input() | TableClosed():
            yield from _table_steps(fact)
        case Promise():
            yield from _promise_steps(fact, chain)
        case Frozen():
            yield "frozen", {"game": fact.game, "words": fact.words, "wall": fact.wall}
        case GameEnded():
            yield from _game_steps(fact)
        case PersonKept() | PersonGone() | InboxLine() | CommandDone() | Blocks():
            yield from _person_steps(fact)
        case Account() | PasswordChanged() | PasswordRehashed() | TokenGiven() | TokenRevoked():
            yield from _account_steps(fact)
        case RatingDue(game, pool):
            yield "due", {"game": game, "pool": pool.value}
        case RatingDone(game):
            yield "done", {"_game": game}
        case Rated():
            yield "rating", _rating_row(fact)


def _table_steps(fact: TableOpened | Input | TableClosed) -> Iterator[Step]:
    match fact:
        case TableOpened(table, game, wall):
            number = number_in(table)
            yield "open", {"id": table, "number": number, "key": game, "wall": wall}
        case Input():
            yield "input", _input_row(fact)
        case TableClosed(table, wall):
            yield "close", {"_table": table, "closed": wall}
            yield "drop", {"_table": table}


def _input_row(given: Input) -> Row:
    return {
        "table_id": given.table,
        "seq": given.seq,
        "at": given.at,
        "wall": given.wall,
        "who": given.who,
        "program": given.program,
        "standin": given.standin,
        "ordered": given.order,
        "packs": json.dumps(given.packs) if given.packs else "",
        "last": given.last,
        "digest": given.digest,
        "tag": given.id,
    }


def _promise_steps(promise: Promise, chain: str) -> Iterator[Step]:
    yield (
        "promise",
        {
            "no": promise.no,
            "game": promise.game,
            "table_id": promise.table,
            "alg": promise.alg,
            "digest": promise.digest,
            "wall": promise.wall,
            "chain": chain,
        },
    )
    yield "seed", {"no": promise.no, "seed": promise.seed}


def _game_steps(game: GameEnded) -> Iterator[Step]:
    number = number_in(game.game)
    yield (
        "game",
        {
            "id": game.game,
            "number": number,
            "table_id": game.table,
            "key": game.key,
            "rules": game.rules,
            "digest": game.digest,
            "why": game.why,
            "rated": game.rated,
            "public": game.public,
            "began": game.began,
            "ended": game.ended,
            "first": game.events[0],
            "last": game.events[1],
            "at": game.at,
        },
    )
    yield "record", {"game": game.game, "record": game.record}
    for seat in game.seats:
        yield (
            "seat",
            {
                "game": game.game,
                "seat": seat.seat,
                "name": seat.name,
                "version": seat.version,
                "place": seat.place,
                "total": seat.total,
            },
        )
    place = {"game": game.game, "key": game.key, "ended": game.ended, "number": number}
    for who in sorted({folded(name) for seat in game.seats for name in (seat.name, seat.who)}):
        yield "player", {"who": who, **place}


def _person_steps(
    fact: PersonKept | PersonGone | InboxLine | CommandDone | Blocks,
) -> Iterator[Step]:
    match fact:
        case PersonKept(name, program, secret, before, since):
            row = {"name": name, "program": program, "secret": secret, "before": before}
            yield "person", {**row, "since": since}
        case PersonGone(name):
            yield "forget", {"_name": name}
            yield "trim", {"_name": name, "_seq": 2**62}
            yield "forget commands", {"_name": name}
            if is_guest(name):
                yield "unblock", {"_name": name}
        case Blocks(name, blocked):
            yield "blocks", {"name": name, "blocked": " ".join(blocked)}
        case CommandDone(name, no, key, said, answer):
            row = {"name": name, "slot": no % KEYED, "no": no, "key": key}
            yield "command", {**row, "said": said, "answer": answer}
        case InboxLine(name, seq, wall, line):
            yield "inbox", {"name": name, "seq": seq, "wall": wall, "line": line}
            if seq % TRIM == 0:
                yield "trim", {"_name": name, "_seq": seq - INBOX}


def _account_steps(
    fact: Account | PasswordChanged | PasswordRehashed | TokenGiven | TokenRevoked,
) -> Iterator[Step]:
    who = folded(fact.name)
    match fact:
        case Account(name, skeleton, password, scram, wall):
            row = {"who": who, "name": name, "skeleton": skeleton, "wall": wall}
            yield "account", {**row, "password": password, "scram": scram}
        case PasswordChanged(_, password, scram):
            yield "password", {"_who": who, "password": password, "scram": scram}
            yield "logout", {"_who": who}
        case PasswordRehashed(_, before, password, scram):
            yield "rehash", {"_who": who, "_before": before, "password": password, "scram": scram}
        case TokenGiven(_, number, digest, label, wall):
            row = {"who": who, "number": number, "digest": digest, "wall": wall}
            yield "token", {**row, "label": label}
        case TokenRevoked(_, number):
            yield "revoke", {"_who": who, "_number": number}


def _rating_row(rated: Rated) -> Row:
    return {
        "pool": rated.pool.value,
        "key": rated.key,
        "rules": rated.rules,
        "name": rated.name,
        "who": unversioned(rated.name),
        "mu": rated.mu,
        "sigma": rated.sigma,
        "games": rated.games,
        "wall": rated.wall,
        "score": score(rated),
    }


# ----------------------------------------------------------------------------------- batches

_TAKES_BACK = (
    TableClosed | PersonGone | PasswordChanged | PasswordRehashed | TokenRevoked | RatingDone
)
"""Facts that change or delete rows that others wrote: they must stay in order with all others."""


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters of a database, and the chain after its last promise (`common.chained`).

    `batch` is the number of the last batch, `at` the latest time on the timeline, the others are
    the highest numbers of tables, games and promises.
    """

    batch: int = 0
    at: int = 0
    table: int = 0
    game: int = 0
    promise: int = 0
    chain: str = ""

    def after(self, fact: Fact) -> Counters:
        """The counters after that fact."""
        match fact:
            case Boot() | Input():
                return replace(self, at=max(self.at, fact.at))
            case PersonKept():
                return replace(self, at=max(self.at, fact.since))
            case TableOpened():
                return replace(self, table=max(self.table, number_in(fact.table)))
            case Promise():
                game = max(self.game, number_in(fact.game))
                chain = chained(self.chain, fact)
                return replace(self, game=game, promise=fact.no, chain=chain)
            case GameEnded():
                return replace(self, game=max(self.game, number_in(fact.game)))
        return self


@dataclass(slots=True)
class Batch:
    """Facts for one transaction, grouped so that each statement is executed once for many rows.

    A stage holds rows by the names of their statements. Facts in a stage only add rows, so their
    order in it does not matter. Facts that change or delete rows get a stage of their own, together
    with neighbours of the same kind. `before` are the counters before the batch, `marks` after it.
    """

    before: Counters
    marks: Counters = field(init=False)
    stages: list[dict[str, list[Row]]] = field(default_factory=lambda: [{}])
    size: int = 0
    _taking: type | None = None

    def __post_init__(self) -> None:
        self.marks = replace(self.before, batch=self.before.batch + 1)

    def add(self, fact: Fact) -> None:
        """Adds a fact after the others."""
        self.size += 1
        self.marks = self.marks.after(fact)
        taking = type(fact) if isinstance(fact, _TAKES_BACK) else None
        if taking is not self._taking:
            self.stages.append({})
            self._taking = taking
        stage = self.stages[-1]
        for name, row in steps(fact, self.marks.chain):
            stage.setdefault(name, []).append(row)

    def risen(self) -> list[Row]:
        """The rows of the counters that have changed."""
        names = ("at", "table", "game", "promise")
        return [
            {"_name": name, "value": getattr(self.marks, name)}
            for name in names
            if getattr(self.marks, name) != getattr(self.before, name)
        ]
