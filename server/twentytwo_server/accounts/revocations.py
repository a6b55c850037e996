"""Guards logins against a race: a password or token that is revoked while it is being checked.

Checking takes time, and other commands are carried out meanwhile. So after a password was found
right, the account is read once more by `look_up`, which returns nothing older than the last
revocation that had begun. Every fact that revokes something is kept by `keep`, never directly.
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
    """Orders reads of the store behind revocations: counts those begun and those kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = 0
        self._kept = 0

    async def keep(self, facts: Sequence[Fact]) -> None:
        """Keeps facts that revoke a password or a token; returns when they are safe."""
        # Counted before it is kept: from now on no look_up returns an answer read before this.
        self._changed += 1
        await keep(self._store, facts)
        self._kept += 1

    async def look_up(
        self, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
    ) -> T:
        """Asks the store; returns an answer that no revocation has overtaken."""
        while True:
            changed = self._changed
            if self._kept < changed:
                # The store may read before it has written what is queued: wait until that is safe.
                await keep(self._store, ())
            answer = await ask(port, *args)
            if self._changed == changed:
                return answer
