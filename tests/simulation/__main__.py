"""`python -m tests.simulation --seeds 0-499`: runs simulated evenings, on all cores."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.evening import run
from tests.simulation.planted import PLANTED, found


def one(seed: int) -> str:
    """Runs an evening; returns the message of a broken invariant, or an empty text."""
    logging.disable(logging.CRITICAL)
    try:
        trace = run(seed)
        if seed % 20 == 0 and run(seed) != trace:
            return f"seed {seed} is not the same evening twice"
    except Exception as broken:
        return f"FAIL {broken}" if isinstance(broken, AssertionError) else f"FAIL {seed} {broken!r}"
    return ""


def show_planted() -> int:
    """Prints the first evening that finds each planted bug; returns 1 if a bug is not found."""
    logging.disable(logging.CRITICAL)
    missed = 0
    for name in PLANTED:
        evenings, seen = found(name)
        missed += not evenings
        print(f"{name}: " + (f"evening {evenings}: {seen[:90]}" if evenings else "NOT FOUND"))
    return 1 if missed else 0


def main(words: Sequence[str] | None = None) -> int:
    """Runs the evenings; returns 1 if an invariant was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", default="0-99", help="FIRST-LAST, or one seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--planted", action="store_true", help="show that mistakes are found")
    args = parser.parse_args(words)
    if args.planted:
        return show_planted()
    first, _, last = args.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    began, broken = time.monotonic(), 0
    with ProcessPoolExecutor(args.processes) as pool:
        for found in pool.map(one, seeds, chunksize=4):
            if found:
                broken += 1
                print(found, flush=True)
    took = time.monotonic() - began
    print(f"{len(seeds)} evenings, {broken} broken, {took:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
