"""Reviews of finished games: costs of moves, chances of the players, luck of the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from ..schema import KEY, Command, Int, Ints, Row, Seat, Text, Token, command, row
from .records import LAST

if TYPE_CHECKING:
    from ..voice import Voice


@command("watching", example="review g51", cost=5, waits=True)
class Review(Command):
    """The cost of each move in a finished game, and better moves."""

    id: Annotated[Token, "the game's id; last: your last game"]
    alone: ClassVar[str] = LAST
    seat: Annotated[
        Seat | None, "the seat whose moves are reviewed, 0 for all; default: yours", KEY
    ] = None


def _marked(said: Marked, voice: Voice) -> str:
    trick = f", trick {said.trick}" if said.trick else ""
    made, best = (_move(said.act, token, voice) for token in (said.answer, said.best))
    judged = f"{said.mark.capitalize()}. Better: {best}."
    return (
        f"  Hand {said.no}{trick}, {voice.name(said.seat)}: {made}. {judged}\n    {said.text or ''}"
    )


def _move(act: str, token: str, voice: Voice) -> str:
    """A move as a person types it, with its cards as the terminal shows them."""
    if token == "-":
        return "keep"
    if token.islower():  # a word such as pass
        return token
    shown = voice.show(token.split("+"))
    return shown if act == "play" else f"{act} {shown}"


@row(say=_marked)
class Marked(Row):
    """A move that cost something, by the review; figures are hundredths of a point."""

    nth: Annotated[Int, "its number among the moves of the record, from 1; shuffles count"]
    turn: Annotated[Int, "the number of its question"]
    no: Annotated[Int, "the hand"]
    trick: Annotated[Int, "0: before the first"]
    seat: Seat
    act: Annotated[Token, "the kind of question"]
    answer: Annotated[Token, "the played move"]
    best: Annotated[Token, "the better move"]
    mark: Annotated[Token, "inaccuracy, mistake or blunder: a cost of at least 5, 10 or 20"]
    cost: Annotated[Int, "the added chance to lose the hand, the bid or the contract"]
    risk: Annotated[Int, "the chance to lose it with this move"]
    win: Annotated[Int, "the change of the chance to win the game; negative if it fell"]
    worlds: Annotated[Int, "number of deals behind these figures"]
    text: Text | None = None


def _chances(said: Chances, voice: Voice) -> str:
    when = f"after hand {said.no}" if said.no else "at the start"
    each = (f"{voice.name(seat)} {chance} %" for seat, chance in enumerate(said.chances, 1))
    return f"  Chance to win {when}: {', '.join(each)}."


@row(say=_chances)
class Chances(Row):
    """Each player's chance to win the game, in percent, after a hand; 0: at the start."""

    no: Annotated[Int, "the hand"]
    chances: Annotated[Ints, "the chances by seat, from seat 1; partners have that of their side"]


def _luck(said: Luck, voice: Voice) -> str:
    if not said.hands:
        return ""
    hands = "1 hand" if said.hands == 1 else f"{said.hands} hands"
    average, even = said.expected / 100, said.share / 100
    return (
        f"  {voice.possessive(said.seat)} luck: {said.losses} of {hands} lost; average players "
        f"lose {average:.1f} with these cards, and {even:.1f} is even."
    )


@row(say=_luck)
class Luck(Row):
    """The luck of a seat, apart from play: the points that average players lose with its cards."""

    seat: Seat
    hands: Annotated[Int, "number of hands that it played"]
    losses: Annotated[Int, "number of these hands that it lost"]
    expected: Annotated[
        Int, "number of hands that average players lose with its cards, in hundredths"
    ]
    share: Annotated[Int, "the mean of that number over all seats, in hundredths"]
