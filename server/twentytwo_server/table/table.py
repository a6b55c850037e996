"""A table: its seats, its settings and the game in progress, as one frozen value.

A seat belongs to a person, not to a connection. Seats are numbered from 1 in the order of
play. What may be done to a table, and when, is in `orders`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from twentytwo_protocol.frozen import frozen

from ..games.game import AnyGame
from ..games.options import Option, digest, told_of
from .clocks import TurnClock
from .deals import Promised
from .match import Match


class Phase(Enum):
    """Where a table is: people sit down, sealed words are opened, they play, it is over."""

    OPEN = "open"
    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"


@frozen
class Seat:
    """A taken seat.

    `level` is set where a built-in bot sits, `program` where a client said that nobody types.
    `standin`: a bot plays for the owner. `late`: turns in a row that the clock had to play.
    `since`: when the owner's connection was lost, where they are not `here`. `word` is the
    owner's for the next shuffle, or `sealed` its hash; `given` counts how many there have been.
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

    @property
    def owned(self) -> bool:
        """Whether a person, or a program of theirs, has this seat."""
        return not self.level

    @property
    def played_by_bot(self) -> bool:
        """Whether the server plays this seat now."""
        return bool(self.level) or self.standin


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table was opened with; `options` are the words of the game's rules."""

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


@frozen
class Table:
    """A table with everything that is true of it now.

    `recorded` names the options that there were when it was opened. `promised` is said of the game
    that is to come, or runs; `asked_to_open` is when sealed words were last asked for;
    `most_hands` is when its games are ended by score, 0 for never. `sought`: a seek brought its
    people together.
    """

    id: str
    game: AnyGame
    rules: Any
    settings: Settings
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

    # ------------------------------------------------------------------- pure questions

    def seat_of(self, name: str) -> Seat | None:
        """The seat that somebody has here, or None."""
        return next((seat for seat in self.seats if seat.name == name), None)

    def seat_called(self, name: str) -> Seat | None:
        """The seat of whoever is meant: a guest is found with or without the `~`."""
        wanted = name.lower().removeprefix("~")
        return next((s for s in self.seats if s.name.lower().removeprefix("~") == wanted), None)

    def at(self, number: int) -> Seat | None:
        """Who has the seat of that number, or None."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def free(self) -> Iterator[int]:
        """The numbers of the free seats, low to high."""
        taken = {seat.number for seat in self.seats}
        return (n for n in range(1, self.settings.seats + 1) if n not in taken)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that belong to somebody."""
        return tuple(seat for seat in self.seats if seat.owned)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats whose owners are connected."""
        return tuple(seat for seat in self.people if seat.here)

    @property
    def deserted(self) -> bool:
        """Whether nobody who has a seat is there: the game waits for somebody to come back."""
        return not self.present

    @property
    def on_turn(self) -> Seat | None:
        """The seat that is asked, if a game is running."""
        asked = self.match and self.match.question
        return self.at(asked.seat) if asked else None

    @property
    def names(self) -> dict[int, str]:
        """The names by seat."""
        return {seat.number: seat.name for seat in self.seats}

    def options(self) -> list[Option]:
        """The game's options with their values at this table."""
        return self.game.options(self.rules)

    def told_options(self) -> list[Option]:
        """The options that are told here: those there were when it was opened, and changed ones."""
        usual = self.game.options(self.game.presets[self.settings.preset])
        return told_of(self.options(), usual, self.recorded)

    @property
    def digest(self) -> str:
        """The hash of the options that are told: what `GAME rules=` carries."""
        return digest(self.game.key, self.game.version, self.told_options())

    def bot_name(self, level: str) -> str:
        """A name for one more bot: `bot:easy`, `bot:easy2`..."""
        taken = {seat.name for seat in self.seats}
        name, count = f"bot:{level}", 1
        while name in taken:
            count += 1
            name = f"bot:{level}{count}"
        return name
