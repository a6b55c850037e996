"""`python -m tests.secrets --pairs 100000 --seed 1`: compares any number of pairs, on all cores."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.secrets.pairs import Found, run
from tests.secrets.planted import PLANTED, found
from twentytwo_server.games.registry import games

PART = 500
"""Number of pairs that one process compares at a time."""
SCRIPTS = 1000
"""Maximum number of scripts in a part; all parts have different scripts."""


def part(job: tuple[str, int, int]) -> Found:
    """A part of the pairs: the game, the number of pairs, and the number of the first script."""
    logging.disable(logging.CRITICAL)
    game, pairs, first = job
    return run(game, pairs, first)


def show_planted() -> int:
    """Prints the first script that finds each planted leak; returns 1 if a leak is not found."""
    logging.disable(logging.CRITICAL)
    missed = 0
    for name in PLANTED:
        number, seen = found(name)
        missed += not number
        print(f"{name}: " + (f"script {number}\n{seen}" if number else "NOT FOUND"), flush=True)
    return 1 if missed else 0


def main(words: Sequence[str] | None = None) -> int:
    """Compares the pairs; returns 1 if there is a leak."""
    parser = argparse.ArgumentParser(prog="python -m tests.secrets")
    parser.add_argument("--pairs", type=int, default=2000, help="how many of each game")
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other scripts")
    parser.add_argument("--game", choices=list(games()), help="only this one")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--planted", action="store_true", help="show that leaks are found")
    args = parser.parse_args(words)
    if args.planted:
        return show_planted()
    parts = range(-(-args.pairs // PART))
    size = min(PART, args.pairs)
    leaks, began = 0, time.monotonic()
    with ProcessPoolExecutor(args.processes) as pool:
        for game in [args.game] if args.game else list(games()):
            firsts = [SCRIPTS * (each + len(parts) * args.seed) for each in parts]
            total = Found()
            for each in pool.map(part, [(game, size, first) for first in firsts]):
                total.count += each.count
                for leak in each.leaks:
                    leaks += 1
                    print(f"LEAK {leak}", flush=True)
            took = time.monotonic() - began
            print(f"{game}: {total.count}, {took:.0f} s", flush=True)
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
