"""Games that are over and still a secret, even to those who played them.

Others still play the same cards: the other table of a pair, or all who play the deal of the day.
"""

from __future__ import annotations

from .call import Call
from .paired import other_game


async def why_held_back(call: Call, game: str) -> str:
    """The sentence that says why a game is still a secret; empty if it is none."""
    kept = await call.ask(call.host.store.promises, game, 1)
    if kept and call.host.dailies.is_secret(kept[0].promise.digest):
        return f"Others still play this daily deal: {game} is open when its day is over, in UTC."
    other = await other_game(call, game)
    if other is not None and not other.outcome:
        return f"The other table still plays these cards: {game} is open when it is done."
    return ""
