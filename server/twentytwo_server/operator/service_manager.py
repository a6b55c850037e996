"""Reports the state of the server to the service manager, by the protocol of systemd's
sd_notify(3).

A report is a datagram of lines to the Unix socket named in the environment. Without that variable
nothing is sent.
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
    """The service manager's socket, empty for none, and its watchdog timeout in seconds.

    `watchdog` is None if the service manager does not watch this process.
    """

    address: str = ""
    watchdog: float | None = None

    @classmethod
    def of(cls, environment: MutableMapping[str, str]) -> ServiceManager:
        """The service manager named in the environment. The variables are removed, because the
        service manager does not watch the worker processes.
        """
        address = environment.pop("NOTIFY_SOCKET", "")
        wanted = environment.pop("WATCHDOG_USEC", "")
        process = environment.pop("WATCHDOG_PID", str(os.getpid()))
        watched = address and wanted.isdecimal() and process == str(os.getpid())
        return cls(address, int(wanted) / 1_000_000 if watched else None)

    def ready(self, status: str) -> None:
        """Reports that the server is ready, also after `reloading`; `status` is a sentence."""
        self._tell("READY=1", f"STATUS={status}")

    def reloading(self, monotonic: float) -> None:
        """Reports a reload of the settings; `monotonic` is the current time in seconds."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={int(monotonic * 1_000_000)}")

    def stopping(self, seconds: float) -> None:
        """Reports that the server stops, and the time that it may take."""
        extended = int(seconds * 1_000_000)
        self._tell("STOPPING=1", f"EXTEND_TIMEOUT_USEC={extended}")

    def keep_alive(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """Reports twice per watchdog timeout, from now on, that the event loop is alive.

        `later` calls a function in this loop after the given number of seconds.
        """
        if self.watchdog is not None:
            self._tell("WATCHDOG=1")
            later(self.watchdog / 2, lambda: self.keep_alive(later))

    def _tell(self, *lines: str) -> None:
        if not self.address:
            return
        # A leading @ stands for a name in Linux's abstract namespace, unix(7).
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
            way.setblocking(False)
            way.sendto("\n".join(lines).encode(), address)
            return
        log.warning("cannot notify the service manager: %s", lines[0])
