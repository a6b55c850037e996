"""Bytes before the lines of a proxy, a browser or a client of SSH."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from ipaddress import ip_address

from tests.kit.ssh_clients import SshDoors
from tests.net.test_websocket import Entrance
from twentytwo_protocol.framing import Flaw
from twentytwo_server.net.proxy_header import BadHeader, Client, read_header

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: cards\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def proxy_header(data: bytes) -> Hashable:
    """However it is cut, the same client, and not a byte behind the header is lost."""
    whole = _header(data)
    for size in range(len(data)):
        found = _header(data[:size])
        if found is None:
            continue
        if isinstance(found, Client) and isinstance(whole, Client):
            found = Client(found.address, found.port, found.tls, found.rest + data[size:])
        assert found == whole
        break
    if not isinstance(whole, Client):
        return whole
    assert whole.address == "" or str(ip_address(whole.address)) == whole.address
    assert 0 <= whole.port < 65536
    assert data.endswith(whole.rest)
    return whole.address == "", ":" in whole.address, whole.tls, whole.rest == b""


def _header(data: bytes) -> Client | str | None:
    try:
        return read_header(data)
    except BadHeader as bad:
        return str(bad)


def websocket(pieces: Callable[[bytes], Iterator[bytes]]) -> Callable[[bytes], Hashable]:
    """What an input does that is a request, or frames if it begins with \\x01, cut by `pieces`."""

    def run(data: bytes) -> Hashable:
        if data[:1] == b"\x01":
            data = HANDSHAKE + data[1:]
        lines, status, connected = _heard([data])
        cut, *others = _heard(list(pieces(data)))
        assert others == [status, connected]
        # Of a message that breaks off in what is no text, as much is heard as had come before.
        assert cut == lines or (not connected and cut[: len(lines)] == lines)
        kinds = tuple(line if isinstance(line, Flaw) else bool(line) for line in lines[:3])
        return status, kinds, connected

    return run


def _heard(parts: list[bytes]) -> tuple[list[str | Flaw], bytes, bool]:
    """The lines that come of it, the first of the answer, whether the connection is still open."""
    entrance = Entrance()
    line = entrance.line()
    for part in parts:
        if line.connected:
            line.send(part)
    answer: bytes = line.transport.value()
    assert not answer or answer.startswith(b"HTTP/1.1 "), answer
    return entrance.echo.lines, answer[9:12], line.connected


NEXT = b"\n~\n"
"""The separator of two packets in an input for SSH."""


def ssh(pieces: Callable[[bytes], Iterator[bytes]]) -> Callable[[bytes], Hashable]:
    """The fuzz target for inputs before the keys, or as packets after the login.

    Its first byte says which: packets if it is odd, with a session if its second bit is set.
    Whatever comes, nobody else notices, and no error escapes.
    """

    def run(data: bytes) -> Hashable:
        doors = SshDoors()
        stage, data = (data[:1] or b"\0")[0], data[1:]
        if stage & 1:
            client = doors.client("ann")
            if stage & 2:
                client.open(terminal=True)
            client.deaf = True
            line = client.line
            for packet in data.split(NEXT):
                if line.connected and packet:
                    client.packet(packet[0], packet[1:])
        else:
            line = doors.raw()
            for piece in pieces(data):
                line.send(piece)
        assert "You are ~bob" in doors.at_terminal("bob").says("whoami")
        began = getattr(line.protocol, "begun", False)
        return stage & 3, line.connected, began

    return run
