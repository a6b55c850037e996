"""What the server needs from the outside, as small interfaces: clock, store, workers, links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    Pool,
    PromiseKept,
    Rated,
    Report,
    TokenGiven,
    WeekScore,
)


class Timer(Protocol):
    """A call that was set for later."""

    def active(self) -> bool:
        """True if it was neither made nor cancelled yet."""

    def cancel(self) -> None:
        """Prevents the call. Only while it is `active`."""


class Clock(Protocol):
    """Time in milliseconds, and timers."""

    def now(self) -> int:
        """Milliseconds since an arbitrary moment; never goes back."""

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after `ms` milliseconds."""

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""


SLOW_STORAGE = "the storage is slow"
"""The reason of a listener while a commit takes long. That is no fault: it is still under way."""


class StorageListener(Protocol):
    """Called when the store cannot write any more, and when it can again."""

    def __call__(self, why: str | None, /) -> None:
        """Takes a short reason if nothing can be stored, None if it works again."""


class Store(Protocol):
    """The store of facts. Callbacks come at once or later, always in the reactor's thread.

    Facts that cannot be stored now (a full disk, a locked file) are tried again until they can, in
    order; `watch` tells when that begins and ends. `done` is called only when facts are safe.
    """

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Stores the facts, all or none, after those of earlier calls; then calls `done`.

        Raises `ValueError` if the number of a promise is not above those of all earlier ones.
        """

    def watch(self, trouble: StorageListener) -> None:
        """Adds a listener that is told when writing fails and when it works again."""

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account of that name, without regard to case, or None."""

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The login tokens of an account that are not revoked."""

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash; None if there is none or it is revoked."""

    def past(
        self,
        name: str,
        key: str,
        most: int,
        done: Callable[[Sequence[GameEnded]], None],
        before: tuple[int, int] | None = None,
    ) -> None:
        """At most `most` games that are over, the last first, without their records.

        `before` begins after the game that ended at that time and has that number.

        `name` and `key` choose a player and a game; an empty string leaves the choice open. Games
        that are not public are included only if `name` has a seat in them. `bot:hard` includes
        `bot:hard2`.
        """

    def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
        """A game that is over, with its record, or None."""

    def promises(
        self,
        game: str,
        most: int,
        done: Callable[[Sequence[PromiseKept]], None],
        before: int = 0,
    ) -> None:
        """At most `most` entries of the log of promises, the last first.

        `game` chooses one game unless it is empty; `before` only smaller numbers unless it is 0.
        """

    def rating(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All ratings of a player; a bot's name without a version means all its versions."""

    def ranks(
        self,
        pool: Pool,
        key: str,
        rules: str,
        most: int,
        done: Callable[[Sequence[Rated]], None],
        skip: int = 0,
    ) -> None:
        """The `most` best rated of a game and preset, by mean minus three times the spread.

        `skip` leaves out so many of the very best.
        """

    def rating_history(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All ratings that a player had, the oldest first, of each game and preset."""

    def summaries(
        self, name: str, key: str, most: int, done: Callable[[Sequence[GameEnded]], None]
    ) -> None:
        """The last `most` games of a player as `past` has them, with their summaries."""

    def unsummed(
        self, most: int, before: str, done: Callable[[Sequence[tuple[str, str]]], None]
    ) -> None:
        """At most `most` games that are over and have no summary, with their records, last first.

        `before` only those with a smaller number than that game, unless it is empty.
        """

    def week(
        self,
        key: str,
        rules: str,
        days: tuple[int, int],
        most: int,
        done: Callable[[Sequence[WeekScore]], None],
    ) -> None:
        """The `most` best in the rated games of a game and preset, by points, then by fewer games.

        `days` are the wall times from and before which the games have ended.
        """

    def daily_seal(self, day: str, key: str, done: Callable[[DailySealed | None], None]) -> None:
        """What was sealed for a day's deal of a game, or None."""

    def daily_results(
        self, day: str, key: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The `most` best results of accounts in a day's deal: by place, then points, then time."""

    def dailies_of(
        self, name: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The `most` latest daily deals that a player has finished, the last day first."""

    def report(self, no: int, done: Callable[[Report | None], None]) -> None:
        """The report with this number, open or closed, or None."""

    def admin_log(self, most: int, done: Callable[[Sequence[AdminAction]], None]) -> None:
        """The `most` latest lines of the operators' journal, the last first."""


class Job(Value):
    """A turn to think about, with all that the seat was shown and nothing else.

    `game` is the game's key, `level` the bot's; `rules` are what `Game.rules` makes. The events in
    `seen` and the `turn` are redacted for the seat. `seed` makes the bot repeatable, unless None.
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
    """A move as a searching bot sees it.

    `worth` is its value and `loss` the chance to lose the hand, both from 0 to 1; `loss` is None if
    the game has no such thing. They are means over `worlds` samples. `close`: its worth is within
    two standard errors of that of the best move. `why` is a sentence of play without
    its full stop, for the best move only, and may be empty.
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
    """Searches moves for bots, in other processes. Cancel a Deferred to give up its search."""

    def think(self, job: Job) -> Deferred[str | None]:
        """Fires with the token of the best move, or with None if the search failed."""

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """Fires with the moves of the turn, the best first, or with None if the search failed."""

    def stop(self) -> None:
        """Gives up all work; nothing is answered any more."""


@dataclass(frozen=True, slots=True, repr=False)
class Hashes:
    """What is stored of a password: its argon2id hash, and its SCRAM-SHA-256 keys as text."""

    password: str
    scram: str


class Verdict(Enum):
    """Whether a password was right. DATED: yes, but its hash is of an older, weaker kind."""

    WRONG = "wrong"
    RIGHT = "right"
    DATED = "dated"


class Hasher(Protocol):
    """Hashes and compares passwords, which takes time. Callbacks come at once or later."""

    @property
    def dummy_hash(self) -> str:
        """A hash to compare with if there is no account, so that it takes the same time."""

    def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
        """Hashes a new password. Raises `Refused` (BUSY); then `done` is not called."""

    def verify(self, password: str, hashed: str, done: Callable[[Verdict], None]) -> None:
        """Compares a password with a hash. Raises `Refused` (BUSY); then `done` is not called."""

    def stop(self) -> None:
        """Gives up all work; nothing is answered any more."""


class Link(Protocol):
    """A connection as the host sees it."""

    @property
    def address(self) -> str:
        """The address of the peer: an IP address, or `unix`."""

    @property
    def place(self) -> str:
        """Whose the connection is, for limits: its IPv4 address, or the /64 of its IPv6 address."""

    @property
    def age(self) -> int:
        """Milliseconds since it was opened."""

    @property
    def private(self) -> bool:
        """True if nobody on the path can read this connection: TLS, a Unix socket or loopback."""

    def hang_up(self) -> None:
        """Closes the connection once everything is written."""

    @property
    def share(self) -> int:
        """Quota multiplier for this network."""

    @property
    def crowded(self) -> bool:
        """True if guests are to be refused, because hardly any connections are left."""

    def rate_wait(self, cost: int, chat: bool) -> int:
        """Counts a command and returns 0, or returns the milliseconds until it is allowed.

        `cost` is as how many commands it counts. `chat`: it also counts for the stricter limit on
        talk.
        """

    @property
    def writable(self) -> bool:
        """True if the peer keeps up with reading: more of what it asked for may be sent."""

    def when_writable(self, call: Callable[[], None]) -> None:
        """Calls once `writable` is True; never if the peer does not read, or is gone."""

    def count_held(self, size: int) -> None:
        """Reports `size` bytes that are held back until the peer has got what it asked for.

        They count, like all that the peer did not ask for, towards the limit at which a peer that
        does not read is cut off.
        """
