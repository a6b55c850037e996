"""Asks the store who owns which tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from ...facts import Owned, WantedTables
from ...ports import Store

Done = Callable[[bool], None]
"""Called with False if the store could not answer."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """An answer of the store: the owners of the tables that are open; None if it cannot answer.

    `outdated` are tables about which this server has newer information by now. `waiting` are the
    callbacks of the askers.
    """

    asked: WantedTables
    owners: Mapping[str, Owned] | None
    outdated: Set[str]
    waiting: Sequence[Done]


class TableQuestions:
    """Asks one question at a time, so no answer is older than the one before.

    Questions that come meanwhile are asked together. A question about all tables comes last,
    because nobody waits for it; `all_wanted` returns it. `answered` is called with each answer.
    """

    def __init__(
        self,
        store: Store,
        all_wanted: Callable[[], WantedTables],
        answered: Callable[[TableAnswer], None],
    ) -> None:
        self.unanswered = False
        """True if the store could not answer the last question."""
        self._store = store
        self._all_wanted = all_wanted
        self._answered = answered
        self._wanted: list[WantedTables] = []
        self._waiting: list[Done] = []
        self._wants_all = False
        self._outdated: set[str] | None = None
        """Collected while a question is open."""
        self._stopped = False

    def stop(self) -> None:
        """Stops asking."""
        self._stopped = True

    def want(self, wanted: WantedTables, done: Done | None = None) -> None:
        """Asks for tables, as soon as the store has answered the last question."""
        self._wanted.append(wanted)
        if done is not None:
            self._waiting.append(done)
        self._ask()

    def want_all(self) -> None:
        """Asks for all tables that this server has to know."""
        self._wants_all = True
        self._ask()

    def outdate(self, table: str) -> None:
        """Says that the answer to the open question is too old for a table, and asks again."""
        if self._outdated is not None:
            self._outdated.add(table)
            self.want(WantedTables((table,)))

    def _ask(self) -> None:
        if self._outdated is not None or self._stopped:
            return
        waiting: Sequence[Done] = ()
        if self._wanted:
            wanted, waiting = _together(self._wanted), self._waiting
            self._wanted, self._waiting = [], []
        elif self._wants_all:
            wanted, self._wants_all = self._all_wanted(), False
        else:
            return
        self._outdated = set()

        def found(owners: Mapping[str, Owned] | None) -> None:
            outdated, self._outdated = self._outdated or set(), None
            self.unanswered = owners is None
            if not self._stopped:
                self._answered(TableAnswer(wanted, owners, outdated, waiting))
                self._ask()

        self._store.owners(wanted, found)


def _together(wanted: Sequence[WantedTables]) -> WantedTables:
    """All that is wanted, each once."""
    return WantedTables(
        tuple(dict.fromkeys(name for each in wanted for name in each.tables)),
        tuple(dict.fromkeys(name for each in wanted for name in each.words)),
        tuple(dict.fromkeys(name for each in wanted for name in each.games)),
        tuple(dict.fromkeys(name for each in wanted for name in each.people)),
    )
