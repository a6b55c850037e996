"""Sockets whose `write` sends directly as much as the kernel accepts.

The transports of Twisted never send in `write`. For every burst on every connection they register a
writer with the reactor, are called back, send, and remove the writer. That costs more than all
other work for a line. The sockets here register a writer only for the bytes that the kernel does
not accept. They read in turns (`metering`), and their ports accept only a few connections at once.
Closing, TLS, producers and the order of the bytes are unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twisted.internet import tcp, unix

from .metering import Meter, MeteredReading

if TYPE_CHECKING:
    from twisted.internet.interfaces import IListeningPort


class _SendsDirectly(tcp.Connection):
    """A connection that sends directly. `_waiting` is True while a writer is registered: until
    everything is sent.
    """

    _waiting = False

    def write(self, data: bytes) -> None:
        """Sends bytes; the rest that the kernel does not accept is buffered and sent later."""
        if not (self._waiting or self.TLS) and self.connected:
            try:
                sent = self.socket.send(data)
            except OSError:
                # Everything is buffered: the writer meets the error again, and Twisted handles it
                # there, not in the middle of a write.
                sent = 0
            if sent == len(data):
                return
            data = data[sent:]
        super().write(data)  # type: ignore[no-untyped-call]  # Twisted's

    def startWriting(self) -> None:
        """Registers a writer with the reactor, to be called when the kernel accepts more bytes."""
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
"""Connections that a port accepts in a turn of the event loop. The default of Twisted begins with
100 and grows with the load, up to turns of 75 ms.
"""


def send_directly(port: IListeningPort, meter: Meter) -> None:
    """Makes the future connections of a listening port send directly, and read as `meter` allows.

    The port then accepts `ACCEPTS` connections in a turn of the event loop. Ports of other kinds
    are not changed.
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
