"""`twentytwo conform`: checks a server, or has a client checked, and prints the report."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

import msgspec

from .connections import Address, connected
from .report import Result, Verdict
from .runner import choose, run

KEPT = 0
USAGE = 2
BROKEN = 5
"""What the process ends with; 3 is for a server that cannot be reached."""


class ClientReport(Protocol):
    """What is found about a client."""

    ok: bool
    failed: tuple[str, ...]


def server(address: Address, words: Sequence[str], ids: Sequence[str], *, as_json: bool) -> int:
    """Checks a server; the exit status. Raises `OSError` if there is no connection."""
    cases = choose(words, ids)
    if not __debug__:
        return _usage("python -O leaves out what the checks assert")
    if not cases:
        return _usage("there is no such check; the ids are those of SPEC.md, as in --id S3")
    connected(address).close()
    progress = _Progress(len(cases))
    report = run(address, cases, done=progress.note)
    progress.clear()
    print(json.dumps(report.as_json(), indent=1) if as_json else report)
    return KEPT if report.ok else BROKEN


def client(command: str, ids: Sequence[str], *, as_json: bool) -> int:
    """Has a client come to a scripted server; the exit status. Raises `OSError` if it cannot."""
    report: ClientReport = import_module(".client_suite", __package__).run(
        command, only=set(ids) or None
    )
    found = {"ok": report.ok, "failed": report.failed, **msgspec.to_builtins(report)}
    print(json.dumps(found, indent=1) if as_json else report)
    return KEPT if report.ok else BROKEN


def _usage(why: str) -> int:
    print(f"twentytwo conform: {why}", file=sys.stderr)
    return USAGE


class _Progress:
    """A line that says how far it is, where somebody looks on."""

    def __init__(self, cases: int) -> None:
        self._cases, self._done, self._failed = cases, 0, 0
        self._shown = sys.stderr.isatty()

    def note(self, result: Result) -> None:
        """Counts a result."""
        self._done += 1
        self._failed += result.verdict is Verdict.FAIL
        if self._shown:
            told = f"\r{self._done} of {self._cases} checks, {self._failed} failed"
            print(told, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
