"""Longer work for one connection, which ends with the connection."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from twisted.internet.defer import Deferred

from ..answers import Running
from ..session.session import Session


class SessionTasks:
    """The running work of the connections, at most one task for each."""

    def __init__(self) -> None:
        self._running: dict[int, Running] = {}

    def run(self, session: Session, work: Coroutine[Any, Any, None]) -> Deferred[None]:
        """Runs a coroutine, up to its first wait before this returns; fires when it has ended.

        When the connection ends, the coroutine gets `CancelledError` where it waits. The Deferred
        fails with every exception of the coroutine.
        """
        done: Deferred[None] = Deferred()

        def ended(wrong: Exception | None) -> None:
            self._running.pop(id(session), None)
            if wrong is None:
                done.callback(None)
            else:
                done.errback(wrong)

        task = Running(work, ended)
        if not done.called:
            self._running[id(session)] = task
        return done

    def connection_lost(self, session: Session) -> None:
        """Cancels the work for a connection that is gone."""
        task = self._running.pop(id(session), None)
        if task is not None:
            task.cancel()
