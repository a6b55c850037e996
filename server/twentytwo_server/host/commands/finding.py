"""Finds the game of a command, and checks whether the sender may see it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.records import LAST

from ...facts import GameEnded
from ..access import may_see_game, may_see_running
from ..tables.room import Room
from .call import Call
from .holding_back import why_held_back
from .paired import other_game


async def game_meant(call: Call, id: str, *, over: bool = False) -> str:
    """The id of a game, `g51`, for `g51`, `51` or `last`.

    `last` is the game at the person's table, running or finished, else the last game that they have
    finished; with `over` only the latter. Raises `Refused` if there is none.
    """
    word = id.lower()
    if word != LAST:
        return f"g{word}" if word.isdigit() else word
    room = call.host.rooms.meant(call.session)
    match = room.table.match if room is not None else None
    if match is not None and (match.over or not over):
        return match.terms.id
    found: Sequence[GameEnded] = await call.ask(
        partial(call.host.store.past, before=None), call.me.name, "", 1
    )
    if not found:
        raise Refused("NO_SUCH_GAME", "You have finished no game yet.", arg="id")
    return found[0].game


async def game_found(call: Call, id: str) -> Room | GameEnded:
    """The game of that id if the sender may see it: its room if it runs, else its end.

    Raises `Refused`, also if others still play the same cards.
    """
    room = next((room for room in call.host.rooms.values() if _runs(room, id)), None)
    if room is not None:
        if not may_see_running(call.person, room):
            raise call.host.access.no_such_game(call.person, id)
        return room
    game = await call.ask(call.host.store.game, id)
    if game is None or not await may_see_ended(call, game):
        raise call.host.access.no_such_game(call.person, id)
    if not game.public and (why := await why_held_back(call, id)):
        raise Refused("GAME_RUNNING", why)
    return game


async def game_over(call: Call, id: str, running: str) -> GameEnded:
    """A finished game. Raises `Refused`, with the text `running` for a running game."""
    found = await game_found(call, id)
    if isinstance(found, Room):
        raise Refused("GAME_RUNNING", running)
    return found


async def may_see_ended(call: Call, game: GameEnded) -> bool:
    """True if the sender may see a finished game: the players of a pair may see both games."""
    if may_see_game(call.me, game):
        return True
    other = await other_game(call, game.game)
    return other is not None and other.ended is not None and may_see_game(call.me, other.ended)


def _runs(room: Room, id: str) -> bool:
    match = room.table.match
    return match is not None and match.terms.id == id and not match.over
