"""Finished games that are still secret, even for their players.

Others still play the same cards: the other table of a pair, or the players of a daily deal.
"""

from __future__ import annotations

from .call import Call
from .paired import other_game


async def why_held_back(call: Call, game: str) -> str:
    """The reason why a game is still secret; empty if it is not."""
    kept = await call.ask(call.host.store.promises, game, 1)
    if kept and call.host.dailies.is_secret(kept[0].promise.digest):
        return f"Others still play this daily deal: {game} is open when its day is over, in UTC."
    other = await other_game(call, game)
    if other is not None and not other.outcome:
        return f"The other table still plays these cards: {game} is open when it is done."
    return ""
