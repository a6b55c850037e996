"""What a server says on its own to one connection, outside every stream."""

from __future__ import annotations

from typing import Annotated

from ..schema import Event, Flag, Int, Stream, Text, Token, event


@event("connection")
class Ping_(Event):
    """Are you there? Any input counts as an answer; `pong N` also measures the way."""

    no: Annotated[Int, "counts up on this connection"]


@event("connection")
class Gap(Event):
    """What came on a stream up to a number, and was not sent, is left out for you; go on there.

    It has no number of its own: `seq` is the last one left out.
    """

    on: Annotated[Stream, "the stream"]
    seq: Annotated[Int, "the last number that is left out"]


@event("connection", say="! {text}")
class Warn(Event):
    """Something is wrong that no command of yours asked about."""

    code: Token
    text: Text | None = None


@event("connection", say="* {text}")
class Note(Event):
    """Something worth knowing."""

    code: Annotated[Token, "STORAGE STORAGE_OK LOBBY_PAUSED FOUND SET_ASIDE"]
    text: Text | None = None


@event("connection", say="{text}")
class Bye(Event):
    """The last line before the server hangs up."""

    code: Annotated[Token, "QUIT IDLE REPLACED SLOW FLOOD KICKED SHUTDOWN PROTOCOL"]
    resume: Annotated[Flag, "whether coming back with `resume` makes sense"]
    text: Text | None = None
