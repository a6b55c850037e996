"""What is still to be said at a table before its first game begins."""

from __future__ import annotations

from .knowledge import Knowledge
from .voice import listed


def what_begins(table: Knowledge) -> str:
    """What a player may type for the first game to begin; empty where one was, or for others."""
    mine = table.seats.get(table.me) if table.me is not None else None
    if mine is None or table.phase != "open":
        return ""
    if table.host == mine.name:
        if len(table.seats) == 1:
            return "Others join, or addbot seats a bot; then start begins the game."
        late = [s.name for s in table.seats.values() if s is not mine and not (s.bot or s.ready)]
        when = f" once {listed(late)} {'are' if len(late) > 1 else 'is'} ready" if late else ""
        return f"start begins the game{when}; addbot seats a bot."
    if not mine.ready:
        return "Type ready when you are."
    return f"You are ready; {table.host} starts the game."
