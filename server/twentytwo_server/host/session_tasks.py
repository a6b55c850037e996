"""Longer work for one connection, which ends with the connection."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from twisted.internet.defer import CancelledError, Deferred

from ..session.session import Session


class SessionTasks:
    """The running work of the connections, at most one task for each."""

    def __init__(self) -> None:
        self._running: dict[int, Deferred[None]] = {}

    def run(self, session: Session, work: Coroutine[Deferred[Any], Any, None]) -> Deferred[None]:
        """Runs the rest of a command, up to its first wait before this returns.

        It is cancelled when the connection ends. The Deferred fires when it has ended, either way.
        """
        task = Deferred.fromCoroutine(work)
        if not task.called:
            self._running[id(session)] = task

        def done(result: object) -> object:
            self._running.pop(id(session), None)
            return result

        task.addBoth(done)
        return task.addErrback(lambda failure: failure.trap(CancelledError) and None)

    def connection_lost(self, session: Session) -> None:
        """Cancels the work for a connection that is gone."""
        task = self._running.pop(id(session), None)
        if task is not None:
            task.cancel()
