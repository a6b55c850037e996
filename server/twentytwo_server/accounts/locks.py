"""Nobody comes in by what has been taken away meanwhile: an old password, a revoked token.

A password is compared, and a token looked up, while others are served. So whoever has been found
to be right is looked up once more, behind everything that was taken away until then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..facts import Fact
from ..ports import Store

T = TypeVar("T")


class Locks:
    """Counts how often something that opened an account was taken away, and what is kept of it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = 0
        self._kept = 0

    def change(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Keeps facts by which something opens an account no more; then calls `done`."""
        self._changed += 1

        def kept() -> None:
            self._kept += 1
            done()

        self._store.keep(facts, kept)

    def look(self, ask: Callable[[Callable[[T], None]], None], found: Callable[[T], None]) -> None:
        """Asks the store; `found` is given an answer that nothing has overtaken."""
        asked_at = self._changed

        def answered(answer: T) -> None:
            if self._changed == asked_at:
                found(answer)
            else:
                self.look(ask, found)

        if self._kept == self._changed:
            ask(answered)
        else:
            self._store.keep([], lambda: ask(answered))
