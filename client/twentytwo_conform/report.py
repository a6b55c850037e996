"""The report on a server or a client: the result of each check and of each MUST."""

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
"""Width of a report in columns."""
WITHOUT_LIMITS = "twentytwo-server run --dev --bot-pause 0"
"""The command that starts a server without limits."""


class Verdict(Enum):
    """The result of a check. If a MUST has several results, the first in this order counts."""

    FAIL = "FAIL"
    PASS = "pass"
    NOT_NEEDED = "not needed"
    SKIP = "skip"


_PAST = dict(zip(Verdict, ("failed", "passed", "not needed", "skipped"), strict=True))


class Result(Value):
    """The result of one case of a check.

    `sentences` are quoted from SPEC.md. If the check failed, `wants` and `came` are the
    contradicting lines, and `sent` is the last line that was sent before. Otherwise `why` is the
    reason for skipping the check.
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
class Report:
    """All results for the server or client named by `subject`."""

    subject: str
    results: tuple[Result, ...]
    seconds: float = field(default=0.0, compare=False)

    @property
    def by_id(self) -> Mapping[str, list[Result]]:
        """The results about each MUST, in the order of the ids."""
        found: dict[str, list[Result]] = {}
        for result in self.results:
            for id in result.ids:
                found.setdefault(id, []).append(result)
        return dict(sorted(found.items(), key=lambda each: (each[0][0], int(each[0][1:]))))

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdict about each MUST."""
        return {
            id: next(each for each in Verdict if each in {result.verdict for result in results})
            for id, results in self.by_id.items()
        }

    @property
    def failed(self) -> tuple[str, ...]:
        """The ids of the violated MUSTs."""
        return self._ids(Verdict.FAIL)

    @property
    def ok(self) -> bool:
        """True if no check failed."""
        return not self.failed

    def _ids(self, *verdicts: Verdict) -> tuple[str, ...]:
        return tuple(id for id, verdict in self.verdicts.items() if verdict in verdicts)

    def __str__(self) -> str:
        """The report for people."""
        return "\n".join([*self._musts(), "", *self._failures(), *self._summary()])

    def _musts(self) -> Iterator[str]:
        for id, verdict in self.verdicts.items():
            if verdict is not Verdict.NOT_NEEDED:
                yield f"{verdict.value} {id:4}{_counted(self.by_id[id])}"

    def _failures(self) -> Iterator[str]:
        shown: set[tuple[str, ...]] = set()
        for result in self.results:
            about = (*result.ids, result.wants, result.came)
            if result.verdict is not Verdict.FAIL or about in shown:
                continue
            shown.add(about)
            yield f"FAIL {' '.join(result.ids)}  {result.case}"
            yield from _wrapped("SPEC", " / ".join(result.sentences))
            for name in ("sent", "wants", "came"):
                yield from _wrapped(name, getattr(result, name))
            yield ""

    def _summary(self) -> Iterator[str]:
        reasons = Counter((each.verdict, each.why) for each in self.results if each.why)
        for (verdict, why), count in reasons.most_common():
            about = {id for each in self.results if each.why == why for id in each.ids}
            ids = " ".join(id for id in self._ids(verdict) if id in about)
            if ids or verdict is Verdict.SKIP:
                told = f"{count} checks" if count > 1 else "1 check"
                yield from textwrap.wrap(f"{verdict.value}: {why} ({told}): {ids or '-'}", WIDTH)
        if (Verdict.SKIP, NEEDS_DEV) in reasons:
            yield f"To check more, start the server without its limits: {WITHOUT_LIMITS}"
        all_, cases = len(self.verdicts), len({result.case for result in self.results})
        yield f"{self.subject}: {cases} checks in {self.seconds:.0f} s, {_counted(self.results)}"
        passed = self._ids(Verdict.PASS)
        ends = [f"pass: {len(passed)} of {all_} MUSTs are kept"] if passed and self.ok else []
        if self.failed:
            ids = " ".join(self.failed)
            ends += [f"FAIL: {len(self.failed)} of {all_} MUSTs are not kept: {ids}"]
        if idle := self._ids(Verdict.NOT_NEEDED):
            ends += [f"{len(idle)} are not needed here"]
        if left := self._ids(Verdict.SKIP):
            ends += [f"{len(left)} of {all_} could not be checked here: {' '.join(left)}"]
        yield from ends

    def as_json(self) -> dict[str, object]:
        """The report for machines."""
        return {
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


def _counted(results: tuple[Result, ...] | list[Result]) -> str:
    counts = Counter(result.verdict for result in results)
    return ", ".join(f"{counts[each]} {_PAST[each]}" for each in Verdict if counts[each])


def _wrapped(name: str, text: str) -> Iterator[str]:
    lines = textwrap.wrap(text, WIDTH - 13, break_on_hyphens=False) or ["(nothing)"]
    yield f"     {name:<8}{lines[0]}"
    yield from (f"{'':13}{line}" for line in lines[1:])
