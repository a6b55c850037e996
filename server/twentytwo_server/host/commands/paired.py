"""The game at the other table of a pair: its end, and the comparison.

The promises of both games have consecutive numbers and the same hash. So each game leads to the
other, as long as the store has them.
"""

from __future__ import annotations

from twentytwo_protocol.fair import DUPLICATE_ALG
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.duplicate import Compared

from ...facts import GameEnded
from ..pairs import compared
from .call import Call


class OtherGame(Value):
    """The game at the other table; `ended` is None before its end."""

    id: str
    outcome: str
    ended: GameEnded | None


async def other_game(call: Call, game: str) -> OtherGame | None:
    """The game with the same cards, or None."""
    store = call.host.store
    mine = await call.ask(store.promises, game, 1)
    if not mine or mine[0].promise.alg != DUPLICATE_ALG:
        return None
    number = int(game[1:])
    for other in (f"g{number - 1}", f"g{number + 1}"):
        theirs = await call.ask(store.promises, other, 1)
        if theirs and theirs[0].promise.digest == mine[0].promise.digest:
            return OtherGame(other, theirs[0].outcome, await call.ask(store.game, other))
    return None


async def comparison(call: Call, game: GameEnded) -> Compared | None:
    """The comparison of a game with the other table's, or None."""
    other = await other_game(call, game.game)
    return None if other is None or other.ended is None else compared(game, other.ended)
