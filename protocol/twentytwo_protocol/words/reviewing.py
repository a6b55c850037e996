"""Reviews of games that are over: what moves cost, everybody's chances, the luck of the deal."""

from __future__ import annotations

from typing import Annotated, ClassVar

from ..schema import KEY, Command, Int, Ints, Row, Seat, Text, Token, command, row
from .records import LAST


@command("watching", example="review g51")
class Review(Command):
    """What the moves of a game that is over cost, and what would have been better."""

    id: Annotated[Token, "the game's number; last: your last"]
    alone: ClassVar[str] = LAST
    seat: Annotated[Seat | None, "whose moves; yours if you say nothing, 0: everybody's", KEY] = (
        None
    )


@row(say="{text}")
class Marked(Row):
    """A move that cost something, as a review says; figures are in points of a hundred."""

    nth: Annotated[Int, "its number among the moves of the record, from 1; shuffles count"]
    turn: Annotated[Int, "the number of its question"]
    no: Annotated[Int, "the hand"]
    trick: Annotated[Int, "0: before the first"]
    seat: Seat
    act: Annotated[Token, "what was asked"]
    answer: Annotated[Token, "what was answered: the move"]
    best: Annotated[Token, "what would have been better"]
    mark: Annotated[Token, "inaccuracy, mistake or blunder: it cost 5, 10 or 20 at least"]
    cost: Annotated[Int, "by how much likelier the hand, the bid or the contract was lost"]
    risk: Annotated[Int, "how likely it was lost"]
    win: Annotated[Int, "what it added to the chance to win the game; below 0 it cost some"]
    worlds: Annotated[Int, "how many deals these figures rest on"]
    text: Text | None = None


@row(say="  after hand {no}: {chances}")
class Chances(Row):
    """Everybody's chance to win the game, in percent, after a hand; 0: at the start."""

    no: Annotated[Int, "the hand"]
    chances: Annotated[Ints, "by seat, from seat 1; partners both have that of their side"]


@row(say="  seat {seat}: {losses} of {hands} hands lost")
class Luck(Row):
    """The luck of a seat, apart from play: what average players lose with its cards."""

    seat: Seat
    hands: Annotated[Int, "how many hands it played"]
    losses: Annotated[Int, "how many of them it lost"]
    expected: Annotated[Int, "how many average players lose with its cards, in hundredths"]
    share: Annotated[Int, "how many the seats lose in the mean, in hundredths"]
