"""The seeks of a server whose store has the seeks of all servers."""

from __future__ import annotations

from ...facts import SeekEnded
from ...ports import Clock, Store
from ..lobby.seeks import Seeks

AGAIN = 5_000
"""Milliseconds between two searches for overlooked matches."""


class SharedSeeks:
    """Ends seeks in the store, and from time to time tries again to match the others.

    A seek is overlooked if a server took it for a match and then died.
    """

    def __init__(self, seeks: Seeks, store: Store, clock: Clock) -> None:
        self._seeks = seeks
        self._store = store
        self._clock = clock
        self._stopped = False
        seeks.ended = self._ended
        clock.later(AGAIN, self._look)

    def stop(self) -> None:
        """Stops matching."""
        self._stopped = True

    def _ended(self, number: int) -> None:
        self._store.keep([SeekEnded(number)], _nothing)

    def _look(self) -> None:
        if self._stopped:
            return
        if self._seeks.match_again is not None:
            self._seeks.match_again()
        self._clock.later(AGAIN, self._look)


def _nothing() -> None:
    """Nobody waits for the end of a seek."""
