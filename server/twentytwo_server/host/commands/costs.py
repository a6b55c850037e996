"""As how many commands each counts for the rate limits: about its time in milliseconds.

Most take well under one, and count as one. The others are here, with what they take where there is
much to tell (`make bench ARGS=lines`).
"""

from __future__ import annotations

from collections.abc import Mapping

from twentytwo_protocol.schema import Command
from twentytwo_protocol.words import (
    accounts,
    cardplay,
    daily,
    fairness,
    lessons,
    lobby,
    looking,
    practising,
    records,
    reviewing,
    seating,
    session,
    statistics,
)

COSTS: Mapping[type[Command], float] = {
    accounts.Profile: 3,
    cardplay.Again: 5,
    cardplay.Undo: 5,
    daily.Daily: 5,
    daily.Results: 3,
    fairness.Fair: 5,
    lobby.Tables: 3,
    lobby.Who: 3,
    lessons.Tutorial: 5,
    looking.Hint: 5,
    looking.State: 2,
    looking.Sync: 5,
    accounts.Ranks: 3,
    accounts.Rating: 2,
    practising.Whatif: 10,
    records.Export: 5,
    records.GameOf: 5,
    records.History: 3,
    records.Replay: 5,
    reviewing.Review: 5,
    seating.Open: 2,
    seating.Practice: 5,
    session.Guest: 2,
    statistics.Stats: 8,
    session.Resume: 2,
}
"""All others cost 1."""


def cost(command: Command | None) -> float:
    """As how many commands it counts; a line that is none counts as one."""
    return cost_of(type(command)) if command is not None else 1


def cost_of(kind: type[Command]) -> float:
    """As how many commands those of a kind count."""
    return COSTS.get(kind, 1)
