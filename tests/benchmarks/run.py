"""`make bench`: every benchmark, in one run; `make bench ARGS=engines` for one.

What stands behind the name of a benchmark are its own options: `make bench ARGS="sockets --help"`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import takewhile

SECTIONS = {
    "engines": "tests.benchmarks.engines",
    "thinking": "tests.benchmarks.thinking",
    "sockets": "tests.benchmarks.sockets",
    "memory": "tests.benchmarks.memory",
    "start": "tests.benchmarks.start",
    "hostile": "tests.benchmarks.hostile",
    "lines": "tests.benchmarks.lines",
    "instructions": "tests.benchmarks.instructions",
    "profile": "tests.benchmarks.layers",
}
"""The module of each, imported only where it is wanted."""
BY_NAME = {
    "length": "tests.benchmarks.game_length",
    "calibration": "tests.benchmarks.calibration",
    "imagined": "tests.benchmarks.imagined",
    "blunders": "tests.benchmarks.blunders",
    "reviewing": "tests.benchmarks.reviewing",
    "strategy": "tests.benchmarks.strategy",
    "versions": "tests.benchmarks.versions",
    "takeover": "tests.benchmarks.takeover",
    "cluster": "tests.benchmarks.cluster",
    "same": "tests.benchmarks.same",
}
"""Benchmarks that run only by name: they measure games, or need PostgreSQL or another checkout."""


def main(wanted: list[str]) -> None:
    """Runs those that are named, one after the other, or all; the last one gets the options."""
    modules = SECTIONS | BY_NAME
    names = list(takewhile(modules.__contains__, wanted))
    options = wanted[len(names) :]
    if options and not names:
        sys.exit(f"Benchmarks are {', '.join(modules)}; without a name the first {len(SECTIONS)}.")
    for name in names[:-1] if options else names or SECTIONS:
        import_module(modules[name]).report()
    if options:
        import_module(modules[names[-1]]).report(options)


if __name__ == "__main__":
    main(sys.argv[1:])
