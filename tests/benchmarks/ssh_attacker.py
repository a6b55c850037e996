"""A hostile client of SSH, for `tests.benchmarks.attacker`: Conch's, without a reactor."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle, islice
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from twisted.conch.ssh.common import NS
from twisted.conch.ssh.keys import Key
from twisted.conch.ssh.transport import MSG_IGNORE, MSG_SERVICE_REQUEST, SSHClientTransport
from twisted.conch.ssh.userauth import MSG_USERAUTH_REQUEST
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger, LogPublisher

Packet = tuple[int, bytes]
GLOBAL_REQUEST, CHANNEL_OPEN, CHANNEL_DATA, CHANNEL_REQUEST = 80, 90, 94, 98
WIDE = 0xFFFF_FFFF
"""A window that is never full."""
SIZE = struct.pack(">4L", 80, 24, 0, 0)
TERMINAL = NS(b"xterm-256color") + SIZE + NS(b"")
FULL = 1 << 16
"""Unsent bytes above which an attacker waits."""
BATCH = 20
"""Packets that are sent together."""


def opening(window: int = WIDE) -> Packet:
    """Opens a session."""
    return CHANNEL_OPEN, NS(b"session") + struct.pack(">3L", 0, window, 32768)


def request(kind: bytes, data: bytes = b"") -> Packet:
    """Asks for something on the session, and for an answer."""
    return CHANNEL_REQUEST, struct.pack(">L", 0) + NS(kind) + b"\1" + data


def typed(text: bytes) -> Packet:
    """Keys."""
    return CHANNEL_DATA, struct.pack(">L", 0) + NS(text)


def guess() -> Packet:
    """Shows a key that nobody has shown before."""
    blob = Key(Ed25519PrivateKey.generate()).public().blob()
    asked = NS(b"owner") + NS(b"ssh-connection") + NS(b"publickey") + b"\0"
    return MSG_USERAUTH_REQUEST, asked + NS(b"ssh-ed25519") + NS(blob)


COMES_IN: tuple[Packet, ...] = (
    (MSG_SERVICE_REQUEST, NS(b"ssh-userauth")),
    (MSG_USERAUTH_REQUEST, NS(b"mallory") + NS(b"ssh-connection") + NS(b"keyboard-interactive")),
)
OPEN = (*COMES_IN, opening())
SEATED = (*OPEN, request(b"pty-req", TERMINAL), request(b"shell"))
PLAYING = (*SEATED, typed(b"practice\r"), typed(b"q " * 490))
UNREAD = (*COMES_IN, opening(0), request(b"pty-req", TERMINAL), request(b"shell"))
NARROW = struct.pack(">4L", 32, 24, 0, 0)
FORWARD = NS(b"tcpip-forward") + b"\1" + NS(b"h") + b"\0" * 4
VARIABLES = (b"LANG", b"LC_ALL", b"LD_PRELOAD", b"X" * 200)

FLOODS: dict[str, tuple[Sequence[Packet], Sequence[Packet]]] = {
    "ssh channels": (COMES_IN, [opening()]),
    "ssh forwards": (SEATED, [(GLOBAL_REQUEST, FORWARD)]),
    "ssh large": (SEATED, [(MSG_IGNORE, NS(b"x" * 32_000))]),
    "ssh small": (SEATED, [(MSG_IGNORE, NS(b""))]),
    "ssh keys": (SEATED, [typed(b"x" * 32_000)]),
    "ssh tabs": (SEATED, [typed(b"\t" * 32_000)]),
    "ssh costly tabs": (PLAYING, [typed(b"\t" * 1_000)]),
    "ssh arrows": (SEATED, [typed(b"a\x1b[D" * 8_000)]),
    "ssh enters": (SEATED, [typed(b"\r" * 1_000)]),
    "ssh lines": (SEATED, [typed(b"stats\r" * 10)]),
    "ssh unread": (UNREAD, [typed(b"who\r" * 10)]),
    "ssh env": (OPEN, [request(b"env", NS(name) + NS(b"x" * 5_000)) for name in VARIABLES]),
    "ssh pty": (OPEN, [request(b"pty-req", TERMINAL)]),
    "ssh resize": (SEATED, [request(b"window-change", size) for size in (SIZE, NARROW)]),
    "ssh exec": (OPEN, [request(b"exec", NS(b"games"))]),
    "ssh long exec": (OPEN, [request(b"exec", NS(b"play " + b"q " * 16_000))]),
    "ssh guesses": (COMES_IN[:1], []),
}
"""The packets of each attack after the keys: those sent once, and those sent again and again."""
STOPS = ("ssh version", "ssh exchange", "ssh handshakes", "ssh rekey")
"""Attacks that get no further than the keys."""


class _Wire(SSHClientTransport):
    _log = Logger(observer=LogPublisher())
    transport: Any

    def __init__(self, client: SshClient) -> None:
        self._client = client

    def verifyHostKey(self, pubKey: bytes, fingerprint: str) -> Deferred[bool]:
        return succeed(True)

    def connectionSecure(self) -> None:
        """Conch: the keys are exchanged."""
        self._client.encrypted()

    def sendDisconnect(self, reason: int, desc: bytes) -> None:
        """Conch: something is wrong, such as a refusal instead of a version."""
        self.transport.abort()

    def dispatchMessage(self, messageNum: int, payload: bytes) -> None:
        """Conch: only what belongs to the keys is looked at."""
        if 20 <= messageNum < 50:
            super().dispatchMessage(messageNum, payload)  # type: ignore[no-untyped-call]


class SshClient(asyncio.Protocol):
    """One connection of the attack `what`, one of `FLOODS` or `STOPS`."""

    def __init__(self, what: str, heard: Callable[[int], None]) -> None:
        self._what, self._heard = what, heard
        self._wire: Any = _Wire(self)
        self._flooding = False
        self.over = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = self._wire.transport = transport
        if self._what == "ssh version":
            transport.write(b"SSH-2.0-mallory\r\n")
        else:
            self._wire.connectionMade()

    def data_received(self, data: bytes) -> None:
        self._heard(len(data))
        if not (self._flooding or self._what in ("ssh version", "ssh exchange")):
            self._wire.dataReceived(data)

    def encrypted(self) -> None:
        """The keys are exchanged: the attack begins."""
        if self._what == "ssh handshakes":
            self._transport.abort()
        elif self._what == "ssh rekey":
            self._wire.sendKexInit()
        else:
            self._flooding = True
            first, again = FLOODS[self._what]
            for packet in first:
                self._wire.sendPacket(*packet)
            self._flood(cycle(again) if again else (guess() for _ in count()))

    def _flood(self, packets: Iterator[Packet]) -> None:
        for packet in islice(packets, BATCH):
            if self._transport.is_closing():
                return
            if self._transport.get_write_buffer_size() < FULL:
                self._wire.sendPacket(*packet)
        asyncio.get_running_loop().call_later(0, self._flood, packets)

    def connection_lost(self, _: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)
