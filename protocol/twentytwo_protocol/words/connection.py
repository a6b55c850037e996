"""Events of a connection, outside every stream."""

from __future__ import annotations

from typing import Annotated

from ..schema import BYES, NOTES, WARNS, Event, Flag, Int, Ms, Stream, Text, Token, event


@event("connection")
class Ping_(Event):
    """The server asks for a sign of life. Any input counts as an answer; `pong N` also measures the
    round trip.
    """

    no: Annotated[Int, "counts up on this connection"]


@event("connection")
class Gap(Event):
    """The server has skipped the events of a stream up to a number. Continue after it.

    The event has no number of its own: `seq` is the last skipped one.
    """

    on: Annotated[Stream, "the stream"]
    seq: Annotated[Int, "the last number that is left out"]


@event("connection", say="! {text}")
class Warn(Event):
    """A warning that is not the reply to a command."""

    code: Annotated[Token, "`describe warns` has them all"]
    text: Text | None = None


@event("connection", say="* {text}")
class Note(Event):
    """A useful notice."""

    code: Annotated[Token, "`describe notes` has them all"]
    table: Annotated[Stream | None, "the table that it is about"] = None
    text: Text | None = None


@event("connection", say="{text}")
class Bye(Event):
    """The last line before the server closes the connection."""

    code: Annotated[Token, "`describe byes` has them all"]
    resume: Annotated[Flag, "whether coming back with `resume` makes sense"]
    wait: Annotated[Ms | None, "when to come back, and not before"] = None
    to: Annotated[Token | None, "where to come back to, HOST:PORT; elsewhere than here"] = None
    text: Text | None = None


BYES.update(
    QUIT="you have said quit",
    IDLE="you have been silent for too long, or a line of yours did not end",
    REPLACED="you are connected from elsewhere now; do not come back by yourself",
    LOGIN="too many wrong passwords",
    FLOOD="too many lines at once, or too many that are too long",
    SLOW="you do not read what is sent to you",
    RATE="too many new connections from your address, or it has a penalty: come back after wait=",
    BUSY="no connection is free, for your address or for anybody: come back after wait=",
    KICKED="the operator has ended the connection",
    SHUTDOWN="the server stops, and will be back",
    RESTART="the server restarts: come back after wait=, which is another for each connection",
    MOVED="another server goes on: come back after wait=, at to= if it is there",
)
WARNS.update(
    TOKEN_REVOKED="an old token of yours was used again: none takes your place back any more",
)
NOTES.update(
    STORAGE="the server cannot store anything: clocks stand still, and answers are late",
    STORAGE_OK="it can again",
    LOBBY_PAUSED="too much waits for you: you follow nothing any more, until you ask for it again",
    FOUND="the players that you have sought are there, and you have a seat",
    ANNOUNCE="the operator says something to everybody",
    DRAINING="the server stops soon: games go on to their end, and none begins",
    DRAINING_OFF="it does not stop after all",
    REVIEWING="a review that you asked for is being made: at which hand it is",
    MUTED="the operator has muted you: what you say is refused",
    UNMUTED="you may talk again",
    REPORT="the operator has answered a report of yours",
    FRIEND="a friend of yours has come",
    HAND="what decided the hand that is over, in a sentence; at a practice table of one person",
    SET_ASIDE="a table of yours could not be built again after a start of the server",
)
