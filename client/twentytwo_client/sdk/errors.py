"""The errors that the SDK raises."""

from __future__ import annotations

from twentytwo_protocol.words.replies import Err


class Refused(Exception):
    """The server refused a command. `code` is the protocol's; its meaning never changes."""

    def __init__(self, err: Err) -> None:
        super().__init__(f"{err.code}: {err.text or ''}")
        self.code = err.code
        self.err = err


class Dismissed(Exception):
    """The conversation is over; the text is the last that the server sent."""
