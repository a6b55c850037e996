"""Clients that ask for as much as they can get, from one address, in a process of its own.

Run as `python -m tests.benchmarks.attacker`, it reads one line of JSON (`Attack`), attacks until
its time is over, and prints what it was answered (`Answered`). Every connection keeps `window`
lines unanswered, whatever the answers are; a connection that is cut off or `turns` answers old is
replaced by a new one.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import count

from tests.benchmarks.ssh_attacker import SshClient


@dataclass
class Attack:
    """What is sent. In lines `{n}` is a number that is never used twice."""

    host: str
    port: int
    source: str
    seconds: float
    connections: int = 60
    first: list[str] = field(default_factory=list)
    """Lines that each connection sends once."""
    lines: list[str] = field(default_factory=list)
    """Lines that each connection sends again and again."""
    window: int = 10
    turns: int = 0
    """After so many answers a connection is closed and made anew; 0: never."""
    moves: bool = False
    """Whether it answers the questions of games."""
    reads: bool = True
    """Whether it reads at all."""
    raw: str = ""
    """Bytes, as Latin-1, that are sent again and again behind the first lines."""
    pause: float = 0.0
    """Seconds between two of those."""
    entrance: str = ""
    """The listener's kind: plain lines, or `tls`, `ws` (whose `raw` is frames), `http`, `ssh`."""
    ssh: str = ""
    """The name of an attack of `ssh_attacker`, or empty."""
    silent: bool = False
    """True if nothing at all is sent, not even a handshake."""
    leaves: bool = False
    """True if each connection is closed as soon as it is open."""


@dataclass
class Answered:
    """What came of it."""

    connections: int = 0
    refused: int = 0
    """Connections that were turned away or cut off."""
    size: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    """How often each answer came: OK, or the code of a refusal."""


NUMBER = count()
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@cache
def trusting() -> ssl.SSLContext:
    """TLS without a look at the certificate."""
    found = ssl.create_default_context()
    found.check_hostname = False
    found.verify_mode = ssl.CERT_NONE
    return found


class Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, attack: Attack, found: Answered, counted: Counter[str]) -> None:
        self._attack, self._found, self._counted = attack, found, counted
        self._rest = b""
        self._answers = -len(attack.first)
        self._next = 0
        self.over = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._found.connections += 1
        self._transport = transport
        if self._attack.leaves:
            transport.abort()
        elif self._attack.entrance == "ws":
            transport.write(UPGRADE)
            self._flood()
        else:
            for line in self._attack.first:
                self._send(line)
            for _ in range(self._attack.window if self._attack.lines else 0):
                self._go_on()
            if self._attack.raw:
                self._flood()
        if not self._attack.reads:
            transport.pause_reading()

    def _flood(self) -> None:
        if not self._transport.is_closing() and self._transport.get_write_buffer_size() < 1 << 16:
            self._transport.write(self._attack.raw.encode("latin-1"))
        if not self.over.done():
            asyncio.get_running_loop().call_later(self._attack.pause, self._flood)

    def _send(self, line: str) -> None:
        said = line if line.startswith("hello") else f"@a {line}"
        self._transport.write(said.replace("{n}", str(next(NUMBER))).encode() + b"\n")

    def _go_on(self) -> None:
        self._send(self._attack.lines[self._next % len(self._attack.lines)])
        self._next += 1

    def data_received(self, data: bytes) -> None:
        self._found.size += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line[:3] == b"@a " and line[3:4] in b"OE" and line[3:6] in (b"OK\r", b"OK ", b"ERR"):
                self._answered(line)
            elif line[:5] == b"TURN " and self._attack.moves and b" default=" in line:
                turn = line.partition(b" turn=")[2].partition(b" ")[0].strip()
                default = line.partition(b" default=")[2].partition(b" ")[0].strip()
                self._transport.write(b"@m move %b turn=%b\n" % (default, turn))
            elif line[:5] == b"@* OK":  # hello
                self._answers += 1
                self._renew()

    def _answered(self, line: bytes) -> None:
        code = line.partition(b"code=")[2].partition(b" ")[0].strip().decode() or "OK"
        self._counted[code] += 1
        self._answers += 1
        self._renew()
        if self._answers > 0 and self._attack.lines:
            self._go_on()

    def _renew(self) -> None:
        if self._attack.turns and self._answers >= self._attack.turns:
            self._transport.abort()

    def connection_lost(self, _: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)


async def attack(wanted: Attack) -> Answered:
    """Attacks, and tells what came of it."""
    found, counted, loop = Answered(), Counter[str](), asyncio.get_running_loop()

    def heard(size: int) -> None:
        found.size += size

    def new_client() -> Client | SshClient:
        if not wanted.ssh:
            return Client(wanted, found, counted)
        found.connections += 1
        return SshClient(wanted.ssh, heard)

    async def again() -> None:
        while True:
            try:
                _, client = await loop.create_connection(
                    new_client,
                    wanted.host,
                    wanted.port,
                    local_addr=(wanted.source, 0) if wanted.source else None,
                    ssl=trusting() if wanted.entrance == "tls" and not wanted.silent else None,
                )
                await client.over
            except OSError:
                pass
            if not (wanted.turns or wanted.leaves):
                found.refused += 1
            await asyncio.sleep(0.01)

    tasks = [asyncio.ensure_future(again()) for _ in range(wanted.connections)]
    await asyncio.sleep(wanted.seconds)
    for task in tasks:
        task.cancel()
    found.answers = dict(counted.most_common())
    return found


def main() -> None:
    """Does what the first line of input says."""
    found = asyncio.run(attack(Attack(**json.loads(sys.stdin.readline()))))
    print(json.dumps(asdict(found)), flush=True)


if __name__ == "__main__":
    main()
