"""Any number of random games against the laws: `python -m tests.laws.run --games 100000`.

Uses all cores, says how far it is and how long it will take, then prints a line for every
preset. A failure is told by its case at once; `--preset` and `--seed` play it again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import Pool

from tests.laws.laws import Case, check_heavily, check_lightly, every_preset, played

BATCH = 200
HEAVY = 40
"""One game in so many is held against all the laws, the others against those that are quick."""
FAILURES_SHOWN = 3

Job = tuple[str, str, int, int]
"""A game, a preset, the number of the first game, and how many."""


@dataclass(slots=True)
class Count:
    """What was found for a preset; `seconds` are of one core."""

    games: int = 0
    ended: int = 0
    moves: int = 0
    worlds: int = 0
    seconds: float = 0
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: Count) -> Count:
        self.games += other.games
        self.ended += other.ended
        self.moves += other.moves
        self.worlds += other.worlds
        self.seconds += other.seconds
        self.failures += other.failures
        return self

    def __str__(self) -> str:
        found = f"{len(self.failures)} BROKEN" if self.failures else "all laws hold"
        return (
            f"{self.games:,} games, {self.ended:,} to their end, {self.moves:,} moves, "
            f"{self.worlds:,} other worlds, {self.seconds:.0f} s: {found}"
        )


def batch(job: Job) -> tuple[str, Count]:
    """Plays and checks some games of a preset; returns its name and what was found."""
    game, preset, first, games = job
    count, begun = Count(), time.process_time()
    for number in range(first, first + games):
        _check(Case(game, preset, number), count)
    count.seconds = time.process_time() - begun
    return f"{game}/{preset}", count


def _check(case: Case, count: Count) -> None:
    count.games += 1
    try:
        found = played(case)
        count.moves += len(found.steps)
        count.ended += found.over
        if case.number % HEAVY:
            check_lightly(found)
        else:
            count.worlds += check_heavily(found, random.Random(case.number))
    except Exception:
        count.failures.append(f"{case}\n{traceback.format_exc()}")


def _jobs(presets: list[tuple[str, str]], games: int, first: int) -> Iterator[Job]:
    for start in range(first, first + games, BATCH):
        for game, preset in presets:
            yield game, preset, start, min(BATCH, first + games - start)


def run(presets: list[tuple[str, str]], games: int, first: int, cores: int) -> dict[str, Count]:
    """Plays so many games of every preset; what was found, by preset."""
    counts = {f"{game}/{preset}": Count() for game, preset in presets}
    wanted, done, begun = games * len(presets), 0, time.monotonic()
    with Pool(cores) as pool:
        for name, count in pool.imap_unordered(batch, _jobs(presets, games, first)):
            counts[name] += count
            done += count.games
            for failure in count.failures[:FAILURES_SHOWN]:
                print(f"\nBROKEN {failure}", flush=True)
            left = (time.monotonic() - begun) / done * (wanted - done) / 60
            said = f"\r{100 * done // wanted} %, {done:,} of {wanted:,} games, {left:.0f} min left "
            print(said, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return counts


def main(arguments: list[str] | None = None) -> int:
    """Runs the games; 0 if all laws hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.run", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="how many for each preset")
    parser.add_argument("--game", help="only the presets of this game")
    parser.add_argument("--preset", help="only this one")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first game")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="how many to use")
    chosen = parser.parse_args(arguments)
    presets = [
        (game, preset)
        for game, preset in every_preset()
        if chosen.game in (None, game) and chosen.preset in (None, preset)
    ]
    if not presets:
        parser.error("there is none; there are " + ", ".join(map("/".join, every_preset())))
    counts = run(presets, chosen.games, chosen.seed, chosen.cores)
    for name, count in counts.items():
        print(f"{name}: {count}")
    return 1 if any(count.failures for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
