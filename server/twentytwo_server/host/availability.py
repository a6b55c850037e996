"""Availability: whether the server stores, is ready for players, and begins new games."""

from __future__ import annotations

import logging
from collections.abc import Sized

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.connection import Note

from ..ports import SLOW_STORAGE, Clock
from ..session.session import Session
from .connections import Connections
from .tables.pausable_clock import PausableClock

log = logging.getLogger("twentytwo.host")

_NOT_STORING = "The server cannot store anything at present. Clocks stand still."


class Availability:
    """The state of the server as a whole.

    `draining` is True while nothing new begins, because the server is about to stop; `halted` when
    it stops; `storing` is False while nothing can be stored. `restoring` has the tables of an
    earlier run that are still to be rebuilt. `clock` is the timeline of the tables, which stands
    still while nothing can be stored, and `real` is not paused.
    """

    def __init__(self, clock: PausableClock, real: Clock, connections: Connections) -> None:
        self.draining = False
        self.halted = False
        self.storing = True
        self.restoring: Sized = ()
        self._clock = clock
        self._real = real
        self._connections = connections
        self._started = real.now()

    def uptime(self) -> int:
        """Milliseconds since the start, including time when nothing could be stored."""
        return self._real.now() - self._started

    def check_not_draining(self) -> None:
        """Raises `Refused` (DRAINING) if nothing new begins, because the server stops soon."""
        if self.draining:
            raise Refused(
                "DRAINING", "The server will stop soon: nothing new begins, running games continue."
            )

    @property
    def unready(self) -> str | None:
        """The reason why the server is not ready for players, or None."""
        if self.halted:
            return "stopping"
        if self.draining:
            return "draining"
        if self.restoring:
            return "restoring"
        return None if self.storing else "not storing"

    def storage_changed(self, why: str | None) -> None:
        """Called by the store with a reason when it cannot write, and with None when it can again.

        Meanwhile nothing is acknowledged, and the timeline of the tables is stopped. People get no
        notice if the store is only slow.
        """
        if why is None:
            self._clock.resume()
            if not self.storing:
                self.storing = True
                log.warning("storing works again")
                self._connections.notify_all(
                    "STORAGE_OK", "The server stores again. The games go on."
                )
            return
        self._clock.stop()
        if why == SLOW_STORAGE:
            log.info("%s; clocks are stopped", why)
        elif self.storing:
            self.storing = False
            log.error("nothing can be stored: %s; clocks are stopped", why)
            self._connections.notify_all("STORAGE", _NOT_STORING)

    def warn_newcomer(self, session: Session) -> None:
        """Warns a new connection if nothing can be stored: its answers will be late."""
        if not self.storing:
            session.notice(Note("STORAGE", text=_NOT_STORING))
