"""A store that lasts as long as the process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import TypeVar

from ..facts import (
    KEYED,
    Account,
    AdminAction,
    Blocks,
    Boot,
    CommandDone,
    Fact,
    Frozen,
    GameEnded,
    InboxLine,
    Input,
    InviteCode,
    InviteCodeUsed,
    OpenTable,
    PasswordChanged,
    PasswordRehashed,
    PersonGone,
    PersonKept,
    Pool,
    Promise,
    PromiseKept,
    Rated,
    RatingDone,
    RatingDue,
    Remembered,
    Report,
    Sanction,
    SanctionKind,
    SanctionLifted,
    TableClosed,
    TableOpened,
    TokenGiven,
    TokenRevoked,
    Unrated,
)
from ..metrics import Histogram
from ..ports import StorageListener
from . import Conflict
from .common import INBOX, chained, folded, in_order, is_guest, number_in, score, unversioned

_K = TypeVar("_K")
_V = TypeVar("_V")


def _once(kept: dict[_K, _V], key: _K, value: _V) -> None:
    """Enters a value under a new key. Raises `Conflict` if the key is there."""
    if key in kept:
        raise Conflict(f"{key} is kept already")
    kept[key] = value


class MemoryStore:
    """`ports.Store` in memory: lasts as long as the process. All callbacks come at once.

    It checks facts as a database would. `remembered` is for a new server that goes on with it.
    """

    queued = 0
    """Nothing ever waits."""

    def __init__(self) -> None:
        self.commits = Histogram()
        self._at = 0
        self._highest = {"table": 0, "game": 0, "promise": 0}
        self._chain = ""
        self._open: dict[str, TableOpened] = {}
        self._closed: set[str] = set()
        self._inputs: dict[str, dict[int, Input]] = {}
        self._promises: dict[str, Promise] = {}
        self._chains: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._games: dict[str, GameEnded] = {}
        self._due: dict[str, RatingDue] = {}
        self._people: dict[str, PersonKept] = {}
        self._inboxes: dict[str, list[InboxLine]] = defaultdict(list)
        self._commands: dict[str, dict[int, CommandDone]] = defaultdict(dict)
        self._blocks: dict[str, tuple[str, ...]] = {}
        self._accounts: dict[str, Account] = {}
        self._skeletons: dict[str, str] = {}
        self._tokens: dict[tuple[str, int], TokenGiven] = {}
        self._ratings: dict[tuple[Pool, str, str, str], Rated] = {}
        self._sanctions: dict[tuple[SanctionKind, str], Sanction] = {}
        self._reports: dict[int, Report] = {}
        self._invite_codes: dict[bytes, InviteCode] = {}
        self._admin_log: list[AdminAction] = []

    # ------------------------------------------------------------------------- keeping

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Stores the facts, then calls `done`. Raises `Conflict`, and `ValueError` as the port."""
        last = self._highest["promise"]
        for fact in facts:
            if isinstance(fact, Promise):
                last = in_order(fact, last).no
        for fact in facts:
            self._keep(fact)
        done()

    def watch(self, trouble: StorageListener) -> None:
        """Does nothing: memory is never in trouble."""

    def _keep(self, fact: Fact) -> None:
        match fact:
            case Boot():
                self._at = max(self._at, fact.at)
            case TableOpened() | Input() | TableClosed():
                self._keep_table(fact)
            case Promise() | Frozen() | GameEnded():
                self._keep_game(fact)
            case PersonKept() | PersonGone() | InboxLine() | CommandDone() | Blocks():
                self._keep_person(fact)
            case Account() | PasswordChanged() | PasswordRehashed() | TokenGiven() | TokenRevoked():
                self._keep_account(fact)
            case RatingDue() | RatingDone() | Rated():
                self._keep_rating(fact)
            case _:
                self._keep_moderation(fact)

    def _keep_table(self, fact: TableOpened | Input | TableClosed) -> None:
        match fact:
            case TableOpened():
                if fact.table in self._closed:
                    raise Conflict(f"{fact.table} is closed")
                _once(self._open, fact.table, fact)
                self._inputs[fact.table] = {}
                self._rises("table", number_in(fact.table))
            case Input():
                if fact.table not in self._open:
                    raise Conflict(f"{fact.table} is not open")
                _once(self._inputs[fact.table], fact.seq, fact)
                self._at = max(self._at, fact.at)
            case TableClosed():
                self._open.pop(fact.table, None)
                self._inputs.pop(fact.table, None)
                self._closed.add(fact.table)

    def _keep_game(self, fact: Promise | Frozen | GameEnded) -> None:
        self._rises("game", number_in(fact.game))
        match fact:
            case Promise():
                _once(self._promises, fact.game, fact)
                self._rises("promise", fact.no)
                self._chain = self._chains[fact.game] = chained(self._chain, fact)
            case Frozen():
                _once(self._words, fact.game, fact.words)
            case GameEnded():
                _once(self._games, fact.game, fact)

    def _keep_rating(self, fact: RatingDue | RatingDone | Rated) -> None:
        match fact:
            case RatingDue():
                if fact.game not in self._games:
                    raise Conflict(f"{fact.game} is not over")
                _once(self._due, fact.game, fact)
            case RatingDone():
                self._due.pop(fact.game, None)
            case Rated():
                self._ratings[fact.pool, fact.key, fact.rules, fact.name] = fact

    def _keep_person(
        self, fact: PersonKept | PersonGone | InboxLine | CommandDone | Blocks
    ) -> None:
        match fact:
            case PersonKept():
                self._people[fact.name] = fact
                self._at = max(self._at, fact.since)
            case PersonGone():
                self._people.pop(fact.name, None)
                self._inboxes.pop(fact.name, None)
                self._commands.pop(fact.name, None)
                if is_guest(fact.name):
                    self._blocks.pop(fact.name, None)
            case CommandDone():
                self._commands[fact.name][fact.no % KEYED] = fact
            case Blocks():
                self._blocks[fact.name] = fact.blocked
            case InboxLine():
                lines = {line.seq: line for line in self._inboxes[fact.name]} | {fact.seq: fact}
                self._inboxes[fact.name] = [lines[seq] for seq in sorted(lines)][-INBOX:]

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
                for key in [key for key in self._tokens if key[0] == who]:
                    del self._tokens[key]
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
                self._reports[fact.no] = fact
            case InviteCode():
                _once(self._invite_codes, fact.digest, fact)
            case InviteCodeUsed():
                self._invite_codes.pop(fact.digest, None)
            case AdminAction():
                self._admin_log.append(fact)

    def _rises(self, what: str, number: int) -> None:
        self._highest[what] = max(self._highest[what], number)

    # ---------------------------------------------------------------------- at the start

    def remembered(self) -> Remembered:
        """All that a server which goes on with this store needs to know."""
        return Remembered(
            at=self._at,
            table=self._highest["table"],
            game=self._highest["game"],
            promise=self._highest["promise"],
            chain=self._chain,
            tables=tuple(map(self._open_table, self._open.values())),
            people=tuple(self._people.values()),
            inboxes={name: tuple(lines) for name, lines in self._inboxes.items() if lines},
            commands={
                name: sorted(done.values(), key=lambda each: each.no)
                for name, done in self._commands.items()
            },
            blocks={name: blocked for name, blocked in self._blocks.items() if blocked},
            skeletons=dict(self._skeletons),
            unrated=tuple(self._unrated()),
            sanctions=tuple(self._sanctions.values()),
            report=max(self._reports, default=0),
            reports=[each for each in self._reports.values() if not (each.closed and each.told)],
            invite_codes=tuple(self._invite_codes.values()),
        )

    async def load(self) -> Remembered:
        """The same, as a coroutine like that of `SqlStore`."""
        return self.remembered()

    async def close(self) -> None:
        """Does nothing: nothing is left to be written."""

    def _unrated(self) -> Iterator[Unrated]:
        games = [replace(self._games[game], record="") for game in self._due]
        for ended in sorted(games, key=lambda game: (game.ended, number_in(game.game))):
            yield Unrated(ended, self._due[ended.game].pool)

    def _open_table(self, opened: TableOpened) -> OpenTable:
        inputs = self._inputs[opened.table]
        return OpenTable(
            opened.table,
            opened.game,
            tuple(inputs[seq] for seq in sorted(inputs)),
            tuple(each for each in self._promises.values() if each.table == opened.table),
        )

    # ------------------------------------------------------------------------- questions

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account of that name, without regard to case."""
        done(self._accounts.get(folded(name)))

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The login tokens of an account, by number."""
        who = folded(name)
        done([self._tokens[key] for key in sorted(self._tokens) if key[0] == who])

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash."""
        found = (token for token in self._tokens.values() if token.digest == digest)
        done(next(found, None))

    def past(
        self,
        name: str,
        key: str,
        most: int,
        done: Callable[[Sequence[GameEnded]], None],
        before: tuple[int, int] | None = None,
    ) -> None:
        """Games that are over, the last first, without their records."""
        wanted = (
            game
            for game in self._games.values()
            if key in ("", game.key)
            and (_seated(name, game) if name else game.public)
            and (before is None or (game.ended, number_in(game.game)) < before)
        )
        last = nlargest(most, wanted, key=lambda game: (game.ended, number_in(game.game)))
        done([replace(game, record="") for game in last])

    def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
        """A game that is over, with its record."""
        done(self._games.get(game))

    def promises(
        self,
        game: str,
        most: int,
        done: Callable[[Sequence[PromiseKept]], None],
        before: int = 0,
    ) -> None:
        """The log of promises, the last first; of one game, or before a number, where given."""
        wanted = (
            each
            for each in self._promises.values()
            if game in ("", each.game) and (not before or each.no < before)
        )
        last = nlargest(most, wanted, key=lambda promise: promise.no)
        done([self._promise(promise) for promise in last])

    def _promise(self, promise: Promise) -> PromiseKept:
        ended = self._games.get(promise.game)
        lost = "lost" if promise.table in self._closed else ""
        outcome = ended.why if ended else lost
        return PromiseKept(
            promise if outcome else replace(promise, seed=""),
            self._words.get(promise.game, ""),
            outcome,
            self._chains[promise.game],
        )

    def rating(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """Every rating that somebody has, by pool, game and rules."""
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
        """The best rated of a game and its rules."""
        wanted = [
            each
            for each in self._ratings.values()
            if (each.pool, each.key, each.rules) == (pool, key, rules)
        ]
        done(sorted(wanted, key=lambda each: (-score(each), each.name))[skip : skip + most])

    def report(self, no: int, done: Callable[[Report | None], None]) -> None:
        """The report with this number."""
        done(self._reports.get(no))

    def admin_log(self, most: int, done: Callable[[Sequence[AdminAction]], None]) -> None:
        """The operators' journal, the last first."""
        done(self._admin_log[: -most - 1 : -1])


def _seated(name: str, game: GameEnded) -> bool:
    return any(folded(name) in (folded(seat.name), folded(seat.who)) for seat in game.seats)
