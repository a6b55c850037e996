"""What proxies say of their clients."""

from __future__ import annotations

import contextlib
import struct
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.cases import together
from twentytwo_server.net.proxy_header import SIGNATURE, BadHeader, Client, read_header

HELLO = b"hello 1\n"


def line(text: str) -> bytes:
    return text.encode() + b"\r\n"


def binary(
    source: str = "", *, command: int = 0x21, family: int | None = None, fields: bytes = b""
) -> bytes:
    body = b""
    if source:
        packed = ip_address(source).packed
        family = {4: 0x11, 16: 0x21}[len(packed)] if family is None else family
        body = packed + packed + struct.pack("!HH", 5000, 2222)
    body += fields
    return SIGNATURE + struct.pack("!BBH", command, family or 0, len(body)) + body


def field(kind: int, value: bytes) -> bytes:
    return struct.pack("!BH", kind, len(value)) + value


OVER_TLS = field(0x20, b"\x01\0\0\0\0")
GOOD = [
    (line("PROXY TCP4 192.0.2.7 127.0.0.1 5000 2222"), "192.0.2.7", 5000, False),
    (line("PROXY TCP6 2001:db8::7 ::1 5000 2222"), "2001:db8::7", 5000, False),
    (line("PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2"), "192.0.2.7", 1, False),
    (line("PROXY UNKNOWN"), "", 0, False),
    (line("PROXY UNKNOWN ffff::1 ffff::2 5 6"), "", 0, False),
    (binary("192.0.2.7"), "192.0.2.7", 5000, False),
    (binary("2001:db8::7"), "2001:db8::7", 5000, False),
    (binary("192.0.2.7", fields=field(4, b"xx") + OVER_TLS), "192.0.2.7", 5000, True),
    (binary("192.0.2.7", fields=field(0x20, b"\0\0\0\0\0")), "192.0.2.7", 5000, False),
    (binary("192.0.2.7", fields=b"\x20\xff\xff\x01"), "192.0.2.7", 5000, True),
    (binary(command=0x20), "", 0, False),
    (binary(family=0x31, fields=bytes(216)), "", 0, False),
]


@together(("header", "address", "port", "tls"), GOOD)
def test_a_header_says_who_the_client_is_and_the_rest_is_the_clients(
    header: bytes, address: str, port: int, tls: bool
) -> None:
    assert read_header(header + HELLO) == Client(address, port, tls, HELLO)
    for end in range(len(header)):
        assert read_header(header[:end]) is None


@pytest.mark.parametrize("header", [GOOD[0][0], GOOD[3][0], GOOD[5][0]])
def test_all_that_follows_a_header_is_the_clients_however_much_comes_with_it(
    header: bytes,
) -> None:
    much = b"".join(b"@%d ping\n" % n for n in range(1000))
    client = read_header(header + much)
    assert client is not None
    assert client.rest == much


@together(
    "data",
    [
        HELLO,
        b"PRoxy TCP4",
        b"\r\n\r\nGET",
        line("PROXY TCP4 192.0.2.7 127.0.0.1 5000"),
        line("PROXY TCP4 ::1 ::1 5000 2222"),
        line("PROXY TCP4 192.0.2.7 127.0.0.1 5000 99999"),
        line("PROXY TCP4 192.0.2.7 127.0.0.1 5000 +1"),
        line("PROXY UDP4 192.0.2.7 127.0.0.1 5000 2222"),
        line("PROXY TCP4 caf\u00e9 127.0.0.1 5000 2222"),
        line("PROXY "),
        b"PROXY TCP4 " + b"1" * 200,
        SIGNATURE + b"\x11\x11\0\0",
        SIGNATURE + b"\x21\x11\xff\xff",
        SIGNATURE + b"\x21\x11\0\x04abcd",
    ],
)
def test_what_is_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(BadHeader):
        for end in range(len(data) + 1):
            read_header(data[:end])


@given(
    st.binary()
    | st.binary().map(lambda rest: SIGNATURE + rest)
    | st.binary().map(lambda rest: b"PROXY TCP4 " + rest + b"\r\n")
)
def test_nothing_else_is_raised(data: bytes) -> None:
    with contextlib.suppress(BadHeader):
        read_header(data)
