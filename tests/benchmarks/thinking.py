"""While hard bots think at fifty tables, how long does a move at another table take?

A real server in its own process, real sockets. Fifty people sit with three hard bots each and
answer at once, so that the bots always have something to think about; a pair plays at a table
of its own, and every move is timed from the line sent to its `OK`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from tests.benchmarks.figures import quantile
from tests.kit.processes import Server
from twentytwo_protocol import wire
from twentytwo_protocol.wire import ParsedLine

TABLES = 50
MOVES = 600
WARM = 3.0
"""Seconds for the thinking to begin."""


class Player:
    """A program that answers every turn with its default; `timed` notes how long that took."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._sent: dict[str, float] = {}
        self.timed: list[float] = []
        self.seat = 0
        self.moves = 0

    def say(self, line: str) -> None:
        """Sends a command."""
        self._writer.write(f"{line}\n".encode())

    async def until(self, word: str) -> ParsedLine:
        """The next line with this word."""
        while True:
            line = (await self._reader.readline()).decode()
            if not line:
                raise ConnectionError("the server has hung up")
            found = wire.parse(line.rstrip("\r\n"))
            if found is not None and found.word in (word, "ERR"):
                assert found.word != "ERR", line
                return found

    async def play(self, on: str, again: str) -> None:
        """Answers turns for ever; `again` is said when a game is over."""
        while True:
            line = (await self._reader.readline()).decode()
            if not line:
                return
            found = wire.parse(line.rstrip("\r\n"))
            if found is None:
                continue
            if found.id in self._sent:
                self.timed.append(time.perf_counter() - self._sent.pop(found.id))
            elif found.word == "TURN" and found.fields.get("seat") == str(self.seat):
                self._move(on, found)
            elif found.word == "GAMEOVER":
                self.say(again)
            elif found.word == "PING":
                self.say(f"pong {found.fields['no']}")

    def _move(self, on: str, turn: ParsedLine) -> None:
        self.moves += 1
        id = f"m{self.moves}"
        self._sent[id] = time.perf_counter()
        self.say(f"@{id} move {turn.fields['default']} turn={turn.fields['turn']} {on}")


async def connected(host: str, port: int, name: str, limit: int = 1 << 20) -> Player:
    """A program that has a name."""
    reader, writer = await asyncio.open_connection(host, port, limit=limit)
    player = Player(reader, writer)
    player.say(f"hello 1 client=bench bot=1\nguest {name}")
    await player.until("OK")
    await player.until("OK")
    return player


async def _busy(host: str, port: int, number: int) -> asyncio.Task[None]:
    player = await connected(host, port, f"busy{number}")
    player.say("practice bots=3 level=hard")
    reply = await player.until("OK")
    player.seat = 1
    return asyncio.create_task(player.play(reply.fields["on"], "rematch"))


async def _pair(host: str, port: int, moves: int) -> list[float]:
    ann = await connected(host, port, "ann")
    bob = await connected(host, port, "bob")
    ann.say("open twentytwo seats=2 clock=0")
    on = (await ann.until("OK")).fields["on"]
    bob.say(f"join {on}")
    await bob.until("OK")
    ann.seat, bob.seat = 1, 2
    bob.say(f"ready {on}")
    await bob.until("OK")
    tasks = [asyncio.create_task(p.play(on, f"rematch {on}")) for p in (ann, bob)]
    ann.say(f"start {on}")
    while len(ann.timed) + len(bob.timed) < moves:
        await asyncio.sleep(0.05)
    await _end(tasks)
    return ann.timed + bob.timed


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task


async def _measure(host: str, port: int, tables: int, moves: int) -> list[float]:
    busy = [await _busy(host, port, number) for number in range(tables)]
    await asyncio.sleep(WARM if tables else 0)
    try:
        return await _pair(host, port, moves)
    finally:
        await _end(busy)


def measure(tables: int, moves: int = MOVES) -> list[float]:
    """Seconds that each of so many moves took while bots thought at so many tables."""
    options = ("--port", "0", "--dev", "--bot-pause", "0")
    with Server(*options) as server:
        host, port = server.address()
        return asyncio.run(_measure(host, port, tables, moves))


def report(say: Callable[[str], None] = print) -> None:
    """Prints how long moves take beside none and beside fifty thinking tables."""
    for tables in (0, TABLES):
        took = measure(tables)
        p50, p99 = quantile(took, 0.5) * 1000, quantile(took, 0.99) * 1000
        say(f"a move beside {tables:>2} tables of hard bots: p50 {p50:.1f} ms, p99 {p99:.1f} ms")


if __name__ == "__main__":
    report()
