"""What came of the checks: for each MUST whether the server keeps it."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from msgspec.structs import asdict

from twentytwo_protocol.value import Value

from .connections import NEEDS_DEV

WIDTH = 96
"""Columns of a report."""
WITHOUT_LIMITS = "twentytwo-server run --dev --bot-pause 0"
"""How to start a server that nothing is too much for."""


class Verdict(Enum):
    """What can come of a check."""

    PASS = "pass"
    FAIL = "FAIL"
    SKIP = "skip"


class Result(Value):
    """What came of one case of a check.

    `sentences` are quoted from SPEC.md. Where it failed, `wants` and `came` are the two lines that
    disagree and `sent` what was said to the server last; where it was skipped, `why` is why.
    """

    case: str
    ids: tuple[str, ...]
    sentences: tuple[str, ...]
    verdict: Verdict
    wants: str = ""
    sent: str = ""
    came: str = ""
    why: str = ""


@dataclass(frozen=True)
class ServerReport:
    """Everything that was found about one server."""

    server: str
    results: tuple[Result, ...]
    seconds: float = field(default=0.0, compare=False)

    @property
    def by_id(self) -> Mapping[str, list[Result]]:
        """The results that say something about each MUST, in the order of the specification."""
        found: dict[str, list[Result]] = {}
        for result in self.results:
            for id in result.ids:
                found.setdefault(id, []).append(result)
        return dict(sorted(found.items(), key=lambda each: (each[0][0], int(each[0][1:]))))

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """For each MUST: FAIL if any check failed, skip if none was made."""
        return {id: _verdict(results) for id, results in self.by_id.items()}

    @property
    def failed(self) -> tuple[str, ...]:
        """The ids of the MUSTs that the server does not keep."""
        return tuple(id for id, verdict in self.verdicts.items() if verdict is Verdict.FAIL)

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return not self.failed

    def __str__(self) -> str:
        """The report as people read it."""
        return "\n".join([*self._musts(), "", *self._failures(), *self._summary()])

    def _musts(self) -> Iterator[str]:
        for id, results in self.by_id.items():
            counts = Counter(result.verdict for result in results)
            told = [f"{counts[each]} {_PAST[each]}" for each in Verdict if counts[each]]
            yield f"{_verdict(results).value} {id:4}{', '.join(told)}"

    def _failures(self) -> Iterator[str]:
        for result in self.results:
            if result.verdict is Verdict.FAIL:
                yield f"FAIL {' '.join(result.ids)}  {result.case}"
                for name, text in (
                    ("SPEC", " / ".join(result.sentences)),
                    ("sent", result.sent),
                    ("wants", result.wants),
                    ("came", result.came),
                ):
                    yield from _wrapped(name, text)
                yield ""

    def _summary(self) -> Iterator[str]:
        counts = Counter(result.verdict for result in self.results)
        yield from self._skipped()
        told = ", ".join(f"{counts[each]} {_PAST[each]}" for each in Verdict if counts[each])
        yield f"{self.server}: {len(self.results)} checks in {self.seconds:.0f} s, {told}"
        left = [id for id, verdict in self.verdicts.items() if verdict is Verdict.SKIP]
        all_ = len(self.verdicts)
        if self.failed:
            yield f"FAIL: {len(self.failed)} of {all_} MUSTs are not kept: {' '.join(self.failed)}"
        if left == [*self.verdicts]:
            yield f"skip: of {all_} MUSTs none could be checked here: {' '.join(left)}"
        elif left:
            kept = "" if self.failed else f"pass: {all_ - len(left)} of {all_} MUSTs are kept; "
            yield f"{kept}{len(left)} could not be checked here: {' '.join(left)}"
        elif not self.failed:
            yield f"pass: all {all_} MUSTs are kept"

    def _skipped(self) -> Iterator[str]:
        """What was skipped and why, and how to have it checked."""
        reasons = Counter(result.why for result in self.results if result.why)
        if reasons:
            told = "; ".join(f"{why} ({count})" for why, count in reasons.most_common())
            yield f"{reasons.total()} of {len(self.results)} checks were skipped: {told}"
        if NEEDS_DEV in reasons:
            yield f"To check more, start the server without its limits: {WITHOUT_LIMITS}"

    def as_json(self) -> dict[str, object]:
        """The report for machines."""
        return {
            "server": self.server,
            "ok": self.ok,
            "seconds": round(self.seconds, 1),
            "musts": {id: verdict.value.lower() for id, verdict in self.verdicts.items()},
            "checks": [
                {
                    "check": result.case,
                    "ids": list(result.ids),
                    "spec": list(result.sentences),
                    "verdict": result.verdict.value.lower(),
                    **{
                        key: text
                        for key, text in asdict(result).items()
                        if key in ("wants", "sent", "came", "why") and text
                    },
                }
                for result in self.results
            ],
        }


_PAST = {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.SKIP: "skipped"}


def _verdict(results: list[Result]) -> Verdict:
    found = {result.verdict for result in results}
    return next(each for each in (Verdict.FAIL, Verdict.PASS, Verdict.SKIP) if each in found)


def _wrapped(name: str, text: str) -> Iterator[str]:
    lines = textwrap.wrap(text, WIDTH - 13, break_on_hyphens=False) or ["(nothing)"]
    yield f"     {name:<8}{lines[0]}"
    yield from (f"{'':13}{line}" for line in lines[1:])
