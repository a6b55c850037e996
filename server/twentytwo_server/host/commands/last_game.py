"""The game that a command is about: by its number, or the last one of whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.records import LAST

from ...facts import GameEnded
from .call import Call


async def game_meant(call: Call, id: str, *, over: bool = False) -> str:
    """The number of a game: `g51`; what 51 or `last` mean as well.

    The last is the one at the person's table, running or over, else the last that they have played
    to its end; only the latter with `over`. Raises `Refused` if there is none.
    """
    word = id.lower()
    if word != LAST:
        return f"g{word}" if word.isdigit() else word
    room = call.host.room_meant(call.session)
    match = room.table.match if room is not None else None
    if match is not None and (match.over or not over):
        return match.id
    found: Sequence[GameEnded] = await call.ask(
        partial(call.host.store.past, before=None), call.me.name, "", 1
    )
    if not found:
        raise Refused("NO_SUCH_GAME", "You have finished no game yet.", arg="id")
    return found[0].game
