"""The terminal client of cardline/1, and the parts from which to build another one.

`core` is the conversation with a server, without any input or output; `sdk` is for writers of bots,
who can import its names from here; `display` makes text for people; `terminal` and `replay` are the
commands that people run.
"""

from twentytwo_protocol import games, words

from .core.reconnecting import Timing
from .core.shuffle_check import Verdict
from .sdk import events
from .sdk.blocking import BlockingQuestion, BlockingServer, BlockingTable
from .sdk.connecting import connect
from .sdk.errors import Dismissed, NoAnswer, Refused
from .sdk.feed import Reconnected
from .sdk.server import Server
from .sdk.session import Reply
from .sdk.table import Question, Table

VOCABULARY = (words, games)
"""Importing these modules declares the words of the protocol: without them no line can be read."""

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
