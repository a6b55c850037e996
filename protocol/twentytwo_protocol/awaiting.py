"""An open request to a player outside a turn (start, rematch, vote), and the words to answer it."""

from __future__ import annotations

from .knowledge import Knowledge, SeatModel
from .voice import listed

__all__ = ["awaited"]


def awaited(table: Knowledge) -> str:
    """The words that answer the table's open request; empty if the viewer has nothing to answer.

    Before the first game the request is to get ready. Later it is a vote of another player.
    """
    mine = table.seats.get(table.me) if table.me is not None else None
    if mine is None:
        return ""
    if table.phase == "open":
        return _what_begins(table, mine)
    wishes = sorted(table.wishes)
    other = next(((w, n) for w, n in wishes if (w, mine.name) not in table.wishes), None)
    if other is None:
        return ""
    what, name = other
    goes_on = "; else the game goes on" if table.phase == "playing" else ""
    return f'{name} would like to {what}: "{what}" agrees{goes_on}.'


def _what_begins(table: Knowledge, mine: SeatModel) -> str:
    if table.host == mine.name:
        if len(table.seats) == 1:
            return "Others join, or addbot seats a bot; then start begins the game."
        late = [s.name for s in table.seats.values() if s is not mine and not (s.bot or s.ready)]
        when = f" once {listed(late)} {'are' if len(late) > 1 else 'is'} ready" if late else ""
        return f"start begins the game{when}; addbot seats a bot."
    if not mine.ready:
        return "Type ready when you are."
    return f"You are ready; {table.host} starts the game."
