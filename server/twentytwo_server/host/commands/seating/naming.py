"""A table that is named by its number."""

from __future__ import annotations

import re

from twentytwo_protocol.schema import Refused

from ...tables.room import Room
from ..call import Call

TABLE = re.compile("t[0-9]+")
"""The id of a table."""


def table_numbered(call: Call, word: str) -> Room | None:
    """The table of that number, if it is one and they may know of the table."""
    try:
        return call.room(f"t{word}") if word.isdigit() else None
    except Refused:
        return None
