"""Metered reading: sockets are read within their address's time slice, and each byte is charged.

This is below TLS, WebSocket, telnet and PROXY headers. So decryption, the parsing of frames and the
splitting of lines are part of the slice, and bytes that never become a line count too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twisted.internet import tcp

from ..limits.network import network_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..limits.addresses import Addresses
    from ..ports import Clock
    from ..scheduler import Scheduler

READ_SIZE = 1 << 10
"""Bytes read at a time. The most expensive kilobyte (WebSocket pings or small TLS records) takes
about as long as a slice; an ordinary line fits into it."""


class Meter:
    """Time (`scheduler`) and bytes of each address, for the sockets of all listeners."""

    def __init__(self, addresses: Addresses, scheduler: Scheduler, clock: Clock) -> None:
        self.addresses = addresses
        self.scheduler = scheduler
        self._clock = clock

    def charge(self, network: str, share: int, size: int, resume: Callable[[], None]) -> bool:
        """Charges received bytes; returns True if the network is in debt now.

        In that case do not read until `resume` is called, when the debt is paid. `share` is that of
        the address (`Addresses.share`).
        """
        wait = self.addresses.charge(network, share, size)
        if wait:
            self._clock.later(wait, resume)
        return wait > 0


class MeteredReading(tcp.Connection):
    """A connection that reads when its port's `meter` allows it."""

    bufferSize = READ_SIZE
    _network = ""
    _share = 1
    _meter: Meter

    def charge_to(self, address: str) -> None:
        """From now on charges this address: that of the proxy's client instead of the
        proxy's own.
        """
        self._meter = self.server.meter  # type: ignore[attr-defined]  # of tcp.Server
        self._network = network_of(address)
        self._share = self._meter.addresses.share(address)

    def doRead(self) -> Any:
        """Twisted: the socket has bytes, or has ended."""
        if not self._network:
            peer = self.getPeer()  # type: ignore[no-untyped-call]  # Twisted's
            self.charge_to(str(getattr(peer, "host", "unix")))
        scheduler = self._meter.scheduler
        if scheduler.may_run(self._network):
            return scheduler.run(self._network, super().doRead)
        self.stopReading()  # type: ignore[no-untyped-call]  # Twisted's
        scheduler.later(self._network, self._read_in_slice)
        return None

    def _read_in_slice(self) -> None:
        if self.connected and not self.disconnecting:
            self.startReading()  # type: ignore[no-untyped-call]  # before a call that may pause it again
            # An end is met again by the reactor, which closes the connection.
            super().doRead()

    def _dataReceived(self, data: bytes | None) -> Any:
        if data and self._meter.charge(self._network, self._share, len(data), self.resumeProducing):
            self.stopReading()  # type: ignore[no-untyped-call]  # Twisted's
        return super()._dataReceived(data)
