"""Connections to a server for the terminal: asyncio's, for a protocol of Twisted.

asyncio lets the system's resolver decide what a name is, and says in words why a certificate is not
to be trusted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from twisted.internet.address import HostnameAddress
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.internet.interfaces import IProtocol, IProtocolFactory, IStreamClientEndpoint
from twisted.python.failure import Failure
from zope.interface import implementer

from ..address import Address
from ..encryption import context_of

PATIENCE = 30.0
"""Seconds that a connection may take to be made."""
NEXT = 0.25
"""Seconds after which the next address of a host is tried beside the one before."""


@implementer(IStreamClientEndpoint)
class ServerEndpoint:
    """A server at an address. `connect` fails with an `OSError`, which says why.

    With TLS the protocol hears of a connection when the server has proved itself.
    """

    def __init__(self, server: Address) -> None:
        self._server = server

    def connect(self, factory: IProtocolFactory) -> Deferred[IProtocol]:
        """Twisted: makes a connection."""
        return Deferred.fromFuture(asyncio.ensure_future(self._connect(factory)))

    async def _connect(self, factory: IProtocolFactory) -> IProtocol:
        protocol = factory.buildProtocol(HostnameAddress(b"", self._server.port))
        assert protocol is not None, "the link's factory always builds one"
        async with asyncio.timeout(PATIENCE):
            await self._bridge(lambda: _Bridge(protocol))
        return protocol

    async def _bridge(self, made: Callable[[], asyncio.Protocol]) -> None:
        loop, server = asyncio.get_running_loop(), self._server
        if server.path:
            await loop.create_unix_connection(made, server.path)
            return
        context = context_of(server)
        await loop.create_connection(
            made,
            server.lookup,
            server.port,
            ssl=context,
            server_hostname=server.certified if context else None,
            happy_eyeballs_delay=NEXT,
        )


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
