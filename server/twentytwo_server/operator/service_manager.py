"""Tells the service manager that started the server how it is: sd_notify(3), as systemd reads it.

A datagram of lines to the Unix socket that the environment names; without one nothing is told.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, MutableMapping
from contextlib import suppress

from twentytwo_protocol.value import Value

log = logging.getLogger("twentytwo.service")


class ServiceManager(Value):
    """Where to tell it, empty for nowhere, and within how many seconds it wants to hear again.

    `watchdog` is None if it does not watch this process.
    """

    address: str = ""
    watchdog: float | None = None

    @classmethod
    def of(cls, environment: MutableMapping[str, str]) -> ServiceManager:
        """What an environment names. It is taken out: the processes of bots are not watched."""
        address = environment.pop("NOTIFY_SOCKET", "")
        wanted = environment.pop("WATCHDOG_USEC", "")
        process = environment.pop("WATCHDOG_PID", str(os.getpid()))
        watched = address and wanted.isdecimal() and process == str(os.getpid())
        return cls(address, int(wanted) / 1_000_000 if watched else None)

    def ready(self, status: str) -> None:
        """It serves; after `reloading`, again. `status` is a sentence for people."""
        self._tell("READY=1", f"STATUS={status}")

    def reloading(self, monotonic: float) -> None:
        """It reads its settings anew, until it is `ready`; `monotonic` is now, in seconds."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={int(monotonic * 1_000_000)}")

    def stopping(self, seconds: float) -> None:
        """It stops, and may take so long."""
        extended = int(seconds * 1_000_000)
        self._tell("STOPPING=1", f"EXTEND_TIMEOUT_USEC={extended}")

    def keep_alive(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """Says that the event loop comes round, twice as often as is wanted, from now on.

        `later` calls a function after so many seconds, in that loop.
        """
        if self.watchdog is not None:
            self._tell("WATCHDOG=1")
            later(self.watchdog / 2, lambda: self.keep_alive(later))

    def _tell(self, *lines: str) -> None:
        if not self.address:
            return
        # A name that begins with @ is not in the file system.
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
            way.setblocking(False)
            way.sendto("\n".join(lines).encode(), address)
            return
        log.warning("the service manager could not be told: %s", lines[0])
