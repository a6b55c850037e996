"""Facts: the values that a server must not lose. The store saves and returns only facts.

Facts that are handed to the store together are stored together or not at all. Times are in
milliseconds: `at` on the timeline of the tables, which stands still while the server is down
(`host.tables.pausable_clock`), and `wall` since 1970 in UTC, only for showing. Passwords and tokens
are stored only as hashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import msgspec

from twentytwo_protocol.value import Value

# ------------------------------------------------------------------------------ the server


class Boot(Value):
    """The server has started: the name of this run, and the start of its timeline."""

    boot: str
    at: int
    wall: int


# ------------------------------------------------------------------------------ the tables


class TableOpened(Value):
    """A table was opened. It is rebuilt at every start until it is closed; `game` is a key."""

    table: str
    game: str
    wall: int


class Input(Value):
    """One input of a table: an order that was carried out. A table is rebuilt from nothing else.

    `seq` numbers the inputs of a table from 1. `who` gave the order ("" for the server), `program`
    and `standin` as in `table.decision.Actor`; `order` is its text (`table.journal`). `packs` are
    the packs that the house shuffled for it, each as a token. `last` is the number of the table's
    last event after it, `digest` a CRC-32 over all events up to there. `id` is the key that the
    client gave the command with `once=`, or empty.
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


class TableClosed(Value):
    """A table was closed; its inputs may be deleted."""

    table: str
    wall: int


# ------------------------------------------------------------------------ the fair shuffle


@dataclass(frozen=True, slots=True)
class Promise:
    """The secret from which a game is shuffled, with its commitment (SPEC.md 21).

    It is stored before anybody is shown the commitment. `no` numbers all promises of a store from
    1. `alg` is `fd1`, or `seed` for deals that anybody can repeat. `seed` is the secret, `digest`
    the commitment.
    """

    game: str
    no: int
    table: str
    alg: str
    seed: str = field(repr=False)  # not printed, so that it stays out of logs
    digest: str
    wall: int


class Frozen(Value):
    """The players' words for the shuffles of a game, in the form that is hashed."""

    game: str
    words: str
    wall: int


# ------------------------------------------------------------------------------- the games


class SeatResult(Value):
    """The result of one seat in a game.

    `name` is the name at the table: a player's, or `bot:hard`, or `bot:hard2` for the second such
    bot. `version` is that of a bot, else empty. `place` is 1 for the winner; equals share
    one, and it is 0 in a game without a result.
    """

    seat: int
    name: str
    version: str
    place: int
    total: int

    @property
    def who(self) -> str:
        """The name of the player; for a bot without its number at the table, `bot:hard`."""
        return self.name.rstrip("0123456789") if self.name.startswith("bot:") else self.name


class GameEnded(Value):
    """A game that is over, with its record.

    `key` is the game's key, `rules` the preset, `digest` a hash over all options. `why` is that of
    GAMEOVER, or `aborted`. `began` and `ended` are wall times, `at` is when it began on the
    timeline. `events` has the numbers of its first and its last event on the table's stream.
    `record` is empty where only a list of games was asked for. `summary` is what statistics need
    of it (`protocol.summary`), empty where it was lost with a damaged page, and where it was not
    asked for. `undone`: it was given up to go back in it, and another goes on from it. Such a game
    is found by its number, and not among those of its players.
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
    summary: str = ""
    undone: bool = False


class GameSummed(Value):
    """The summary of a game that is over and has none yet; ignored if it has one."""

    game: str
    summary: str


class Pool(Enum):
    """The list in which a player is rated."""

    PEOPLE = "people"
    BOTS = "bots"


class RatingDue(Value):
    """A game is over and has to be rated in this pool; stored together with its `GameEnded`."""

    game: str
    pool: Pool


class RatingDone(Value):
    """A game has been rated; stored together with the new ratings."""

    game: str


class WeekScore(Value):
    """A player's score on the ladder in the rated games of some days, in half points.

    Each game gives two half points for every player placed worse, and one for every player with the
    same place.
    """

    name: str
    games: int
    halves: int


# -------------------------------------------------------------------------- the daily deals


@dataclass(frozen=True, slots=True)
class DailySealed:
    """The secret of a day's deal of a game, with its hash, stored before anybody is told the hash.

    `day` is a date in UTC, `2026-11-23`; `key` is the game's. `wall` is when it was sealed.
    """

    day: str
    key: str
    seed: str = field(repr=False)  # not printed, so that it stays out of logs
    digest: str
    wall: int


class DailyBegun(Value):
    """A person has begun a day's deal, and cannot begin it again; ignored if stored already."""

    day: str
    key: str
    name: str
    wall: int


class DailyEnded(Value):
    """The end of a daily deal; ignored without its `DailyBegun`.

    `place` is the player's, 0 if the game ended without a result; `points` is the combined lead
    over the others (`protocol.statistics.lead`).
    """

    day: str
    key: str
    name: str
    game: str
    place: int
    points: int
    wall: int


# ------------------------------------------------------------------------------ the people


class PersonKept(Value):
    """A person who is here or may come back, with the hashes of their resume tokens.

    `secret` is the hash of the newest token, `before` that of the one that was used to get it;
    either may be empty. `since` is when they came in, on the timeline.
    """

    name: str
    program: bool
    secret: bytes
    before: bytes
    since: int = 0


class PersonGone(Value):
    """A person is forgotten, with their tokens and inbox; a guest's name is free again.

    The names that an account has blocked, or has as friends, stay stored; so do its daily deals.
    """

    name: str


class GamesClaimed(Value):
    """The games and daily deals of a guest belong to an account from now on.

    They are those that began after the guest came in: `since`, on the timeline. If the account had
    a seat in the same game, or has begun the same daily deal, its own stays and the guest's does
    not count. Games that were taken back (`GameEnded.undone`) stay the guest's.
    """

    name: str
    guest: str
    since: int


class Blocks(Value):
    """All names that a person has blocked; replaces the stored ones."""

    name: str
    blocked: tuple[str, ...]


class Friends(Value):
    """All names that a person has as friends; replaces the stored ones."""

    name: str
    friends: tuple[str, ...]


class InboxLine(Value):
    """An event of a person's inbox, as a line; replaces one with the same number."""

    name: str
    seq: int
    wall: int
    line: str


KEYED = 64
"""Number of commands with a key that are remembered of each person."""


class CommandDone(Value):
    """A command of a person that was carried out under a `key` of their client, `once=`.

    It replaces the one whose `no` is `KEYED` less. `said` is the command as a line, `answer` the
    fields of the OK as a JSON object.
    """

    name: str
    no: int
    key: str
    said: str
    answer: str


class Account(Value):
    """An account. `skeleton` is `accounts.names.skeleton` of its name; it is unique.

    `password` is an argon2id hash; `scram` has the keys for SCRAM-SHA-256 as text
    (`accounts.scram.ScramCredentials`).
    """

    name: str
    skeleton: str
    password: str
    scram: str
    wall: int


class PasswordChanged(Value):
    """An account has a new password; this also revokes all its login tokens."""

    name: str
    password: str
    scram: str


class AccountErased(Value):
    """An account is no more. Its name stays taken, with a password that nobody knows.

    All that was kept for its owner goes: tokens, inbox, friends, blocks, ratings, daily results.
    Finished games stay: they are those of the others at the table too.
    """

    name: str
    password: str
    scram: str


class PasswordRehashed(Value):
    """A stronger hash of the same password; ignored if the stored hash is no longer `before`."""

    name: str
    before: str
    password: str
    scram: str


class TokenGiven(Value):
    """A login token of an account: its SHA-256 hash and its owner's label; numbered from 1."""

    name: str
    number: int
    digest: bytes
    label: str
    wall: int


class TokenRevoked(Value):
    """A login token is no longer valid."""

    name: str
    number: int


class Rated(Value):
    """A rating in a pool, for a preset (`rules`) of a game (`key`): mean and spread of the skill.

    `name` is an account's, or a bot's with its version, `bot:hard/3`. `games` is how many games led
    to it.
    """

    pool: Pool
    key: str
    rules: str
    name: str
    mu: float
    sigma: float
    games: int
    wall: int


# -------------------------------------------------------------------------- moderation


class SanctionKind(Enum):
    """The kind of an operator's decision about a person."""

    BAN = "ban"
    MUTE = "mute"


class Sanction(Value):
    """A ban or a mute until a wall time; replaces the one of the same kind and target.

    `target` is the name of a person in lower case, and for a ban also an address or a network in
    the form of `host.moderation.targets`.
    """

    kind: SanctionKind
    target: str
    until: int
    why: str
    wall: int


class SanctionLifted(Value):
    """A ban or a mute has ended."""

    kind: SanctionKind
    target: str


class Report(Value):
    """A report about a person to the operator; replaces the one with the same number.

    `by` and `about` are names. `table` is where the reporter was, `game` the game there, running or
    over; either may be empty. `closed` is the wall time at which the operator answered, 0 before
    that. `told`: the reporter has read the answer, or is a guest whose name has expired. `place` is
    the address from which the reported person came (an IPv6 one as its /64), until the report is
    closed.
    """

    no: int
    by: str
    about: str
    text: str
    table: str
    game: str
    wall: int
    answer: str = ""
    closed: int = 0
    told: bool = False
    place: str = ""


class InviteCode(Value):
    """A code with which one account may be made until a wall time: its SHA-256 hash."""

    digest: bytes
    until: int
    wall: int


class InviteCodeUsed(Value):
    """An invite code has been used; stored together with the account."""

    digest: bytes


class AdminAction(Value):
    """A line of the operators' journal: what was done through the admin socket.

    `uid` is the user on this machine who did it, -1 where the system does not tell. `about` are the
    arguments of the command as text.
    """

    uid: int
    command: str
    about: str
    why: str
    wall: int


Fact = (
    Boot
    | TableOpened
    | Input
    | TableClosed
    | Promise
    | Frozen
    | GameEnded
    | GameSummed
    | RatingDue
    | RatingDone
    | DailySealed
    | DailyBegun
    | DailyEnded
    | PersonKept
    | PersonGone
    | GamesClaimed
    | InboxLine
    | CommandDone
    | Blocks
    | Friends
    | Account
    | AccountErased
    | PasswordChanged
    | PasswordRehashed
    | TokenGiven
    | TokenRevoked
    | Rated
    | Sanction
    | SanctionLifted
    | Report
    | InviteCode
    | InviteCodeUsed
    | AdminAction
)


# ----------------------------------------------------------------- what is read at the start


class OpenTable(Value):
    """A table that was not closed, with all its inputs in order and the promises for its games."""

    table: str
    game: str
    inputs: Sequence[Input]
    promises: Sequence[Promise]


class Unrated(Value):
    """A game that is over and still to be rated in a pool; here it has no record."""

    ended: GameEnded
    pool: Pool


DAYS = 4
"""Number of latest days whose daily deals a start needs: from yesterday to tomorrow."""


class Remembered(Value):
    """All data that a starting server needs.

    `at` is the time from which the timeline goes on; `table`, `game` and `promise` are the highest
    numbers that were given out. `chain` is the hash over all promises so far (SPEC.md 21).
    `inboxes`, `commands`, `blocks` and `friends` are by person. `skeletons` maps the skeletons of
    all accounts to their names. `unrated` has the oldest game first. `report` is the highest number
    of a report;
    `reports` are those that are open, or whose reporter is still to be told of the answer.
    `daily_seals` are those of the `DAYS` latest days, `daily_begun` the people who have begun one.

    `restored` is True if this is a backup that is opened for the first time. Then no token is valid
    any more, and the running games may have gone on after the backup was made and shown their
    seeds: those must not be used for another deal.
    """

    at: int = 0
    table: int = 0
    game: int = 0
    promise: int = 0
    chain: str = ""
    restored: bool = False
    tables: Sequence[OpenTable] = ()
    people: Sequence[PersonKept] = ()
    inboxes: Mapping[str, Sequence[InboxLine]] = msgspec.field(default_factory=dict)
    commands: Mapping[str, Sequence[CommandDone]] = msgspec.field(default_factory=dict)
    blocks: Mapping[str, Sequence[str]] = msgspec.field(default_factory=dict)
    skeletons: Mapping[str, str] = msgspec.field(default_factory=dict)
    unrated: Sequence[Unrated] = ()
    sanctions: Sequence[Sanction] = ()
    report: int = 0
    reports: Sequence[Report] = ()
    invite_codes: Sequence[InviteCode] = ()
    friends: Mapping[str, Sequence[str]] = msgspec.field(default_factory=dict)
    daily_seals: Sequence[DailySealed] = ()
    daily_begun: Sequence[DailyBegun] = ()


# ------------------------------------------------------------------------ what is asked for


class PromiseKept(Value):
    """An entry of the log of promises.

    `outcome` is the `why` of the game's end, or `lost` if its table was closed without one; it is
    empty while the game is not over, and then the promise's `seed` is empty too, so that it cannot
    be shown. `words` are those of `Frozen`. `chain` is SHA-256 in hex over `CHAIN|GAME|DIGEST`: the
    chain of the promise before (empty for the first), the game and the commitment.
    """

    promise: Promise
    words: str
    outcome: str
    chain: str

    @property
    def words_by_seat(self) -> tuple[str, ...] | None:
        """The words, `-` for a seat without one; None if there were no words at all."""
        found = tuple(word.partition("=")[2] for word in self.words.split(","))
        return found if self.words else None
