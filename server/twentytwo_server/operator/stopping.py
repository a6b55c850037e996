"""Stops a server, either at once or when all running games are over."""

from __future__ import annotations

import logging
from collections.abc import Callable

from ..host.host import Host
from ..ports import Clock, Timer

log = logging.getLogger("twentytwo.stopping")

CHECKED = 500
"""Milliseconds between two checks for running games."""
USUAL = 600_000
"""Default limit of `admin drain` for running games: ten minutes, in milliseconds."""


class Stopping:
    """Stops a server by calling `stop`, after a drain if the operator wants one."""

    def __init__(self, host: Host, clock: Clock, stop: Callable[[], None]) -> None:
        self._host = host
        self._clock = clock
        self._stop = stop
        self._until = 0
        self._check: Timer | None = None
        self.restart = False
        """True once the stop has begun: the server is likely to start again soon."""

    def told_to_stop(self) -> None:
        """Stops after the configured drain; a second call stops at once."""
        if self._host.config.now.drain and not self._host.availability.draining:
            self.drain()
        else:
            self._end()

    def drain(self, limit: int | None = None) -> int:
        """Starts a drain: stops when no game runs, or after `limit` ms. Returns the limit."""
        limit = limit if limit is not None else self._host.config.now.drain or USUAL
        self._until = self._clock.now() + limit
        if not self._host.availability.draining:
            self._host.availability.draining = True
            log.info("draining; running games: %d", self._host.rooms.games_running)
            self._host.connections.notify_all(
                "DRAINING",
                "The server restarts soon. Games that run are played to their end; none begins.",
            )
            self._look()
        return limit

    def go_on(self) -> None:
        """Cancels a drain."""
        if not self._host.availability.draining:
            return
        self._host.availability.draining = False
        if self._check is not None and self._check.active():
            self._check.cancel()
        log.info("the drain is cancelled")
        self._host.connections.notify_all(
            "DRAINING_OFF", "The server goes on; games may begin again."
        )

    def _look(self) -> None:
        left = self._until - self._clock.now()
        if not self._host.rooms.games_running:
            log.info("drained: no game is running")
            self._end()
        elif left <= 0:
            log.info("games that continue after a restart: %d", self._host.rooms.games_running)
            self._end()
        else:
            self._check = self._clock.later(min(CHECKED, left), self._look)

    def _end(self) -> None:
        if self.restart:
            return
        self.restart = True
        if self._check is not None and self._check.active():
            self._check.cancel()
        self._stop()
