"""The duties of a client, by the ids of the specification.

Ids that begin with B stand for sentences of the section about clients. For other ids the text is a
short form of the requirement on the client.
"""

from __future__ import annotations

DUTIES = {
    "M1": "The first line is `hello` with the versions that the client speaks.",
    "M2": "After `ERR code=BAD_VERSION` the client does not send the same `hello` again and again.",
    "F1": "A client sends UTF-8.",
    "F2": "LF alone ends a line, and one CR before it is dropped.",
    "F4": "A line from a client is at most 1,024 bytes; one from the server may have 8,192.",
    "F7": "The division of bytes into packets, and their timing, means nothing.",
    "G1": "A line that begins with `#` is neither an event nor a reply, and means nothing.",
    "G2": "A field that is present and empty is an empty list or text.",
    "G3": "The order of fields has no meaning. If a key is repeated, the last value counts.",
    "G4": "Free text is the end of a line, after ` :`, and is never a field.",
    "J1": "`caps=` in the reply lists what is on; unknown capabilities are missing.",
    "T1": "`default=` is there if and only if the question is put to you. Answer that.",
    "T2": "A move with `turn=` is for that turn. After that turn it has no effect.",
    "T3": "`choose=one`: one of the tokens in `legal`, sent back unchanged.",
    "T4": "`choose=subset`: `min` to `max` of the cards in `cards`, joined with `+`, or `-`.",
    "T5": "A list may end early, with `truncated=1`: send a listed move, or the default.",
    "T6": "For an unknown `act` a client sends the default, or a listed move.",
    "B1": "For a `choose=` that it does not know a client sends the default.",
    "O7": "Several seats may be asked at once. Each question has its own number.",
    "W1": "A client ignores events, fields and values that it does not know.",
    "W2": "Unknown things come in replies, rows and lists of capabilities, too.",
    "B2": "Between two attempts to connect a client pauses, a second at first",
    "K2": "The server sends `PING` to a silent client. Any line answers it.",
    "L1": "After `ERR code=RATE wait=` the command is sent again after that time, and not before.",
    "E2": "A code that a client does not know is handled by its `class=`.",
    "B3": "A client that has sent `quit` does not come back by itself.",
    "S5": "A number that is not greater than the last is a repetition; after a gap, `sync`.",
    "B4": "`GAP on= seq=` says that events are left out on purpose: go on from there.",
    "B5": "`sync` may stop early, with `more=1`: go on from `seq=`.",
    "B6": "A listing with `next=` is not complete: go on from there.",
    "C1": "`resume TOKEN STREAM:SEQ ...` names the last number seen on each stream.",
    "C3": "Each answer brings a new token: come back with the newest.",
    "C4": "After `BYE code=REPLACED` a client must not come back by itself.",
    "B7": "After `BYE wait=` a client comes back when that many milliseconds have passed",
    "B8": "After `BYE to=` a client comes back at that address.",
    "B9": "After `ERR code=BAD_TOKEN` the token is worthless: begin a new session.",
}
"""The text of each duty that the suite checks, by id."""
