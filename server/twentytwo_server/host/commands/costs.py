"""As how many commands each counts for the rate limits: about its time in milliseconds.

Most take well under one, and count as one. The others are here, with what they take where there is
much to tell (`make bench ARGS=lines`).
"""

from __future__ import annotations

from collections.abc import Mapping

from twentytwo_protocol.schema import Command
from twentytwo_protocol.words import lobby, looking, records, seating, session
from twentytwo_protocol.words.fairness import Fair

COSTS: Mapping[type[Command], float] = {
    records.Export: 5,
    records.Replay: 5,
    records.GameOf: 3,
    records.History: 3,
    looking.Sync: 5,
    looking.Hint: 5,
    looking.State: 2,
    lobby.Who: 3,
    lobby.Tables: 3,
    Fair: 2,
    seating.Practice: 3,
    seating.Open: 2,
    session.Guest: 2,
    session.Resume: 2,
}
"""All others cost 1."""


def cost(command: Command | None) -> float:
    """As how many commands it counts; a line that is none counts as one."""
    return COSTS.get(type(command), 1) if command is not None else 1
