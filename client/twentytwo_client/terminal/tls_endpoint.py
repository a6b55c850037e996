"""TLS for the terminal: asyncio's, which says in words why a certificate is not to be trusted."""

from __future__ import annotations

import asyncio
from ssl import SSLContext

from twisted.internet.address import HostnameAddress
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.internet.interfaces import IProtocol, IProtocolFactory, IStreamClientEndpoint
from twisted.python.failure import Failure
from zope.interface import implementer

from ..address import Address
from ..encryption import context_of


@implementer(IStreamClientEndpoint)
class TlsEndpoint:
    """A server at an address with TLS. `connect` fails with why its certificate will not do."""

    def __init__(self, server: Address) -> None:
        self._server = server

    def connect(self, factory: IProtocolFactory) -> Deferred[IProtocol]:
        """Twisted: makes a connection; the protocol hears of it when the server is proved."""
        return Deferred.fromFuture(asyncio.ensure_future(self._connect(factory)))

    async def _connect(self, factory: IProtocolFactory) -> IProtocol:
        context: SSLContext | None = context_of(self._server)
        protocol = factory.buildProtocol(
            HostnameAddress(self._server.host.encode(), self._server.port)
        )
        assert protocol is not None, "the link's factory always builds one"
        await asyncio.get_running_loop().create_connection(
            lambda: _Bridge(protocol), self._server.host, self._server.port, ssl=context
        )
        return protocol


class _Bridge(asyncio.Protocol):
    """Passes what happens to a connection of asyncio on to a protocol of Twisted."""

    def __init__(self, protocol: IProtocol) -> None:
        self._protocol = protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._protocol.makeConnection(_Wire(transport))  # type: ignore[arg-type]  # all of it that is used

    def data_received(self, data: bytes) -> None:
        self._protocol.dataReceived(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._protocol.connectionLost(Failure(ConnectionLost() if error else ConnectionDone()))


class _Wire:
    """A transport of asyncio, for a protocol of Twisted that writes and hangs up."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.write = transport.write
        self.loseConnection = transport.close
        self.abortConnection = transport.abort
