"""Views of a table: your cards, the legal moves, the scores, the state."""

from __future__ import annotations

from typing import Annotated

from ..schema import (
    KEY,
    Cards,
    Command,
    Flag,
    Int,
    Moves,
    Name,
    Row,
    Seat,
    Stream,
    Text,
    Token,
    Tokens,
    Words,
    command,
    row,
)
from .paging import After, AtMost

# ----------------------------------------------------------------------------- commands


@command("looking", short="h", again=True)
class Hand(Command):
    """Your cards, and on your turn the question."""

    table: Stream | None = None


@command("looking", word="moves", example="moves after=256", again=True)
class MovesOf(Command):
    """The moves that are legal now, if it is your turn."""

    table: Stream | None = None
    n: AtMost = None
    after: After = None


@command("looking", example="why q 3", again=True)
class Why(Command):
    """The verdict on a move: legal or not now, and the rule that decides. Nothing is played."""

    move: Annotated[Words, "a token, or cards as you would play them"]
    table: Annotated[Stream | None, KEY] = None


@command("looking", cost=5, again=True)
class Hint(Command):
    """The move of the hard bot in your place, and its reasons. At practice tables only."""

    table: Stream | None = None


@command("looking", again=True)
class Last(Command):
    """The trick before this one."""

    table: Stream | None = None


@command("looking", again=True)
class Score(Command):
    """The scores, and whose turn it is."""

    table: Stream | None = None


@command("programs", example="state t7", cost=2, again=True)
class State(Command):
    """All you know of a table, as of now."""

    table: Stream | None = None


@command("looking", word="clock", again=True)
class ClockOf(Command):
    """The time left for each open question with a clock.

    A table has the clock that it was opened with: open clock=30+60, clock=0 for none.
    """

    table: Stream | None = None


@command("programs", example="sync t7 from=118", cost=5, again=True)
class Sync(Command):
    """The events of a stream after a number; from=0 is all of them."""

    stream: Stream
    from_: Annotated[Int, "the number of the last event that you have seen", KEY]
    n: Annotated[
        Int | None, "maximum number of events; more=1 in the reply: there are more", KEY
    ] = None


# --------------------------------------------------------------------------------- rows


@row(say="", word="STATE")
class StateRow(Row):
    """The state of a table as a whole, as of the event number seq."""

    on: Stream
    seq: Int
    phase: Annotated[Token, "open, starting, playing or over"]
    me: Annotated[Seat | None, "the seat whose view this is"] = None
    host: Name | None = None
    game: Token | None = None
    id: Token | None = None
    players: Int | None = None
    version: Annotated[Int | None, "the version of the game's rules"] = None
    ruleshash: Token | None = None
    target: Int | None = None
    start: Int | None = None
    sides: Annotated[Tokens | None, "the partners"] = None
    hands: Annotated[Int | None, "the number of hands after which the score decides"] = None
    paused: Flag | None = None
    no: Annotated[Int | None, "the number of the hand"] = None
    dealer: Seat | None = None
    dealt: Annotated[Int | None, "number of cards dealt to each player"] = None
    undealt: Annotated[Int | None, "number of cards left after the deal"] = None
    stock: Annotated[Int | None, "number of these cards that are left now"] = None
    trick: Int | None = None
    leader: Seat | None = None
    words: Annotated[Tokens | None, "the words in the shuffles, by seat, - for none"] = None
    nwatch: Annotated[Int | None, "number of watchers"] = None
    talk: Annotated[Stream | None, "the stream of the watchers' talk"] = None


@row(say="", word="SEAT")
class SeatRow(Row):
    """The state of a seat."""

    seat: Seat
    name: Name
    bot: Flag
    ready: Flag
    here: Flag
    standin: Annotated[Flag, "a bot plays in place of the owner"]
    n: Annotated[Int, "number of cards held"]
    total: Int
    out: Flag
    place: Int | None = None
    cards: Annotated[Cards | None, "the cards, of your own seat only"] = None
    seen: Annotated[Cards | None, "cards that you see, but the seat does not"] = None
    word_: Annotated[Token | None, "the player's word for the next shuffle"] = None
    sealed: Annotated[Token | None, "its hash, while it is sealed"] = None
    tricks: Annotated[Int | None, "the tricks it has taken in this hand"] = None
    points: Annotated[Int | None, "the card points in them"] = None


@row(say="  {text}", word="LINE")
class Line(Row):
    """A line of text for people."""

    text: Text | None = None


@row(say="", word="HINT")
class HintRow(Row):
    """A move, as rated by the hard bot; the best move first.

    A card that its owner does not see is rated as if it were the Fool.
    """

    move: Token
    chance: Annotated[Int, "the chance to win the game after it, in percent"]
    loss: Annotated[Int | None, "the chance to lose the hand after it, in percent"] = None
    worlds: Annotated[Int | None, "number of imagined deals in which the move was tried"] = None
    text: Annotated[Text | None, "the reason in words; only for the best move"] = None


@row(say="", word="MOVES")
class MovesRow(Row):
    """Some of the legal moves."""

    moves: Moves
    first: Annotated[Int, "number of moves left out before these"]
