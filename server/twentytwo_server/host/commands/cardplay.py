"""Moves, pause, abort, resign: orders for the table."""

from __future__ import annotations

from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words import cardplay as words

from ...table.going_back import check_unchanged
from ..tables.pausable_clock import PausableClock
from .call import Call, Handlers
from .confirmations import asks_first, cost_of_aborting, cost_of_resigning, lost_at
from .orders import deed, order


async def resign(call: Call, command: words.Resign, clock: PausableClock) -> None:
    """Gives up the game."""
    room = call.room(command.table)
    lost = lost_at(call, [room])
    if not asks_first(call, clock, cost_of_resigning(call, room, lost), room.id):
        await order(call, command, lost=lost)


async def abort(call: Call, command: words.Abort, clock: PausableClock) -> None:
    """Ends the game without a result, or votes for that if others have to agree."""
    room = call.room(command.table)
    mine = room.seat_number(call.me) is not None
    costs = cost_of_aborting(room) if mine else ""
    if not asks_first(call, clock, costs, room.id):
        await order(call, command, lost=("game",) if costs else None)


async def go_back(call: Call, command: words.Undo | words.Again) -> None:
    """Takes a move back, or plays a hand again, if seats and rules have not changed since."""
    check_unchanged(call.room(command.table).table, call.me.name)
    await order(call, command)


HANDLERS: Handlers = {
    words.Move: deed,
    Deed: deed,
    words.Pause: order,
    words.Unpause: order,
    words.Abort: abort,
    words.Undo: go_back,
    words.Again: go_back,
    words.Resign: resign,
}
