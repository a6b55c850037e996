"""Runs the checks against a server, several at a time."""

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
from .pacing import TOO_MANY, TRACE, Trace
from .pool import Pool
from .report import Result, ServerReport, Verdict

LONGEST = 60.0
"""Seconds that a check may take, unless it waits for a PING, or because the server says so."""
WAITS = 165.0
"""Seconds after which no check waits for a server that has had enough: what is left is skipped."""
AMONG = 6
"""Checks among them that need names of their own."""
MANY = 160
"""Checks that may wait for a new name while others go on."""
LATE = 4.0
"""Seconds after which those begin that need names of their own: then the others have theirs."""
TRIES = 3
"""The number of tries of a check that has met a rate limit."""


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
    at_once: int = 18,
    waits: float = WAITS,
    done: Callable[[Result], None] = lambda result: None,
) -> ServerReport:
    """Checks a server. `done` is told each result as it comes, from any thread.

    After so many seconds no check `waits` for a server that has had enough.
    """
    began = time.monotonic()
    results: dict[str, Result] = {}
    lock = Lock()
    with ExitStack() as stack:
        pool = Pool(address)
        stack.callback(pool.close)
        given: dict[str, object] = {"address": address, "strict": address, "pool": pool}
        until = began + waits
        if any(case.takes("idlers") for case in cases):
            TRACE.set(Trace(until=until))
            with suppress(Skipped):
                given["idlers"] = begin_idling(address, stack)

        def check(case: Case, places: Semaphore) -> None:
            with places:
                result = _result(case, given, until, places)
            with lock:
                results[case.name] = result
                done(result)

        few, many = Semaphore(at_once), Semaphore(AMONG)
        for case in cases:
            if case.alone:
                check(case, few)
        together = [case for case in cases if not case.alone]
        reuse = [case for case in together if not _needs_names(case)]
        others = [case for case in together if _needs_names(case)]
        with ThreadPoolExecutor(at_once) as threads, ThreadPoolExecutor(MANY) as more:
            first = threads.map(check, reuse, repeat(few))
            if reuse and others:
                time.sleep(LATE)
            list(more.map(check, others, repeat(many)))
            list(first)
    found = tuple(results[case.name] for case in cases)
    host, port = address
    return ServerReport(f"{host}:{port}", found, time.monotonic() - began)


def _needs_names(case: Case) -> bool:
    """True for a check that takes no pooled connection; it waits for new names, and is late."""
    return not (case.takes("connect") or case.takes("table"))


def _result(case: Case, given: Mapping[str, object], until: float, places: Semaphore) -> Result:
    ids = tuple(case.ids)
    sentences = tuple(quote.sentence for quote in case.quoted)
    for tries in reversed(range(TRIES)):
        trace = Trace(ends=time.monotonic() + LONGEST, until=until, places=places)
        try:
            case.run(given, trace)
        except Skipped as skipped:
            return Result(case.name, ids, sentences, Verdict.SKIP, why=str(skipped))
        except Exception as error:
            if trace.patient and trace.refused > 0:
                let_go(error)
                if tries and time.monotonic() + trace.told < until:
                    trace.wait(trace.told, aside=True)
                    continue
                return Result(case.name, ids, sentences, Verdict.SKIP, why=TOO_MANY)
            wants, came = wanted_and_came(error, trace)
            let_go(error)
            return Result(case.name, ids, sentences, Verdict.FAIL, wants, short(trace.sent), came)
        break
    return Result(case.name, ids, sentences, Verdict.PASS)
