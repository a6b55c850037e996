"""Admin commands for reports of people: list, show, close."""

from __future__ import annotations

from twentytwo_protocol.words.connection import Note

from ...answers import ask
from ...facts import Report
from ...host.moderation.reports import answered
from ...session.streams import rfc3339
from ...store import Refused
from .context import Actions, AdminAnswer, AdminContext, Given, Row


async def reports(admin: AdminContext, given: Given) -> AdminAnswer:
    """The open reports."""
    admin.note(given)
    rows = [_report(report) for report in admin.host.reports.open]
    return AdminAnswer("" if rows else "no report is open", rows)


def _report(report: Report) -> Row:
    return {
        "id": report.no,
        "at": rfc3339(report.wall),
        "by": report.by,
        "about": report.about,
        "from": report.network,
        "table": report.table,
        "game": report.game,
        "text": report.text,
    }


async def show_report(admin: AdminContext, given: Given) -> AdminAnswer:
    """A report, with the record of its game if the game is over."""
    host, no = admin.host, given.number("id")
    report = await ask(host.store.report, no)
    if report is None:
        raise Refused(f"there is no report {no}")
    admin.note(given)
    closed = {"answer": report.answer, "closed": rfc3339(report.closed)} if report.closed else {}
    record = ""
    if report.game:
        game = await ask(host.store.game, report.game)
        runs = f"{report.game} is not over; its record is shown when it is"
        record = game.record if game is not None else runs
    return AdminAnswer(record, [{**_report(report), **closed}])


async def close_report(admin: AdminContext, given: Given) -> AdminAnswer:
    """Closes a report; its reporter is told the answer, now or at the next arrival."""
    host, no, answer = admin.host, given.number("id"), given.wanted("answer")
    found = next((each for each in host.reports.open if each.no == no), None)
    if found is None:
        raise Refused(f"no report {no} is open; `admin reports` lists them")
    # A guest may be gone and the name reused, so a lost guest's report counts as delivered.
    by, lost = found.by, found.told
    reporter = None if lost else host.people.exact(by)
    here = reporter is not None and reporter.session is not None
    report = host.reports.close(found, answer, told=here)
    if reporter is not None and reporter.session is not None:
        reporter.session.notice(Note("REPORT", text=answered(report)))
    await admin.keep(given, report)
    told = "has been told" if here else "is gone" if lost else "is told at the next login"
    return AdminAnswer(f"report {no} is closed; {by} {told}")


ACTIONS: Actions = {
    "reports": reports,
    "show report": show_report,
    "close report": close_report,
}
