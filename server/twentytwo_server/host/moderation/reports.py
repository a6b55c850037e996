"""Reports of people about others, and the operator's answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused

from ...facts import Fact, Report
from ..numbers import NewNumbers

OPEN_EACH = 20
"""Maximum number of open reports of one person."""


class Reports:
    """The open reports, and the answers that the reporter has not read yet.

    The caller stores each change.
    """

    def __init__(self, wall: Callable[[], int], numbers: NewNumbers) -> None:
        self._wall = wall
        self._numbers = numbers
        self._pending: dict[int, Report] = {}

    def restore(self, last: int, stored: Iterable[Report]) -> None:
        """Restores the stored reports at a start; `last` is the highest number so far."""
        self._numbers.resume(last)
        self._pending = {each.no: each for each in stored}

    @property
    def pending(self) -> list[Report]:
        """The open reports, and those with answers that are not read yet."""
        return [*self._pending.values()]

    @property
    def open(self) -> list[Report]:
        """The unanswered reports, the oldest first."""
        return [each for each in self._pending.values() if not each.closed]

    def file(self, by: str, about: str, network: str, text: str, table: str, game: str) -> Report:
        """A new report, to be stored. Raises `Refused`: the reporter has too many (QUOTA), or no
        number is reserved (BUSY).
        """
        if sum(each.by == by for each in self.open) >= OPEN_EACH:
            text = f"{OPEN_EACH} reports of yours have not been answered yet; wait for that."
            raise Refused("QUOTA", text)
        no = self._numbers.take()
        report = Report(no, by, about, text, table, game, self._wall(), network=network)
        self._pending[report.no] = report
        return report

    def close(self, report: Report, answer: str, *, told: bool) -> Report:
        """An open report with its answer, to be stored; `told`: the reporter reads it now."""
        told = told or report.told
        closed = replace(report, answer=answer, closed=self._wall(), told=told, network="")
        self._put(closed)
        return closed

    def changed(self, report: Report) -> bool:
        """Takes a report as another server has stored it; False if that changes nothing."""
        same = self._pending.get(report.no) == report
        self._put(report)
        return not same

    def drop(self, report: Report) -> None:
        """Forgets a report that another server has closed, and whose reporter has been told."""
        self._pending.pop(report.no, None)

    def _put(self, report: Report) -> None:
        if report.closed and report.told:
            self._pending.pop(report.no, None)
        else:
            self._pending[report.no] = report

    def answers_for(self, name: str) -> list[Report]:
        """The answers for a person who comes in, marked as read; to be stored."""
        found = [
            replace(each, told=True)
            for each in self._pending.values()
            if each.by == name and each.closed and not each.told
        ]
        for report in found:
            self._put(report)
        return found

    def forget(self, name: str) -> Sequence[Fact]:
        """Drops the answers for a guest whose name is free again. Returns the facts to store."""
        mine = [each for each in self._pending.values() if each.by == name and not each.told]
        gone = [replace(each, told=True) for each in mine]
        for report in gone:
            self._put(report)
        return gone

    def rename(self, old: str, new: str) -> Sequence[Fact]:
        """A guest has become an account. Returns the facts to store."""
        renamed = [
            replace(
                each,
                by=new if each.by == old else each.by,
                about=new if each.about == old else each.about,
            )
            for each in self._pending.values()
            if old in (each.by, each.about)
        ]
        for report in renamed:
            self._put(report)
        return renamed


def answered(report: Report) -> str:
    """The sentence with the answer for the reporter."""
    return f"Your report of {report.about} has been read. {report.answer}".rstrip()
