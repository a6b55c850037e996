"""Facts: the values that a server must not lose. The store saves and returns only facts.

Facts passed to the store together are stored together or not at all. Times are in milliseconds:
`at` on the timeline of the tables, which stands still while the server is down
(`host.tables.pausable_clock`), and `wall` since 1970 in UTC, only for display. Passwords and tokens
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
    """One executed order of a table. A table is rebuilt only from its inputs.

    `seq` numbers the inputs of a table from 1. `who` gave the order ("" for the server); `program`
    and `standin` are as in `table.decision.Actor`; `order` is its text (`table.journal`). `packs`
    are the packs that the house shuffled for it, each as a token. `last` is the number of the
    table's last event after it, `digest` a CRC-32 over all events up to there. `id` is the client's
    key from `once=`, or empty.
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
    """A table was closed.

    Its inputs are deleted, unless they are `kept` for the servers that follow it (`InputsDropped`).
    """

    table: str
    wall: int
    kept: bool = False


class TableMoved(Value):
    """A table of this server belongs to the active server `to` from now on.

    Nothing changes if that server has ended.
    """

    table: str
    to: str


class TableMembers(Value):
    """The people who have a seat at a table, or are remembered there, from now on.

    Only servers among others store it: the servers of these people follow the table.
    """

    table: str
    names: tuple[str, ...]


class InputsDropped(Value):
    """The kept inputs of closed tables are no longer needed."""

    tables: tuple[str, ...]


# ------------------------------------------------------------------------ the fair shuffle


@dataclass(frozen=True, slots=True)
class Promise:
    """The secret of a game's shuffles, with its commitment (SPEC.md 21).

    It is stored before its commitment is shown to anybody. `no` numbers all promises of a log from
    1; each of several servers that share a store has its own log. `alg` is `fd1`, or `seed` for
    repeatable deals. `seed` is the secret, `digest` the commitment.
    """

    game: str
    no: int
    table: str
    alg: str
    seed: str = field(repr=False)  # keeps it out of logs
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
    bot. `version` is a bot's version, else empty. `place` is 1 for the winner; equal players share
    a place; it is 0 in a game without a result.
    """

    seat: int
    name: str
    version: str
    place: int
    total: int

    @property
    def who(self) -> str:
        """The name of the player; a bot's name without its number at the table, `bot:hard`."""
        return self.name.rstrip("0123456789") if self.name.startswith("bot:") else self.name


class GameEnded(Value):
    """A finished game, with its record.

    `key` is the game's key, `rules` the preset, `digest` a hash over all options. `why` is the
    reason in GAMEOVER, or `aborted`. `began` and `ended` are wall times, `at` is the beginning on
    the timeline. `events` has the numbers of its first and its last event on the table's stream.
    `record` is empty in lists of games. `summary` is its statistics (`protocol.summary`); it is
    empty in queries that do not need it, and after a repair that lost it. `undone`: the game was
    undone, and another one continues it. Such a game can be found by its number, but not among its
    players' games.
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
    """The summary of a finished game; ignored if the game has one."""

    game: str
    summary: str


class Pool(Enum):
    """The list in which a player is rated."""

    PEOPLE = "people"
    BOTS = "bots"


class RatingDue(Value):
    """A finished game that must be rated in this pool; stored together with its `GameEnded`."""

    game: str
    pool: Pool


class RatingDone(Value):
    """A game has been rated; stored together with the new ratings."""

    game: str


class RatingTold(Value):
    """A player has been told the new rating after a game; stored together with the line."""

    name: str
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
    """The secret of a day's deal of a game, with its hash; stored before the hash is shown to
    anybody.

    `day` is a date in UTC, `2026-11-23`; `key` is the key of the game. `wall` is the time of
    sealing.
    """

    day: str
    key: str
    seed: str = field(repr=False)  # keeps it out of logs
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


class DailyTold(Value):
    """The player of this game has been told the result of the daily deal."""

    game: str


# ------------------------------------------------------------------------------ the people


class PersonKept(Value):
    """A person who is here or may return, with the hashes of their resume tokens.

    `secret` is the hash of the newest token, `before` the hash of the previous one; either may be
    empty. `since` is the time of arrival, on the timeline.
    """

    name: str
    program: bool
    secret: bytes
    before: bytes
    since: int = 0


class PersonMoved(Value):
    """The server `node` keeps this person from now on.

    It changes nothing if another server has the person already.
    """

    name: str
    node: str


class PersonGone(Value):
    """A person is forgotten, with their tokens and inbox; a guest's name is free again.

    An account's blocked names, friends and daily deals stay stored.
    """

    name: str


class GamesClaimed(Value):
    """The games and daily deals of a guest now belong to an account.

    This includes games that began after the guest's arrival, `since` on the timeline. If the
    account had a seat in the same game, or has begun the same daily deal, its own result counts and
    not the guest's. Undone games (`GameEnded.undone`) stay with the guest.
    """

    name: str
    guest: str
    since: int


class GuestKnownAs(Value):
    """A guest has become an account: whoever has blocked the guest has blocked the account."""

    guest: str
    account: str


class Blocks(Value):
    """All blocked names of a person; replaces the stored ones."""

    name: str
    blocked: tuple[str, ...]


class Friends(Value):
    """The names of all friends of a person; replaces the stored ones."""

    name: str
    friends: tuple[str, ...]


class InboxLine(Value):
    """An event of a person's inbox, as a line; replaces the line with the same number.

    `tag` is that of the message by which another server has sent it, or empty.
    """

    name: str
    seq: int
    wall: int
    line: str
    tag: str = ""


KEYED = 64
"""Number of commands with a key that are stored for each person."""


class CommandDone(Value):
    """An executed command of a person with a client's key, from `once=`.

    It replaces the command whose `no` is smaller by `KEYED`. `said` is the command as a line,
    `answer` the fields of the OK as a JSON object.
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
    """An account has a new password; this also revokes its login tokens and removes its keys."""

    name: str
    password: str
    scram: str


class AccountErased(Value):
    """An account is erased. Its name stays reserved, with a password that nobody knows.

    All data about its owner is deleted: tokens, keys, inbox, friends, blocks, ratings, daily
    results. Finished games stay, because the other players have them too.
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


class SshKeyAdded(Value):
    """A key of SSH that logs in to an account; numbered from 1.

    `kind` is its type, `ssh-ed25519`; `digest` is the SHA-256 hash of the public key, which OpenSSH
    shows as its fingerprint. `label` is its owner's.
    """

    name: str
    number: int
    kind: str
    digest: bytes
    label: str
    wall: int


class SshKeyRemoved(Value):
    """A key no longer logs in to its account."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class SecretMade:
    """A secret of the whole database; ignored if there is one of that name already."""

    name: str
    secret: str = field(repr=False)  # keeps it out of logs


class Rated(Value):
    """A rating in a pool, for a preset (`rules`) of a game (`key`): mean and spread of the skill.

    `name` is an account's, or a bot's with its version, `bot:hard/3`. `games` is the number of
    games that led to it. `untold` is the last of them until its player is told (`RatingTold`); it
    is empty in queries that are not about that.
    """

    pool: Pool
    key: str
    rules: str
    name: str
    mu: float
    sigma: float
    games: int
    wall: int
    untold: str = ""


class Seek(Value):
    """A person who looks for players; `number` is 0 for a new seek.

    `game` is a key. `options` are those that differ from the preset.
    """

    number: int
    name: str
    program: bool
    game: str
    players: int
    preset: str
    options: tuple[tuple[str, str], ...] = ()

    def fits(self, other: Seek) -> bool:
        """True if both want the same game, options and number of players."""
        mine = (self.game, self.players, self.preset, self.options)
        return mine == (other.game, other.players, other.preset, other.options)


class SeekEnded(Value):
    """A person looks for players no more."""

    number: int


class SeeksSeated(Value):
    """The people of a match have their seats; stored together with the opening of the table.

    The server that keeps a person stores `SeekEnded` when it has told them.
    """

    tag: str


class SeeksFreed(Value):
    """The seeks of a match are open again, because no table could be opened."""

    tag: str


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
    """A report about a person to the operator; replaces the report with the same number, unless it
    would open a closed one again.

    `by` and `about` are names. `table` is the reporter's table, `game` the running or finished game
    there; either may be empty. `closed` is the wall time of the operator's answer, 0 before that.
    `told`: the reporter has read the answer, or is a guest whose name has expired. `network` is the
    address of the reported person (an IPv6 address as its /64), until the report is closed.
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
    network: str = ""


class InviteCode(Value):
    """The SHA-256 hash of a code with which one account may be registered until a wall time."""

    digest: bytes
    until: int
    wall: int


class InviteCodeUsed(Value):
    """An invite code has been used; stored together with the account."""

    digest: bytes


class AdminAction(Value):
    """An entry in the operators' journal: a command given through the admin socket.

    `uid` is the operating-system user who gave it, -1 if the system does not report it. `about` are
    the arguments of the command as text.
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
    | TableMoved
    | TableMembers
    | InputsDropped
    | Promise
    | Frozen
    | GameEnded
    | GameSummed
    | RatingDue
    | RatingDone
    | RatingTold
    | DailySealed
    | DailyBegun
    | DailyEnded
    | DailyTold
    | PersonKept
    | PersonMoved
    | PersonGone
    | SeekEnded
    | SeeksSeated
    | SeeksFreed
    | GamesClaimed
    | InboxLine
    | CommandDone
    | GuestKnownAs
    | Blocks
    | Friends
    | Account
    | AccountErased
    | PasswordChanged
    | PasswordRehashed
    | TokenGiven
    | TokenRevoked
    | SshKeyAdded
    | SshKeyRemoved
    | SecretMade
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
    """An open table, with all its inputs in order and the promises for its games.

    Only `ports.Store.newer_inputs` finds tables that are `closed`.
    """

    table: str
    game: str
    inputs: Sequence[Input]
    promises: Sequence[Promise]
    closed: bool = False


class Owned(Value):
    """An open table of the server `node`; `last` is the number of its last input."""

    node: str
    last: int


class WantedTables(Value):
    """Open tables of which a server wants to know: by id, by secret word, by a game, by members.

    `all`: also its own tables, and those of other servers with members whom it keeps.
    """

    tables: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    all: bool = False


class Unrated(Value):
    """A finished game, without its record, that is still to be rated in a pool."""

    ended: GameEnded
    pool: Pool


DAYS = 4
"""Number of latest days whose daily deals a start needs: from yesterday to tomorrow."""


class Remembered(Value):
    """All data that a starting server needs.

    `at` is the time from which the timeline continues; `table`, `game` and `promise` are the
    highest numbers used. `chain` is the hash over all promises so far (SPEC.md 21). `inboxes`,
    `commands`, `blocks` and `friends` are by person. `skeletons` maps the skeletons of all accounts
    to their names. `unrated` has the oldest game first. `report` is the highest number of a report;
    `reports` are the open reports, and those whose reporter is not yet notified. `daily_seals` are
    those of the `DAYS` latest days, `daily_begun` the people who have begun one.

    `restored`: this is a backup opened for the first time. Then no token is valid any more. The
    running games may have continued after the backup and revealed their seeds, so those must not be
    used for another deal.
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


class StoredPerson(Value):
    """All that is stored of one person; `node` is the server that keeps them.

    `inbox` and `commands` have the oldest first, `dailies` the deals that the person has begun, by
    day.
    """

    kept: PersonKept
    node: str
    inbox: Sequence[InboxLine] = ()
    commands: Sequence[CommandDone] = ()
    blocks: Sequence[str] = ()
    friends: Sequence[str] = ()
    dailies: Sequence[DailyBegun] = ()


class Keeper(Value):
    """The server `node` keeps the person `name`.

    `secret` is the hash of their newest resume token: each arrival makes a new one.
    """

    name: str
    node: str
    secret: bytes = b""


class Moderation(Value):
    """The decisions of the operators of all servers, and the reports that wait for one.

    `reports` are the open ones, and those whose reporter is not yet notified; `invite_codes` those
    that are not used.
    """

    sanctions: Sequence[Sanction] = ()
    reports: Sequence[Report] = ()
    invite_codes: Sequence[InviteCode] = ()


class SeekMatch(Value):
    """The answer to a seek: its number, and the people who are to play with the seeker.

    There is nobody if the seek is open, and the number is 0 if the seeker is being seated already.
    `new`: the seeker had no seek for the same. `seated`: an earlier seek with this number has led
    to a table, and has not ended yet.
    """

    number: int
    others: Sequence[Seek] = ()
    new: bool = False
    seated: bool = False


class UntoldRating(Value):
    """A rating that its player is still to be told; `before` is the mean before its last game."""

    rated: Rated
    before: float | None


class Untold(Value):
    """The results that some people are still to be told, those of each person in order."""

    ratings: Sequence[UntoldRating] = ()
    dailies: Sequence[DailyEnded] = ()


class PromiseEntry(Value):
    """An entry of the log of promises.

    `outcome` is the `why` of the game's end, or `lost` if its table was closed without one. Before
    the end of the game both `outcome` and the promise's `seed` are empty, so that the seed cannot
    be shown. `words` are those of `Frozen`. `chain` is SHA-256 in hex over `CHAIN|GAME|DIGEST`: the
    chain of the previous promise (empty for the first), the game and the commitment.
    """

    promise: Promise
    words: str
    outcome: str
    chain: str

    @property
    def words_by_seat(self) -> tuple[str, ...] | None:
        """The words, with `-` for a seat without a word; None if there were no words at all."""
        found = tuple(word.partition("=")[2] for word in self.words.split(","))
        return found if self.words else None
