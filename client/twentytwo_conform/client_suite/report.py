"""What came of it: for every duty of a client whether it is done, and what was seen instead."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from enum import Enum

from twentytwo_protocol.value import Value

from .duties import DUTIES, OPTIONAL, Level

WIDTH = 96
"""Columns of a report."""
LONGEST = 300
"""Characters of a line that are shown."""


LEGEND = "Ids are those of SPEC.md; B and a number is a sentence there that has no id of its own."


class Outcome(Enum):
    """What can come of trying a duty; the worst that was seen in any scenario counts."""

    FAIL = "FAIL"
    PASS = "pass"
    NOT_NEEDED = "not needed"
    NOT_REACHED = "not reached"


class Finding(Value):
    """What one scenario found about one duty.

    `sent` is the last line that the client had been sent, `expected` what a client does then, and
    `did` what this one did. For what is not needed `did` alone says why.
    """

    duty: str
    outcome: Outcome
    scenario: str
    did: str = ""
    expected: str = ""
    sent: str = ""


_WORST = list(Outcome)


class Report(Value):
    """Everything that was found about one client."""

    command: str
    findings: tuple[Finding, ...]
    seconds: float = 0.0

    @property
    def verdicts(self) -> dict[str, Finding]:
        """For every duty that was looked at the finding that counts, in the order of the duties."""
        found: dict[str, Finding] = {}
        for finding in sorted(self.findings, key=lambda each: _WORST.index(each.outcome)):
            found.setdefault(finding.duty, finding)
        return {duty: found[duty] for duty in DUTIES if duty in found}

    @property
    def failed(self) -> tuple[str, ...]:
        """The ids of the duties that the client does not do."""
        return tuple(duty for duty, found in self.verdicts.items() if found.outcome is Outcome.FAIL)

    @property
    def ok(self) -> bool:
        """Whether nothing was wrong."""
        return not self.failed

    def __str__(self) -> str:
        """The report as people read it."""
        return "\n".join([*self._summary(), "", *self._failures(), *self._list(), "", LEGEND])

    def _summary(self) -> Iterable[str]:
        tried = [each for each in self.findings if each.outcome is not Outcome.NOT_REACHED]
        scenarios = len({finding.scenario for finding in tried})
        yield f"twentytwo conform --client {self.command!r}"
        yield f"{scenarios} scenario{'s' if scenarios > 1 else ''} in {self.seconds:.1f} s"
        yield ""
        for level in Level:
            found = {
                duty: finding
                for duty, finding in self.verdicts.items()
                if DUTIES[duty].level is level
            }
            if found:
                first, *more = textwrap.wrap(_verdict(found), WIDTH - 12)
                yield f"  {level.value:<10}{first}"
                yield from (f"{'':12}{line}" for line in more)

    def _failures(self) -> Iterable[str]:
        for duty in self.failed:
            yield f"FAIL  {_title(duty)}"
            shown: set[tuple[str, str]] = set()
            for finding in self.findings:
                about = (finding.expected, finding.did)
                if finding.duty == duty and finding.outcome is Outcome.FAIL and about not in shown:
                    shown.add(about)
                    yield from _facts(finding)
            yield ""

    def _list(self) -> Iterable[str]:
        for duty, finding in self.verdicts.items():
            if finding.outcome is Outcome.PASS:
                yield f"pass  {_title(duty)}"
        reasons: dict[str, list[str]] = {}
        for duty, finding in self.verdicts.items():
            if finding.outcome in (Outcome.NOT_NEEDED, Outcome.NOT_REACHED):
                reasons.setdefault(f"{finding.outcome.value}: {finding.did}", []).append(duty)
        for reason, duties in reasons.items():
            wrapped = textwrap.wrap(f"{', '.join(duties)}  {reason}", WIDTH)
            yield from (line if not at else f"      {line}" for at, line in enumerate(wrapped))


def _verdict(found: Mapping[str, Finding]) -> str:
    if all(finding.outcome is Outcome.NOT_REACHED for finding in found.values()):
        return "not reached"
    outcomes = [finding.outcome for finding in found.values()]
    failed, passed = outcomes.count(Outcome.FAIL), outcomes.count(Outcome.PASS)
    not_needed = outcomes.count(Outcome.NOT_NEEDED)
    left_out = f", {not_needed} not needed by a client like this" if not_needed else ""
    if failed:
        well = f", {passed} passed" if passed else ""
        return f"FAIL  {failed} of {len(found)} duties{well}{left_out}"
    first = next(iter(found.values()))
    if first.outcome is Outcome.NOT_NEEDED and first.duty in OPTIONAL:
        return f"not tried by this client: {first.did}"
    return f"pass  {passed} of {len(found)} duties{left_out}"


def _title(duty: str) -> str:
    sentence = textwrap.shorten(DUTIES[duty].sentence, WIDTH - 10, placeholder=" ...")
    return f"{duty:<4}{sentence}"


def _facts(finding: Finding) -> Iterable[str]:
    yield f"      where     {finding.scenario}"
    for name, text in (
        ("it heard", finding.sent),
        ("expected", finding.expected),
        ("it did", finding.did),
    ):
        if text:
            shown = _printable(text[:LONGEST])
            if len(text) > LONGEST:
                shown += f" ... ({len(text)} characters)"
            lines = textwrap.wrap(shown, WIDTH - 16, break_on_hyphens=False)
            yield f"      {name:<10}{lines[0]}"
            yield from (f"{'':16}{line}" for line in lines[1:])


def _printable(text: str) -> str:
    """Nothing in it acts on a terminal, or is a line end to anybody."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
