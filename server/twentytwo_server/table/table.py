"""A table: its seats, its settings and the game in progress, as one frozen value.

A seat belongs to a person, not to a connection. Seats are numbered from 1 in the order of play.
`orders` defines the possible changes of a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from twentytwo_protocol.value import Value

from ..games.game import AnyGame
from ..games.options import Option, digest, told_of
from .clocks import TurnClock
from .deals import Promised
from .effects import GoOn
from .kinds import (
    DAILY_KIND,
    LESSON_KIND,
    PAIR_KIND,
    PRACTICE_KIND,
    RATED_KIND,
    USUAL_KIND,
    TableKind,
)
from .match import Match, Step


class Phase(Enum):
    """The phases of a table: no game yet, sealed words being opened, a game running, game over."""

    OPEN = "open"
    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"


class Seat(Value):
    """A taken seat.

    `level` is the level of the server's bot in this seat, empty for a person or a program.
    `program`: a client that declared itself a bot. `here`: the owner is connected; if not, `since`
    is the time in ms at which the connection was lost. `standin`: a bot plays for the owner. `late`
    is the number of consecutive turns played by the clock. `word` is the owner's word for the next
    shuffle, or `sealed` the hash of an unopened word; `given` counts the words given for that
    shuffle. `left` has the names of the players who left this seat during the running game, the
    latest last.
    """

    number: int
    name: str
    level: str = ""
    program: bool = False
    ready: bool = False
    here: bool = True
    standin: bool = False
    late: int = 0
    since: int = 0
    word: str = ""
    sealed: str = ""
    given: int = 0
    left: tuple[str, ...] = ()

    @property
    def owned(self) -> bool:
        """True if the seat belongs to a person or a program, not to a bot of the server."""
        return not self.level

    @property
    def automatic(self) -> bool:
        """True if no person has this seat, but a bot of the server or a program."""
        return bool(self.level) or self.program

    @property
    def played_by_bot(self) -> bool:
        """True if a bot of the server currently plays this seat."""
        return bool(self.level) or self.standin


class Settings(Value):
    """The settings of a table from its opening; the options of the game are in its rules.

    `watch`: it is open to watchers. `word` makes it private: joining requires the word. `seed` is
    the number that determines repeatable deals. `level` is the default level of its bots. `day`: it
    plays the daily deal of that day, `2026-11-23`, for `entrant`, who opened it. `counting`: people
    are shown the already played cards of the hand that they have seen. `lesson` is the deal of the
    game's lesson that it plays, from 1; 0 for none. `twin` is the other table of a pair, which gets
    the same cards; empty for none.
    """

    seats: int
    preset: str
    watch: bool = True
    word: str = ""
    title: str = ""
    clock: TurnClock | None = None
    seed: int | None = None
    practice: bool = False
    level: str = ""
    rated: bool = False
    day: str = ""
    entrant: str = ""
    counting: bool = True
    lesson: int = 0
    twin: str = ""

    @property
    def kind(self) -> TableKind:
        """The kind of the table. Privacy is separate: see `secluded`."""
        if self.lesson:
            return LESSON_KIND
        if self.practice:
            return PRACTICE_KIND
        if self.day:
            return DAILY_KIND
        if self.twin:
            return PAIR_KIND
        return RATED_KIND if self.rated else USUAL_KIND

    @property
    def secluded(self) -> bool:
        """True if the table is in no list: only invited people find it."""
        return bool(self.word) or self.kind.secluded

    @property
    def public(self) -> bool:
        """True if anybody may watch the table, and look at its finished games."""
        return self.watch and not self.secluded


class Table(Value):
    """The whole state of a table.

    `kind` is that of its settings. `host` is the name of the host. `recorded` are the names of the
    options that existed when the table was opened. `promised` is the commitment to the deals of the
    next game, or of the running one. `asked_to_open` is the time in ms of the last request to open
    sealed words. `votes` are pairs of a topic and a name; `wins` are pairs of a name and a number
    of games won. Games end by score after `most_hands` hands, 0 for never. `sought`: a seek brought
    its people together. `protected`: the host may not remove people from a running game. `played`
    has the steps of the game so far, only at practice tables, for undoing them. `going_on`: the
    next game is to continue the finished one. `widowed`: the other table of the pair is gone.
    `guided` is the form of a lesson's questions (`Guide.asks`). `players` are the names by seat of
    those who began the running or last game, at the time `began` in ms; they stay there when they
    leave.
    """

    id: str
    game: AnyGame
    rules: Any
    settings: Settings
    kind: TableKind
    host: str
    recorded: frozenset[str] = frozenset()
    seats: tuple[Seat, ...] = ()
    phase: Phase = Phase.OPEN
    match: Match | None = None
    promised: Promised | None = None
    asked_to_open: int = 0
    locked: bool = False
    paused: bool = False
    watchers: tuple[str, ...] = ()
    votes: frozenset[tuple[str, str]] = frozenset()
    wins: tuple[tuple[str, int], ...] = ()
    most_hands: int = 0
    sought: bool = False
    protected: bool = False
    played: tuple[Step, ...] = ()
    going_on: GoOn | None = None
    widowed: bool = False
    guided: str = ""
    players: tuple[str, ...] = ()
    began: int = 0

    # ------------------------------------------------------------------- pure questions

    def seat_of(self, name: str) -> Seat | None:
        """The seat of the user or bot with exactly this name, or None."""
        for seat in self.seats:  # called several times for every order; a generator would be slower
            if seat.name == name:
                return seat
        return None

    def remembers(self, name: str) -> bool:
        """True if the name is kept here for somebody who may have left: a player, a winner."""
        return (
            name in self.players
            or any(name in seat.left for seat in self.seats)
            or any(name == winner for winner, _ in self.wins)
        )

    @property
    def members(self) -> frozenset[str]:
        """The names of the people who have a seat, and those that are kept here (`remembers`)."""
        names = {seat.name for seat in self.people}
        names.update(self.players, *(seat.left for seat in self.seats))
        return frozenset(names.union(winner for winner, _ in self.wins))

    def seat_called(self, name: str) -> Seat | None:
        """The seat of a name as typed by people, or None: ignores case, and guests may lack `~`."""
        wanted = name.lower().removeprefix("~")
        return next((s for s in self.seats if s.name.lower().removeprefix("~") == wanted), None)

    def at(self, number: int) -> Seat | None:
        """The taken seat with this number, or None."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        return None

    def free(self) -> Iterator[int]:
        """The numbers of the free seats, in ascending order."""
        taken = {seat.number for seat in self.seats}
        return (n for n in range(1, self.settings.seats + 1) if n not in taken)

    @property
    def vacant(self) -> tuple[Seat, ...]:
        """The seats that another person may take over: a player has left them, and a bot plays."""
        if self.phase is not Phase.PLAYING or self.locked or not self.kind.late_players:
            return ()
        return tuple([seat for seat in self.seats if seat.left and seat.level])

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people and programs, without bots of the server."""
        return tuple([seat for seat in self.seats if not seat.level])

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats whose owners are connected."""
        return tuple([seat for seat in self.seats if seat.here and not seat.level])

    @property
    def deserted(self) -> bool:
        """True if no owner of a seat is connected: then the game waits."""
        for seat in self.seats:  # noqa: SIM110  # asked for every move; a generator would be slower
            if seat.here and not seat.level:
                return False
        return True

    @property
    def dealt(self) -> bool:
        """True if the promised deals belong to the last game, and no others are promised yet."""
        return self.match is not None and (
            self.promised is not None and self.promised.game == self.match.terms.id
        )

    @property
    def on_turn(self) -> Seat | None:
        """The seat on turn, or None if no game is running."""
        if self.match is None or self.match.question is None:
            return None
        return self.at(self.match.question.seat)

    def name_of(self, number: int) -> str | None:
        """The name in a seat, or None."""
        return self.names.get(number)

    @property
    def names(self) -> dict[int, str]:
        """The names by seat number."""
        return {seat.number: seat.name for seat in self.seats}

    def options(self) -> Sequence[Option]:
        """The game's options with their values at this table."""
        return self.game.options(self.rules)

    def told_options(self) -> list[Option]:
        """The options to announce: those that existed when the table was opened, and changed ones.

        Later options with default values are left out, so that the digest of an old table stays the
        same.
        """
        usual = self.game.options(self.game.presets[self.settings.preset])
        return told_of(self.options(), usual, self.recorded)

    @property
    def digest(self) -> str:
        """The hash of `told_options`, which is `ruleshash=` in GAME."""
        return digest(self.game.key, self.game.version, self.told_options())

    def bot_name(self, level: str) -> str:
        """A name for another bot: `bot:easy`, `bot:easy2`..."""
        taken = {seat.name for seat in self.seats}
        name, count = f"bot:{level}", 1
        while name in taken:
            count += 1
            name = f"bot:{level}{count}"
        return name
