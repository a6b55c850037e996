"""Events of a connection, outside every stream."""

from __future__ import annotations

from typing import Annotated

from ..schema import BYES, NOTES, WARNS, Event, Flag, Int, Ms, Stream, Text, Token, event


@event("connection")
class Ping_(Event):
    """The server asks for a sign of life. Any input counts as an answer; `pong N` also measures the
    round trip.
    """

    no: Annotated[Int, "the number of the PING on this connection"]


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

    code: Annotated[Token, "one of the codes in `describe warns`"]
    text: Text | None = None


@event("connection", say="* {text}")
class Note(Event):
    """A useful notice."""

    code: Annotated[Token, "one of the codes in `describe notes`"]
    table: Annotated[Stream | None, "the table that it is about"] = None
    text: Text | None = None


@event("connection", say="{text}")
class Bye(Event):
    """The last line before the server closes the connection."""

    code: Annotated[Token, "one of the codes in `describe byes`"]
    resume: Annotated[Flag, "whether `resume` may succeed"]
    wait: Annotated[Ms | None, "do not reconnect before this time"] = None
    to: Annotated[Token | None, "HOST:PORT, if you should reconnect to another address"] = None
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
    RESTART="the server restarts: come back after wait=, which differs for each connection",
    MOVED="another server goes on: come back after wait=, at to= if it is there",
)
WARNS.update(
    TOKEN_REVOKED="an old token of yours was used again, so none of your tokens is valid any more",
)
NOTES.update(
    STORAGE="the server cannot store anything: clocks stand still, and answers are late",
    STORAGE_OK="the server can store again",
    LOBBY_PAUSED="you do not read fast enough, so you follow no stream until you `follow` again",
    FOUND="a seek of yours has found its players, and you have a seat",
    ANNOUNCE="an announcement of the operator to everybody",
    DRAINING="the server stops soon: games go on to their end, and none begins",
    DRAINING_OFF="the server does not stop after all",
    REVIEWING="the progress of a review that you asked for: its current hand",
    MUTED="the operator has muted you: your talk is refused",
    UNMUTED="you may talk again",
    REPORT="the operator has answered a report of yours",
    FRIEND="a friend of yours has come",
    HAND="what decided the hand that is over, in a sentence; at a practice table of one person",
    SET_ASIDE="a table of yours could not be built again after a start of the server",
)
