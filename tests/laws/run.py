"""Any number of random games against the laws: `python -m tests.laws.run --games 100000`.

Uses all cores, prints how far it is, then a line for every preset. A failure is told by its
case, which `--preset` and `--seed` play again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from .laws import Case, check_heavily, check_lightly, every_preset, played

BATCH = 200
HEAVY = 40


@dataclass(slots=True)
class Count:
    """What was found for a preset."""

    games: int = 0
    moves: int = 0
    worlds: int = 0
    seconds: float = 0
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: Count) -> Count:
        self.games += other.games
        self.moves += other.moves
        self.worlds += other.worlds
        self.seconds += other.seconds
        self.failures += other.failures
        return self

    def __str__(self) -> str:
        found = f"{len(self.failures)} BROKEN" if self.failures else "all laws hold"
        return (
            f"{self.games:,} games, {self.moves:,} moves, {self.worlds:,} other worlds, "
            f"{self.seconds:.0f} s: {found}"
        )


def batch(game: str, preset: str, first: int, games: int) -> Count:
    """Plays and checks so many games, from a number on."""
    count, begun = Count(), time.perf_counter()
    for number in range(first, first + games):
        case = Case(game, preset, number)
        try:
            found = played(case)
            count.moves += len(found.steps)
            if number % HEAVY:
                check_lightly(found)
            else:
                count.worlds += check_heavily(found, random.Random(number))
        except Exception:
            count.failures.append(f"{case}\n{traceback.format_exc()}")
        count.games += 1
    count.seconds = time.perf_counter() - begun
    return count


def _jobs(games: int, first: int, only: str | None) -> Iterator[tuple[str, str, int, int]]:
    chosen = [(game, preset) for game, preset in every_preset() if only in (None, preset)]
    if not chosen:
        sys.exit(f"there is no preset {only}; there are {', '.join(p for _, p in every_preset())}")
    for start in range(first, first + games, BATCH):
        for game, preset in chosen:
            yield game, preset, start, min(BATCH, first + games - start)


def main(arguments: list[str] | None = None) -> int:
    """Runs the games; 0 if all laws hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.run", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="how many for each preset")
    parser.add_argument("--preset", help="only this one")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first game")
    chosen = parser.parse_args(arguments)
    jobs = list(_jobs(chosen.games, chosen.seed, chosen.preset))
    counts = {f"{game}/{preset}": Count() for game, preset, _, _ in jobs}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        futures = {pool.submit(batch, *job): f"{job[0]}/{job[1]}" for job in jobs}
        for done, future in enumerate(as_completed(futures), 1):
            counts[futures[future]] += future.result()
            print(f"\r{100 * done // len(jobs)} %", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name, count in counts.items():
        print(f"{name}: {count}")
        for failure in count.failures[:3]:
            print(failure)
    return 1 if any(count.failures for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
