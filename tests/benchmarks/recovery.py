"""How long a server needs to come back, and what it costs that it can.

A folder with 1,000 tables in the middle of a game is made (TABLES=100: fewer); then the server is
started on it, as an operator would, and what it does is timed at its named points.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.table import NoLink, Player, StillClock, pick, seat_table
from twentytwo_server.facts import Fact
from twentytwo_server.games.registry import games
from twentytwo_server.host.commands.dispatch import Dispatcher
from twentytwo_server.host.config import Config, Randomness
from twentytwo_server.host.start import open_host
from twentytwo_server.session.session import Session
from twentytwo_server.store import engines
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.store.sql import open_store

TABLES = 1000
MOVES = 120
"""Moves at each table: the half of a game of Twenty-Two for four."""


class Noting(MemoryStore):
    """A store that notes the facts it was handed."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[Sequence[Fact]] = []

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        self.noted.append(facts)
        super().keep(facts, done)


def played(tables: int, moves: int) -> list[Sequence[Fact]]:
    """What a server keeps of so many tables of four programs, in the middle of their games."""
    store = Noting()
    chance = Randomness(lambda: "0" * 128, lambda: f"{random.getrandbits(60):x}", pick)
    host = open_host(StillClock(), store, games(), chance, Config(dev=True))
    for number in range(1, tables + 1):
        table = seat_table(host, number)
        for _ in range(moves):
            player = on_turn(table)
            if player is None:
                for each in table:
                    each.say("rematch")
                player = on_turn(table)
            assert player is not None
            player.say(player.token())
    return store.noted


def on_turn(table: Sequence[Player]) -> Player | None:
    """Whoever is asked."""
    return next((player for player in table if player.answer), None)


async def fill(folder: Path, noted: Sequence[Sequence[Fact]]) -> None:
    """Keeps it all in a folder."""
    store = await open_store(folder, sys.exit)
    waiting = asyncio.get_running_loop().create_future()
    for facts in noted[:-1]:
        store.keep(facts, lambda: None)
    store.keep(noted[-1], lambda: waiting.set_result(None))
    await waiting
    await store.close()


STARTED = """
import sys, time
from twentytwo_server import points
POINTS = ("store opened", "all remembered", "listening", "restored")
seen = {{}}
def at(name):
    if name in POINTS and name not in seen:
        seen[name] = time.time(), time.process_time()
        if name in POINTS[2:]:
            for each in seen:
                print("at", *seen[each], each, flush=True)
points.at = at
import twentytwo_server.cli, twentytwo_server.node, twentytwo_server.store.sql
seen["imported"] = time.time(), time.process_time()
twentytwo_server.cli.main(["run", "--port", "0", "--data", {folder!r}])
"""


class Start:
    """A server that is started: how many seconds it took to each point, and of the processor.

    `pings` are the seconds in which it answered while it was still building tables.
    """

    def __init__(self, folder: Path) -> None:
        began = time.time()
        server = subprocess.Popen(
            [sys.executable, "-c", STARTED.format(folder=str(folder))],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.points: dict[str, tuple[float, float]] = {}
        self.pings: list[float] = []
        asking: threading.Thread | None = None
        assert server.stdout is not None
        for line in server.stdout:
            if line.startswith("at "):
                _, at, cpu, name = line.rstrip().split(" ", 3)
                self.points[name] = float(at) - began, float(cpu)
            elif line.startswith("listening on "):
                port = int(line.rpartition(":")[2])
                asking = threading.Thread(target=self._ask, args=(port,))
                asking.start()
            if "restored" in self.points:
                break
        if asking is not None:
            asking.join()
        server.kill()
        server.wait()
        server.stdout.close()

    def _ask(self, port: int) -> None:
        """Pings until all is restored."""
        with socket.create_connection(("127.0.0.1", port)) as wire:
            lines = wire.makefile("r")
            wire.sendall(b"hello 1 client=bench\r\n")
            while "restored" not in self.points:
                began = time.perf_counter()
                wire.sendall(b"@p ping x\r\n")
                while not (line := lines.readline()).startswith("@p OK"):
                    assert line and not line.startswith("@p ERR"), f"a ping is answered {line!r}"
                self.pings.append(time.perf_counter() - began)
                time.sleep(0.2)  # any faster is too much for a connection


# ------------------------------------------------------------------- the cost of being durable


async def said(player: Player, line: str) -> None:
    """Says a line, and waits until it is answered."""
    answered = asyncio.get_running_loop().create_future()
    assert player.session is not None
    player.host.line(player.session, line, lambda: answered.set_result(None))
    await answered


async def seated(host: Dispatcher, number: int) -> list[Player]:
    """Four programs at a table of their own that play."""
    table = [Player(host, random.Random(number * 4 + seat)) for seat in range(4)]
    for seat, player in enumerate(table):
        player.session = Session(player.take)
        host.attach(player.session, NoLink())
        await said(player, "hello 1 client=bench bot=1")
        await said(player, f"guest p{number}x{seat}")
        word = f"open twentytwo clock=0 seed={number}" if seat == 0 else f"join t{number}"
        await said(player, word)
    for player in table:
        await said(player, "ready")
    await said(table[0], "start")
    return table


async def moves_a_second(store: Any, tables: int, moves: int) -> float:
    """Acknowledged moves a second, where every table waits for the answer to its last move."""
    chance = Randomness(lambda: "0" * 128, lambda: f"{random.getrandbits(60):x}", pick)
    host = open_host(StillClock(), store, games(), chance, Config(dev=True))
    everybody = [await seated(host, number) for number in range(1, tables + 1)]
    made = 0

    async def play(table: list[Player]) -> None:
        nonlocal made
        while made < moves:
            player = on_turn(table)
            if player is None:
                for each in table:
                    await said(each, "rematch")
            else:
                await said(player, player.token())
                made += 1
            await asyncio.sleep(0)

    began = time.perf_counter()
    await asyncio.gather(*map(play, everybody))
    return made / (time.perf_counter() - began)


async def with_file(synchronous: str, tables: int, moves: int) -> float:
    """The same with a file, synced as it says."""
    before = engines.PRAGMAS
    rest = [each for each in before if not each.startswith("synchronous")]
    engines.__dict__["PRAGMAS"] = (*rest, f"synchronous={synchronous}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = await open_store(folder, sys.exit)
            found = await moves_a_second(store, tables, moves)
            await store.close()
    finally:
        engines.__dict__["PRAGMAS"] = before
    return found


def durability(tables: int = 100, moves: int = 5000, rounds: int = 3) -> None:
    """Prints what it costs to keep a move before it is acknowledged: the best of some rounds."""
    memory = off = full = 0.0
    for _ in range(rounds):
        memory = max(memory, asyncio.run(moves_a_second(MemoryStore(), tables, moves)))
        off = max(off, asyncio.run(with_file("OFF", tables, moves)))
        full = max(full, asyncio.run(with_file("FULL", tables, moves)))
    print(f"durability: acknowledged moves a second at {tables} tables of four, without sockets;")
    print(f"          the best of {rounds} rounds")
    print(f"          {memory:6.0f} kept in memory only")
    print(f"          {off:6.0f} kept in a file that is not synced")
    print(f"          {full:6.0f} kept in a file that is synced before the answer, as it is served")


# -------------------------------------------------------------------------------------- all


def report() -> None:
    """Prints how long a start takes, its parts, and what it costs to be durable."""
    durability()
    tables = int(os.environ.get("TABLES", TABLES))
    noted = played(tables, MOVES)
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(fill(Path(name), noted))
        size = sum(file.stat().st_size for file in Path(name).iterdir())
        found = Start(Path(name))
    inputs = sum(len(facts) for facts in noted)
    print(f"recovery: {tables} tables in the middle of a game, {inputs} facts, {size >> 20} MiB")
    before = (0.0, 0.0)
    for point, what in (
        ("imported", "import"),
        ("store opened", "open the store"),
        ("all remembered", "load"),
        ("listening", "listen; whoever comes back has their table at once"),
        ("restored", "all tables built anew"),
    ):
        wall, cpu = found.points[point]
        part = f"+{wall - before[0]:.2f}; {cpu - before[1]:.2f} of one core"
        print(f"          {wall:6.2f} s ({part}) {what}")
        before = found.points[point]
    pings = sorted(found.pings)
    if pings:
        half, most = pings[len(pings) // 2] * 1000, pings[-1] * 1000
        print(
            f"          {len(pings)} pings meanwhile: half in {half:.0f} ms, all in {most:.0f} ms"
        )
