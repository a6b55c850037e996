"""Sockets that send directly in `write`, as much as the kernel accepts.

Twisted's own transports never send in `write`: they register a writer with the reactor, are called
back, send, and take the writer out again, for every burst on every connection. That costs more than
all other work for a line. These sockets register a writer only for the bytes that the kernel does
not accept. They read in turns (`metering`), and their ports accept few at once. Closing, TLS and
producers are Twisted's, unchanged; so is the order of the bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twisted.internet import tcp, unix

from .metering import Meter, MeteredReading

if TYPE_CHECKING:
    from twisted.internet.interfaces import IListeningPort


class _SendsDirectly(tcp.Connection):
    """`_waiting` is True from when a writer is registered until everything is sent."""

    _waiting = False

    def write(self, data: bytes) -> None:
        """Sends bytes; the rest that the kernel does not accept is buffered and sent later."""
        if not (self._waiting or self.TLS) and self.connected:
            sent = self.writeSomeData(data)
            if sent == len(data):
                return
            # After an error everything is buffered: the writer meets the error again, and Twisted
            # handles it there, not in the middle of a write.
            if isinstance(sent, int):
                data = data[sent:]
        super().write(data)  # type: ignore[no-untyped-call]  # Twisted's

    def startWriting(self) -> None:
        """Registers with the reactor for when the kernel accepts more."""
        self._waiting = True
        super().startWriting()  # type: ignore[no-untyped-call]  # Twisted's

    def stopWriting(self) -> None:
        """Unregisters from the reactor."""
        self._waiting = False
        super().stopWriting()  # type: ignore[no-untyped-call]  # Twisted's


class TcpServer(MeteredReading, _SendsDirectly, tcp.Server):
    """A TCP connection to a server."""


class UnixServer(MeteredReading, _SendsDirectly, unix.Server):
    """A connection to a server over a Unix socket."""


_DIRECT: dict[type[Any], type[Any]] = {tcp.Server: TcpServer, unix.Server: UnixServer}
ACCEPTS = 8
"""Connections that a port accepts in a turn of the event loop. Twisted's own number begins with 100
and grows while all come at once, up to turns of 75 ms."""


def send_directly(port: IListeningPort, meter: Meter) -> None:
    """Makes the connections of a listening port send directly, and read as `meter` allows.

    It accepts `ACCEPTS` of them at once. All this holds from the next connection on.
    A port of another kind stays as it is.
    """
    # With TLS, too, the port is one of TCP: encryption is a layer above its connections.
    usual = getattr(port, "transport", None)
    if usual in _DIRECT:
        port.transport = _DIRECT[usual]  # type: ignore[attr-defined]  # as tcp.Port declares it
        port.meter = meter  # type: ignore[attr-defined]  # each connection knows its port
        _accept_few(port)


def _accept_few(port: Any) -> None:
    accept = port.doRead

    def accept_few() -> None:
        port.numberAccepts = ACCEPTS  # Twisted changes it in every turn
        accept()

    port.doRead = accept_few
