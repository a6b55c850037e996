"""The connection, over Twisted: it comes back by itself and says so.

Not `ClientService`: that has no way to tell of a connection lost while it is being prepared, and
ours is not of use before the server has answered who we are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from twisted.internet.interfaces import IDelayedCall, IReactorTime, IStreamClientEndpoint
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from .address import trouble
from .talk import Talk, delay
from .values import State, Value

QUIET, DEAF = 45, 15
"""Seconds of silence after which we ask whether the server is there, and wait for the answer."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The connection is lost, or could not be made again; the next attempt comes in `seconds`."""

    seconds: int
    failures: int


class End(Enum):
    """How a link ended."""

    UNREACHABLE = "no connection could be made"
    DISMISSED = "the server will not have us, or we have quit"
    GIVEN_UP = "the server did not come back"


class Link:
    """Drives a `Talk` over an endpoint; `hear` is told everything that happens.

    `patience` is how many attempts to come back are made, None for no end of them.
    """

    def __init__(
        self,
        endpoint: IStreamClientEndpoint,
        talk: Talk,
        hear: Callable[[Value | Waiting], None],
        *,
        reactor: IReactorTime,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        patience: int | None = None,
    ) -> None:
        self.talk = talk
        self.reactor = reactor
        self.trouble = ""
        self._endpoint = endpoint
        self._hear = hear
        self._sleep = sleep
        self._patience = patience
        self._wire: Wire | None = None

    async def run(self) -> End:
        """Connects, and comes back after every loss, until there is an end to it."""
        failures = 0
        was_here = False
        while True:
            here = await self._once()
            was_here = was_here or here
            if self.talk.state is State.OVER:
                return End.DISMISSED
            if not was_here:
                return End.UNREACHABLE
            failures = 0 if here else failures + 1
            if self._patience is not None and failures > self._patience:
                return End.GIVEN_UP
            self._hear(Waiting(delay(failures), failures))
            await self._sleep(delay(failures))

    async def _once(self) -> bool:
        """One connection from beginning to end; whether it was of any use."""
        lost = asyncio.get_running_loop().create_future()
        wire = Wire(self, lost)
        try:
            await self._endpoint.connect(Factory.forProtocol(lambda: wire)).asFuture(
                lost.get_loop()
            )
            await lost
        except asyncio.CancelledError:
            wire.abort()
            raise
        except Exception as error:  # every way in which a connection can fail to be made
            self.trouble = trouble(error)
        return wire.of_use

    # ------------------------------------------------------------------ from the wire

    def up(self, wire: Wire) -> None:
        """There is a connection."""
        self._wire = wire
        self.talk.connected()
        self.flush()

    def came(self, data: bytes) -> None:
        """Bytes have come."""
        self.talk.receive(data)
        self._tell()

    def down(self) -> None:
        """The connection is gone."""
        self._wire = None
        self.talk.lost()
        self._tell()

    def _tell(self) -> None:
        for value in self.talk.values():
            self._hear(value)
        self.flush()
        if self.talk.state is State.LEAVING:
            self.hang_up()

    # ------------------------------------------------------------------- to the wire

    def flush(self) -> None:
        """Sends what the conversation has to say."""
        data = self.talk.outgoing()
        if data and self._wire is not None:
            self._wire.write(data)

    def hang_up(self) -> None:
        """Ends the connection now."""
        if self._wire is not None:
            self._wire.abort()


class Wire(Protocol):
    """One connection."""

    def __init__(self, link: Link, lost: asyncio.Future[None]) -> None:
        self._link = link
        self._lost = lost
        self._asked = False
        self._alarm: IDelayedCall | None = None
        self.of_use = False

    def connectionMade(self) -> None:
        """Twisted: there is a connection."""
        for option in ("setTcpNoDelay", "setTcpKeepAlive"):
            if hasattr(self.transport, option):  # a UNIX socket has neither
                getattr(self.transport, option)(True)
        self._wait(DEAF)
        self._link.up(self)

    def dataReceived(self, data: bytes) -> None:
        """Twisted: bytes have come."""
        self._asked = False
        self._wait(QUIET)
        self._link.came(data)
        self.of_use = self.of_use or self._link.talk.state is State.HERE

    def _wait(self, seconds: int | None) -> None:
        """Waits so long for bytes, from now on."""
        if self._alarm is not None and self._alarm.active():
            self._alarm.cancel()
        self._alarm = self._link.reactor.callLater(seconds, self._silent) if seconds else None

    def _silent(self) -> None:
        """Nothing has come for a while: the server is asked once, then taken for gone."""
        if self._asked or self._link.talk.state is State.GREETING:
            self.abort()
            return
        self._asked = True
        self._wait(DEAF)
        self._link.talk.prod()
        self._link.flush()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Twisted: the connection is gone."""
        self._wait(None)
        self._link.down()
        if not self._lost.done():
            self._lost.set_result(None)

    def write(self, data: bytes) -> None:
        """Sends bytes."""
        assert self.transport is not None
        self.transport.write(data)

    def abort(self) -> None:
        """Closes the connection without waiting for anything."""
        if self.transport is not None:
            getattr(self.transport, "abortConnection", self.transport.loseConnection)()
