"""`make bench`: every benchmark, in one run; `make bench ARGS=engines` for one."""

from __future__ import annotations

import sys
from importlib import import_module

SECTIONS = {
    "engines": "tests.benchmarks.engines",
    "tables": "tests.benchmarks.table",
    "recovery": "tests.benchmarks.recovery",
    "thinking": "tests.benchmarks.thinking",
}
"""The module of each, imported only where it is wanted."""


def main(wanted: list[str]) -> None:
    """Runs them one after the other."""
    for name, module in SECTIONS.items():
        if not wanted or name in wanted:
            import_module(module).report()


if __name__ == "__main__":
    main(sys.argv[1:])
