"""A store in memory, for tests. Its data ends with the process."""

from __future__ import annotations

import copy
import dataclasses
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Self, TypeVar

from msgspec.structs import replace

from ..facts import (
    DAYS,
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
    Keeper,
    Moderation,
    OpenTable,
    Owned,
    PasswordChanged,
    PasswordRehashed,
    PersonGone,
    PersonKept,
    PersonMoved,
    Pool,
    Promise,
    PromiseEntry,
    Rated,
    RatingDone,
    RatingDue,
    RatingTold,
    Remembered,
    Report,
    Sanction,
    SanctionKind,
    SanctionLifted,
    SecretMade,
    Seek,
    SeekEnded,
    SeekMatch,
    SeeksFreed,
    SeeksSeated,
    SshKeyAdded,
    SshKeyRemoved,
    StoredPerson,
    TableClosed,
    TableMembers,
    TableMoved,
    TableOpened,
    TokenGiven,
    TokenRevoked,
    Unrated,
    Untold,
    UntoldRating,
    WantedTables,
    WeekScore,
)
from ..metrics import Histogram
from ..ports import Numbered, Redeemed, StorageListener, TablesTaken
from . import Conflict
from .common import (
    BLOCK,
    INBOX_LINES,
    all_after,
    chained,
    folded,
    in_order,
    is_guest,
    number_in,
    score,
    unversioned,
)
from .seek_plans import StoredSeek, planned

_K = TypeVar("_K")
_V = TypeVar("_V")


def _once(stored: dict[_K, _V], key: _K, value: _V) -> None:
    """Inserts a value under a new key. Raises `Conflict` if the key exists."""
    if key in stored:
        raise Conflict(f"{key} is kept already")
    stored[key] = value


def _when(rated: Rated) -> tuple[str, int, int]:
    return folded(rated.name), rated.wall, rated.games


class MemoryStore:
    """`ports.Store` in memory. All callbacks are called at once.

    Facts are checked as a database would check them. `remembered` is the data for a new server.
    `node` makes the stores of servers that share the data of this one.
    """

    queued = 0
    """Always 0: every fact is stored at once."""
    last_backup: float | None = None
    lease_age: float | None = None
    standbys: int | None = None
    peers: int | None = None
    """Always None: a store in memory has no backups and no other servers."""

    def __init__(self) -> None:
        self.commits = Histogram()
        self._committed: list[Callable[[Sequence[Fact]], None]] = []
        self._taken: list[TablesTaken] = []
        self._node = ""
        self._highest = {"at": 0, "table": 0, "game": 0, "report": 0, "seek": 0}
        self._logs: dict[str, tuple[int, str]] = {}
        """The last number and the chain of each log of promises."""
        self._owners: dict[str, str] = {}
        self._ended: set[str] = set()
        self._open: dict[str, TableOpened] = {}
        self._closed: dict[str, TableOpened] = {}
        self._inputs: dict[str, dict[int, Input]] = {}
        self._promises: dict[str, Promise] = {}
        self._log_of: dict[str, str] = {}
        self._chains: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._games: dict[str, GameEnded] = {}
        self._due: dict[str, RatingDue] = {}
        self._people: dict[str, PersonKept] = {}
        self._kept_by: dict[str, str] = {}
        self._table_words: dict[str, str] = {}
        self._members: dict[str, tuple[str, ...]] = {}
        self._seeks: dict[int, tuple[StoredSeek, str, str]] = {}
        """Each with the server that keeps the person, and the one that has taken it."""
        self._inboxes: dict[str, list[InboxLine]] = defaultdict(list)
        self._commands: dict[str, dict[int, CommandDone]] = defaultdict(dict)
        self._blocks: dict[str, tuple[str, ...]] = {}
        self._accounts: dict[str, Account] = {}
        self._skeletons: dict[str, str] = {}
        self._tokens: dict[tuple[str, int], TokenGiven] = {}
        self._ssh_keys: dict[tuple[str, int], SshKeyAdded] = {}
        self._secrets: dict[str, str] = {}
        self._ratings: dict[tuple[Pool, str, str, str], Rated] = {}
        self._sanctions: dict[tuple[SanctionKind, str], Sanction] = {}
        self._reports: dict[int, Report] = {}
        self._invite_codes: dict[bytes, InviteCode] = {}
        self._admin_log: list[AdminAction] = []
        self._friends: dict[str, tuple[str, ...]] = {}
        self._rating_log: dict[tuple[Pool, str, str, str, int], Rated] = {}
        self._daily_seals: dict[tuple[str, str], DailySealed] = {}
        self._daily_begun: dict[tuple[str, str, str], DailyBegun] = {}
        self._daily_ended: dict[tuple[str, str, str], DailyEnded] = {}
        self._daily_untold: set[str] = set()

    def node(self, name: str) -> Self:
        """The store of a server that shares the data of this store with others.

        It has its own log of promises, its own callbacks and its own blocks of numbers.
        """
        made = copy.copy(self)  # all data stays common
        made._node = name
        made.commits = Histogram()
        made._committed, made._taken = [], []
        return made

    def take_tables(self, node: str) -> None:
        """Takes the tables and people of a server that has stopped or died, as SQL servers do."""
        theirs = [name for name, keeper in self._kept_by.items() if keeper == node]
        self._kept_by.update(dict.fromkeys(theirs, self._node))
        for number, (stored, keeper, taker) in list(self._seeks.items()):
            if keeper == node:
                del self._seeks[number]
            elif taker == node:
                self._seeks[number] = replace(stored, tag=""), keeper, ""
        self._ended.add(node)
        mine = [table for table in self._open if self._owners[table] == node]
        self._owners.update(dict.fromkeys(mine, self._node))
        for taken in self._taken:
            taken(mine)

    # ------------------------------------------------------------------------- keeping

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Stores the facts, then calls `done`. Raises `Conflict`, and `ValueError` as the port
        does.
        """
        last, _ = self._log
        for fact in facts:
            if type(fact) is Promise:
                last = in_order(fact, last).no
        for fact in facts:
            self._keep(fact)
        done()
        for committed in self._committed:
            committed(facts)

    def watch(self, trouble: StorageListener) -> None:
        """Does nothing: memory has no storage faults."""

    def after_commit(self, committed: Callable[[Sequence[Fact]], None]) -> None:
        """Adds a callback for facts that are safe."""
        self._committed.append(committed)

    def _keep(self, fact: Fact) -> None:
        match fact:
            case Input() | TableOpened() | TableClosed() | InputsDropped():
                self._keep_table(fact)
            case TableMoved(table, to):
                if self._owners.get(table) == self._node and to not in self._ended:
                    self._owners[table] = to
            case TableMembers(table, names):
                self._members[table] = names
            case Boot():
                self._rises("at", fact.at)
            case Promise() | Frozen() | GameEnded() | GameSummed():
                self._keep_game(fact)
            case GamesClaimed():
                self._claim(fact)
            case AccountErased():
                self._erase(fact)
            case PersonMoved(name, to):
                if self._kept_by.get(name) == self._node:
                    self._kept_by[name] = to
            case GuestKnownAs(guest, account):
                for name, names in self._blocks.items():
                    changed = [account if each == guest else each for each in names]
                    self._blocks[name] = tuple(changed)
            case PersonKept() | PersonGone() | InboxLine() | CommandDone() | Blocks() | Friends():
                self._keep_person(fact)
            case SeekEnded(number):
                self._seeks.pop(number, None)
            case SeeksSeated(tag) | SeeksFreed(tag):
                self._end_match(tag, "" if isinstance(fact, SeeksFreed) else tag)
            case DailySealed() | DailyBegun() | DailyEnded() | DailyTold():
                self._keep_daily(fact)
            case Account() | PasswordChanged() | PasswordRehashed() | TokenGiven() | TokenRevoked():
                self._keep_account(fact)
            case SshKeyAdded(name, number):
                if folded(name) not in self._accounts:
                    raise Conflict(f"{name} is no account")
                _once(self._ssh_keys, (folded(name), number), fact)
            case SshKeyRemoved(name, number):
                self._ssh_keys.pop((folded(name), number), None)
            case SecretMade(name, secret):
                self._secrets.setdefault(name, secret)
            case RatingDue() | RatingDone() | RatingTold() | Rated():
                self._keep_rating(fact)
            case _:
                self._keep_moderation(fact)

    def _end_match(self, tag: str, then: str) -> None:
        for number, (stored, keeper, _) in self._seeks.items():
            if stored.tag == tag:
                self._seeks[number] = replace(stored, tag=then, seated=bool(then)), keeper, ""

    def _erase(self, fact: AccountErased) -> None:
        who = folded(fact.name)
        self._keep_account(PasswordChanged(fact.name, fact.password, fact.scram))
        self._keep_person(PersonGone(fact.name))
        self._blocks.pop(fact.name, None)
        self._friends.pop(fact.name, None)
        for entry in [each for each in self._daily_begun if each[2] == who]:
            del self._daily_begun[entry]
            self._daily_ended.pop(entry, None)
        for rating in [each for each in self._ratings if folded(each[3]) == who]:
            del self._ratings[rating]
        for logged in [each for each in self._rating_log if folded(each[3]) == who]:
            del self._rating_log[logged]

    def _keep_table(self, fact: TableOpened | Input | TableClosed | InputsDropped) -> None:
        match fact:
            case Input():
                if fact.table not in self._open:
                    raise Conflict(f"{fact.table} is not open")
                _once(self._inputs[fact.table], fact.seq, fact)
                self._rises("at", fact.at)
            case TableOpened():
                if fact.table in self._closed:
                    raise Conflict(f"{fact.table} is closed")
                _once(self._open, fact.table, fact)
                self._owners[fact.table] = self._node
                self._inputs[fact.table] = {}
                self._rises("table", number_in(fact.table))
            case TableClosed():
                if fact.table in self._open:
                    self._closed[fact.table] = self._open.pop(fact.table)
                self._members.pop(fact.table, None)
                if not fact.kept:
                    self._inputs.pop(fact.table, None)
            case InputsDropped():
                for table in fact.tables:
                    self._inputs.pop(table, None)

    def _keep_game(self, fact: Promise | Frozen | GameEnded | GameSummed) -> None:
        self._rises("game", number_in(fact.game))
        match fact:
            case Promise():
                _once(self._promises, fact.game, fact)
                chain = chained(self._log[1], fact)
                self._logs[self._node] = fact.no, chain
                self._log_of[fact.game] = self._node
                self._chains[fact.game] = chain
            case Frozen():
                _once(self._words, fact.game, fact.words)
            case GameEnded():
                _once(self._games, fact.game, fact)
            case GameSummed():
                if fact.game not in self._games:
                    raise Conflict(f"{fact.game} is not over")
                if not self._games[fact.game].summary:
                    summed = replace(self._games[fact.game], summary=fact.summary)
                    self._games[fact.game] = summed

    def _claim(self, fact: GamesClaimed) -> None:
        who, was = folded(fact.name), folded(fact.guest)
        for game in self._games.values():
            names = {folded(seat.name) for seat in game.seats}
            if was in names and who not in names and game.at >= fact.since and not game.undone:
                seats = [
                    replace(seat, name=fact.name) if folded(seat.name) == was else seat
                    for seat in game.seats
                ]
                self._games[game.game] = replace(game, seats=tuple(seats))
        for begun in [each for each in self._daily_begun if each[2] == was]:
            mine = (*begun[:2], who)
            if mine in self._daily_begun:
                continue
            self._daily_begun[mine] = replace(self._daily_begun.pop(begun), name=fact.name)
            if begun in self._daily_ended:
                self._daily_ended[mine] = replace(self._daily_ended.pop(begun), name=fact.name)

    def _keep_rating(self, fact: RatingDue | RatingDone | RatingTold | Rated) -> None:
        match fact:
            case RatingDue():
                if fact.game not in self._games:
                    raise Conflict(f"{fact.game} is not over")
                _once(self._due, fact.game, fact)
            case RatingDone():
                self._due.pop(fact.game, None)
            case RatingTold(name, game):
                for key, each in self._untold([folded(name)]):
                    if each.untold == game:
                        self._rating_log[key] = replace(each, untold="")
            case Rated():
                told = replace(fact, untold="")
                self._ratings[fact.pool, fact.key, fact.rules, fact.name] = told
                self._rating_log[fact.pool, fact.key, fact.rules, fact.name, fact.games] = fact

    def _keep_daily(self, fact: DailySealed | DailyBegun | DailyEnded | DailyTold) -> None:
        match fact:
            case DailySealed():
                self._daily_seals.setdefault((fact.day, fact.key), fact)
            case DailyBegun():
                self._daily_begun.setdefault((fact.day, fact.key, folded(fact.name)), fact)
            case DailyEnded():
                entry = (fact.day, fact.key, folded(fact.name))
                if entry in self._daily_begun and entry not in self._daily_ended:
                    self._daily_ended[entry] = fact
                    self._daily_untold |= {fact.game} if fact.place else set()
            case DailyTold(game):
                self._daily_untold.discard(game)

    def _keep_person(
        self, fact: PersonKept | PersonGone | InboxLine | CommandDone | Blocks | Friends
    ) -> None:
        who = folded(fact.name)
        match fact:
            case PersonKept():
                self._people[fact.name] = fact
                self._rises("at", fact.since)
                self._kept_by[fact.name] = self._node
            case PersonGone():
                self._people.pop(fact.name, None)
                self._kept_by.pop(fact.name, None)
                self._inboxes.pop(fact.name, None)
                self._commands.pop(fact.name, None)
                if is_guest(fact.name):
                    self._blocks.pop(fact.name, None)
                    self._friends.pop(fact.name, None)
                    for entry in [each for each in self._daily_begun if each[2] == who]:
                        del self._daily_begun[entry]
                        self._daily_ended.pop(entry, None)
            case CommandDone():
                self._commands[fact.name][fact.no % KEYED] = fact
            case Blocks():
                self._blocks[fact.name] = fact.blocked
            case Friends():
                self._friends[fact.name] = fact.friends
            case InboxLine():
                lines = {line.seq: line for line in self._inboxes[fact.name]} | {fact.seq: fact}
                self._inboxes[fact.name] = [lines[seq] for seq in sorted(lines)][-INBOX_LINES:]

    def _keep_account(
        self, fact: Account | PasswordChanged | PasswordRehashed | TokenGiven | TokenRevoked
    ) -> None:
        who = folded(fact.name)
        match fact:
            case Account():
                _once(self._skeletons, fact.skeleton, fact.name)
                _once(self._accounts, who, fact)
            case PasswordChanged():
                account = self._accounts[who]
                changed = replace(account, password=fact.password, scram=fact.scram)
                self._accounts[who] = changed
                for kept in (self._tokens, self._ssh_keys):
                    for key in [key for key in kept if key[0] == who]:
                        del kept[key]
            case PasswordRehashed():
                account = self._accounts[who]
                if account.password == fact.before:
                    changed = replace(account, password=fact.password, scram=fact.scram)
                    self._accounts[who] = changed
            case TokenGiven():
                if who not in self._accounts:
                    raise Conflict(f"{fact.name} is no account")
                _once(self._tokens, (who, fact.number), fact)
            case TokenRevoked():
                self._tokens.pop((who, fact.number), None)

    def _keep_moderation(
        self, fact: Sanction | SanctionLifted | Report | InviteCode | InviteCodeUsed | AdminAction
    ) -> None:
        match fact:
            case Sanction():
                self._sanctions[fact.kind, fact.target] = fact
            case SanctionLifted():
                self._sanctions.pop((fact.kind, fact.target), None)
            case Report():
                known = self._reports.get(fact.no)
                if known is None or fact.closed or not known.closed:
                    self._reports[fact.no] = fact
                self._rises("report", fact.no)
            case InviteCode():
                _once(self._invite_codes, fact.digest, fact)
            case InviteCodeUsed():
                self._invite_codes.pop(fact.digest, None)
            case AdminAction():
                self._admin_log.append(fact)

    def _rises(self, what: str, number: int) -> None:
        self._highest[what] = max(self._highest[what], number)

    @property
    def _log(self) -> tuple[int, str]:
        """The last number of this server's log of promises, and its chain."""
        return self._logs.get(self._node, (0, ""))

    def after_taking(self, taken: TablesTaken) -> None:
        """Adds a callback for the open tables that `take_tables` has taken."""
        self._taken.append(taken)

    def reserve(self, kind: Numbered, last: int) -> range:
        """Numbers for new things that no other server uses."""
        if not self._node:
            return all_after(last)
        begin = self._highest[kind.value] + 1
        self._rises(kind.value, begin + BLOCK - 1)
        return range(begin, begin + BLOCK)

    # ---------------------------------------------------------------------- at the start

    def remembered(self) -> Remembered:
        """The data for a new server that continues with this store.

        A server that shares the data goes on with its own tables, the only server with all.
        """
        days = sorted({day for day, _ in self._daily_seals})[-DAYS:]
        waiting = self._moderation
        return Remembered(
            at=self._highest["at"],
            table=self._highest["table"],
            game=self._highest["game"],
            promise=self._log[0],
            chain=self._log[1],
            tables=tuple(
                self._open_table(each)
                for each in self._open.values()
                if self._node in ("", self._owners[each.table])
            ),
            people=tuple(self._people[name] for name in self._mine(self._kept_by)),
            inboxes={name: tuple(lines) for name, lines in self._inboxes.items() if lines},
            commands={
                name: sorted(done.values(), key=lambda each: each.no)
                for name, done in self._commands.items()
            },
            blocks={name: blocked for name, blocked in self._blocks.items() if blocked},
            skeletons=dict(self._skeletons),
            unrated=tuple(self._unrated()),
            sanctions=waiting.sanctions,
            report=max(self._reports, default=0),
            reports=waiting.reports,
            invite_codes=waiting.invite_codes,
            friends={name: friends for name, friends in self._friends.items() if friends},
            daily_seals=[
                seal for (day, _), seal in sorted(self._daily_seals.items()) if day in days
            ],
            daily_begun=[
                begun for (day, *_), begun in sorted(self._daily_begun.items()) if day in days
            ],
        )

    def _mine(self, kept_by: Mapping[str, str]) -> list[str]:
        return [name for name, node in kept_by.items() if node == self._node]

    async def load(self) -> Remembered:
        """Returns `remembered`; a coroutine, as in `SqlStore`."""
        return self.remembered()

    async def close(self) -> None:
        """Does nothing: everything is written already."""

    def _unrated(self) -> Iterator[Unrated]:
        games = [replace(self._games[game], record="", summary="") for game in self._due]
        for ended in sorted(games, key=lambda game: (game.ended, number_in(game.game))):
            yield Unrated(ended, self._due[ended.game].pool)

    def _open_table(self, opened: TableOpened, after: int = 0) -> OpenTable:
        inputs = self._inputs.get(opened.table, {})
        return OpenTable(
            opened.table,
            opened.game,
            tuple(inputs[seq] for seq in sorted(inputs) if seq > after),
            tuple(each for each in self._promises.values() if each.table == opened.table),
            closed=opened.table in self._closed,
        )

    # ------------------------------------------------------------------------- questions

    def owners(
        self, wanted: WantedTables, done: Callable[[Mapping[str, Owned] | None], None]
    ) -> None:
        """The owners and last inputs of open tables.

        The name of an owner is empty unless `node` has named the server.
        """
        chosen = {folded(table) for table in wanted.tables}
        chosen |= {self._table_words.get(folded(word), "") for word in wanted.words}
        played = [self._promises[game] for game in wanted.games if game in self._promises]
        chosen |= {promise.table for promise in played}
        asked = set(map(folded, wanted.people))
        for table, names in self._members.items():
            kept = wanted.all and any(self._kept_by.get(name) == self._node for name in names)
            if kept or not asked.isdisjoint(map(folded, names)):
                chosen.add(table)
        if wanted.all:
            chosen |= {table for table in self._open if self._owners[table] == self._node}
        found = [table for table in self._open if table in chosen]
        last = {table: max(self._inputs[table], default=0) for table in found}
        done({table: Owned(self._owners[table], last[table]) for table in found})

    def newer_inputs(
        self, known: Mapping[str, int], done: Callable[[Sequence[OpenTable] | None], None]
    ) -> None:
        """The tables among `known`, with the inputs above the numbers in `known`."""
        tables = self._open | self._closed
        wanted = sorted(known.keys() & tables.keys(), key=number_in)
        found = [self._open_table(tables[table], after=known[table]) for table in wanted]
        done([each if each.inputs else replace(each, promises=()) for each in found])

    def kept_inputs(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """The closed tables whose inputs are still kept."""
        done([table for table in self._closed if table in self._inputs])

    def claim(self, person: PersonKept, done: Callable[[int | None], None]) -> None:
        """Stores a new person, unless there is one of that name."""
        known = self._named(person.name)
        if known is None:
            known = replace(person, since=max(person.since, self._highest["at"] + 1))
            self._keep_person(known)
        done(known.since if known == replace(person, since=known.since) else None)

    def seek(
        self, wanted: Seek, tag: str, busy: Collection[str], done: Callable[[SeekMatch], None]
    ) -> None:
        """Opens a seek, or takes it together with those that match."""
        stored = [self._seeks[number][0] for number in sorted(self._seeks)]
        plan = planned(stored, wanted, tag, busy)
        if plan.refused:
            done(SeekMatch(plan.number, seated=bool(plan.number)))
            return
        for number in plan.ended:
            del self._seeks[number]
        number = plan.number
        if not number:
            number = self._highest["seek"] + 1
            self._rises("seek", number)
            self._seeks[number] = StoredSeek(replace(wanted, number=number)), self._node, ""
        for taken in {*plan.taken, number} if plan.taken else ():
            each, keeper, _ = self._seeks[taken]
            self._seeks[taken] = replace(each, tag=tag), keeper, self._node
        done(SeekMatch(number, plan.others, new=not plan.number))

    @property
    def seeks(self) -> Sequence[StoredSeek]:
        """All stored seeks, for tests."""
        return [stored for stored, *_ in self._seeks.values()]

    def claim_word(self, word: str, table: str, done: Callable[[bool], None]) -> None:
        """Claims a secret word for a table, unless another one has it."""
        held = self._table_words.get(folded(word), table)
        free = held == table or held in self._closed
        if free:
            self._table_words[folded(word)] = table
        done(free)

    def unseek(self, number: int, done: Callable[[bool], None]) -> None:
        """Ends a seek, unless a match has taken it."""
        stored, *_ = self._seeks.get(number, (None,))
        ended = stored is not None and not stored.tag
        if ended:
            del self._seeks[number]
        done(ended)

    def redeem(
        self, made: Account | PasswordChanged, code: bytes, done: Callable[[Redeemed], None]
    ) -> None:
        """Stores a new account or password, and uses an invite code."""
        stored = self._accounts.get(folded(made.name))
        facts: list[Fact] = [made, InviteCodeUsed(code)] if code else [made]
        if stored is not None and stored.password == made.password:
            done(Redeemed.DONE)
        elif code and code not in self._invite_codes:
            done(Redeemed.CODE_USED)
        elif isinstance(made, Account) and (stored or made.skeleton in self._skeletons):
            done(Redeemed.NAME_TAKEN)
        else:
            for fact in facts:
                self._keep(fact)
            done(Redeemed.DONE)
            for committed in self._committed:
                committed(facts)

    def new_accounts(self, since: int, done: Callable[[Mapping[str, str]], None]) -> None:
        """The names of the accounts made since a wall time, by their skeletons."""
        made = (each for each in self._accounts.values() if each.wall >= since)
        done({each.skeleton: each.name for each in made})

    def person(self, name: str, done: Callable[[StoredPerson | None], None]) -> None:
        """All that is kept of a person."""
        kept = self._named(name)
        done(self._stored(kept.name) if kept is not None else None)

    def people(self, done: Callable[[Sequence[StoredPerson]], None]) -> None:
        """All people whom this server keeps."""
        done([self._stored(name) for name in sorted(self._mine(self._kept_by))])

    def keepers(self, names: Collection[str], done: Callable[[Mapping[str, Keeper]], None]) -> None:
        """The servers that keep these people."""
        found = filter(None, map(self._named, names))
        done({folded(each.name): self._keeper(each) for each in found})

    def _keeper(self, kept: PersonKept) -> Keeper:
        return Keeper(kept.name, self._kept_by[kept.name], kept.secret)

    def _stored(self, name: str) -> StoredPerson:
        return StoredPerson(
            self._people[name],
            self._kept_by[name],
            tuple(self._inboxes[name]),
            sorted(self._commands[name].values(), key=lambda each: each.no),
            self._blocks.get(name, ()),
            self._friends.get(name, ()),
            [
                begun
                for (*_, who), begun in sorted(self._daily_begun.items())
                if who == folded(name)
            ],
        )

    def keeper_by_secret(self, secret: bytes, done: Callable[[Keeper | None], None]) -> None:
        """The person with this secret, and the server that keeps them."""
        people = sorted(self._people.values(), key=lambda each: is_guest(each.name))
        has_it = (self._keeper(each) for each in people if secret in (each.secret, each.before))
        done(next(has_it, None))

    def _named(self, name: str) -> PersonKept | None:
        people = self._people.values()
        return next((each for each in people if folded(each.name) == folded(name)), None)

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account with this name, ignoring case."""
        done(self._accounts.get(folded(name)))

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The login tokens of an account, in order of their numbers."""
        who = folded(name)
        done([self._tokens[key] for key in sorted(self._tokens) if key[0] == who])

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash."""
        found = (token for token in self._tokens.values() if token.digest == digest)
        done(next(found, None))

    def ssh_keys(self, name: str, done: Callable[[Sequence[SshKeyAdded]], None]) -> None:
        """The keys of an account, in order of their numbers."""
        who = folded(name)
        done([self._ssh_keys[key] for key in sorted(self._ssh_keys) if key[0] == who])

    def secret(self, name: str, done: Callable[[str | None], None]) -> None:
        """The secret of that name, or None."""
        done(self._secrets.get(name))

    def past(
        self,
        name: str,
        key: str,
        most: int,
        done: Callable[[Sequence[GameEnded]], None],
        before: tuple[int, int] | None = None,
    ) -> None:
        """Finished games without their records, the latest first."""
        done([replace(game, summary="") for game in self._past(name, key, most, before)])

    def _past(
        self, name: str, key: str, most: int, before: tuple[int, int] | None = None
    ) -> list[GameEnded]:
        wanted = (
            game
            for game in self._games.values()
            if key in ("", game.key)
            and (_seated(name, game) and not game.undone if name else game.public)
            and (before is None or (game.ended, number_in(game.game)) < before)
        )
        last = nlargest(most, wanted, key=lambda game: (game.ended, number_in(game.game)))
        return [replace(game, record="") for game in last]

    def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
        """A finished game with its record."""
        found = self._games.get(game)
        done(replace(found, summary="") if found else None)

    def promises(
        self,
        game: str,
        most: int,
        done: Callable[[Sequence[PromiseEntry]], None],
        before: int = 0,
    ) -> None:
        """Promises, the latest first; optionally only those of one game or below a number."""
        wanted = (
            each
            for each in self._promises.values()
            if (each.game == game or (not game and self._log_of[each.game] == self._node))
            and (not before or each.no < before)
        )
        last = nlargest(most, wanted, key=lambda promise: promise.no)
        done([self._promise(promise) for promise in last])

    def _promise(self, promise: Promise) -> PromiseEntry:
        ended = self._games.get(promise.game)
        lost = "lost" if promise.table in self._closed else ""
        outcome = ended.why if ended else lost
        return PromiseEntry(
            promise if outcome else dataclasses.replace(promise, seed=""),
            self._words.get(promise.game, ""),
            outcome,
            self._chains[promise.game],
        )

    def rate(self, game: str, ratings: Sequence[Rated], done: Callable[[bool], None]) -> None:
        """Stores the new ratings after a game, unless it is rated or one of them has changed."""
        latest = {(each.pool, each.key, each.rules, each.name): each for each in ratings}
        if game in self._due:
            for key, each in latest.items():
                known = self._ratings.get(key)
                if each.games != 1 + (known.games if known else 0):
                    return done(False)
            for each in latest.values():
                self._keep_rating(each)
            self._keep_rating(RatingDone(game))
        done(True)

    def unrated(self, done: Callable[[Sequence[Unrated]], None]) -> None:
        """The games that are still to be rated."""
        done(list(self._unrated()))

    def untold(self, names: Sequence[str], done: Callable[[Untold], None]) -> None:
        """The results that these people are still to be told."""
        who = [folded(name) for name in names]
        ratings = []
        for key, each in sorted(self._untold(who), key=lambda found: _when(found[1])):
            last = self._rating_log.get((*key[:-1], key[-1] - 1))
            ratings.append(UntoldRating(each, last.mu if last else None))
        dailies = [
            each
            for (*_, name), each in self._daily_ended.items()
            if name in who and each.game in self._daily_untold
        ]
        done(Untold(ratings, sorted(dailies, key=lambda each: (folded(each.name), each.wall))))

    def _untold(self, who: Sequence[str]) -> list[tuple[tuple[Pool, str, str, str, int], Rated]]:
        return [
            (key, each)
            for key, each in self._rating_log.items()
            if each.untold and folded(each.name) in who
        ]

    def rating(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All current ratings of a name, by pool, game and rules."""
        same = folded if "/" in name else unversioned
        mine = [each for each in self._ratings.values() if same(each.name) == folded(name)]
        done(sorted(mine, key=lambda each: (each.pool.value, each.key, each.rules, each.name)))

    def ranks(
        self,
        pool: Pool,
        key: str,
        rules: str,
        most: int,
        done: Callable[[Sequence[Rated]], None],
        skip: int = 0,
    ) -> None:
        """The best ratings for a game and its rules."""
        wanted = [
            each
            for each in self._ratings.values()
            if (each.pool, each.key, each.rules) == (pool, key, rules)
        ]
        done(sorted(wanted, key=lambda each: (-score(each), each.name))[skip : skip + most])

    def rating_history(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All past and current ratings of a name, by pool, game, rules and number of games."""
        mine = [
            replace(each, untold="")
            for each in self._rating_log.values()
            if unversioned(each.name) == folded(name)
        ]
        order = sorted(mine, key=lambda r: (r.pool.value, r.key, r.rules, r.name, r.games))
        done(order)

    def summaries(
        self, name: str, key: str, most: int, done: Callable[[Sequence[GameEnded]], None]
    ) -> None:
        """The last games of a player, with their summaries."""
        done(self._past(name, key, most))

    def unsummed(
        self, most: int, before: str, done: Callable[[Sequence[tuple[str, str]]], None]
    ) -> None:
        """Games without a summary, with their records."""
        wanted = [
            game
            for game in self._games.values()
            if not game.summary and self._node in ("", self._owners.get(game.table, self._node))
        ]
        numbers = {number_in(game.game): (game.game, game.record) for game in wanted}
        order = sorted((no for no in numbers if not before or no < number_in(before)), reverse=True)
        done([numbers[no] for no in order[:most]])

    def week(
        self,
        key: str,
        rules: str,
        days: tuple[int, int],
        most: int,
        done: Callable[[Sequence[WeekScore]], None],
    ) -> None:
        """The best players in the rated games of these days."""
        found: dict[str, WeekScore] = {}
        for game in self._games.values():
            wanted = game.rated and (game.key, game.rules) == (key, rules)
            if not wanted or not days[0] <= game.ended < days[1]:
                continue
            for mine in game.seats:
                beaten = [2 * (s.place > mine.place) + (s.place == mine.place) for s in game.seats]
                if mine.place:
                    so_far = found.get(folded(mine.name), WeekScore(mine.name, 0, 0))
                    found[folded(mine.name)] = WeekScore(
                        min(mine.name, so_far.name),
                        so_far.games + 1,
                        so_far.halves + sum(beaten) - 1,  # excludes their own seat
                    )
        done(sorted(found.values(), key=lambda w: (-w.halves, w.games, w.name))[:most])

    def daily_seal(self, day: str, key: str, done: Callable[[DailySealed | None], None]) -> None:
        """The seal of a day's deal of a game, or None."""
        done(self._daily_seals.get((day, key)))

    def daily_results(
        self, day: str, key: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The best results of accounts in a day's deal."""
        found = [
            each
            for each in self._daily_ended.values()
            if (each.day, each.key) == (day, key) and each.place and not is_guest(each.name)
        ]
        order = sorted(found, key=lambda e: (e.place, -e.points, e.wall, folded(e.name)))
        done(order[:most])

    def dailies_of(
        self, name: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The latest daily deals that a player finished."""
        mine = [
            each
            for (_, _, who), each in sorted(self._daily_ended.items(), key=lambda e: e[0][1])
            if who == folded(name) and each.place
        ]
        done(sorted(mine, key=lambda each: each.day, reverse=True)[:most])

    def moderation(self, done: Callable[[Moderation], None]) -> None:
        """The decisions of operators, and the reports and codes that wait."""
        done(self._moderation)

    @property
    def _moderation(self) -> Moderation:
        return Moderation(
            tuple(self._sanctions.values()),
            tuple(each for each in self._reports.values() if not (each.closed and each.told)),
            tuple(self._invite_codes.values()),
        )

    def report(self, no: int, done: Callable[[Report | None], None]) -> None:
        """The report with this number."""
        done(self._reports.get(no))

    def admin_log(self, most: int, done: Callable[[Sequence[AdminAction]], None]) -> None:
        """The operators' log, the latest entry first."""
        done(self._admin_log[: -most - 1 : -1])


def _seated(name: str, game: GameEnded) -> bool:
    return any(folded(name) in (folded(seat.name), folded(seat.who)) for seat in game.seats)
