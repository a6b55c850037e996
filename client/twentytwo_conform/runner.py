"""Runs cases in parallel: the checks of servers, and the scenarios of `client_suite`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import repeat
from threading import Lock, Semaphore

from .case import Case
from .check import Skipped
from .checks import all_cases
from .connections import Address
from .explaining import let_go, short, wanted_and_came
from .fixtures import begin_idling
from .pacing import TOO_MANY, Trace, keeping
from .pool import Pool
from .report import Report, Result, Verdict

LONGEST = 60.0
"""Maximum time of a check in seconds, without its waits for PING or for limits."""
WAITS = 165.0
"""Seconds after which no check waits for a limit any more; the remaining checks are skipped."""
AMONG = 6
"""Maximum number of checks that run at the same time, of those that need new names."""
MANY = 160
"""Maximum number of checks that wait for a new name while others run."""
LATE = 4.0
"""Seconds after which the checks that need new names begin; the others have their names by then."""
TRIES = 3
"""Maximum number of tries of a check that is refused by a rate limit."""

Attempt = Callable[[Case, Semaphore], Sequence[Result]]
"""Runs a case and returns its results. While it waits, another case may run."""
Done = Callable[[Sequence[Result]], None]


def choose(words: Sequence[str] = (), ids: Sequence[str] = ()) -> list[Case]:
    """The cases with any of these words in their names, and about any of these MUSTs."""
    return [
        case
        for case in all_cases()
        if (not words or any(word in case.name for word in words))
        and (not ids or set(ids) & set(case.ids))
    ]


def run_all(
    subject: str,
    cases: Sequence[Case],
    attempt: Attempt,
    *,
    at_once: int,
    late: Callable[[Case], bool] = lambda case: False,
    done: Done = lambda results: None,
) -> Report:
    """Runs the cases that need to run alone, then the others; the `late` ones begin a moment later.

    `done` is called with the results of each case, from any thread.
    """
    began = time.monotonic()
    results: dict[str, Sequence[Result]] = {}
    lock = Lock()

    def run_one(case: Case, running: Semaphore) -> None:
        with running:
            found = attempt(case, running)
        with lock:
            results[case.name] = found
            done(found)

    few, many = Semaphore(at_once), Semaphore(AMONG)
    for case in cases:
        if case.alone:
            run_one(case, few)
    together = [case for case in cases if not case.alone]
    soon, later = ([case for case in together if late(case) is each] for each in (False, True))
    with ThreadPoolExecutor(at_once) as threads, ThreadPoolExecutor(MANY) as more:
        first = threads.map(run_one, soon, repeat(few))
        if soon and later:
            time.sleep(LATE)
        list(more.map(run_one, later, repeat(many)))
        list(first)
    found = tuple(result for case in cases for result in results[case.name])
    return Report(subject, found, time.monotonic() - began)


def run(
    address: Address,
    cases: Sequence[Case],
    *,
    at_once: int = 18,
    waits: float = WAITS,
    done: Done = lambda results: None,
) -> Report:
    """Checks a server. After `waits` seconds no check waits for a limit any more."""
    until = time.monotonic() + waits
    host, port = address
    with ExitStack() as stack:
        pool = Pool(address)
        stack.callback(pool.close)
        given: dict[str, object] = {"address": address, "strict": address, "pool": pool}
        if any(case.takes("idlers") for case in cases):
            with keeping(Trace(until=until)), suppress(Skipped):
                given["idlers"] = begin_idling(address, stack)

        def attempt(case: Case, running: Semaphore) -> Sequence[Result]:
            return [_result(case, given, until, running)]

        return run_all(
            f"{host}:{port}", cases, attempt, at_once=at_once, late=_needs_names, done=done
        )


def _needs_names(case: Case) -> bool:
    """True for a check without pooled connections: it needs new names, and so begins late."""
    return not (case.takes("connect") or case.takes("table"))


def _result(case: Case, given: Mapping[str, object], until: float, running: Semaphore) -> Result:
    def result(verdict: Verdict, **texts: str) -> Result:
        return Result(case.name, tuple(case.ids), case.sentences, verdict, **texts)

    for tries in reversed(range(TRIES)):
        trace = Trace(ends=time.monotonic() + LONGEST, until=until, running=running)
        try:
            case.run(given, trace)
        except Skipped as skipped:
            return result(Verdict.SKIP, why=str(skipped))
        except Exception as error:
            if trace.patient and trace.refused > 0:
                let_go(error)
                if tries and time.monotonic() + trace.told < until:
                    trace.wait(trace.told, aside=True)
                    continue
                return result(Verdict.SKIP, why=TOO_MANY)
            wants, came = wanted_and_came(error, trace)
            let_go(error)
            return result(Verdict.FAIL, wants=wants, sent=short(trace.sent), came=came)
        break
    return result(Verdict.PASS)
