"""Connections that come through a proxy: its header first, then the protocol for its client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import IAddress, IProtocolFactory
from twisted.internet.protocol import Factory, Protocol
from zope.interface import implementer

from twentytwo_protocol.value import Value

from ..limits.addresses import Complaints
from ..limits.network import is_local
from .listeners import TrustedProxies
from .proxy_header import BadHeader, Client, read_header

if TYPE_CHECKING:
    from twisted.python.failure import Failure

    from ..ports import Clock, Timer

IN_TIME = 5_000
"""Timeout in milliseconds for the PROXY header."""


@implementer(IAddress)
class Forwarded(Value):
    """The client of a proxy. `private`: nobody could read its bytes on the way to the proxy."""

    host: str
    port: int
    private: bool


class BehindProxy(Factory):
    """Reads PROXY headers of trusted proxies, and passes each client to the factory `inner`.

    Other connections are closed. `ends_tls`: the proxies terminate TLS.
    """

    noisy = False

    def __init__(
        self, inner: IProtocolFactory, trusted: TrustedProxies, clock: Clock, *, ends_tls: bool
    ) -> None:
        self.inner = inner
        self.clock = clock
        self.ends_tls = ends_tls
        self._trusted = trusted
        self.complain = Complaints(clock.now).complain

    def doStart(self) -> None:
        """Twisted: the port listens."""
        self.inner.doStart()

    def doStop(self) -> None:
        """Twisted: it listens no more."""
        self.inner.doStop()

    def buildProtocol(self, addr: IAddress | None) -> Protocol | None:
        """The protocol for a new connection; None if it is no trusted proxy."""
        address = str(getattr(addr, "host", "unix"))
        if address not in self._trusted:
            self.complain(address, " connects where proxies do, and is not a trusted one")
            return None
        return ProxyHeader(self, address)


class ProxyHeader(Protocol):
    """Reads the header of one connection, and hands the connection on."""

    transport: Any = None

    def __init__(self, factory: BehindProxy, proxy: str) -> None:
        self._factory: BehindProxy = factory
        self._proxy = proxy
        self._data = b""
        self._too_late: Timer | None = None

    def connectionMade(self) -> None:
        """Twisted: the proxy is there."""
        self._too_late = self._factory.clock.later(
            IN_TIME, lambda: self._refuse("no header in time")
        )

    def dataReceived(self, data: bytes) -> None:
        """Twisted: bytes have come."""
        self._data += data
        try:
            client = read_header(self._data)
        except BadHeader as bad:
            self._refuse(str(bad))
            return
        if client is None:
            return
        self._end()
        protocol = self._factory.inner.buildProtocol(self._forwarded(client))
        transport = self.transport
        if protocol is None:
            transport.abortConnection()
            return
        transport.protocol = protocol  # from here on the connection is the client's
        protocol.makeConnection(transport)
        if client.rest:
            protocol.dataReceived(client.rest)

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Twisted: the proxy is gone."""
        self._end()

    def _forwarded(self, client: Client) -> Forwarded:
        """The client, or the proxy if the header has no address.

        In that case the sender is unknown: only TLS makes such a connection private.
        """
        here = is_local(client.address) and is_local(self._proxy)
        private = client.tls or self._factory.ends_tls or here
        return Forwarded(client.address or self._proxy, client.port, private)

    def _end(self) -> None:
        if self._too_late is not None and self._too_late.active():
            self._too_late.cancel()

    def _refuse(self, why: str) -> None:
        self._factory.complain(self._proxy, f", a proxy: {why}")
        self._end()
        self.transport.abortConnection()
