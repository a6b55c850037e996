"""What a server remembers, as values: the only words in which the store is spoken to.

A fact is something that has been decided and must not be forgotten. Facts that are handed to
the store together are kept together or not at all. Times are milliseconds: `at` on the host's
timeline, which stands still while the server is down (`timeline`), `wall` since 1970 in UTC,
for showing. Secrets that people know are kept as hashes only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

# ------------------------------------------------------------------------------ the server


@dataclass(frozen=True, slots=True)
class Boot:
    """The server has started: its name for this run, and where its timeline goes on from."""

    boot: str
    at: int
    wall: int


# ------------------------------------------------------------------------------ the tables


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table of that game, from now on to be replayed at every start until it is closed."""

    table: str
    game: str
    wall: int


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a table, the only thing from which its state is built: number `seq`, from 1.

    `who` gave it ("" for the server), `program` and `standin` as in `Who`; `order` is what was
    ordered, as text (`play.journal`). `packs` are the packs that the house shuffled while it
    was carried out, each as a token. `last` is the number of the table's last event after it,
    `digest` a checksum of the events up to there. `id` is the caller's id of the command, for
    one that is sent again.
    """

    table: str
    seq: int
    at: int
    wall: int
    who: str
    program: bool
    standin: bool
    order: str
    packs: tuple[str, ...]
    last: int
    digest: int
    id: str = ""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is done with; its inputs may go."""

    table: str
    wall: int


# ------------------------------------------------------------------------ the fair shuffle


@dataclass(frozen=True, slots=True)
class Promise:
    """A game's secret, chosen before its commitment is shown to anybody (SPEC.md 21).

    `no` numbers all promises of this store from 1; `alg` is `fd1`, or `seed` for deals that
    anybody can repeat. `digest` is the commitment.
    """

    game: str
    no: int
    table: str
    alg: str
    seed: str = field(repr=False)  # what is printed ends in logs
    digest: str
    wall: int


@dataclass(frozen=True, slots=True)
class Frozen:
    """The players' words of a game, as they went into its shuffles."""

    game: str
    words: str
    wall: int


# ------------------------------------------------------------------------------- the games


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat did in a game.

    `name` is the one that it had at the table: a player's, `bot:hard`, `bot:hard2`; `version` is a
    bot's.
    """

    seat: int
    name: str
    version: str
    place: int
    total: int

    @property
    def who(self) -> str:
        """Whose game it is: the name, a bot's without its number among those of the table."""
        return self.name.rstrip("0123456789") if self.name.startswith("bot:") else self.name


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game that is over, with its record.

    `why` is that of GAMEOVER, or `aborted`; `rules` names the preset, `digest` hashes all
    options. `events` is the number of the game's first event and of its last on the table's
    stream. `at` is when it began, on the timeline.
    """

    game: str
    table: str
    key: str
    rules: str
    digest: str
    why: str
    rated: bool
    public: bool
    began: int
    ended: int
    events: tuple[int, int]
    seats: tuple[SeatResult, ...]
    record: str
    at: int = 0


class Pool(Enum):
    """In which list somebody is rated."""

    PEOPLE = "people"
    BOTS = "bots"


@dataclass(frozen=True, slots=True)
class RatingDue:
    """A game that is over counts in this pool: what follows from it is still to be reckoned."""

    game: str
    pool: Pool


@dataclass(frozen=True, slots=True)
class RatingDone:
    """What follows from a game that counts has been reckoned; kept together with that."""

    game: str


# ------------------------------------------------------------------------------ the people


@dataclass(frozen=True, slots=True)
class PersonKept:
    """Somebody who is here, or may come back: the hashes of the secrets that let them resume.

    `before` is the secret before the last one; either may be empty. `since` is when they came in,
    on the timeline.
    """

    name: str
    program: bool
    secret: bytes
    before: bytes
    since: int = 0


@dataclass(frozen=True, slots=True)
class PersonGone:
    """Somebody is forgotten, inbox and all: the name is free again (a guest's).

    An account has still blocked whom it had.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """Whom somebody has blocked, by name: these, and nobody else."""

    name: str
    blocked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InboxLine:
    """An event of somebody's `me` stream, as a line; in the place of one with that number."""

    name: str
    seq: int
    wall: int
    line: str


@dataclass(frozen=True, slots=True)
class Account:
    """An account. `skeleton` is its name with what looks alike made equal; unique.

    `password` is an argon2id hash; `scram` is what SCRAM-SHA-256 needs, as text.
    """

    name: str
    skeleton: str
    password: str
    scram: str
    wall: int


@dataclass(frozen=True, slots=True)
class PasswordChanged:
    """An account has another password, and all its login tokens are revoked."""

    name: str
    password: str
    scram: str


@dataclass(frozen=True, slots=True)
class PasswordRehashed:
    """The same password is kept by another hash, unless there is another than `before` by then."""

    name: str
    before: str
    password: str
    scram: str


@dataclass(frozen=True, slots=True)
class TokenGiven:
    """A login token of an account: its hash, and what its owner calls it. Numbered from 1."""

    name: str
    number: int
    digest: bytes
    label: str
    wall: int


@dataclass(frozen=True, slots=True)
class TokenRevoked:
    """A login token opens nothing any more."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody's rating for a game and its rules, after a game: mean and spread of the skill.

    A bot's name has its version: `bot:hard/3`.
    """

    pool: Pool
    key: str
    rules: str
    name: str
    mu: float
    sigma: float
    games: int
    wall: int


Fact = (
    Boot
    | TableOpened
    | Input
    | TableClosed
    | Promise
    | Frozen
    | GameEnded
    | RatingDue
    | RatingDone
    | PersonKept
    | PersonGone
    | InboxLine
    | Blocks
    | Account
    | PasswordChanged
    | PasswordRehashed
    | TokenGiven
    | TokenRevoked
    | Rated
)


# ----------------------------------------------------------------- what is read at the start


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that was not closed: its inputs in order, and the promises made for its games."""

    table: str
    game: str
    inputs: Sequence[Input]
    promises: Sequence[Promise]


@dataclass(frozen=True, slots=True)
class Unrated:
    """A game that is over and counts in a pool, not reckoned yet; it has no record here."""

    ended: GameEnded
    pool: Pool


@dataclass(frozen=True, slots=True)
class Remembered:
    """All that a starting server needs to know.

    `at` is where the timeline goes on; `table`, `game`, `promise` are the highest numbers given
    out. `chain` is the hash over all promises so far (SPEC.md 21). `blocks` are the names that
    somebody has blocked, by theirs, where there are any. `skeletons` maps the
    skeletons of all accounts to their names; `unrated` has the game first that was over first.
    `restored` where this is a backup, opened for the
    first time: nobody's secret holds any more, and the games that run may have gone on, and
    shown their seeds, after it was made.
    """

    at: int = 0
    table: int = 0
    game: int = 0
    promise: int = 0
    chain: str = ""
    restored: bool = False
    tables: Sequence[OpenTable] = ()
    people: Sequence[PersonKept] = ()
    inboxes: Mapping[str, Sequence[InboxLine]] = field(default_factory=dict)
    blocks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    skeletons: Mapping[str, str] = field(default_factory=dict)
    unrated: Sequence[Unrated] = ()


# ------------------------------------------------------------------------ what is asked for


@dataclass(frozen=True, slots=True)
class PromiseKept:
    """A line of the log of promises: what became of it. `outcome` is empty while it runs.

    It is the `why` of the game's end, or `lost` where its table was closed without one. As long
    as it is empty, so is the promise's seed. `chain` is sha256 in hex over `CHAIN|GAME|DIGEST`:
    the chain before (at first empty), the game and the commitment.
    """

    promise: Promise
    words: str
    outcome: str
    chain: str
