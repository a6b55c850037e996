"""Statistics of a player's games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import KEY, CardToken, Command, Int, Ints, Name, Row, Token, command, row
from ..sparkline import sparkline
from ..vocabulary import vocabulary

if TYPE_CHECKING:
    from ..voice import Voice


@command("ratings", example="stats ann", cost=8, again=True)
class Stats(Command):
    """A player's statistics: places, ratings, last cards, bids; alone, yours."""

    name: Annotated[Name | None, "an account, or a guest who is here; alone, yourself"] = None
    game: Annotated[Token | None, "this game only", KEY] = None


def times(count: int) -> str:
    """A number of times in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def ordinal(place: int) -> str:
    """A place in words."""
    return ORDINALS[place - 1] if place <= len(ORDINALS) else f"{place}th"


def _stats(said: StatsRow, _: Voice) -> str:
    title = vocabulary(said.game).title
    games = "1 game" if said.played == 1 else f"{said.played} games"
    places = ", ".join(
        f"{ordinal(place)} {times(n)}" for place, n in enumerate(said.finishes, 1) if n
    )
    lines = [f"  {title}: {games}" + (f": {places}" if places else "") + "."]
    if said.best is not None:
        worst = f", the worst {said.worst}" if said.worst != said.best else ""
        lines.append(f"    The best was {said.best}{worst}.")
    return "\n".join(lines)


@row(say=_stats, word="STATS")
class StatsRow(Row):
    """A player's games of one kind: the last 1000 of those that you may see."""

    game: Annotated[Token, "the game"]
    played: Annotated[Int, "number of games"]
    finishes: Annotated[Ints, "number of first places, second places, and so on"]
    best: Annotated[Token | None, "the game with the largest lead"] = None
    worst: Annotated[Token | None, "the game with the largest deficit"] = None


def _trend(said: TrendRow, _: Voice) -> str:
    if not said.ratings:
        return ""
    first, last = said.ratings[0], said.ratings[-1]
    title = vocabulary(said.game).title
    return f"    rating ({title}, {said.rules}) {first} to {last}  {sparkline(said.ratings)}"


@row(say=_trend, word="TREND")
class TrendRow(Row):
    """The course of a rating, game by game."""

    game: Annotated[Token, "the game"]
    rules: Annotated[Token, "the preset"]
    ratings: Annotated[Ints, "the ratings after each of the last games, at most 100"]


def _last_card(said: LastCardRow, _: Voice) -> str:
    of_100 = round(100 * said.losses / max(1, said.times))
    return (
        f"    last card {said.card.replace('T', '10')}: {times(said.times)}, "
        f"lost {said.losses} ({of_100} %)"
    )


@row(say=_last_card, word="LASTCARD")
class LastCardRow(Row):
    """The last cards of a rank, and how many of them lost the hand."""

    game: Annotated[Token, "the game"]
    card: Annotated[CardToken, "its rank"]
    times: Annotated[Int, "number of times that it was the last card"]
    losses: Annotated[Int, "number of times that it lost the hand"]


def _bids(said: BidsRow, _: Voice) -> str:
    parts = vocabulary(said.game).came(said.exact, said.above, said.below)
    came = ", ".join(f"{what} {count}" for what, count in parts)
    return f"    bid {said.bid}: {times(said.times)}; {came}"


@row(say=_bids, word="BIDS")
class BidsRow(Row):
    """The outcomes of a bid."""

    game: Annotated[Token, "the game"]
    bid: Annotated[Int, "the bid"]
    times: Annotated[Int, "number of such bids"]
    exact: Annotated[Int, "number of bids met exactly"]
    above: Annotated[Int, "number of bids exceeded"]
    below: Annotated[Int, "number of bids missed"]
