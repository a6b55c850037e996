"""The terminal's connection to a server, over Twisted.

Twisted's `ClientService` does not fit: it cannot tell of a connection that is lost while it is
being prepared, and ours is of no use before the server has answered the login.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from twisted.internet.interfaces import IDelayedCall, IReactorTime, IStreamClientEndpoint
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from ..address import Address
from ..core.link import Link
from ..core.reconnecting import Ending
from ..trouble import trouble


class TwistedLink:
    """Drives a `Link` over a Twisted endpoint. `why_not` is why the last connection failed.

    `elsewhere` makes the endpoint of an address to which the server has sent us.
    """

    def __init__(
        self,
        endpoint: IStreamClientEndpoint,
        link: Link,
        *,
        clock: IReactorTime,
        elsewhere: Callable[[Address], IStreamClientEndpoint],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.link = link
        self.clock = clock
        self.why_not = ""
        self._endpoint = endpoint
        self._elsewhere = elsewhere
        self._sleep = sleep
        self._connection: LinkProtocol | None = None

    async def run(self) -> Ending:
        """Connects, and again after every loss, until the link says that it has ended."""
        while True:
            await self._once()
            then = self.link.ended()
            if isinstance(then, Ending):
                return then
            await self._sleep(then.seconds)

    async def _once(self) -> None:
        """One connection from beginning to end."""
        loop = asyncio.get_running_loop()
        self._connection = connection = LinkProtocol(self.link, self.clock, loop.create_future())
        try:
            endpoint = self._elsewhere(self.link.to) if self.link.to else self._endpoint
            await endpoint.connect(Factory.forProtocol(lambda: connection)).asFuture(loop)
            await connection.lost
        except asyncio.CancelledError:
            connection.hang_up()
            raise
        except Exception as error:  # every way in which a connection can fail to be made
            self.why_not = trouble(error)
        finally:
            self._connection = None

    def flush(self) -> None:
        """Sends what the conversation has to say."""
        if self._connection is not None:
            self._connection.flush()

    def hang_up(self) -> None:
        """Ends the connection now."""
        if self._connection is not None:
            self._connection.hang_up()


def unreachable(where: str, why_not: str) -> str:
    """That no server was reached, and why; where it would be the usual one here, what starts it."""
    starts = " twentytwo host starts one." if where == str(Address()) else ""
    return f"Could not connect to {where}: {why_not or 'no answer'}.{starts}"


class LinkProtocol(Protocol):
    """One connection of a link; `lost` is done when it is gone."""

    def __init__(self, link: Link, clock: IReactorTime, lost: asyncio.Future[None]) -> None:
        self.lost = lost
        self._link = link
        self._clock = clock
        self._alarm: IDelayedCall | None = None

    def connectionMade(self) -> None:
        """Twisted: there is a connection."""
        self._link.opened(self._clock.seconds())
        self._go_on()

    def dataReceived(self, data: bytes) -> None:
        """Twisted: bytes have come."""
        self._link.received(data, self._clock.seconds())
        self._go_on()

    def _tick(self) -> None:
        self._link.tick(self._clock.seconds())
        self._go_on()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Twisted: the connection is gone."""
        self._cancel_alarm()
        self._link.closed()
        if not self.lost.done():
            self.lost.set_result(None)

    def _go_on(self) -> None:
        self.flush()
        self._cancel_alarm()
        if self._link.hangs_up:
            self.hang_up()
        else:
            left = self._link.deadline - self._clock.seconds()
            self._alarm = self._clock.callLater(max(0, left), self._tick)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None and self._alarm.active():
            self._alarm.cancel()

    def flush(self) -> None:
        """Sends what the conversation has to say."""
        data = self._link.outgoing()
        if data and self.transport is not None:
            self.transport.write(data)

    def hang_up(self) -> None:
        """Closes the connection without waiting for anything."""
        if self.transport is not None:
            getattr(self.transport, "abortConnection", self.transport.loseConnection)()
