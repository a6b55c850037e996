"""Tries a target with one input after another, and keeps those that came to something new."""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from tests.fuzz.mutation import mutated, shrunk

MOST = 20_000
"""Inputs in a pool; from then on nothing new is added."""
SLOW = 2.0
"""Seconds of the processor that an input may take."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is tried. `run` takes an input and returns what came of it, as a small value.

    It raises for whatever must not happen. Inputs that came to something new are the next ones to
    be changed. `seeds` are where one begins, `words` are put in; `longest` is in bytes.
    """

    name: str
    run: Callable[[bytes], Hashable]
    seeds: Sequence[bytes] = (b"",)
    words: Sequence[bytes] = ()
    longest: int = 4096


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that brought out an error, made shorter, and the error's traceback."""

    data: bytes
    error: str


@dataclass(slots=True)
class Report:
    """What a run came to: how many inputs, the shortest for each outcome, the failures."""

    target: str
    inputs: int = 0
    seconds: float = 0.0
    outcomes: dict[Hashable, bytes] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def __str__(self) -> str:
        rate = self.inputs / self.seconds if self.seconds else 0
        return (
            f"{self.target}: {self.inputs:,} inputs, {len(self.outcomes):,} outcomes, "
            f"{len(self.failures)} failures, {self.seconds:.0f} s of a core ({rate:,.0f} a second)"
        )


def drive(target: Target, inputs: int, seed: int, corpus: Sequence[bytes] = ()) -> Report:
    """Tries the seeds, the corpus, and then so many inputs made of them. Stops at an error."""
    report = Report(target.name)
    chance = random.Random(f"{target.name} {seed}")
    pool = [*target.seeds, *corpus]
    began = time.process_time()
    for data in pool:
        _try(target, data, report)
    while report.inputs < inputs and not report.failures:
        data = mutated(chance, pool, target.words, target.longest)
        if _try(target, data, report) and len(pool) < MOST:
            pool.append(data)
    report.seconds = time.process_time() - began
    return report


def _try(target: Target, data: bytes, report: Report) -> bool:
    """Tries one input; True if it came to something new."""
    report.inputs += 1
    began = time.process_time()
    try:
        outcome = target.run(data)
    except Exception:
        report.failures.append(_failure(target, data))
        return False
    if time.process_time() - began > SLOW:
        report.failures.append(Failure(data, f"it took more than {SLOW} s"))
    known = report.outcomes.get(outcome)
    if known is None or len(data) < len(known):
        report.outcomes[outcome] = data
    return known is None


def _failure(target: Target, data: bytes) -> Failure:
    def fails(shorter: bytes) -> bool:
        try:
            target.run(shorter)
        except Exception:
            return True
        return False

    data = shrunk(data, fails)
    try:
        target.run(data)
    except Exception:
        return Failure(data, traceback.format_exc())
    return Failure(data, "it failed once and not again")
