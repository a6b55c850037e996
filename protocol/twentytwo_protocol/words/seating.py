"""Tables: opening, joining and leaving them, getting ready, presence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from ..schema import (
    KEY,
    Command,
    Event,
    Flag,
    Int,
    Ms,
    Name,
    Options,
    Seat,
    Str,
    Stream,
    Text,
    Token,
    command,
    event,
)
from ..vocabulary import DEFAULT_GAME
from .paging import After, AtMost

if TYPE_CHECKING:
    from ..knowledge import Knowledge
    from ..voice import Voice

_NUMBER = re.compile("[0-9]+|[tk][1-9][0-9]*", re.IGNORECASE)
"""The number of a table."""

# ----------------------------------------------------------------------------- commands


@command("tables", example="practice bots=3 level=steady", cost=10, once=True, asks=True)
class Practice(Command):
    """Open a table of your own with bots in the other seats and no clock, and start at once."""

    game: Annotated[Token | None, f"the game; default: {DEFAULT_GAME}"] = None
    bots: Annotated[Int | None, "number of bots; default: 3", KEY] = None
    level: Annotated[Token | None, "easy, steady, or hard if the game has it", KEY] = None
    rules: Annotated[Token | None, "a preset of the game's options", KEY] = None
    seed: Annotated[Int | None, "the same number deals the same cards again", KEY] = None
    counting: Annotated[
        Token | None, "on or off: whether people are shown which cards have gone", KEY
    ] = None
    options: Options | None = None


@command("tables", example=f"open {DEFAULT_GAME} seats=3 :Friday night", cost=2, once=True)
class Open(Command):
    """Open a table and take its first seat; you are its host."""

    game: Annotated[Token | None, f"the game; default: {DEFAULT_GAME}"] = None
    rules: Annotated[Token | None, "a preset of the game's options", KEY] = None
    seats: Annotated[Int | None, "number of seats", KEY] = None
    watch: Annotated[Token | None, "open or none: whether others may watch", KEY] = None
    private: Annotated[Token | None, "a word that others must know to join", KEY] = None
    bots: Annotated[Int | None, "number of bots to begin with", KEY] = None
    level: Annotated[Token | None, "the level of these bots", KEY] = None
    clock: Annotated[Token | None, "seconds per move, MOVE or MOVE+BANK; 0: no clock", KEY] = None
    rated: Annotated[Flag | None, "1: the result counts; for accounts only", KEY] = None
    seed: Annotated[Int | None, "repeatable deals, on a development server only", KEY] = None
    counting: Annotated[
        Token | None, "on or off: whether people are shown which cards have gone", KEY
    ] = None
    duplicate: Annotated[
        Int | None, "two tables with the same deals, for this number of hands", KEY
    ] = None
    options: Options | None = None
    title: Text | None = None

    @property
    def is_heard(self) -> bool:
        """True with a title, which everybody in the lobby can read."""
        return bool(self.title)

    @property
    def is_about_any_table(self) -> bool:
        """True with a private word, which must be unique among tables."""
        return self.private is not None


@command("tables", example="table t7", again=True)
class Table(Command):
    """A table: its seats, its options."""

    table: Stream | None = None


@command("tables", example="option exchange off", once=True)
class Option(Command):
    """Change an option before the start (host). Everybody must say ready again."""

    key: Token
    value: Token
    table: Stream | None = None


@command("tables", short="j", example="join t7", once=True)
class Join(Command):
    """Sit down: at a table by its number, or at a private one by its word.

    During a game you take over the seat of a player who has left.
    """

    table: Annotated[Token, "tN, or the word of a private table"]
    seat: Annotated[Seat | None, "the seat you would like"] = None

    @property
    def is_about_any_table(self) -> bool:
        """True if the table is named by its private word."""
        return not _NUMBER.fullmatch(self.table)


@command("tables", example="leave", once=True, asks=True)
class Leave(Command):
    """Leave your seat. In a running game a bot takes it."""

    table: Stream | None = None


@command("tables", example="swap 3", once=True)
class Swap(Command):
    """Move to another seat. If it is taken, its player moves to yours (host only)."""

    seat: Seat
    table: Stream | None = None


@command("tables", short="r", once=True, again=True, begins=True)
class Ready(Command):
    """You are ready to start."""

    table: Stream | None = None


@command("tables", once=True, again=True)
class Unready(Command):
    """You are not ready after all."""

    table: Stream | None = None


@command("tables", once=True, begins=True)
class Start(Command):
    """Start the game, once everybody is ready (host)."""

    table: Stream | None = None


@command("tables", once=True, begins=True, asks=True)
class Rematch(Command):
    """Play another game at the same table; it starts when everybody agrees.

    With bots only it is allowed during a game too, which then ends without a result.
    """

    table: Stream | None = None


@command("tables", example="host bob", once=True)
class Host(Command):
    """Make another player the host (host)."""

    name: Name
    table: Stream | None = None


@command("tables", once=True, again=True)
class Lock(Command):
    """Let nobody else sit down (host)."""

    table: Stream | None = None


@command("tables", once=True, again=True)
class Unlock(Command):
    """Let people sit down again (host)."""

    table: Stream | None = None


@command("tables", example="remove bob", once=True)
class Remove(Command):
    """Remove a player from the table (host)."""

    name: Name
    table: Stream | None = None


@command("tables", example="addbot steady", once=True)
class Addbot(Command):
    """Add a bot (host)."""

    level: Annotated[Token | None, "easy, steady, or hard if the game has it"] = None
    table: Stream | None = None


@command("tables", example="dropbot 3", once=True)
class Dropbot(Command):
    """Remove a bot (host)."""

    seat: Annotated[Seat | None, "its seat; default: the last bot"] = None
    table: Stream | None = None


@command("tables", once=True, asks=True)
class Close(Command):
    """Close the table (host). A running game can only be aborted."""

    table: Stream | None = None


@command("watching", example="watch t7", again=True)
class Watch(Command):
    """Watch a table, a private one by its word. You see what every spectator sees."""

    table: Stream

    @property
    def is_about_any_table(self) -> bool:
        """True if the table is named by its private word."""
        return not _NUMBER.fullmatch(self.table)


@command("watching")
class Unwatch(Command):
    """Stop watching a table, or a replay."""

    table: Stream | None = None


@command("watching", example="watchers t7", again=True)
class Watchers(Command):
    """Who watches a table."""

    table: Stream | None = None
    n: AtMost = None
    after: After = None


# ------------------------------------------------------------------------------- events


def _joined(said: Joined, voice: Voice) -> str:
    return f"{voice.does(said.seat, 'sits')} down in seat {said.seat}."


@event("table", scope="table", say=_joined)
class Joined(Event):
    """A seat is taken."""

    seat: Seat
    name: Name
    bot: Annotated[Flag, "whether a program plays"]

    def fold(self, table: Knowledge) -> None:
        """Seats the player."""
        table.sit(self.seat, self.name, self.bot)


_WHY_LEFT = {
    "left": "{name} leaves seat {place}.",
    "kicked": "{name} is sent away from seat {place}.",
    "gone": "{name} did not come back; seat {place} is free.",
    "replaced": "{name} makes room in seat {place}.",
    "resigned": "{name} resigns and leaves seat {place}.",
    "closed": "{name} leaves seat {place}: the table is closed.",
}

# The reply to a leaving player already says "You leave t7."
_YOU_LEFT = {
    "left": "",
    "kicked": "You are sent away from seat {place}.",
    "gone": "You did not come back; seat {place} is free.",
    "closed": "You leave seat {place}: the table is closed.",
    "resigned": "You resign and leave seat {place}.",
}


def _left(said: Left, voice: Voice) -> str:
    if said.seat == voice.me and said.why in _YOU_LEFT:
        return _YOU_LEFT[said.why].format(place=said.seat)
    return _WHY_LEFT.get(said.why, _WHY_LEFT["left"]).format(name=said.name, place=said.seat)


@event("table", scope="table", say=_left)
class Left(Event):
    """A player has left their seat."""

    seat: Seat
    name: Name
    why: Annotated[Token, "left, kicked, gone, resigned, replaced or closed"]

    def fold(self, table: Knowledge) -> None:
        """Frees the seat."""
        table.leave(self.seat)


@event("table", scope="table", say="The table is closed.")
class Shut(Event):
    """The table is closed. Its stream has ended, and its name is void."""


def _swapped(said: Swapped, voice: Voice) -> str:
    return f"{voice.who_does(said.name, 'moves')} from seat {said.former} to seat {said.seat}."


@event("table", scope="table", say=_swapped)
class Swapped(Event):
    """A player has changed seats. If two players change places, there are two events."""

    seat: Seat
    name: Name
    former: Annotated[Seat, "the former seat"]
    bot: Flag

    def fold(self, table: Knowledge) -> None:
        """Moves the player; the old seat is free unless a second event fills it."""
        table.move(self.seat, self.name, self.former)


def _renamed(said: Renamed, voice: Voice) -> str:
    mine = said.seat is not None and said.seat == voice.me
    return f"{'You are' if mine else f'{said.was} is'} {said.name} from now on."


@event("table", scope="table", say=_renamed)
class Renamed(Event):
    """A player or the host has another name now: a guest has logged in.

    Their seat, votes and games won are unchanged. For a watcher the event is `WATCHING`.
    """

    name: Name
    was: Annotated[Name, "the former name"]
    seat: Seat | None = None

    def fold(self, table: Knowledge) -> None:
        """Replaces the name everywhere in the model."""
        table.rename(self.was, self.name)


def _ready(said: Ready_, voice: Voice) -> str:
    return voice.does(said.seat, "is") + (" ready." if said.ready else " not ready.")


@event("table", scope="table", say=_ready)
class Ready_(Event):  # READY; the command has the plain name
    """A player is ready to start, or no longer ready."""

    seat: Seat
    ready: Flag

    def fold(self, table: Knowledge) -> None:
        """Sets the readiness of the seat."""
        table.at(self.seat).ready = self.ready
        if not self.ready:
            table.forget_wishes(name=table.at(self.seat).name)


def _option(said: Option_, voice: Voice) -> str:
    if not said.by:
        return ""
    if said.key == "locked":
        verb = "locks" if said.value == "yes" else "unlocks"
        return f"{voice.who_does(said.by, verb)} the table."
    return f"{voice.who_does(said.by, 'sets')} {said.key} to {said.set_to}."


@event("table", scope="table", say=_option)
class Option_(Event):
    """An option of the table: each one when the table opens, and later each change."""

    key: Token
    value: Annotated[
        Str | None,
        "its value; absent for key=title, which has its value in the text",
    ]
    by: Annotated[Name | None, "the person who changed it; absent when the table opens"] = None
    text: Text | None = None

    @classmethod
    def of(cls, key: str, value: str) -> Option_:
        """An option with its value. A title, which a person has made up, is sent as the text."""
        return cls(key, None, text=value or None) if key == "title" else cls(key, value)

    @property
    def set_to(self) -> str:
        """The value, from its field or from the text."""
        return (self.text or "") if self.value is None else self.value

    def fold(self, table: Knowledge) -> None:
        """Sets the option."""
        table.options[self.key] = self.set_to


def _host(said: Host_, voice: Voice) -> str:
    mine = voice.me is not None and voice.names.get(voice.me) == said.name
    return "You are the host." if mine else f"{said.name} is the host."


@event("table", scope="table", say=_host)
class Host_(Event):
    """The host of the table."""

    name: Name

    def fold(self, table: Knowledge) -> None:
        """Sets the host."""
        table.host = self.name


def _presence(said: Presence, voice: Voice) -> str:
    if said.bot:
        again = " Type anything to take over." if said.seat == voice.me else ""
        return f"* A bot plays for {voice.name(said.seat)} for now.{again}"
    if said.here:
        return f"* {voice.does(said.seat, 'is')} back."
    reserved = f" The seat is kept for {said.ms // 1000} s." if said.ms else ""
    return f"* {voice.does(said.seat, 'is')} away.{reserved}"


@event("table", scope="table", say=_presence)
class Presence(Event):
    """A player's connection is lost or restored, or a bot plays for them."""

    seat: Seat
    here: Flag
    ms: Annotated[Ms | None, "time until a bot takes over"] = None
    bot: Annotated[Flag | None, "1: a bot plays in place of the owner"] = None

    def fold(self, table: Knowledge) -> None:
        """Sets the presence of the seat."""
        seat = table.at(self.seat)
        seat.here = self.here
        seat.standin = bool(self.bot)


@event("talk")
class Watching(Event):
    """A person begins or stops watching, or a watcher has another name now."""

    name: Name
    here: Flag
    was: Annotated[Name | None, "the former name"] = None
