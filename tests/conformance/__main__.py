"""Checks a server: `python -m tests.conformance [HOST:PORT]`; without an address, one of its own.

Reports by the ids of protocol/SPEC.md. Words after the address go to pytest (`-k resume`, `-x`).
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.conformance.quoting import all_quotes


class ById:
    """Counts what passed and what failed by the ids that a test names."""

    def __init__(self) -> None:
        self.results: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.failed: dict[str, list[str]] = defaultdict(list)
        self._ids: dict[str, set[str]] = defaultdict(set)
        for quote in all_quotes():
            self._ids[quote.where] |= set(quote.ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes in a test, or a setup that failed."""
        if report.when != "call" and report.passed:
            return
        path, _, name = report.nodeid.partition("::")
        where = f"{Path(path).parent.name}/{Path(path).name}::{name.partition('[')[0]}"
        for id in self._ids[where]:
            self.results[id][report.outcome] += 1
            if report.failed:
                self.failed[id].append(f"{Path(path).name}::{name}")

    def report(self) -> None:
        """Prints a line for every id."""
        for id in sorted(self.results, key=_in_order):
            found = self.results[id]
            counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items()))
            verdict = "FAIL" if found["failed"] else "pass" if found["passed"] else "skip"
            print(f"{verdict} {id:4} {counts}")
            for name in self.failed[id]:
                print(f"          {name}")


def _in_order(id: str) -> tuple[str, int]:
    match = re.fullmatch(r"([A-Z])([0-9]+)", id)
    assert match
    return match[1], int(match[2])


def main() -> int:
    """Runs the suite; the exit status is 0 if nothing failed."""
    arguments = sys.argv[1:]
    if arguments and ":" in arguments[0]:
        os.environ["TWENTYTWO_SERVER"] = arguments.pop(0)
    by_id = ById()
    folder = str(Path(__file__).parent)
    status = pytest.main([folder, "-q", "--no-header", "--tb=line", *arguments], plugins=[by_id])
    by_id.report()
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
