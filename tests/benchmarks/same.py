"""Comparison of two versions: the same games must give the same bytes.

    make bench ARGS="same --before FOLDER --games 1000"

Both versions play the same games (`same_games`), each in a process of its own: all games and
presets with random options, people and programs with lines and JSON, watchers, bots, talk, mistakes
of all kinds, lost connections, killed servers. Equal are the lines of all connections, in order,
and the rows of the SQLite databases, with the stored orders and their checksums. The first game
that differs is played again, and its first difference is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path

from tests.benchmarks.checkouts import start

PLAYER = Path(__file__).with_name("same_games.py")
HERE = Path(__file__).parents[2]
SOME = 100
"""Games after which the program says how far it is."""
WIDTH = 2000
"""Characters of a line that are printed."""


def output(folder: Path, first: int, end: int, *options: str) -> Generator[str]:
    """The output of the program for these games."""
    with start(folder, PLAYER, str(first), str(end), *options) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield line.rstrip("\n")
        finally:
            process.kill()


def difference(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The first difference of two logs, and the line of a party before it."""
    for place, (old, new) in enumerate(zip_longest(before, now, fillvalue="nothing more")):
        if old != new:
            said = [line for line in before[:place] if " > " in line]
            return [*said[-1:], f"before: {old}"[:WIDTH], f"now:    {new}"[:WIDTH]]
    return []


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Compares the games; exits with status 1 after the first that differs."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=same", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    asked = parser.parse_args(arguments)
    lines = rows = 0
    kinds: Counter[str] = Counter()
    with ExitStack() as stack:
        sides = []
        for folder in (asked.before, HERE):
            side = output(folder, asked.first, asked.first + asked.games)
            stack.callback(side.close)
            sides.append(side)
        for old, new in zip_longest(*sides):
            if old is None or new is None:
                break
            number, _, _, said, kept, kind = new.split(" ")
            if old != new:
                first = int(number)
                say(f"game {number}, {kind}: not the same")
                told = [
                    [*output(folder, first, first + 1, "--tell")] for folder in (asked.before, HERE)
                ]
                for line in difference(*told):
                    say(line)
                sys.exit(1)
            lines, rows = lines + int(said), rows + int(kept)
            kinds[kind] += 1
            if kinds.total() % SOME == 0:
                say(f"{kinds.total():,} games are the same so far")
                sys.stdout.flush()
    if kinds.total() < asked.games:
        sys.exit(f"a version fails in game {asked.first + kinds.total()}: see above")
    say(f"same: {kinds.total():,} games, {lines:,} lines, {rows:,} rows, byte for byte")
    for kind, count in kinds.items():
        say(f"  {count:7,} {kind}")


if __name__ == "__main__":
    report(sys.argv[1:])
