"""The terminal client of cardline/1, and the packages from which to build other clients.

`core` is the conversation with a server, without any input or output. `sdk` is for authors of bots,
who can import its names from this package. `display` makes text for people. `terminal` and `replay`
contain the commands that people run.
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
"""The modules that declare the messages of the protocol. No line can be read without them."""

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
