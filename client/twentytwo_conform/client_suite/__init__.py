"""A scripted server that exercises a client, and says what the client does wrong.

    report = run("python3 mybot.py")
    print(report)

The client is started anew for each scenario, with HOST and PORT behind its command. It has to come
to a table by itself (`practice`, `open` or `join`), as the server of a script lets everybody do.
Only what it sends counts.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from .core import core
from .duties import DUTIES, Duty, Level
from .report import Finding, Outcome, Report
from .resume import resume
from .scenario import Scenario
from .streams import streams

__all__ = ["DUTIES", "SCENARIOS", "Duty", "Finding", "Level", "Outcome", "Report", "run"]

SCENARIOS = (*core, *streams, *resume)
"""Every scenario, the first being the one without which no other makes sense."""
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
    began = time.monotonic()
    first, *others = SCENARIOS
    findings = first.findings(command, patience)
    chosen = [each for each in others if only is None or set(only) & set(each.duties)]
    if any(finding.outcome is Outcome.FAIL for finding in findings):
        findings += _waiting(chosen)
    else:
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for found in threads.map(lambda each: each.findings(command, patience), chosen):
                findings += found
    if only is not None:
        findings = [each for each in findings if each.duty in only or each.outcome is Outcome.FAIL]
    return Report(command, tuple(findings), time.monotonic() - began)


def _waiting(scenarios: Iterable[Scenario]) -> Iterator[Finding]:
    """What is not tried, because all would go wrong for the same reason."""
    why = "tried when the first game is played without a mistake"
    for scenario in scenarios:
        for duty in scenario.duties:
            yield Finding(duty, Outcome.NOT_REACHED, scenario.name, why)
