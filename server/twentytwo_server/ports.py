"""Interfaces to the outside of the server: clock, store, workers, password hashing, connections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Turn

from .facts import (
    Account,
    AdminAction,
    DailyEnded,
    DailySealed,
    Fact,
    GameEnded,
    Keeper,
    Moderation,
    OpenTable,
    Owned,
    PasswordChanged,
    PersonKept,
    Pool,
    PromiseEntry,
    Rated,
    Report,
    Seek,
    SeekMatch,
    SshKeyAdded,
    StoredPerson,
    TokenGiven,
    Unrated,
    Untold,
    WantedTables,
    WeekScore,
)
from .subjects import Subject


class Timer(Protocol):
    """A scheduled call."""

    def active(self) -> bool:
        """True until the call happens or is cancelled."""

    def cancel(self) -> None:
        """Cancels the call. Allowed only while it is `active`."""


class Clock(Protocol):
    """Time in milliseconds, and timers."""

    def now(self) -> int:
        """Milliseconds since an arbitrary moment; never decreases."""

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Schedules a call in `ms` milliseconds."""

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for display."""


SLOW_STORAGE = "the storage is slow"
"""The reason given to a `StorageListener` during a slow commit, which is not a storage fault."""


class StorageListener(Protocol):
    """A callback for the beginning and the end of a storage fault."""

    def __call__(self, why: str | None, /) -> None:
        """Takes a short reason when nothing can be stored, and None when storing works again."""


class Numbered(Enum):
    """Kinds of things that have numbers."""

    TABLE = "table"
    GAME = "game"
    REPORT = "report"


class Redeemed(Enum):
    """The outcome of `Store.redeem`."""

    DONE = "done"
    NAME_TAKEN = "name taken"
    CODE_USED = "code used"


TablesTaken = Callable[[Sequence[str]], None]
"""Called with open tables that this server owns now; it may own some of them already."""


class Store(Protocol):
    """The store of facts. Callbacks are called at once or later, always in the reactor's thread.

    Facts that cannot be stored now (a full disk, a locked file) are retried, in order, until they
    are stored; `watch` reports the beginning and the end of such a fault. `done` is called only
    when the facts are safe.
    """

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Stores the facts, all or none, after those of earlier calls; then calls `done`.

        Raises `ValueError` if the number of a promise is not above all earlier ones.
        """

    def watch(self, trouble: StorageListener) -> None:
        """Adds a listener for storage faults."""

    def after_commit(self, committed: Callable[[Sequence[Fact]], None]) -> None:
        """Adds a callback for facts that are safe. It is called after their `done`."""

    def reserve(self, kind: Numbered, last: int) -> range:
        """Numbers for new things that no other server uses; empty if there are none now.

        The only server of a store has all numbers after `last`, the highest one that it knows.
        """

    def after_taking(self, taken: TablesTaken) -> None:
        """Adds a callback for tables taken from a server that has stopped or died.

        From then on this server takes such tables, unless it is the only server of the store.
        """

    def owners(
        self, wanted: WantedTables, done: Callable[[Mapping[str, Owned] | None], None]
    ) -> None:
        """The owners and last inputs of the wanted tables that are open. None if the store cannot
        answer now.

        Members of a table are those of its last `TableMembers`. If all tables are wanted, 0 may
        stand for the last inputs of this server's own.
        """

    def newer_inputs(
        self, known: Mapping[str, int], done: Callable[[Sequence[OpenTable] | None], None]
    ) -> None:
        """The tables among `known`, in order of their numbers. Those that are closed are marked.

        Each has only the inputs above its number in `known`, and all of its promises if there is
        such an input. A closed table has inputs as long as they are kept. None if the store cannot
        answer now.
        """

    def kept_inputs(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """The closed tables whose inputs are still kept. None if the store cannot answer now.

        This question reads much: ask it seldom.
        """

    def claim(self, person: PersonKept, done: Callable[[int | None], None]) -> None:
        """Stores a new person whom this server keeps, and calls `done` when that is safe.

        It is called with the time of arrival, which is stored as `since`: it is later than all
        times that any server has stored. None: there is another person of that name, ignoring case,
        at any server; nothing is stored. A second call with the same person succeeds again.
        """

    def redeem(
        self, made: Account | PasswordChanged, code: bytes, done: Callable[[Redeemed], None]
    ) -> None:
        """Stores a new account or password, and uses the invite code of that hash, unless it is
        empty. Of several servers that do so at once, one succeeds.

        Nothing is stored unless it is DONE. A second call with the same account or password
        succeeds again.
        """

    def new_accounts(self, since: int, done: Callable[[Mapping[str, str]], None]) -> None:
        """The names of the accounts made since a wall time, by their skeletons."""

    def person(self, name: str, done: Callable[[StoredPerson | None], None]) -> None:
        """The person of that name, ignoring case, whichever server keeps them; None if nobody."""

    def people(self, done: Callable[[Sequence[StoredPerson]], None]) -> None:
        """All people whom this server keeps, by name."""

    def keepers(self, names: Collection[str], done: Callable[[Mapping[str, Keeper]], None]) -> None:
        """The servers that keep these people, by names in lower case, without those of nobody."""

    def keeper_by_secret(self, secret: bytes, done: Callable[[Keeper | None], None]) -> None:
        """The person with this hash of a resume token, valid or last used, with the server that
        keeps them; None if nobody has it.
        """

    def seek(
        self, wanted: Seek, tag: str, busy: Collection[str], done: Callable[[SeekMatch], None]
    ) -> None:
        """Opens a seek at all servers, or takes it together with those that match.

        If `wanted` has a number, that seek must be open still. `busy` are people who cannot play
        now. A match has this `tag`: open a table, and store `SeeksSeated` with it, or store
        `SeeksFreed`. If this server dies before, the seeks are free again. A second call with the
        tag returns the same match. Store `SeekEnded` for each person of this server who is seated.
        """

    def claim_word(self, word: str, table: str, done: Callable[[bool], None]) -> None:
        """Claims a secret word for a table that is about to be opened.

        `done(False)`: an open table has the word, ignoring case, at any server. A second call with
        the same table succeeds again.
        """

    def unseek(self, number: int, done: Callable[[bool], None]) -> None:
        """Ends a seek; False if there is none, or a match has taken it."""

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account with this name, ignoring case, or None."""

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The valid login tokens of an account."""

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash; None if there is none or it was revoked."""

    def ssh_keys(self, name: str, done: Callable[[Sequence[SshKeyAdded]], None]) -> None:
        """The keys of SSH that log in to an account."""

    def secret(self, name: str, done: Callable[[str | None], None]) -> None:
        """The secret of that name, the same at all servers; None if none is made."""

    def past(
        self,
        name: str,
        key: str,
        most: int,
        done: Callable[[Sequence[GameEnded]], None],
        before: tuple[int, int] | None = None,
    ) -> None:
        """At most `most` finished games, the latest first, without their records.

        `before` is the end time and number of a game; only earlier games are returned.

        `name` and `key` choose a player and a game; an empty string matches all. Games that are not
        public are included only if `name` played in them. `bot:hard` includes `bot:hard2`.
        """

    def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
        """A finished game with its record, or None."""

    def promises(
        self,
        game: str,
        most: int,
        done: Callable[[Sequence[PromiseEntry]], None],
        before: int = 0,
    ) -> None:
        """At most `most` promises, the latest first.

        `game` chooses one game, unless it is empty. `before` chooses smaller numbers, unless it is
        0.
        """

    def rate(self, game: str, ratings: Sequence[Rated], done: Callable[[bool], None]) -> None:
        """Stores the new ratings after a game, and that it is rated, and calls `done(True)`.

        Does nothing but `done(True)` if the game is rated already, by any server. `done(False)`:
        one of the ratings is not what it was before the game, because another game has been rated
        meanwhile; nothing is stored.
        """

    def unrated(self, done: Callable[[Sequence[Unrated]], None]) -> None:
        """The games that are still to be rated, the oldest first."""

    def untold(self, names: Sequence[str], done: Callable[[Untold], None]) -> None:
        """The results that these people are still to be told."""

    def rating(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All ratings of a player; a bot's name without a version means all versions."""

    def ranks(
        self,
        pool: Pool,
        key: str,
        rules: str,
        most: int,
        done: Callable[[Sequence[Rated]], None],
        skip: int = 0,
    ) -> None:
        """The `most` best ratings for a game and preset, by mean minus three standard deviations.

        The first `skip` ratings are left out.
        """

    def rating_history(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All past and current ratings of a player, of each game and preset, the oldest first."""

    def summaries(
        self, name: str, key: str, most: int, done: Callable[[Sequence[GameEnded]], None]
    ) -> None:
        """The last `most` games of a player, chosen as in `past`, with their summaries."""

    def unsummed(
        self, most: int, before: str, done: Callable[[Sequence[tuple[str, str]]], None]
    ) -> None:
        """At most `most` finished games without a summary, with their records, the latest first.

        Of several active servers each is told other games.
        `before` is the name of a game; only games with smaller numbers are returned, unless it is
        empty.
        """

    def week(
        self,
        key: str,
        rules: str,
        days: tuple[int, int],
        most: int,
        done: Callable[[Sequence[WeekScore]], None],
    ) -> None:
        """The `most` best players in the rated games of a game and preset, by points, then by fewer
        games.

        `days` are two wall times: games that ended at or after the first and before the second
        count.
        """

    def daily_seal(self, day: str, key: str, done: Callable[[DailySealed | None], None]) -> None:
        """The seal of a day's deal of a game, or None."""

    def daily_results(
        self, day: str, key: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The `most` best results of accounts in a day's deal: by place, then points, then time."""

    def dailies_of(
        self, name: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The `most` latest daily deals that a player finished, the latest day first."""

    def moderation(self, done: Callable[[Moderation], None]) -> None:
        """The decisions of operators about people, and the reports and codes that wait."""

    def report(self, no: int, done: Callable[[Report | None], None]) -> None:
        """The report with this number, open or closed, or None."""

    def admin_log(self, most: int, done: Callable[[Sequence[AdminAction]], None]) -> None:
        """The `most` latest entries of the operators' journal, the latest first."""


class Job(Value):
    """A turn for a bot to search, with everything shown to its seat and nothing else.

    `game` is the key of the game, `level` the bot's level; `rules` come from `Game.rules`. The
    events in `seen` and the `turn` are redacted for the seat. `seed` makes the bot's choice
    repeatable, unless it is None.
    """

    table: str
    game: str
    level: str
    rules: object
    seat: int
    seen: tuple[Event, ...]
    turn: Turn
    seed: int | None


class MoveEvaluation(Value):
    """A searching bot's evaluation of a move.

    `worth` is its value and `loss` the probability of losing the hand, both from 0 to 1; `loss` is
    None in games without a loser of the hand. Both are means over `worlds` samples. `close`: the
    worth is within two standard errors of the best move's. `why` explains the best move in a
    sentence without full stop; it is empty for other moves, and may be empty for the best.
    """

    token: str
    worth: float
    loss: float | None = None
    worlds: int = 0
    close: bool = False
    why: str = ""


Evaluation = Sequence[MoveEvaluation]
"""The moves of a turn, the best first."""


class BotWorkers(Protocol):
    """Searches moves for bots, in other processes. Cancel a Deferred to abandon its search."""

    def think(self, job: Job) -> Deferred[str | None]:
        """Fires with the token of the best move, or with None if the search failed."""

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """Fires with the evaluated moves, the best first, or with None if the search failed."""

    def stop(self) -> None:
        """Abandons all work; no Deferred fires afterwards."""


@dataclass(frozen=True, slots=True, repr=False)
class Hashes:
    """The stored forms of a password: its argon2id hash, and its SCRAM-SHA-256 keys as text."""

    password: str
    scram: str


class PasswordCheck(Enum):
    """The result of comparing a password. DATED: correct, but the hash is a weaker kind."""

    WRONG = "wrong"
    RIGHT = "right"
    DATED = "dated"


class Hasher(Protocol):
    """Hashes and compares passwords, which takes time. Callbacks are called at once or later."""

    @property
    def dummy_hash(self) -> str:
        """A hash to compare with if there is no account, so that refusing takes as long."""

    def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
        """Hashes a new password. Raises `Refused` (BUSY); then `done` is not called."""

    def verify(self, password: str, hashed: str, done: Callable[[PasswordCheck], None]) -> None:
        """Compares a password with a hash. Raises `Refused` (BUSY); then `done` is not called."""

    def stop(self) -> None:
        """Abandons all work; no callback is called afterwards."""


MESSAGE_LIMIT = 1 << 20
"""Bytes of a message between servers, at most: what NATS allows unless it is told otherwise."""

Unsubscribe = Callable[[], None]
"""Ends a subscription. A second call of it does nothing."""


class MessageHandler(Protocol):
    """Handles a message that may want an answer."""

    def __call__(self, data: bytes, reply: Callable[[bytes], None], /) -> None:
        """Takes the message, and the function that answers it: now, later or never.

        Only the first answer counts. An answer to a message that was told goes nowhere.
        """


class Bus(Protocol):
    """Messages between the servers of a place, which share a store.

    Nothing that it carries is trusted, and nothing may depend on it. A message may be lost,
    doubled, late and out of order. So a message says where to look in the store, or it has a tag by
    which its receiver recognises it. A message above `MESSAGE_LIMIT` is lost, with a line in the
    log.

    Callbacks are called later, never inside the call that asks for them, and always in the
    reactor's thread. If one raises, the log has the traceback, and the bus goes on.
    """

    @property
    def connected(self) -> bool:
        """False while this server reaches no other: all that it tells is lost."""

    def watch(self, changed: Callable[[bool], None]) -> None:
        """Adds a callback for each change of `connected`.

        Once it is called with True, this server hears the others again. It may have missed
        anything before.
        """

    def tell(self, subject: Subject, data: bytes) -> None:
        """Sends a message to all who listen to the subject, this server among them. Never raises.

        While the bus is not connected, or takes no more, the message is lost: none is kept for
        later.
        """

    def listen(self, subject: Subject, heard: Callable[[bytes], None]) -> Unsubscribe:
        """Hears the messages of a subject, until the returned function is called."""

    def ask(
        self, subject: Subject, data: bytes, ms: int, answered: Callable[[bytes | None], None]
    ) -> None:
        """Asks the server that serves the subject. Never raises.

        `answered` is called once: with the answer, or with None after `ms` milliseconds at the
        latest. None comes at once if nobody serves the subject, while the bus is not connected,
        and when the connection is lost. It does not say whether the question was received.
        """

    def serve(self, subject: Subject, handler: MessageHandler) -> Unsubscribe:
        """Answers the questions of a subject, until the returned function is called.

        One server serves a subject. If several do, the first answer counts.
        """

    async def close(self) -> None:
        """Sends what was told; no callback is called any more."""


class Link(Protocol):
    """A connection, as the host sees it."""

    @property
    def address(self) -> str:
        """The address of the peer: an IP address, or `unix`."""

    @property
    def network(self) -> str:
        """The key for limits: the peer's IPv4 address, or the /64 of its IPv6 address."""

    @property
    def age(self) -> int:
        """Milliseconds since the connection was opened."""

    @property
    def private(self) -> bool:
        """True if the connection cannot be read on its way: TLS, a Unix socket or loopback."""

    def hang_up(self) -> None:
        """Closes the connection when all output is written."""

    @property
    def share(self) -> int:
        """Quota multiplier for this network."""

    @property
    def crowded(self) -> bool:
        """True if guests must be refused because few free connections are left."""

    def rate_wait(self, cost: int, chat: bool) -> int:
        """Counts a command and returns 0, or returns the milliseconds until it is allowed.

        `cost` is the number of commands that it counts as. `chat`: it also counts towards the
        stricter limit on talk.
        """

    @property
    def writable(self) -> bool:
        """True if the peer reads fast enough to be sent more of a long answer."""

    def when_writable(self, call: Callable[[], None]) -> None:
        """Calls once `writable` is True; never if the peer stops reading or disconnects."""

    def count_held(self, size: int) -> None:
        """Reports that `size` more bytes of events are held until the peer's long answer is sent.

        They count towards the limit on unread output, at which the connection is closed.
        """
