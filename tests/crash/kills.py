"""Kills servers again and again, also during their start."""

from __future__ import annotations

import shutil
import tempfile
import time
import traceback
from pathlib import Path

from tests.crash.forking import portions, spread
from tests.crash.life import STARTING, Figures, Life
from twentytwo_server.failpoints import FAILPOINTS


def one(work: tuple[str, int]) -> tuple[Figures, str]:
    """Runs one life; returns the message of a broken promise, or nothing."""
    seed, kills = work
    folder = Path(tempfile.mkdtemp(prefix="twentytwo-crash-"))
    life = Life(folder, seed)
    try:
        life.run(kills)
    except Exception as broken:
        if not isinstance(broken, AssertionError):
            traceback.print_exc()
        again = f"python -m tests.crash kills --kills {kills} --seed {seed} --processes 1"
        number = life.figures.kills
        return (
            life.figures,
            f"FAIL seed={seed} kill={number} {folder}: {broken}  again: {again}{life.last_words()}",
        )
    shutil.rmtree(folder)
    return life.figures, ""


def every_point(seed: str) -> int:
    """Kills a server at every point, in one life; prints the numbers of points and hits."""
    folder = Path(tempfile.mkdtemp(prefix="twentytwo-crash-"))
    life = Life(folder, seed)
    try:
        life.hit(sorted(FAILPOINTS, key=order))
    except Exception as broken:
        again = f"python -m tests.crash points --seed {seed}"
        print(f"FAIL seed={seed} {folder}: {broken}  again: {again}{life.last_words()}", flush=True)
        return 1
    shutil.rmtree(folder)
    print(hits(life.figures), flush=True)
    return len(missed(life.figures))


def missed(figures: Figures) -> list[str]:
    """The points at which no server was killed."""
    return [point for point in FAILPOINTS if not figures.points[point]]


def hits(figures: Figures) -> str:
    """A summary of the points hit and missed."""
    others = missed(figures)
    hit = f"{len(FAILPOINTS) - len(others)} of {len(FAILPOINTS)} named points hit"
    return f"{hit}; not: {', '.join(others)}" if others else hit


def order(point: str) -> int:
    """The sort key of a point: creating the schema, then playing, then restoring."""
    return -1 if point == "schema step made" else int(point in STARTING)


def run(kills: int, seed: str, processes: int, *, all_points: bool = False) -> int:
    """Kills `kills` servers, and prints the results; returns the number of failures.

    With `all_points`, a point without a kill is a failure too.
    """
    began = time.monotonic()
    figures, broken = Figures(), 0
    for found, wrong in spread(one, portions(kills, seed), processes):
        figures.add(found)
        if wrong:
            broken += 1
            print(wrong, flush=True)
    took = time.monotonic() - began
    print(
        f"{figures.kills} kills, {figures.recoveries} of them during a recovery, "
        f"{figures.points.total()} at named points; {figures.kills / took:.0f} a second\n"
        f"{hits(figures)}\n"
        f"{figures.acked} orders acknowledged, {figures.unacked} kept without an answer, "
        f"{figures.games} games; {broken} lives broken",
        flush=True,
    )
    return broken + (len(missed(figures)) if all_points else 0)
