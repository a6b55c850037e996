"""People and programs of a long evening, each on a connection of its own."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from contextlib import suppress

EACH_ADDRESS = 40
"""Connections from one address, as from one router."""
PAUSE = 4.0
"""Seconds between two things that somebody does, and before a move, on average."""


class Evening:
    """What all of them share: where the server is, when it ends, and what was answered."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.over = False
        self.answers: Counter[str] = Counter()
        self.lines = 0
        self.there = 0


class Somebody:
    """One of them, from coming in to leaving."""

    def __init__(self, evening: Evening, number: int, chance: random.Random) -> None:
        self._evening, self._number, self._chance = evening, number, chance
        place = number // EACH_ADDRESS
        self._address = f"127.1.{place // 250}.{place % 250 + 1}"
        self._token = ""
        self._writer: asyncio.StreamWriter | None = None
        self._moves: set[asyncio.Task[None]] = set()
        self._came_in = asyncio.Event()

    async def live(self) -> None:
        """Comes again and again until the evening is over; who is away then comes to log out."""
        while not self._evening.over or self._token:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._once()
            self._evening.there -= self._writer is not None
            self._writer = None
            await asyncio.sleep(self._chance.uniform(0, 2 * PAUSE))

    async def _once(self) -> None:
        evening = self._evening
        reader, writer = await asyncio.open_connection(
            evening.host, evening.port, local_addr=(self._address, 0)
        )
        self._writer = writer
        evening.there += 1
        self._say("hello 1 client=soak")
        self._say(f"@r resume {self._token}" if self._token else f"@g guest soak{self._number}")
        self._came_in.clear()
        acting = asyncio.ensure_future(self._act())
        try:
            while line := await reader.readline():
                self._hear(line.decode())
        finally:
            acting.cancel()
            for move in self._moves:
                move.cancel()
            writer.transport.abort()

    def _say(self, line: str) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(f"{line}\n".encode())

    def _hear(self, line: str) -> None:
        self._evening.lines += 1
        if line.startswith("@"):
            code = line.partition("code=")[2].partition(" ")[0].strip() or "OK"
            if " OK" in line[:8] or " ERR" in line[:8]:
                self._evening.answers[code] += 1
            token = line.partition(" token=")[2].partition(" ")[0].strip()
            if token:
                self._token = token
                self._came_in.set()
            refused = re.match("@[grlq] ERR", line) and code != "BAD_TOKEN"
            if refused and self._writer is not None:
                self._writer.transport.abort()  # it comes again later
            if line.startswith("@l OK"):
                self._token = ""  # not before: whoever is refused still has a seat to give up
            if code == "BAD_TOKEN":
                self._token = ""
                self._say(f"@g guest soak{self._number}")
        elif line.startswith("TURN ") and " default=" in line:
            fields = dict(word.partition("=")[::2] for word in line.split()[1:])
            move = f"@m move {fields['default']} {fields['on']} turn={fields['turn']}"
            self._moves.add(task := asyncio.ensure_future(self._move(move)))
            task.add_done_callback(self._moves.discard)
        elif line.startswith("PING "):
            self._say(f"pong {line.partition('=')[2].strip()}")

    async def _move(self, move: str) -> None:
        await asyncio.sleep(self._chance.expovariate(2 / PAUSE))
        self._say(move)

    async def _act(self) -> None:
        # Who drops the connection before the token is there has lost the seat that it is for, and
        # the server keeps that as long as it keeps a deserted game.
        await self._came_in.wait()
        while not self._evening.over:
            await asyncio.sleep(self._chance.expovariate(1 / PAUSE))
            does = self._chance.choices(list(DEEDS), list(DEEDS.values()))[0]
            if does == "drop":
                assert self._writer is not None
                self._writer.transport.abort()
            elif does == "quit":
                self._say("@l logout")
                self._say("@q quit")
            else:
                number = self._chance.randrange(1, 10_000)
                self._say("@a " + does.format(n=number, few=number % 3 + 1, t=number % 400 + 1))
        self._say("@l logout")
        self._say("@q quit")


DEEDS = {
    "practice bots={few}": 4,
    "seek twentytwo players=2": 6,
    "seek twentytwo players=3": 2,
    "open seats=4 bots=2": 1,
    "start": 2,
    "ready": 4,
    "rematch": 4,
    "leave": 2,
    "join t{t}": 2,
    "watch t{t}": 2,
    "unwatch": 1,
    "say :here is number {n}": 4,
    "kibitz :number {n} watches": 1,
    "shout :number {n} is looking for a game": 1,
    "state": 2,
    "hand": 2,
    "who n=20": 1,
    "tables n=20": 2,
    "history": 1,
    "replay g{t} speed=5": 1,
    "game g{t}": 1,
    "sync me from=0": 1,
    "follow": 1,
    "unfollow": 1,
    "fair log n=20": 1,
    "drop": 3,
    "quit": 1,
}
"""What they do, and how often; moves come besides."""


async def play(evening: Evening, connections: int, seconds: float, seed: int) -> None:
    """Has so many of them there for so long; all have left when it returns."""
    chance = random.Random(seed)
    them = [Somebody(evening, n, random.Random(chance.random())) for n in range(connections)]
    evening.over = False
    tasks = []
    for each in them:
        tasks.append(asyncio.ensure_future(each.live()))
        await asyncio.sleep(0.005)
    await asyncio.sleep(seconds)
    evening.over = True
    await asyncio.gather(*tasks)
