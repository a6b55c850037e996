"""Line servers without logic: what sending the same lines to the same people costs by itself.

`python -m tests.benchmarks.bare twisted` is Twisted on its asyncio reactor, `asyncio` is asyncio's
own transports. Both answer just enough of the protocol for the load generator: a table is four
connections, and a move is answered with one OK and three events for each of them, as many lines
of the same sizes as a move of Twenty-Two has on average.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

EVENTS = (
    b"PLAYED on=%b seq=%d seat=2 cards=6D,5C kind=low left=2\r\n"
    b"TRICK on=%b seq=%d trick=2 seat=1 by=nobody at all really\r\n"
    b"TURN on=%b seq=%d turn=%d seat=1 act=play beat=7"
)
ASKED = b" choose=one nlegal=2 legal=6+5,8 low=6,5 default=6+5 hand=5C,6D,8D,AC"


class Fan:
    """A table: who sits there, and how far it is."""

    def __init__(self, number: int) -> None:
        self.on = b"t%d" % number
        self.members: list[Member] = []
        self.seq = self.turn = 0

    def move(self, member: Member | None, id: bytes) -> None:
        """Tells everybody three events, and asks the next."""
        seq, on = self.seq, self.on
        self.seq += 3
        self.turn += 1
        text = EVENTS % (on, seq + 1, on, seq + 2, on, seq + 3, self.turn)
        asked = self.members[self.turn % len(self.members)]
        for each in self.members:
            told = text + (ASKED + b"\r\n" if each is asked else b"\r\n")
            if each is member:
                told = b"%b OK on=%b seq=%d\r\n%b" % (id, on, seq + 1, told)
            each.send(told)

    def say(self, member: Member | None, id: bytes, text: bytes) -> None:
        """Tells everybody what was said; without a member nobody is sent a reply."""
        self.seq += 1
        line = b"SAID on=%b seq=%d by=~l17x2 %b\r\n" % (self.on, self.seq, text)
        for each in self.members:
            if each is member:
                each.send(b"%b OK on=%b seq=%d\r\n%b" % (id, self.on, self.seq, line))
            else:
                each.send(line)


class Member:
    """A connection."""

    fan: Fan
    fans: list[Fan] = []  # noqa: RUF012  # all tables of the process

    def send(self, data: bytes) -> None:
        """Writes."""
        raise NotImplementedError  # each kind of socket has its own

    def line(self, line: bytes) -> None:
        """Answers a line."""
        id, _, rest = line.partition(b" ")
        if rest.startswith(b"move "):
            self.fan.move(self, id)
        elif rest.startswith(b"say "):
            self.fan.say(self, id, rest[4:])
        elif id == b"say":
            self.fan.say(None, b"", rest)
        elif rest == b"start":
            self.send(id + b" OK\r\n")
            self.fan.move(None, id)
        elif rest.startswith((b"open ", b"join ")):
            if rest.startswith(b"open "):
                self.fans.append(Fan(len(self.fans) + 1))
                self.fan = self.fans[-1]
            else:
                self.fan = self.fans[int(rest[6:]) - 1]
            self.fan.members.append(self)
            self.send(b"%b OK on=%b seat=%d\r\n" % (id, self.fan.on, len(self.fan.members)))
        else:
            self.send(id + b" OK\r\n")


GREETING = b"# bare\r\n"


def over_twisted() -> None:
    """Serves until it is killed."""
    from twisted.internet import asyncioreactor

    asyncioreactor.install(asyncio.new_event_loop())
    from twisted.internet import reactor as found
    from twisted.internet.protocol import Factory
    from twisted.protocols.basic import LineOnlyReceiver

    reactor: Any = found

    class Receiver(LineOnlyReceiver, Member):
        delimiter = b"\r\n"
        transport: Any

        def connectionMade(self) -> None:
            self.transport.setTcpNoDelay(True)
            self.send(GREETING)

        def lineReceived(self, line: bytes) -> None:
            self.line(line)

        def send(self, data: bytes) -> None:
            self.transport.write(data)

    factory = Factory.forProtocol(Receiver)
    factory.noisy = False
    port = reactor.listenTCP(0, factory, interface="127.0.0.1")
    print(f"listening on 127.0.0.1:{port.getHost().port}", flush=True)
    reactor.run()


class Wire(asyncio.Protocol, Member):
    """A connection over asyncio's own transports."""

    transport: Any
    _rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greets. (asyncio itself sets TCP_NODELAY.)"""
        self.transport = transport
        self.send(GREETING)

    def data_received(self, data: bytes) -> None:
        """Answers the lines that are complete."""
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        for line in lines:
            self.line(line)

    def send(self, data: bytes) -> None:
        """Writes."""
        self.transport.write(data)


async def over_asyncio(wire: type[Wire] = Wire) -> None:
    """Serves until it is killed."""
    server = await asyncio.get_running_loop().create_server(wire, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(f"listening on 127.0.0.1:{port}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "twisted":
        over_twisted()
    else:
        asyncio.run(over_asyncio())
