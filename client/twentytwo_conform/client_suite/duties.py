"""What a client has to do, by the ids of the specification.

Those that begin with B are its section about clients, sentence by sentence; the others say in short
what their id asks of a client.
"""

from __future__ import annotations

from enum import Enum

from twentytwo_protocol.value import Value


class Level(Enum):
    """How much of a client a duty is about."""

    CORE = "Core"
    LIMITS = "Limits"
    STREAMS = "Streams"
    RESUME = "Resume"


class Duty(Value):
    """A sentence of the specification that speaks to clients."""

    level: Level
    sentence: str


_CORE = {
    "M1": "The first line is `hello` with the versions that the client speaks.",
    "M2": "After `ERR code=BAD_VERSION` the client does not try the same again and again.",
    "F1": "What a client sends is UTF-8.",
    "F2": "LF alone ends a line, and one CR before it is dropped.",
    "F4": "A line from a client is at most 1,024 bytes; one from the server may have 8,192.",
    "F7": "How bytes are divided into packets, and when they come, means nothing.",
    "G1": "What is no event and no reply, a line that begins with `#`, means nothing.",
    "G2": "Present and empty means the empty list or text.",
    "G3": "The order of fields has no meaning. Where a key is repeated, the last counts.",
    "G4": "Free text is the end of a line, behind ` :`, and is never a field.",
    "J1": "`caps=` in the reply is what is on; what a server does not know is not there.",
    "T1": "`default=` is there if and only if the question is put to you. Answer that.",
    "T2": "A move that names its `turn=` is for that turn; one that came too late is over.",
    "T3": "`choose=one`: one of the tokens in `legal`, sent back unchanged.",
    "T4": "`choose=subset`: `min` to `max` of the cards in `cards`, joined with `+`, or `-`.",
    "T5": "A list may end early, with `truncated=1`: a listed move, or the default, will do.",
    "T6": "To an `act` that it does not know a client sends the default, or what is listed.",
    "B1": "To a `choose=` that it does not know a client sends the default.",
    "O7": "Several seats may be asked at once. Each question has its own number.",
    "W1": "A client ignores events, fields and values that it does not know.",
    "W2": "Unknown things come in replies and rows and lists of capabilities too.",
    "B2": "Between two attempts to connect a client pauses, a second at first",
}
_LIMITS = {
    "K2": "Silence is asked about with `PING`. Anything that is sent is an answer.",
    "L1": "After `ERR code=RATE wait=` the command is sent again, and not before.",
    "E2": "A code that a client does not know is handled by its `class=`.",
    "B3": "Nobody who has said `quit` comes back by himself.",
}
_STREAMS = {
    "S5": "A number that is not greater than the last is a repetition; after a hole, `sync`.",
    "B4": "`GAP on= seq=` says that events are left out on purpose: go on from there.",
    "B5": "`sync` may stop early, with `more=1`: go on from `seq=`.",
    "B6": "A listing with `next=` goes on there: it is not complete.",
}
_RESUME = {
    "C1": "`resume TOKEN STREAM:SEQ ...` names the last number that was seen.",
    "C3": "Each answer brings a new token: come back with the newest.",
    "C4": "After `BYE code=REPLACED` a client must not come back by itself.",
    "B7": "After `BYE wait=` a client comes back when so many milliseconds have gone by",
    "B8": "After `BYE to=` a client comes back there.",
    "B9": "After `ERR code=BAD_TOKEN` the token opens nothing: begin anew.",
}

DUTIES = {
    id: Duty(level, sentence)
    for level, duties in (
        (Level.CORE, _CORE),
        (Level.LIMITS, _LIMITS),
        (Level.STREAMS, _STREAMS),
        (Level.RESUME, _RESUME),
    )
    for id, sentence in duties.items()
}
"""Every duty that the suite looks at, by its id."""

OPTIONAL = ("S5", "C1")
"""The first duties of what a client may leave alone wholly: following the numbers, coming back."""
