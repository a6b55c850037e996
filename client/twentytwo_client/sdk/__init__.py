"""For writers of bots, in Python: connect, sit down, answer turns. Nothing but asyncio is needed.

    import asyncio
    from twentytwo_client import sdk

    async def main():
        async with sdk.connect("localhost:2222", name="botty") as player:
            table = await player.practice(bots=3, seed=42)
            async for turn in table.turns():
                await turn.play(turn.default)
            print(table.places)

    asyncio.run(main())

Or with a function that chooses: `sdk.run(lambda turn: turn.default, name="botty")`.

A lost connection is made again by itself, the seat is taken back, and a move whose answer was lost
is sent once more; `turns` just goes on. What comes over the wire can be seen with
`logging.getLogger("twentytwo.sdk").setLevel("DEBUG")`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..core.reconnecting import Timing
from ..core.shuffle_check import Verdict
from .errors import Dismissed, Refused
from .player import Player, Reply, Table, Turn, connect

__all__ = [
    "Dismissed",
    "Player",
    "Refused",
    "Reply",
    "Table",
    "Timing",
    "Turn",
    "Verdict",
    "connect",
    "run",
]


def run(
    choose: Callable[[Turn], str],
    server: str = "localhost",
    *,
    name: str,
    table: str = "",
    game: str = "",
    **options: object,
) -> dict[str, int]:
    """Plays one game with a function that chooses the token for each turn; returns the places.

    It joins `table` if one is named, or else plays at a table of its own against bots.
    """

    async def play() -> dict[str, int]:
        async with connect(server, name=name) as player:
            seat = await (player.join(table) if table else player.practice(game, **options))
            if table:
                await player.command(f"ready {seat.on}")
            async for turn in seat.turns():
                await turn.play(choose(turn))
            return seat.places

    return asyncio.run(play())
