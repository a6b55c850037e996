"""A scripted server that exercises a client and reports the violated requirements.

    report = run("python3 mybot.py")
    print(report)

The client is started anew for each scenario, with HOST and PORT after its command. It has to get to
a table by itself (`practice`, `open` or `join`); the scripted server allows all three. Only the
lines that the client sends are judged.
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
"""All scenarios. If a client fails the first one, the others are skipped."""
PATIENCE = 6.0
"""Default timeout for an answer of the client, in seconds."""
AT_ONCE = 12
"""Number of scenarios that run in parallel; most of them spend their time waiting."""


def run(command: str, *, only: Collection[str] | None = None, patience: float = PATIENCE) -> Report:
    """Plays all scenarios with the client, or only those about some duties (`only={"T1", "F7"}`).

    `{host}` and `{port}` in the command stand for the address; without them the address is
    appended. `patience` is the timeout in seconds for a client that has to send something. Raises
    `OSError` if the command cannot be started.
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
