"""Draws the pictures of the table that fills the terminal: `python -m tests.docs.tui_pictures`.

Each is the screen of a real client on a real server, some moves into a game.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from twisted.internet import asyncioreactor

from twentytwo_protocol.typed_cards import as_typed

if TYPE_CHECKING:
    from tests.client.tui.tables import Seen

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
GAMES = ("twentytwo", "twentysix", "whist22", "twentyeight")
SIZE = (100, 30)
MOVES = 2


async def draw(server: str) -> None:
    """Draws every game, and the first in the light too."""
    from tests.client.tui.tables import playing

    for number, game in enumerate((*GAMES, GAMES[0])):
        light = number == len(GAMES)
        with tempfile.TemporaryDirectory() as state:
            begin = f"practice {game} seed=22"
            async with playing(server, Path(state), name=f"ann{number}", do=begin, size=SIZE) as on:
                for _ in range(MOVES):
                    await on.turn()
                    before = on.turn_number
                    turn = on.app.turn
                    assert turn is not None and turn.default is not None
                    typed = as_typed(turn.default) if turn.choose == "one" else "keep"
                    await on.enter(typed)
                    await on.until(partial(asked_anew, on, before))
                await on.press("down")
                if light:
                    await on.press("f3")
                await on.pilot.pause()
                name = f"tui-{game}{'-light' if light else ''}.svg"
                text = on.app.export_screenshot(title="twentytwo --tui")
                (PICTURES / name).write_text(alone(text), "utf-8")
                print(name, file=sys.stderr)


def asked_anew(on: Seen, before: int | None) -> bool:
    """Whether there is another question than before."""
    return on.turn_number not in (before, None)


def alone(svg: str) -> str:
    """A picture that fetches nothing, and is the same text for the same screen."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    return re.sub(r"[ \t]+\n", "\n", svg)


def main() -> None:
    """Runs a server, draws, and stops it."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)
    from twisted.internet import reactor

    from tests.kit.processes import Server

    PICTURES.mkdir(exist_ok=True)
    with Server("--port", "0", "--bot-pause", "0") as server:
        host, port = server.address()
        ran: list[asyncio.Future[None]] = []

        def begin() -> None:
            ran.append(asyncio.ensure_future(draw(f"{host}:{port}")))
            ran[0].add_done_callback(lambda _: reactor.stop())

        reactor.callWhenRunning(begin)
        reactor.run()
        ran[0].result()


if __name__ == "__main__":
    main()
