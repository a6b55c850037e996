"""`python -m tests.fuzz`: what is tried with inputs that nobody would send.

python -m tests.fuzz --inputs 1000000                    # shared among all targets by their speed
python -m tests.fuzz framing telnet --inputs 5000000 --seed 7
python -m tests.fuzz --guided --seconds 60               # by coverage, where atheris is installed
python -m tests.fuzz record --input "b'...'"             # one input again
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from tests.fuzz import corpus
from tests.fuzz.driver import Report, drive
from tests.fuzz.targets import SHARES, TARGETS

SLICE = 100_000
"""Inputs of one job: it begins with the corpus and a seed of its own."""


def _one(name: str, inputs: int, seed: int) -> Report:
    return drive(TARGETS[name], inputs, seed, corpus.kept(name))


def _jobs(names: Sequence[str], inputs: int, seed: int) -> list[tuple[str, int, int]]:
    """What is to be run: each target's share, in slices that are seeded one by one."""
    whole = sum(SHARES[name] for name in names)
    found = []
    for name in names:
        left, number = round(inputs * SHARES[name] / whole), seed * 1_000_000
        each = max(1000, SLICE * SHARES[name] // max(SHARES.values()))
        while left > 0:
            found.append((name, min(each, left), number))
            left, number = left - each, number + 1
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Runs them; 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all of them")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="how many, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--guided", action="store_true", help="guided by coverage (atheris)")
    parser.add_argument("--seconds", type=int, default=60, help="for each target, with --guided")
    parser.add_argument("--input", help="one input, as a literal of bytes")
    parser.add_argument(
        "--keep", action="store_true", help="write the shortest input for each outcome"
    )
    args = parser.parse_args(words)
    names = args.targets or list(TARGETS)
    if unknown := set(names) - set(TARGETS):
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    if args.input is not None:
        print(*(TARGETS[name].run(ast.literal_eval(args.input)) for name in names), sep="\n")
        return 0
    if args.guided:
        from tests.fuzz.guided import guide

        return guide(names, args.seconds, args.seed)
    return _run(names, args.inputs, args.seed, args.processes, args.keep)


def _run(names: Sequence[str], inputs: int, seed: int, processes: int, keep: bool) -> int:
    reports = {name: Report(name) for name in names}
    began = time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        jobs = [pool.submit(_one, *job) for job in _jobs(names, inputs, seed)]
        for job in as_completed(jobs):
            report = job.result()
            whole = reports[report.target]
            whole.inputs += report.inputs
            whole.seconds += report.seconds
            for outcome, data in report.outcomes.items():
                known = whole.outcomes.get(outcome)
                if known is None or len(data) < len(known):
                    whole.outcomes[outcome] = data
            for failure in report.failures:
                print(f"FAIL {report.target}: --input {ascii(failure.data)!r}\n{failure.error}")
            whole.failures += report.failures
    print(*reports.values(), sep="\n")
    tried = sum(report.inputs for report in reports.values())
    failed = sum(len(report.failures) for report in reports.values())
    print(f"{tried:,} inputs, {failed} failures, {time.monotonic() - began:.0f} s")
    if keep:
        for name, report in reports.items():
            corpus.keep(name, report.outcomes.values())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
