"""A scripted server that exercises a client, and reports the duties that the client breaks.

    report = run("python3 mybot.py")
    print(report)

The client is started anew for each scenario, with HOST and PORT behind its command. It has to come
to a table by itself (`practice`, `open` or `join`), as the server of a script lets everybody do.
Only the lines that it sends count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from threading import Semaphore

from ..case import Case, cases_of
from ..report import Report, Result, Verdict
from ..runner import run_all
from . import core, resume, streams
from .duties import DUTIES
from .scenario import results

__all__ = ["DUTIES", "SCENARIOS", "run"]

SCENARIOS = tuple(case for module in (core, streams, resume) for case in cases_of(module))
"""Every scenario. The first comes alone: a client that fails there is not tried further."""
PATIENCE = 6.0
"""Seconds that a client has for an answer, unless one says otherwise."""
AT_ONCE = 12
"""Scenarios that are played side by side; most of them wait for something."""


def run(command: str, *, only: Collection[str] | None = None, patience: float = PATIENCE) -> Report:
    """Plays every scenario with the client, or those about some duties (`only={"T1", "F7"}`).

    `{host}` and `{port}` in the command stand for the address; without them it follows the
    command. `patience` is for how many seconds the client may be silent where it has to speak.
    Raises `OSError` if the command cannot be started.
    """
    first = SCENARIOS[0]
    failed = False

    def attempt(case: Case, running: Semaphore) -> Sequence[Result]:
        nonlocal failed
        if failed:
            why = "tried when the first game is played without a mistake"
            return [
                Result(case.name, (duty,), (DUTIES[duty],), Verdict.SKIP, why=why)
                for duty in case.ids
            ]
        found = results(case, command, patience)
        if case is first:
            failed = any(result.verdict is Verdict.FAIL for result in found)
        return found

    chosen = [each for each in SCENARIOS if each is first or not only or set(only) & set(each.ids)]
    report = run_all(command, chosen, attempt, at_once=AT_ONCE)
    wanted = [
        result
        for result in report.results
        if only is None or result.ids[0] in only or result.verdict is Verdict.FAIL
    ]
    return replace(report, results=tuple(wanted))
