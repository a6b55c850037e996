"""Prevents a race: a password or token is revoked while a login with it is being checked.

Checking a password takes time, and other commands are executed meanwhile. So after a successful
check, read the account again with `look_up`, whose answer includes every revocation begun by then,
and compare. Store every revoking fact with `keep` of this class, never directly: otherwise a
revoked password or token could still open the account.
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
    """Makes reads of the store wait for revocations. It counts the revocations begun and stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = 0
        self._stored = 0

    async def keep(self, facts: Sequence[Fact]) -> None:
        """Stores facts that revoke a password or a token; returns when they are safe."""
        # Counted before the await: from now on `look_up` rejects earlier answers.
        self._changed += 1
        await keep(self._store, facts)
        self._stored += 1

    async def look_up(
        self, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
    ) -> T:
        """Queries the store; the answer includes every revocation begun before it arrived.

        Use the answer before the next await: after that it may be outdated again.
        """
        while True:
            changed = self._changed
            if self._stored < changed:
                # The store may answer from data without the queued writes: wait for those.
                await keep(self._store, ())
            answer = await ask(port, *args)
            if self._changed == changed:
                return answer
