"""The records of a person apart from name and seats. They follow the name: they are renamed and
deleted with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..facts import Fact
from .dailies import Dailies
from .moderation.reports import Reports
from .moderation.sanctions import Sanctions
from .tables.set_aside import SetAsideTables


@dataclass(slots=True)
class PersonalRecords:
    """Sanctions, reports, attempts at daily deals, and seats at tables that are set aside."""

    _sanctions: Sanctions
    _reports: Reports
    _dailies: Dailies
    _set_aside: SetAsideTables

    def rename(self, old: str, new: str) -> list[Fact]:
        """Gives the records of a guest to an account; returns the facts to store."""
        self._set_aside.rename(old, new)
        self._dailies.rename(old, new)
        return [*self._sanctions.rename(old, new), *self._reports.rename(old, new)]

    def forget(self, guest: str) -> list[Fact]:
        """Forgets the records of a guest who is gone; returns the facts to store."""
        self._dailies.gone(guest)
        return [*self._sanctions.forget(guest), *self._reports.forget(guest)]
