"""Nobody comes in by what has been taken away meanwhile: an old password, a revoked token.

A password is compared, and a token looked up, while others are served. So whoever has been found
to be right is looked up once more, behind everything that was taken away until then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, TypeVarTuple

from ..answers import ask, keep
from ..facts import Fact
from ..ports import Store

T = TypeVar("T")
Args = TypeVarTuple("Args")


class Revocations:
    """Counts how often something that opened an account was taken away, and what is kept of it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = 0
        self._kept = 0

    async def keep(self, facts: Sequence[Fact]) -> None:
        """Keeps facts by which something opens an account no more; returns when they are safe."""
        # Counted before it is kept: whoever looks from now on is not given the old answer.
        self._changed += 1
        await keep(self._store, facts)
        self._kept += 1

    async def look_up(
        self, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
    ) -> T:
        """Asks the store; returns an answer that nothing has overtaken."""
        while True:
            changed = self._changed
            if self._kept < changed:
                # The store reads past what it is still to keep: let that be safe first.
                await keep(self._store, ())
            answer = await ask(port, *args)
            if self._changed == changed:
                return answer
