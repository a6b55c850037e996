"""Daily deals: one deal a day for each game, the same for everybody, played once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import Command, Event, Int, Name, Row, Stage, Token, command, event, row
from ..vocabulary import DEFAULT_GAME, vocabulary
from .paging import After, AtMostTen

if TYPE_CHECKING:
    from ..voice import Voice


# ----------------------------------------------------------------------------- commands


@command("daily", example=f"daily {DEFAULT_GAME}", cost=5)
class Daily(Command):
    """Play today's deal of a game: the same for everybody, once; alone, today's deals."""

    game: Annotated[Token | None, "the game; alone, the daily deals of all games"] = None


@command("daily", stage=Stage.CONNECTED, example=f"results {DEFAULT_GAME}", cost=3, again=True)
class Results(Command):
    """The results of a day's deal, and its commitment."""

    game: Annotated[Token | None, f"the game; default: {DEFAULT_GAME}"] = None
    day: Annotated[Token | None, "a date such as 2026-11-23, or yesterday; default: today"] = None
    n: AtMostTen = None
    after: After = None


# --------------------------------------------------------------------------------- rows


def times(count: int, what: str) -> str:
    """A count with its noun: `1 day`, `3 days`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def ordinal(place: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th`, `11th`."""
    last = place % 10 if place % 100 not in (11, 12, 13) else 0
    return f"{place}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"


def ahead(points: int) -> str:
    """The sum of a player's leads over each of the others: `combined lead: 3 points`."""
    return f"combined lead over the others: {points} point{'' if abs(points) == 1 else 's'}"


def _daily(said: DailyRow, _: Voice) -> str:
    title = vocabulary(said.game).title
    have = {0: "nobody has", 1: "one has"}.get(said.played, f"{said.played} have")
    if said.seed is not None:
        seed = [f"    opened as {said.seed[:64]}", f"              {said.seed[64:]}"]
        return "\n".join([f"  {title}, {said.day}", f"    sealed as {said.hash}", *seed])
    if said.tomorrow is None:
        finished = f": {have} finished" if said.played else ""
        return f"  {title}, {said.day}{finished}.\n    sealed as {said.hash}"
    row = f"  {title}: "
    if said.place is not None:
        rank = f", {ordinal(said.rank)} of {said.played} today" if said.rank else ""
        row += f"{ordinal(said.place)}{rank}"
    elif said.begun:
        row += "begun, not finished"
    else:
        row += f"daily {said.game} deals it; {have} finished"
    row += f". {said.streak} days in a row" if (said.streak or 0) > 1 else ""
    return f"{row}."


@row(say=_daily, word="DAILY")
class DailyRow(Row):
    """A day's deal of a game."""

    game: Annotated[Token, "the game"]
    day: Annotated[Token, "the day, in UTC"]
    hash: Annotated[Token, "sha256 of its seed, in hex"]
    made: Annotated[Token, "the time when it was sealed, in UTC"]
    played: Annotated[Int, "number of accounts that have finished it"]
    tomorrow: Annotated[Token | None, "today's deal: the commitment of the next day's deal"] = None
    place: Annotated[Int | None, "your place in your own game, once you have finished"] = None
    rank: Annotated[Int | None, "your rank among all accounts that have finished it"] = None
    streak: Annotated[
        Int | None, "number of days in a row on which you have finished this game's deal"
    ] = None
    begun: Annotated[Int | None, "1: you have begun it, and cannot begin it again"] = None
    seed: Annotated[Token | None, "its seed, shown from the next day on"] = None


def _standing(said: StandingRow, _: Voice) -> str:
    return f"  {said.rank}. {said.name}: {ordinal(said.place)}; {ahead(said.points)}"


@row(say=_standing, word="STANDING")
class StandingRow(Row):
    """A result of a day's deal."""

    name: Name
    place: Annotated[Int, "the place in their own game"]
    points: Annotated[Int, "their combined lead over the others there, in points"]
    rank: Annotated[Int, "the place among all, by place, then by points"]


# ------------------------------------------------------------------------------- events


def _finished(said: Finished, _: Voice) -> str:
    title = vocabulary(said.game).title
    text = f"* The daily {title} of {said.day}: {ordinal(said.place)}; {ahead(said.points)}."
    if said.rank is None:
        return f"{text} Guests are not on the table of results; register NAME for tomorrow's."
    streak = f" {said.streak} days in a row." if (said.streak or 0) > 1 else ""
    return (
        f"{text} You are {ordinal(said.rank)} of {said.played} so far.{streak} "
        f"results {said.game} lists them."
    )


@event("me", say=_finished)
class Finished(Event):
    """You have finished a daily deal."""

    game: Annotated[Token, "the game"]
    day: Annotated[Token, "the day, in UTC"]
    id: Annotated[Token, "the number of your game"]
    place: Annotated[Int, "your place in it"]
    points: Annotated[Int, "your combined lead over the others there, in points"]
    played: Annotated[Int, "number of accounts that have finished it so far"]
    rank: Annotated[Int | None, "your place among them; absent for guests"] = None
    streak: Annotated[
        Int | None, "number of days in a row on which you have finished this game's deal"
    ] = None
