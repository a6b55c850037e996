"""`make soak`, or `python -m tests.soak --minutes 1 --connections 100`.

Two short evenings come first, so that everything is imported and every cache has its size; what the
server holds after them is the baseline. Then the long one. It fails where a command stumbles
(INTERNAL), where the memory still grows in the second half by more than `--slope`, or where files
or objects are left when all have gone and the grace period is over.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.load import cpu, more_files
from tests.kit.processes import Server
from tests.soak.people import Evening, play

GRACE = 5
"""Seconds that a seat is kept, so that the end need not be waited for."""
LEAVING = 180
"""Seconds after which nobody is waited for any more."""
EVERY = 10.0
"""Seconds between two looks at the memory."""


class Watched:
    """The server, seen from outside."""

    def __init__(self, server: Server, tells: Path) -> None:
        self.pid = server.process.pid
        self._tells = tells

    @property
    def memory(self) -> float:
        """Its resident memory in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(each.split()[1]) for each in status if each.startswith("VmRSS")) / 1024

    @property
    def files(self) -> int:
        """How many files it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def objects(self) -> dict[str, int]:
        """What it holds, by kind."""
        before = len(self._told())
        os.kill(self.pid, signal.SIGUSR1)
        while len(self._told()) == before:
            time.sleep(0.05)
        found: dict[str, int] = json.loads(self._told()[-1])
        return found

    def _told(self) -> list[str]:
        return self._tells.read_text().splitlines() if self._tells.exists() else []


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The rise of a straight line through the points, for each unit of the first."""
    n = len(points)
    x, y = (sum(each[i] for each in points) / n for i in (0, 1))
    below = sum((each[0] - x) ** 2 for each in points)
    return sum((each[0] - x) * (each[1] - y) for each in points) / below if below else 0.0


async def look(watched: Watched, evening: Evening, points: list[tuple[float, float]]) -> None:
    """Looks at the memory again and again."""
    began = time.monotonic()
    while True:
        await asyncio.sleep(EVERY)
        points.append(((time.monotonic() - began) / 60, watched.memory))
        if len(points) == 1:  # once: the server stands still for it
            held = watched.objects()
            assert held["Channel"] and held["Room"] and held["Person"], f"nothing is seen: {held}"
            print("  in the midst: " + ", ".join(f"{n:,} {kind}" for kind, n in held.items()))
        if len(points) % 6 == 0:
            print(
                f"  {points[-1][0]:5.1f} min: {points[-1][1]:6.1f} MiB, {watched.files} files,"
                f" {evening.there} connections, {evening.lines:,} lines heard",
                flush=True,
            )


async def empty_house(watched: Watched) -> dict[str, int]:
    """What the server holds when all have gone: a slow disk may have the grace period last."""
    for _ in range(LEAVING // GRACE):
        await asyncio.sleep(GRACE + 1)
        held = watched.objects()
        if not held["Room"] and not held["Person"]:
            break
    return held


async def soak(wanted: argparse.Namespace) -> bool:
    """Runs it all; True if nothing was left behind."""
    with tempfile.TemporaryDirectory() as folder:
        tells = Path(folder) / "tells"
        env = {**os.environ, "SOAK_TELLS": str(tells)}
        options = ("--port", "0", "--data", f"{folder}/data", "--grace", str(GRACE))
        with Server(*options, env=env, program=("-m", "tests.soak.server", "run")) as server:
            host, port = server.address()
            watched, evening = Watched(server, tells), Evening(host, port)
            for warm in range(2):
                await play(evening, wanted.connections, wanted.warm, warm)
                await empty_house(watched)
            before, files, empty = watched.objects(), watched.files, watched.memory
            evening.lines = 0
            points: list[tuple[float, float]] = []
            looking = asyncio.ensure_future(look(watched, evening, points))
            busy, began = cpu(watched.pid), time.monotonic()
            await play(evening, wanted.connections, wanted.minutes * 60, 7)
            busy = (cpu(watched.pid) - busy) / (time.monotonic() - began)
            looking.cancel()
            after = await empty_house(watched)
            rise = slope(points[len(points) // 2 :])
            print(f"soak: {wanted.connections} connections for {wanted.minutes:g} minutes,")
            print(f"  {evening.lines:,} lines heard, the server {busy:.0%} busy")
            print("  answers: " + ", ".join(f"{k} {n:,}" for k, n in evening.answers.most_common()))
            print(
                f"  memory {empty:.1f} MiB before, {points[-1][1]:.1f} at the end,"
                f" {watched.memory:.1f} when all had left;"
                f" in the second half {rise * 1024:+.0f} KiB a minute"
            )
            print(f"  files {files} before, {watched.files} after")
            for kind, count in after.items():
                print(f"  {kind:10} {before[kind]:8,} before, {count:8,} after")
            kept = {k: n for k, n in after.items() if k != "all" and n > before[k] + LEFT}
            wrong = [
                *(f"{kind} is left" for kind in kept),
                *(["objects are left"] if after["all"] > before["all"] * 1.1 + 2000 else []),
                *(["files are left"] if watched.files > files + 2 else []),
                *(["a command stumbled"] if evening.answers["INTERNAL"] else []),
                *(["the memory grows"] if rise * 1024 > wanted.slope else []),
            ]
            print("soak: " + (", ".join(wrong) or "nothing was left behind"), flush=True)
            if wrong:
                print(server.log())
            return not wrong


LEFT = 5
"""So many of a kind may be in use at the moment of counting."""


def main() -> None:
    """Reads the options."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    add = parser.add_argument
    add("--minutes", type=float, default=30.0)
    add("--connections", type=int, default=2000)
    add("--warm", type=float, default=20.0, help="seconds of each of the evenings before [20]")
    add("--slope", type=float, default=1024.0, help="KiB a minute that it may grow [1024]")
    wanted = parser.parse_args()
    more_files()
    sys.exit(0 if asyncio.run(soak(wanted)) else 1)


if __name__ == "__main__":
    main()
