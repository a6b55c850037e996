"""Bans, mutes, reports and invite codes hold at all servers, whichever one they are given at."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from ...facts import InviteCode, Moderation, Report, Sanction, SanctionKind
from ...ports import Store
from ..moderation.enforcement import Enforcement
from ..moderation.invite_codes import InviteCodes
from ..moderation.networks import network
from ..moderation.reports import Reports
from ..moderation.sanctions import Sanctions
from ..people.people import People
from ..presence import Presence
from ..tables.pausable_clock import PausableClock
from .news import News, NewsKind, RereadRows


@dataclass(slots=True)
class SharedModeration:
    """Reads the decisions of operators again when another server has stored some.

    Their consequences for the people here are those of a decision at this server.
    """

    _store: Store
    _clock: PausableClock
    _sanctions: Sanctions
    _reports: Reports
    _invite_codes: InviteCodes
    _enforcement: Enforcement
    _people: People
    _presence: Presence
    _known_sanctions: RereadRows[Sanction] = field(init=False)
    _known_reports: RereadRows[Report] = field(init=False)
    _known_codes: RereadRows[InviteCode] = field(init=False)

    def join(self, news: News) -> None:
        """Begins to share them. Call it before the first command."""
        self._known_sanctions = RereadRows(lambda s: (s.kind, s.target), self._sanctions.all)
        self._known_reports = RereadRows(lambda report: report.no, self._reports.pending)
        self._known_codes = RereadRows(lambda code: code.digest, self._invite_codes.unused)
        news.watch(NewsKind.MODERATION, self._store.moderation, self._found)

    def _found(self, found: Moderation) -> None:
        self._known_sanctions.replace(found.sanctions, self._sanctioned, self._lifted)
        self._known_reports.replace(found.reports, self._reported, self._reports.drop)
        codes = self._invite_codes
        self._known_codes.replace(found.invite_codes, codes.add, codes.drop)

    def _sanctioned(self, sanction: Sanction) -> None:
        if sanction in self._sanctions or sanction.until <= self._clock.wall():
            return
        self._sanctions.put(sanction)
        banned = network(sanction.target)
        if sanction.kind is SanctionKind.MUTE:
            self._enforcement.tell_muted(sanction)
        elif banned is not None:
            self._enforcement.close_network(sanction, banned)
        elif facts := self._enforcement.close_account(sanction):
            self._store.keep(facts, lambda: None)

    def _lifted(self, sanction: Sanction) -> None:
        lifted = self._sanctions.lift(sanction.kind, sanction.target)
        if lifted and sanction.kind is SanctionKind.MUTE:
            self._enforcement.tell_unmuted(sanction.target)

    def _reported(self, report: Report) -> None:
        if not self._reports.changed(report):
            return
        reporter, about = self._people.exact(report.by), self._people.exact(report.about)
        if report.closed and reporter is not None:
            self._presence.tell_answers(reporter)
        elif not report.closed and not report.network and about is not None and about.network:
            known = replace(report, network=about.network)  # only the home of a person has it
            self._reports.changed(known)
            self._store.keep([known], lambda: None)
