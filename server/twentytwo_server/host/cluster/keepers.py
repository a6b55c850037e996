"""Finds the servers that keep people."""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred

from ...facts import Keeper
from ...ports import Store


class Keepers:
    """Asks the store one question at a time, about all wanted people together.

    Many people come at once when a server has ended.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wanted: dict[str, list[Deferred[Keeper | None]]] = {}
        self._asking = False

    async def find(self, name: str) -> Keeper | None:
        """The server that keeps this person; None if there is nobody of that name."""
        found: Deferred[Keeper | None] = Deferred()
        self._wanted.setdefault(name.lower(), []).append(found)
        self._ask()
        return await found

    def _ask(self) -> None:
        if self._asking or not self._wanted:
            return
        asked, self._wanted = self._wanted, {}
        self._asking = True

        def answered(keepers: Mapping[str, Keeper]) -> None:
            self._asking = False
            self._ask()
            for name, waiting in asked.items():
                for each in waiting:
                    each.callback(keepers.get(name))

        self._store.keepers([*asked], answered)
