"""Calls and instructions of a move: the same on every machine, however busy.

    make bench ARGS="instructions --before FOLDER"

Counted are the calls of this project's Python functions, by stage (`stages`), and the instructions
of the processor, if valgrind is installed: for a move of Twenty-Two at a table of four programs,
for a line that one says to the others, for a decision of the laws alone, and for each move of a
table that is rebuilt. Bytes go in and come out without sockets, in memory (`counted`).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.checkouts import start
from tests.benchmarks.counted import WORK, Calls
from tests.benchmarks.stages import OURS, REST, stage

PROGRAM = Path(__file__).with_name("counted.py")
HERE = Path(__file__).parents[2]
TITLES = {
    "move": "a move",
    "say": "a line of talk",
    "decision": "a decision of the laws",
    "rebuild": "a move of a table that is rebuilt",
}
"""The names of the kinds of work in `docs/performance.md`."""


def calls(folder: Path) -> dict[str, Calls]:
    """The calls that a checkout makes."""
    told, _ = start(folder, PROGRAM, "calls").communicate()
    return {
        kind: Calls(each["units"], Counter(each["functions"]))
        for kind, each in json.loads(told).items()
    }


def instructions(folder: Path) -> Mapping[str, float]:
    """The instructions of a checkout for each unit of work; none without valgrind."""
    if shutil.which("valgrind") is None:
        return {}
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        valgrind = ("valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}")
        under = (*valgrind, "--dump-before=sched_yield", f"--log-file={out}.log")
        told, _ = start(folder, PROGRAM, "marks", under=under).communicate()
        # Two marks for each kind of work: every second part is what was counted.
        found = {}
        for number, line in enumerate(told.splitlines(), 1):
            kind, units = line.split()
            total = re.search(r"^totals: (\d+)", Path(f"{out}.{2 * number}").read_text(), re.M)
            assert total is not None, "callgrind has counted nothing"
            found[kind] = int(total[1]) / int(units)
    return found


def by_stage(found: Calls) -> Counter[str]:
    """The calls by stage."""
    sums: Counter[str] = Counter()
    for function, number in found.functions.items():
        module, _, name = function.partition(":")
        sums[stage(module, name.rpartition(".")[2]) or REST] += number
    return sums


def table(versions: Mapping[str, Mapping[str, Calls]]) -> Iterator[str]:
    """The calls of each version by stage, for each kind of work."""
    columns = [(kind, version) for kind in WORK for version in versions]
    yield f"  {'calls':28}" + "".join(f"{kind:>9} {version:6}" for kind, version in columns)
    sums = {(kind, version): by_stage(versions[version][kind]) for kind, version in columns}
    for name in OURS:
        row = [sums[column][name] / versions[column[1]][column[0]].units for column in columns]
        if any(row):
            yield f"  {name:28}" + "".join(f"{each:16.1f}" for each in row)
    whole = [versions[version][kind].each for kind, version in columns]
    yield f"  {'together':28}" + "".join(f"{each:16.1f}" for each in whole)


def functions(found: Calls, most: int) -> Iterator[str]:
    """The functions that are called most for a unit of work."""
    for function, number in found.functions.most_common(most):
        yield f"    {number / found.units:7.2f}  {function}"


def figures(found: Mapping[str, Calls], counted: Mapping[str, float]) -> Iterator[str]:
    """The rows of the table in `docs/performance.md`."""
    for kind, title in TITLES.items():
        thousands = f"{counted[kind] / 1000:.0f} k" if counted else "?"
        yield f"| {title} | {found[kind].each:.0f} | {thousands} |"


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Prints calls and instructions."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=instructions", description=__doc__)
    add = parser.add_argument
    add("--before", type=Path, metavar="FOLDER", help="a checkout that is counted, too")
    add("--functions", type=int, default=0, metavar="N", help="tell the N that are called most")
    add("--calls", action="store_true", help="only the calls, which takes two seconds")
    asked = parser.parse_args(arguments)
    folders = {"before": asked.before, "now": HERE} if asked.before else {"now": HERE}
    versions = {version: calls(folder) for version, folder in folders.items()}
    say("instructions: calls of our functions for each piece of work, by stage")
    for line in table(versions):
        say(line)
    for kind in WORK if asked.functions else ():
        say(f"  {TITLES[kind]}, by function")
        for line in functions(versions["now"][kind], asked.functions):
            say(line)
    for version, folder in folders.items():
        say(f"{version}: | | calls | instructions |")
        for line in figures(versions[version], {} if asked.calls else instructions(folder)):
            say(f"  {line}")


if __name__ == "__main__":
    report(sys.argv[1:])
