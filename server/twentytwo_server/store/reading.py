"""Queries of the database; each returns facts or other frozen values.

`questions` runs them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import (
    CTE,
    JSON,
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    Text,
    and_,
    case,
    cast,
    false,
    func,
    literal,
    select,
    text,
    true,
    tuple_,
    union_all,
)

from ..facts import (
    DAYS,
    Account,
    AdminAction,
    CommandDone,
    DailyBegun,
    DailyEnded,
    DailySealed,
    GameEnded,
    InboxLine,
    Input,
    InviteCode,
    Keeper,
    Moderation,
    OpenTable,
    Owned,
    PersonKept,
    Pool,
    Promise,
    PromiseEntry,
    Rated,
    Remembered,
    Report,
    Sanction,
    SanctionKind,
    SeatResult,
    SshKeyAdded,
    StoredPerson,
    TokenGiven,
    Unrated,
    Untold,
    UntoldRating,
    WantedTables,
    WeekScore,
)
from .common import INBOX_LINES, folded, number_in, unversioned
from .schema import (
    accounts,
    admin_log,
    blocks,
    commands,
    daily_entries,
    daily_seals,
    dues,
    friends,
    frozen,
    games,
    inbox,
    inputs,
    invite_codes,
    marks,
    members,
    nodes,
    people,
    players,
    promises,
    rating_log,
    ratings,
    records,
    reports,
    sanctions,
    seats,
    secrets,
    seeds,
    ssh_keys,
    summaries,
    tables,
    tokens,
    words,
)
from .writing import Counters

AnyRow = Row[*tuple[Any, ...]]
Rows = Sequence[AnyRow]

_ALL = true()


def _all(db: Connection, wanted: Select[*tuple[Any, ...]]) -> Rows:
    return db.execute(wanted).all()


# ------------------------------------------------------------------------------ at the start


def read_marks(db: Connection, log: str = "") -> Counters:
    """The counters of the server with this log of promises, and the chain after its last promise.

    The log without a name is that of a server that serves alone.
    """
    numbers = {name: value for name, value in _all(db, select(marks.c.name, marks.c.value))}
    for other in ("copy", "oldest", "report"):
        numbers.pop(other, None)
    if log:
        its = select(nodes.c.at, nodes.c.promise).where(nodes.c.node == log)
        numbers |= db.execute(its).mappings().one()
    of_log = select(promises.c.chain).where(promises.c.log == log)
    last = of_log.order_by(promises.c.no.desc()).limit(1)
    return Counters(**numbers, chain=db.execute(last).scalar() or "")


def read_remembered(db: Connection, now: Counters, restored: bool, node: str = "") -> Remembered:
    """The data for a starting server; `now` are its counters.

    `restored`: the data comes from a backup in which no server has started yet. `node` is the name
    of a server that shares the database with others: it goes on with its own tables and people.
    """
    skeletons = _all(db, select(accounts.c.skeleton, accounts.c.name))
    return Remembered(
        at=now.at,
        table=now.table,
        game=now.game,
        promise=now.promise,
        chain=now.chain,
        restored=restored,
        tables=_open_tables(db, node),
        people=_people(db, node),
        inboxes=_inboxes(db),
        commands=_commands(db),
        blocks=_blocks(db),
        skeletons={skeleton: name for skeleton, name in skeletons},
        unrated=read_unrated(db),
        sanctions=_sanctions(db),
        report=db.execute(select(func.max(reports.c.no))).scalar() or 0,
        reports=_reports(db),
        invite_codes=_invite_codes(db),
        friends=_friends(db),
        daily_seals=[_seal(row) for row in _all(db, _latest_days(daily_seals))],
        daily_begun=_begun(db),
    )


def _latest_days(table: Table) -> Select[*tuple[Any, ...]]:
    """The rows of a table for the `DAYS` latest sealed days."""
    days = select(daily_seals.c.day).distinct().order_by(daily_seals.c.day.desc()).limit(DAYS)
    order = (table.c.day, *[c for c in table.primary_key if c.name != "day"])
    return select(table).where(table.c.day.in_(days)).order_by(*order)


def _begun(db: Connection, chosen: ColumnElement[bool] = _ALL) -> Sequence[DailyBegun]:
    rows = _all(db, _latest_days(daily_entries).where(chosen))
    return [DailyBegun(row.day, row.key, row.name, row.began) for row in rows]


def _seal(row: AnyRow) -> DailySealed:
    return DailySealed(row.day, row.key, row.seed, row.digest, row.wall)


def _open_tables(db: Connection, node: str) -> Sequence[OpenTable]:
    is_open = tables.c.closed.is_(None) & (tables.c.node == node if node else true())
    opened = select(tables.c.id).where(is_open)
    of_open = inputs.c.table_id.in_(opened), promises.c.table_id.in_(opened)
    return _tables(_rows_of(db, is_open), _inputs(db, of_open[0]), _promises(db, of_open[1]))


def read_owners(db: Connection, wanted: WantedTables, node: str) -> Mapping[str, Owned]:
    """The owners and last inputs of the wanted tables that are open; `node` is the name of this
    server.

    If all are wanted, 0 stands for the last inputs of its own.
    """
    ids = [_keys(wanted.tables)]
    if wanted.words:
        with_words = words.c.word.in_(_keys(wanted.words, "known_words"))
        ids.append(select(words.c.table_id).where(with_words))
    if wanted.games:
        of_games = promises.c.game.in_(_keys(wanted.games, "known_games"))
        ids.append(select(promises.c.table_id).where(of_games))
    at_tables = select(members.c.table_id).join(people, people.c.name == members.c.name)
    if wanted.people:
        ids.append(at_tables.where(people.c.who.in_(_keys(wanted.people, "known_people"))))
    last = select(func.max(inputs.c.seq)).where(inputs.c.table_id == tables.c.id)
    number: ColumnElement[int] = func.coalesce(last.scalar_subquery(), 0)
    if wanted.all:
        ids.append(at_tables.where(people.c.node == node))
        ids.append(select(tables.c.id).where(tables.c.closed.is_(None), tables.c.node == node))
        number = case((tables.c.node == node, 0), else_=number)
    opened = select(tables.c.id, tables.c.node, number).where(
        tables.c.closed.is_(None), tables.c.id.in_(union_all(*ids))
    )
    return {table: Owned(node, last) for table, node, last in _all(db, opened)}


def _keys(names: Collection[str], called: str = "known") -> Select[tuple[str]]:
    """Names as rows, in lower case. `called` is as in `_rows`."""
    return select(_rows({folded(name): 0 for name in names}, called).c.key)


def read_newer_inputs(db: Connection, known: Mapping[str, int]) -> Sequence[OpenTable]:
    """The tables among `known`, in order of their numbers, with the inputs above the numbers in
    `known`.

    A table that is found closed has its last inputs, because it is read before them.
    """
    if not known:
        return []
    last = _rows(known)
    found = _rows_of(db, tables.c.id.in_(select(last.c.key)))
    is_newer = (inputs.c.table_id == last.c.key) & (inputs.c.seq > last.c.value)
    newer = _inputs(db, is_newer)
    of_newer = promises.c.table_id.in_(select(_rows(dict.fromkeys(newer, 0)).c.key))
    return _tables(found, newer, _promises(db, of_newer) if newer else {})


def _rows(numbers: Mapping[str, int], name: str = "known") -> CTE:
    """Numbers by names as rows of `key` and `value`: one parameter, however many there are.

    The limit tells the planner of PostgreSQL how many there are. `name` is that of the expression
    in the statement.
    """
    given = func.json_each(literal(numbers, JSON)).table_valued("key", "value", name="given")
    value = cast(cast(given.c.value, Text), BigInteger).label("value")
    return select(given.c.key, value).limit(len(numbers)).cte(name)


def read_kept_inputs(db: Connection) -> Sequence[str]:
    """The closed tables whose inputs are still kept."""
    opened = select(tables.c.id).where(tables.c.closed.is_(None))
    kept = select(inputs.c.table_id).distinct().where(inputs.c.table_id.not_in(opened))
    return db.execute(kept).scalars().all()


def _rows_of(db: Connection, chosen: ColumnElement[bool]) -> Rows:
    wanted = select(tables.c.id, tables.c.key, tables.c.closed).where(chosen)
    return _all(db, wanted.order_by(tables.c.number))


def _inputs(db: Connection, chosen: ColumnElement[bool]) -> Mapping[str, list[Input]]:
    wanted = select(inputs).where(chosen).order_by(*inputs.primary_key)
    return _grouped([_input(row) for row in _all(db, wanted)])


def _promises(db: Connection, chosen: ColumnElement[bool]) -> Mapping[str, list[Promise]]:
    made = select(promises, seeds.c.seed).join(seeds).where(chosen)
    in_order = made.order_by(promises.c.handovers, promises.c.no)
    return _grouped([_promise(row) for row in _all(db, in_order)])


def _tables(
    found: Rows, given: Mapping[str, list[Input]], made: Mapping[str, list[Promise]]
) -> Sequence[OpenTable]:
    return [
        OpenTable(id, key, given.get(id, ()), made.get(id, ()), closed is not None)
        for id, key, closed in found
    ]


def _grouped(values: Sequence[Any]) -> Mapping[str, list[Any]]:
    found: dict[str, list[Any]] = defaultdict(list)
    for value in values:
        found[value.table].append(value)
    return found


_PACKS = Input.__struct_fields__.index("packs")


def _input(row: AnyRow) -> Input:
    """The row as an `Input`; its fields have the order of the columns."""
    values = list(row)
    values[_PACKS] = _packs(values[_PACKS])
    return Input(*values)


def _packs(stored: str) -> tuple[str, ...]:
    """The packs in a column; none if they are damaged, so that rebuilding the table fails its
    checksum.
    """
    if not stored:
        return ()
    try:
        return tuple(json.loads(stored))
    except (TypeError, ValueError):
        return ()


def _promise(row: AnyRow) -> Promise:
    return Promise(row.game, row.no, row.table_id, row.alg, row.seed, row.digest, row.wall)


def _people(db: Connection, node: str) -> Sequence[PersonKept]:
    kept = select(people).where(people.c.node == node if node else true())
    return [_person(row) for row in _all(db, kept.order_by(people.c.name))]


def _person(row: AnyRow) -> PersonKept:
    return PersonKept(row.name, row.program, row.secret, row.before, row.since)


def read_person(db: Connection, name: str) -> StoredPerson | None:
    """All that is stored of a person, or None."""
    return next(iter(_stored_people(db, people.c.who == folded(name))), None)


def read_people(db: Connection, node: str) -> Sequence[StoredPerson]:
    """All people whom a server keeps, by name."""
    return _stored_people(db, people.c.node == node)


_KEEPER = people.c.name, people.c.node, people.c.secret
"""The columns of a `Keeper`."""


def read_keepers(db: Connection, names: Collection[str]) -> Mapping[str, Keeper]:
    """The servers that keep these people, by names in lower case."""
    kept = select(people.c.who, *_KEEPER).where(people.c.who.in_(_keys(names)))
    return {who: Keeper(*row) for who, *row in _all(db, kept)}


def _stored_people(db: Connection, chosen: ColumnElement[bool]) -> Sequence[StoredPerson]:
    rows = _all(db, select(people).where(chosen).order_by(people.c.name))
    names = select(people.c.name).where(chosen)
    lines, done = _inboxes(db, inbox.c.name.in_(names)), _commands(db, commands.c.name.in_(names))
    blocked, liked = _blocks(db, blocks.c.name.in_(names)), _friends(db, friends.c.name.in_(names))
    begun: dict[str, list[DailyBegun]] = defaultdict(list)
    for each in _begun(db, daily_entries.c.who.in_(select(people.c.who).where(chosen))):
        begun[folded(each.name)].append(each)
    return [
        StoredPerson(
            _person(row),
            row.node,
            lines.get(row.name, ()),
            done.get(row.name, ()),
            blocked.get(row.name, ()),
            liked.get(row.name, ()),
            begun[row.who],
        )
        for row in rows
    ]


def read_keeper_by_secret(db: Connection, secret: bytes) -> Keeper | None:
    """The person with this secret, the newest or the one before, and the server that keeps them.

    A guest who is becoming an account has it, and so has the account, to which it leads.
    """
    has_it = (people.c.secret == secret) | (people.c.before == secret)
    accounts_first = select(*_KEEPER).where(has_it).order_by(people.c.name.like("~%"))
    return next((Keeper(*row) for row in _all(db, accounts_first.limit(1))), None)


def _inboxes(
    db: Connection, chosen: ColumnElement[bool] = _ALL
) -> Mapping[str, Sequence[InboxLine]]:
    found: dict[str, list[InboxLine]] = defaultdict(list)
    for row in _all(db, select(inbox).where(chosen).order_by(inbox.c.name, inbox.c.seq)):
        found[row.name].append(InboxLine(*row))
    return {name: lines[-INBOX_LINES:] for name, lines in found.items()}


def _commands(
    db: Connection, chosen: ColumnElement[bool] = _ALL
) -> Mapping[str, Sequence[CommandDone]]:
    found: dict[str, list[CommandDone]] = defaultdict(list)
    for row in _all(db, select(commands).where(chosen).order_by(commands.c.name, commands.c.no)):
        found[row.name].append(CommandDone(row.name, row.no, row.key, row.said, row.answer))
    return dict(found)


def _blocks(db: Connection, chosen: ColumnElement[bool] = _ALL) -> Mapping[str, Sequence[str]]:
    wanted = select(blocks).where(chosen, blocks.c.blocked != "").order_by(blocks.c.name)
    return {row.name: tuple(row.blocked.split(" ")) for row in _all(db, wanted)}


def _friends(db: Connection, chosen: ColumnElement[bool] = _ALL) -> Mapping[str, Sequence[str]]:
    stored = select(friends.c.name, friends.c.friends).where(chosen, friends.c.friends != "")
    return {row.name: tuple(row.friends.split(" ")) for row in _all(db, stored)}


def read_unrated(db: Connection) -> Sequence[Unrated]:
    """The games that are still to be rated, the oldest first."""
    order = (games.c.ended, games.c.number)
    due = _all(db, select(dues.c.game, dues.c.pool).join(games).order_by(*order))
    found = _games(db, [row.game for row in due]) if due else {}
    return [Unrated(found[row.game], Pool(row.pool)) for row in due]


def _sanctions(db: Connection) -> Sequence[Sanction]:
    found = _all(db, select(sanctions).order_by(sanctions.c.kind, sanctions.c.target))
    return [Sanction(SanctionKind(kind), *rest) for kind, *rest in found]


def _reports(db: Connection) -> Sequence[Report]:
    """Open reports, and closed reports whose reporter is not yet notified."""
    wanted = select(reports).where((reports.c.closed == 0) | (reports.c.told == false()))
    return [Report(*row) for row in _all(db, wanted.order_by(reports.c.no))]


def _invite_codes(db: Connection) -> Sequence[InviteCode]:
    return [InviteCode(*row) for row in _all(db, select(invite_codes))]


def read_moderation(db: Connection) -> Moderation:
    """The decisions of operators, and the reports and codes that wait."""
    return Moderation(_sanctions(db), _reports(db), _invite_codes(db))


# ---------------------------------------------------------------------------------- accounts


def read_account(db: Connection, name: str) -> Account | None:
    """The account with this name, ignoring case, or None."""
    row = db.execute(select(accounts).where(accounts.c.who == folded(name))).first()
    if row is None:
        return None
    return Account(row.name, row.skeleton, row.password, row.scram, row.wall)


def read_new_accounts(db: Connection, since: int) -> Mapping[str, str]:
    """The names of the accounts made since a wall time, by their skeletons."""
    made = select(accounts.c.skeleton, accounts.c.name).where(accounts.c.wall >= since)
    return {skeleton: name for skeleton, name in _all(db, made)}


def read_tokens(db: Connection, name: str) -> Sequence[TokenGiven]:
    """The login tokens of an account, in order of their numbers."""
    wanted = select(tokens, accounts.c.name).join(accounts).where(tokens.c.who == folded(name))
    return [_token(row) for row in _all(db, wanted.order_by(tokens.c.number))]


def read_token(db: Connection, digest: bytes) -> TokenGiven | None:
    """The login token with this hash, or None."""
    wanted = select(tokens, accounts.c.name).join(accounts).where(tokens.c.digest == digest)
    row = db.execute(wanted).first()
    return _token(row) if row is not None else None


def read_ssh_keys(db: Connection, name: str) -> Sequence[SshKeyAdded]:
    """The keys of an account, in order of their numbers."""
    wanted = select(ssh_keys, accounts.c.name).join(accounts).where(ssh_keys.c.who == folded(name))
    return [
        SshKeyAdded(row.name, row.number, row.kind, row.digest, row.label, row.wall)
        for row in _all(db, wanted.order_by(ssh_keys.c.number))
    ]


def read_secret(db: Connection, name: str) -> str | None:
    """The secret of that name, or None."""
    return db.execute(select(secrets.c.secret).where(secrets.c.name == name)).scalar()


def _token(row: AnyRow) -> TokenGiven:
    return TokenGiven(row.name, row.number, row.digest, row.label, row.wall)


# ------------------------------------------------------------------------------------- games


def read_past(
    db: Connection, name: str, key: str, most: int, before: tuple[int, int] | None
) -> Sequence[GameEnded]:
    """The last `most` finished games, the latest first, without their records.

    With `name`, only games of this player that were not undone; without it, only public games. With
    `key`, only this game. With `before`, only games with an earlier end and number.
    """
    if name:
        which = select(players.c.game).where(players.c.who == folded(name))
        source, order = players, (players.c.ended.desc(), players.c.number.desc())
    else:
        which = select(games.c.id).where(games.c.public == true())
        source, order = games, (games.c.ended.desc(), games.c.number.desc())
    if key:
        which = which.where(source.c.key == key)
    if before is not None:
        which = which.where(tuple_(source.c.ended, source.c.number) < before)
    ids = [row[0] for row in _all(db, which.order_by(*order).limit(most))]
    found = _games(db, ids) if ids else {}
    return [found[id] for id in ids]


def read_summaries(db: Connection, name: str, key: str, most: int) -> Sequence[GameEnded]:
    """The last games of a player, as in `read_past`, with their summaries."""
    found = read_past(db, name, key, most, None)
    ids = [game.game for game in found]
    stored = select(summaries.c.game, summaries.c.summary).where(summaries.c.game.in_(ids))
    known = {row.game: row.summary for row in _all(db, stored)} if ids else {}
    return [replace(game, summary=known.get(game.game, "")) for game in found]


def read_unsummed(
    db: Connection, most: int, before: str, node: str = ""
) -> Sequence[tuple[str, str]]:
    """The last `most` games without a summary, with their records; with `before`, only earlier
    games.

    With `node`, only those whose summaries this active server is to make: games at its tables, and
    if it is the first by name, those at tables of servers that are not active.
    """
    wanted = (
        select(games.c.id, records.c.record)
        .join(records)
        .outerjoin(summaries)
        .where(summaries.c.game.is_(None))
        .order_by(games.c.number.desc())
        .limit(most)
    )
    if before:
        wanted = wanted.where(games.c.number < number_in(before))
    if node:
        active = select(nodes.c.node).where(nodes.c.state == "active")
        first = select(func.min(active.subquery().c.node)).scalar_subquery()
        its = case((tables.c.node.in_(active), tables.c.node), else_=first) == node
        wanted = wanted.outerjoin(tables, tables.c.id == games.c.table_id).where(its)
    return [(row.id, row.record) for row in _all(db, wanted)]


def read_game(db: Connection, game: str) -> GameEnded | None:
    """A finished game with its record; None if there is no game with this name."""
    record = db.execute(select(records.c.record).where(records.c.game == game)).scalar()
    return (_games(db, [game], record))[game] if record is not None else None


def _games(db: Connection, ids: Sequence[str], record: str = "") -> Mapping[str, GameEnded]:
    who = select(seats).where(seats.c.game.in_(ids)).order_by(seats.c.game, seats.c.seat)
    seated: dict[str, list[SeatResult]] = defaultdict(list)
    for row in _all(db, who):
        played = SeatResult(row.seat, row.name, row.version, row.place, row.total)
        seated[row.game].append(played)
    rows = _all(db, select(games).where(games.c.id.in_(ids)))
    return {row.id: _game(row, tuple(seated[row.id]), record) for row in rows}


def _game(row: AnyRow, who: tuple[SeatResult, ...], record: str) -> GameEnded:
    return GameEnded(
        game=row.id,
        table=row.table_id,
        key=row.key,
        rules=row.rules,
        digest=row.digest,
        why=row.why,
        rated=row.rated,
        public=row.public,
        began=row.began,
        ended=row.ended,
        events=(row.first, row.last),
        seats=who,
        record=record,
        at=row.at,
        undone=row.undone,
    )


def read_promises(
    db: Connection, log: str, game: str, most: int, before: int
) -> Sequence[PromiseEntry]:
    """The last `most` promises of a log, the latest first.

    With `game`, those of this game in any log; unless `before` is 0, only those with smaller
    numbers. A promise has its seed only if its game is finished or was lost with its table.
    """
    lost = case((tables.c.closed.is_not(None), literal("lost")), else_=literal(""))
    outcome = func.coalesce(games.c.why, lost).label("outcome")
    words = func.coalesce(frozen.c.words, "").label("words")
    wanted = (
        select(promises, seeds.c.seed, words, outcome)
        .join(seeds)
        .outerjoin(tables, tables.c.id == promises.c.table_id)
        .outerjoin(games, games.c.id == promises.c.game)
        .outerjoin(frozen, frozen.c.game == promises.c.game)
        .where(promises.c.game == game if game else promises.c.log == log)
        .where(promises.c.no < before if before else ~false())
        .order_by(promises.c.no.desc())
        .limit(most)
    )
    return [_promise_entry(row) for row in _all(db, wanted)]


def _promise_entry(row: AnyRow) -> PromiseEntry:
    seed = row.seed if row.outcome else ""
    made = Promise(row.game, row.no, row.table_id, row.alg, seed, row.digest, row.wall)
    return PromiseEntry(made, row.words, row.outcome, row.chain)


# ----------------------------------------------------------------------------------- ratings


def read_rating(db: Connection, name: str) -> Sequence[Rated]:
    """All current ratings of a name, by pool, game and rules; without a bot's version, of all
    versions.
    """
    wanted = select(ratings).where(ratings.c.who == unversioned(name))
    order = (ratings.c.pool, ratings.c.key, ratings.c.rules, ratings.c.name)
    rows = _all(db, wanted.order_by(*order))
    exact = "/" in name
    return [_rated(row) for row in rows if not exact or folded(row.name) == folded(name)]


def read_ranks(
    db: Connection, pool: Pool, key: str, rules: str, most: int, skip: int
) -> Sequence[Rated]:
    """The `most` best ratings for a game and its rules, the best first; the first `skip` are left
    out.
    """
    wanted = select(ratings).where(
        ratings.c.pool == pool.value, ratings.c.key == key, ratings.c.rules == rules
    )
    order = (ratings.c.score.desc(), ratings.c.name)
    return [_rated(row) for row in _all(db, wanted.order_by(*order).limit(most).offset(skip))]


def _rated(row: AnyRow) -> Rated:
    return Rated(
        Pool(row.pool), row.key, row.rules, row.name, row.mu, row.sigma, row.games, row.wall
    )


def read_rating_history(db: Connection, name: str) -> Sequence[Rated]:
    """All past and current ratings of a name, by pool, game, rules and number of games."""
    wanted = select(rating_log).where(rating_log.c.who == unversioned(name))
    return [_rated(row) for row in _all(db, wanted.order_by(*rating_log.primary_key))]


def read_untold(db: Connection, names: Sequence[str]) -> Untold:
    """The results that these people are still to be told."""
    who = select(_rows(dict.fromkeys(map(folded, names), 0)).c.key)
    log, last, entry = rating_log, rating_log.alias(), daily_entries
    keys = [log.c[name] == last.c[name] for name in ("pool", "key", "rules", "name")]
    rated = (
        select(log, last.c.mu.label("before"))
        .outerjoin(last, and_(*keys, last.c.games == log.c.games - 1))
        .where(log.c.untold != text("''"), log.c.who.in_(who))
        .order_by(log.c.who, log.c.wall, log.c.games)
    )
    dailies = select(entry).where(entry.c.untold, entry.c.who.in_(who))
    return Untold(
        [
            UntoldRating(replace(_rated(row), untold=row.untold), row.before)
            for row in _all(db, rated)
        ],
        [_daily(row) for row in _all(db, dailies.order_by(entry.c.who, entry.c.ended))],
    )


def read_week(
    db: Connection, key: str, rules: str, days: tuple[int, int], most: int
) -> Sequence[WeekScore]:
    """The best players in the rated games that ended between these times."""
    other = seats.alias()
    beaten = case((other.c.place > seats.c.place, 2), (other.c.place == seats.c.place, 1), else_=0)
    halves = func.sum(beaten).label("halves")
    played = func.count(games.c.id.distinct()).label("played")
    name = func.min(seats.c.name).label("name")
    wanted = (
        select(name, played, halves)
        .select_from(games)
        .join(seats, seats.c.game == games.c.id)
        .join(other, (other.c.game == games.c.id) & (other.c.seat != seats.c.seat))
        .where(
            games.c.rated == true(),
            games.c.key == key,
            games.c.rules == rules,
            games.c.ended >= days[0],
            games.c.ended < days[1],
            seats.c.place > 0,
        )
        .group_by(func.lower(seats.c.name))
        .order_by(halves.desc(), played, name)
        .limit(most)
    )
    return [WeekScore(row.name, row.played, row.halves) for row in _all(db, wanted)]


# ---------------------------------------------------------------------------- the daily deals


def read_daily_seal(db: Connection, day: str, key: str) -> DailySealed | None:
    """The seal of a day's deal of a game, or None."""
    wanted = select(daily_seals).where(daily_seals.c.day == day, daily_seals.c.key == key)
    row = db.execute(wanted).first()
    return _seal(row) if row is not None else None


def read_daily_results(db: Connection, day: str, key: str, most: int) -> Sequence[DailyEnded]:
    """The best results of accounts in a day's deal."""
    wanted = select(daily_entries).where(
        daily_entries.c.day == day,
        daily_entries.c.key == key,
        daily_entries.c.place > 0,
        daily_entries.c.who.not_like("~%"),
    )
    order = (
        daily_entries.c.place,
        daily_entries.c.points.desc(),
        daily_entries.c.ended,
        daily_entries.c.who,
    )
    return [_daily(row) for row in _all(db, wanted.order_by(*order).limit(most))]


def read_dailies_of(db: Connection, name: str, most: int) -> Sequence[DailyEnded]:
    """The latest daily deals that a player finished."""
    wanted = select(daily_entries).where(
        daily_entries.c.who == folded(name), daily_entries.c.place > 0
    )
    order = (daily_entries.c.day.desc(), daily_entries.c.key)
    return [_daily(row) for row in _all(db, wanted.order_by(*order).limit(most))]


def _daily(row: AnyRow) -> DailyEnded:
    return DailyEnded(row.day, row.key, row.name, row.game, row.place, row.points, row.ended)


# -------------------------------------------------------------------------------- moderation


def read_report(db: Connection, no: int) -> Report | None:
    """The report with this number, or None."""
    row = db.execute(select(reports).where(reports.c.no == no)).first()
    return Report(*row) if row is not None else None


def read_admin_log(db: Connection, most: int) -> Sequence[AdminAction]:
    """The latest entries of the operators' log, the latest first."""
    wanted = select(*[column for column in admin_log.c if not column.primary_key])
    rows = _all(db, wanted.order_by(admin_log.c.no.desc()).limit(most))
    return [AdminAction(*row) for row in rows]
