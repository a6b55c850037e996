"""Past games: a list of them, their results, and their events.

A game is retold in the events of a table, either on a stream of its own such as `g51`, or at a pace
on a stream of the connection such as `r1`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from ..schema import (
    KEY,
    Command,
    Flag,
    Int,
    Ints,
    Name,
    Row,
    Seat,
    Text,
    Token,
    Tokens,
    command,
    row,
)
from ..vocabulary import DEFAULT_GAME, vocabulary
from ..voice import listed, plural
from .paging import After, AtMostTen

if TYPE_CHECKING:
    from ..voice import Voice


LAST = "last"
"""Stands for a game's id: the game at the player's table, or the last game that they finished."""

# ----------------------------------------------------------------------------- commands


@command("watching", example=f"history ann game={DEFAULT_GAME} n=5", cost=3, again=True)
class History(Command):
    """Finished games, the latest first: your own, or another player's."""

    name: Annotated[Name | None, "the player; default: you"] = None
    game: Annotated[Token | None, "only this game", KEY] = None
    n: AtMostTen = None
    after: After = None


@command("watching", word="game", example="game g51", cost=5, again=True, waits=True)
class GameOf(Command):
    """A running or finished game: its options, its players, its end."""

    id: Annotated[Token, "the game's id, from history or GAME; last: the game of your table"]
    alone: ClassVar[str] = LAST


@command("watching", example="export g51", cost=5, again=True, waits=True)
class Export(Command):
    """All events of a game at once, with every card open if the game is over; its record; or a
    link.
    """

    id: Annotated[Token, "the game's id; last: the game of your table"]
    alone: ClassVar[str] = LAST
    seat: Annotated[Seat | None, "only what this seat saw; 0: a spectator", KEY] = None
    form: Annotated[Token | None, "events (the default), link, or record (for programs)", KEY] = (
        None
    )


@command("watching", example="replay g51 speed=2", cost=5, waits=True)
class Replay(Command):
    """Show a game again, a move at a time; `unwatch r1`, or another replay, stops it."""

    id: Annotated[Token, "the game's id; last: your last game"]
    alone: ClassVar[str] = LAST
    speed: Annotated[Int | None, "moves a second, 1 to 20", KEY] = None
    seat: Annotated[Seat | None, "only what this seat saw; 0: a spectator", KEY] = None


# --------------------------------------------------------------------------------- rows


def _past(said: Past, _: Voice) -> str:
    title = f"{vocabulary(said.game).title} ({said.rules})"
    if said.hands is not None:
        title += f", {plural(said.hands, 'hand')}"
    when = said.ended[:16].replace("T", " ") if said.ended else "it is running"
    return f"  {said.id}  {when}  {title}: {_how(said)}."


def _how(said: Past) -> str:
    if said.why == "aborted":
        return f"{listed(said.names)}, without a result"
    if not said.places or len(said.places) != len(said.names):
        return listed(said.names)
    ranked = sorted(zip(said.places, said.names, strict=True))
    return ", ".join(f"{place}. {name}" for place, name in ranked)


@row(say=_past)
class Past(Row):
    """A game: its players, and its end if it is over."""

    id: Annotated[Token, "the game's id, g51, which is also its stream in an export"]
    game: Token
    rules: Annotated[Token, "the preset of its options"]
    names: Annotated[Tokens, "the players, by seat from seat 1"]
    ended: Annotated[Token | None, "the time of its end, in UTC; absent while it runs"] = None
    why: Annotated[Token | None, "the reason for its end, as in GAMEOVER, or aborted"] = None
    places: Annotated[Ints | None, "their places, by seat; absent without a result"] = None
    place: Annotated[Int | None, "history: the place of the person in the query"] = None
    hands: Annotated[
        Int | None, "game: the number of hands after which the score decides, if one was set"
    ] = None


def _player(said: Player, _: Voice) -> str:
    bot = f" ({said.plays})" if said.plays else ""
    if said.place is None:
        return f"  seat {said.seat}: {said.name}{bot}"
    return f"  {said.place}. {said.name}{bot}, {plural(said.total or 0, 'point')}, seat {said.seat}"


@row(say=_player)
class Player(Row):
    """A seat of a game: its player at the beginning, and its result."""

    seat: Seat
    name: Name
    bot: Annotated[Flag, "1: a built-in bot"]
    plays: Annotated[Token | None, "the bot's level and version: hard/1"] = None
    place: Int | None = None
    total: Int | None = None


@row(say="{text}", word="RECORD")
class RecordLine(Row):
    """A line of a game's record, in order; without text, an empty line."""

    text: Text | None = None


@row(say="{text}", word="LINK")
class LinkPiece(Row):
    """A game as a link, for `twentytwo replay`; a piece of it if the game is very long."""

    text: Text
