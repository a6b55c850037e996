"""`make bench`: every benchmark, in one run."""

from __future__ import annotations

from tests.benchmarks import table


def main() -> None:
    """Runs them one after the other."""
    table.report()


if __name__ == "__main__":
    main()
