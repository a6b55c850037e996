"""What the server needs from its surroundings, as small interfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn

from .facts import Account, Fact, GameEnded, Pool, PromiseKept, Rated, TokenGiven


class Timer(Protocol):
    """A call that is still to come."""

    def active(self) -> bool:
        """True if it is still to come."""

    def cancel(self) -> None:
        """Makes sure that it does not come."""


class Clock(Protocol):
    """Time: `now` in milliseconds that never go back, and calls later."""

    def now(self) -> int:
        """Milliseconds since some moment; never goes back."""

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after so long."""

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""


class StorageListener(Protocol):
    """Told how the store is doing."""

    def __call__(self, why: str | None, /) -> None:
        """With the reason, in short, when nothing can be kept; with None when it can again."""


class Store(Protocol):
    """What is remembered. Answers come later, or at once; always in the reactor's thread.

    What cannot be kept now (a full disk, a locked file) is tried again until it can, in order;
    `watch` tells when that begins and ends. Nothing is lost by waiting: `done` is called when
    it is safe, and not before.
    """

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Keeps the facts, all or none, after those of earlier calls; then calls `done`.

        Raises `ValueError` where a promise's number is not above those of all earlier ones.
        """

    def watch(self, trouble: StorageListener) -> None:
        """Has a listener told when writing fails, and when it works again."""

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account of that name, without regard to case."""

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The login tokens of an account that are not revoked."""

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash, unless it is revoked."""

    def past(
        self, name: str, key: str, most: int, done: Callable[[Sequence[GameEnded]], None]
    ) -> None:
        """Games that are over, the last first, without their records.

        Of somebody and of one game; an empty string leaves the choice open. Games that are not
        public only for a name that has a seat in them; `bot:hard` is also `bot:hard2`.
        """

    def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
        """A game that is over, with its record."""

    def promises(
        self,
        game: str,
        most: int,
        done: Callable[[Sequence[PromiseKept]], None],
        before: int = 0,
    ) -> None:
        """The log of promises, the last first; of one game, where it is named.

        With `before` only those with a smaller number.
        """

    def rating(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """Every rating that somebody has; a bot's name without its version means all of them."""

    def ranks(
        self, pool: Pool, key: str, rules: str, most: int, done: Callable[[Sequence[Rated]], None]
    ) -> None:
        """The best rated of a game and its rules, by mean less three times the spread."""


@dataclass(frozen=True, slots=True)
class Job:
    """A turn to think about: at which table, the game's key, the bot, and all its seat was shown.

    `rules` are the game's own, as `Game.rules` makes them; `turn` is redacted for the seat.
    """

    table: str
    game: str
    level: str
    rules: object
    seat: int
    seen: tuple[Event, ...]
    turn: Turn
    seed: int | None


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """A move as a searching bot sees it: its token, what it is worth, the chance to lose the hand.

    Worth and chance are 0 to 1; the chance is None where the game has no such thing. They are means
    over so many `worlds`.
    """

    token: str
    worth: float
    loss: float | None = None
    worlds: int = 0


Evaluation = Sequence[MoveEvaluation]
"""Moves of a turn, the best first."""


class BotWorkers(Protocol):
    """Searches moves for bots, in other processes. Cancel a Deferred to give its search up."""

    def think(self, job: Job) -> Deferred[str | None]:
        """Fires with the token of the best move, or with None if the search failed."""

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """Fires with the moves of the turn, the best first, or with None if the search failed."""

    def stop(self) -> None:
        """Gives up all work; nothing is answered any more."""


@dataclass(frozen=True, slots=True, repr=False)
class Hashes:
    """What is kept of a password: its argon2id hash, and what SCRAM-SHA-256 needs, as text."""

    password: str
    scram: str


class Verdict(Enum):
    """Whether a password was right; dated: yes, but its hash is of an older, weaker kind."""

    WRONG = "wrong"
    RIGHT = "right"
    DATED = "dated"


class Hasher(Protocol):
    """Where passwords are hashed, which takes time. Answers come later, or at once."""

    @property
    def dummy_hash(self) -> str:
        """The hash of a password that nobody has, to be compared where there is no account."""

    def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
        """What is kept of a password. Raises `Refused` (BUSY); then `done` is not called."""

    def verify(self, password: str, hashed: str, done: Callable[[Verdict], None]) -> None:
        """Whether it is the password with this hash. Raises `Refused` (BUSY)."""

    def stop(self) -> None:
        """Gives up all work; nothing is answered any more."""


class Link(Protocol):
    """A connection as the host sees it."""

    @property
    def address(self) -> str:
        """Where it comes from: an IP address, or `unix`."""

    @property
    def private(self) -> bool:
        """True if nobody on the path can read this connection: TLS, a Unix socket or loopback."""

    def hang_up(self) -> None:
        """Closes it, after what was written."""

    def rate_wait(self, chat: bool) -> int:
        """0 if one more command may be given now, else the wait in milliseconds."""

    @property
    def writable(self) -> bool:
        """True if the peer reads: more of what it asked for may be sent."""

    def when_writable(self, call: Callable[[], None]) -> None:
        """Calls once more may be sent; never if the peer does not read, or is gone."""

    def count_held(self, size: int) -> None:
        """Counts bytes of events that are held until a long answer has been sent.

        They count as unread, and so against a peer that does not read.
        """
