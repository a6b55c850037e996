"""Moves, pause, abort, resign: all of them are orders that the table decides."""

from __future__ import annotations

from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words import cardplay as words

from .call import Handlers
from .orders import deed, order

HANDLERS: Handlers = {
    words.Move: deed,
    Deed: deed,
    words.Pause: order,
    words.Unpause: order,
    words.Abort: order,
    words.Resign: order,
}
