"""`twentytwo conform`: checks a server or a client, and prints the report."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from .client_suite import run as run_client
from .connections import Address, connected
from .report import Report, Result, Verdict
from .runner import choose, run

PASSED = 0
USAGE = 2
FAILED = 5
"""The exit statuses; 3 means that the server cannot be reached."""


def server(address: Address, words: Sequence[str], ids: Sequence[str], *, as_json: bool) -> int:
    """Checks a server; returns the exit status. Raises `OSError` if it cannot be reached."""
    cases = choose(words, ids)
    if not __debug__:
        return _usage("python -O leaves out what the checks assert")
    if not cases:
        return _usage("there is no such check; the ids are those of SPEC.md, as in --id S3")
    connected(address).close()
    progress = _Progress(len(cases))
    report = run(address, cases, done=progress.note)
    progress.clear()
    return _told(report, "server" if as_json else "")


def client(command: str, ids: Sequence[str], *, as_json: bool) -> int:
    """Checks a client with a scripted server; returns the exit status. Raises `OSError` if the
    client cannot be started.
    """
    return _told(run_client(command, only=set(ids) or None), "client" if as_json else "")


def _told(report: Report, json_of: str) -> int:
    found = {json_of: report.subject, **report.as_json()}
    print(json.dumps(found, indent=1) if json_of else report)
    return PASSED if report.ok else FAILED


def _usage(why: str) -> int:
    print(f"twentytwo conform: {why}", file=sys.stderr)
    return USAGE


class _Progress:
    """A progress line that counts the checks, for a terminal."""

    def __init__(self, cases: int) -> None:
        self._cases, self._done, self._failed = cases, 0, 0
        self._shown = sys.stderr.isatty()

    def note(self, results: Sequence[Result]) -> None:
        """Counts the results of a check."""
        self._done += 1
        self._failed += any(result.verdict is Verdict.FAIL for result in results)
        if self._shown:
            told = f"\r{self._done} of {self._cases} checks, {self._failed} failed"
            print(told, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
