"""Runs the checks against a server, several at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from .case import Case
from .check import Skipped
from .checks import all_cases
from .connections import TOO_MANY, TRACE, Address, Trace
from .explaining import let_go, short, wanted_and_came
from .fixtures import begin_idling
from .report import Result, ServerReport, Verdict

LONGEST = 60.0
"""Seconds that a check may take, unless it waits for a PING."""


def choose(words: Sequence[str] = (), ids: Sequence[str] = ()) -> list[Case]:
    """The cases with any of these words in their name, and about any of these MUSTs."""
    return [
        case
        for case in all_cases()
        if (not words or any(word in case.name for word in words))
        and (not ids or set(ids) & set(case.ids))
    ]


def run(
    address: Address,
    cases: Sequence[Case],
    *,
    at_once: int = 8,
    done: Callable[[Result], None] = lambda result: None,
) -> ServerReport:
    """Checks a server. `done` is told each result as it comes, from any thread."""
    began = time.monotonic()
    results: dict[str, Result] = {}
    lock = threading.Lock()
    with ExitStack() as stack:
        given: dict[str, object] = {"address": address, "strict": address}
        if any(case.takes("idlers") for case in cases):
            given["idlers"] = begin_idling(address, stack)

        def check(case: Case) -> None:
            result = _result(case, given)
            with lock:
                results[case.name] = result
                done(result)

        together = [case for case in cases if not case.alone]
        with ThreadPoolExecutor(at_once) as threads:
            list(threads.map(check, together))
        for case in cases:
            if case.alone:
                check(case)
    found = tuple(results[case.name] for case in cases)
    host, port = address
    return ServerReport(f"{host}:{port}", found, time.monotonic() - began)


def _result(case: Case, given: Mapping[str, object]) -> Result:
    ids = tuple(case.ids)
    sentences = tuple(quote.sentence for quote in case.quoted)
    trace = Trace(ends=time.monotonic() + LONGEST)
    token = TRACE.set(trace)
    try:
        case.run(given)
    except Skipped as skipped:
        return Result(case.name, ids, sentences, Verdict.SKIP, why=str(skipped))
    except Exception as error:
        if trace.patient and trace.refused:
            return Result(case.name, ids, sentences, Verdict.SKIP, why=TOO_MANY)
        wants, came = wanted_and_came(error, trace)
        let_go(error)
        return Result(case.name, ids, sentences, Verdict.FAIL, wants, short(trace.sent), came)
    finally:
        TRACE.reset(token)
    return Result(case.name, ids, sentences, Verdict.PASS)
