"""The terminal client of cardline/1, and the parts from which to build another one.

`core` is the conversation with a server without any input or output, `sdk` is for writers of bots,
and all of it is here by name; `display` is what a person sees, `terminal` and `replay` are what
they use.
"""

from twentytwo_protocol import games, words

from .sdk import (
    BlockingQuestion,
    BlockingServer,
    BlockingTable,
    Dismissed,
    NoAnswer,
    Question,
    Reconnected,
    Refused,
    Reply,
    Server,
    Table,
    Timing,
    Verdict,
    connect,
    events,
)

VOCABULARY = (words, games)
"""Importing these declares all that can be said; without them no word could be read."""

__all__ = [
    "VOCABULARY",
    "BlockingQuestion",
    "BlockingServer",
    "BlockingTable",
    "Dismissed",
    "NoAnswer",
    "Question",
    "Reconnected",
    "Refused",
    "Reply",
    "Server",
    "Table",
    "Timing",
    "Verdict",
    "connect",
    "events",
]
