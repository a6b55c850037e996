"""Pictures of the table that fills the terminal: real clients on a real server, some moves on."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from twisted.internet import asyncioreactor

from tests.kit.processes import Server
from twentytwo_protocol.typed_cards import as_typed

if TYPE_CHECKING:
    from tests.client.tui.tables import Seen

GAMES = ("twentytwo", "twentysix", "whist22", "twentyeight")
NAMES = (*(f"tui-{game}.svg" for game in GAMES), f"tui-{GAMES[0]}-light.svg")
SIZE = (100, 30)
MOVES = 2


def draw(names: Collection[str]) -> dict[str, str]:
    """Draws those of the pictures, by their names. Once in a process: it runs the reactor."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)
    from twisted.internet import reactor

    with Server("--port", "0", "--bot-pause", "0") as server:
        host, port = server.address()
        ran: list[asyncio.Future[dict[str, str]]] = []

        def begin() -> None:
            ran.append(asyncio.ensure_future(_drawn(f"{host}:{port}", names)))
            ran[0].add_done_callback(lambda _: reactor.stop())

        reactor.callWhenRunning(begin)
        reactor.run()
        return ran[0].result()


async def _drawn(server: str, names: Collection[str]) -> dict[str, str]:
    return {
        name: await _picture(server, name, number)
        for number, name in enumerate(NAMES)
        if name in names
    }


async def _picture(server: str, name: str, number: int) -> str:
    from tests.client.tui.tables import playing

    game, _, light = name.removeprefix("tui-").removesuffix(".svg").partition("-")
    begin = f"practice {game} seed=22"
    with tempfile.TemporaryDirectory() as state:
        async with playing(server, Path(state), name=f"ann{number}", do=begin, size=SIZE) as on:
            for _ in range(MOVES):
                await on.turn()
                before = on.turn_number
                turn = on.app.turn
                assert turn is not None and turn.default is not None
                await on.enter(as_typed(turn.default) if turn.choose == "one" else "keep")
                await on.until(partial(_asked_anew, on, before))
            await on.press("down")
            if light:
                await on.press("f3")
            await on.pilot.pause()
            return _alone(on.app.export_screenshot(title=f"twentytwo practice --tui {game}"))


def _asked_anew(on: Seen, before: int | None) -> bool:
    """Whether there is another question than before."""
    return on.turn_number not in (before, None)


def _alone(svg: str) -> str:
    """A picture that fetches nothing, and is the same text for the same screen."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    # Tables are numbered as they are opened, whichever pictures are drawn.
    svg = re.sub(r"&#160;t\d+&#160;", "&#160;t1&#160;", svg)
    return re.sub(r"[ \t]+\n", "\n", svg)
