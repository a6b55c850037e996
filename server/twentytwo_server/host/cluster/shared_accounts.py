"""The names of accounts that were made at other servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...ports import Store
from ..people.people import People
from ..tables.pausable_clock import PausableClock
from .news import News, NewsKind

NEW = 3_600_000
"""Milliseconds for which an account counts as new. It is far longer than a server can miss news,
and than two wall clocks differ.
"""


@dataclass(slots=True)
class SharedAccounts:
    """Reads the names of new accounts again when another server has made one.

    A name that is not known here yet is refused later, by the store.
    """

    _store: Store
    _people: People
    _clock: PausableClock

    def join(self, news: News) -> None:
        """Begins to share them."""
        news.watch(NewsKind.ACCOUNTS, self._ask, self._people.skeletons.update)

    def _ask(self, done: Callable[[Mapping[str, str]], None]) -> None:
        self._store.new_accounts(self._clock.wall() - NEW, done)
