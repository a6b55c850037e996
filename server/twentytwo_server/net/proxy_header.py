"""The PROXY header with the client's address: PROXY protocol, versions 1 and 2.

It is specified in https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt.
"""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv6Address, ip_address

from twentytwo_protocol.value import Value

from ..limits.network import read_address

LINE = 107
"""Maximum bytes of a header of version 1, including the line end."""
SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
LONGEST = 2048
"""Maximum bytes of a header of version 2; usual headers fit in 500."""

TCP_IPV4, TCP_IPV6 = 0x11, 0x21
SSL = 0x20
OVER_TLS = 0x01


class BadHeader(Exception):
    """The bytes are no PROXY header."""


class Client(Value):
    """The client of a header: an address, or "" for a health check by the proxy itself.

    `tls`: the client connected to the proxy over TLS, as version 2 reports. `rest` follows the
    header.
    """

    address: str
    port: int
    tls: bool
    rest: bytes


def read_header(data: bytes) -> Client | None:
    """Reads a header from all bytes that have come so far; None if it has not come whole yet.

    Raises `BadHeader` as soon as the bytes cannot be a header.
    """
    if data[: len(SIGNATURE)] == SIGNATURE[: len(data)]:
        return _binary(data)
    if data[:6] == b"PROXY "[: len(data)]:
        return _line(data)
    raise BadHeader("no PROXY header")


_FAMILIES: dict[str, type[IPv4Address] | type[IPv6Address]] = {
    "TCP4": IPv4Address,
    "TCP6": IPv6Address,
}


def _line(data: bytes) -> Client | None:
    line, end, rest = data[:LINE].partition(b"\r\n")
    if not end:
        if len(data) >= LINE:
            raise BadHeader("a PROXY line that does not end")
        return None
    rest = data[len(line) + 2 :]
    try:
        words = line.decode("ascii").split(" ")
    except UnicodeDecodeError:
        raise BadHeader("a PROXY line that is not ASCII") from None
    if words[1] == "UNKNOWN":
        return Client("", 0, False, rest)
    family = _FAMILIES.get(words[1])
    if family is None or len(words) != 6:
        raise BadHeader("a PROXY line that names nobody")
    try:
        address: IPv4Address | IPv6Address = family(words[2])
        family(words[3])
    except ValueError:
        raise BadHeader("a PROXY line with a wrong address") from None
    port, _ = _port(words[4]), _port(words[5])
    return Client(_plain(address), port, False, rest)


def _port(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word) < 65536):
        raise BadHeader("a PROXY line with a wrong port")
    return int(word)


def _binary(data: bytes) -> Client | None:
    if len(data) < 16:
        return None
    version, family, size = struct.unpack_from("!BBH", data, 12)
    if version not in (0x20, 0x21) or size > LONGEST:
        raise BadHeader("a PROXY header of another version, or too long")
    if len(data) < 16 + size:
        return None
    body, rest = data[16 : 16 + size], data[16 + size :]
    length = {TCP_IPV4: 4, TCP_IPV6: 16}.get(family)
    if version == 0x20 or length is None:  # LOCAL, or not TCP
        return Client("", 0, False, rest)
    more = 2 * length + 4
    if size < more:
        raise BadHeader("a PROXY header without its addresses")
    (port,) = struct.unpack_from("!H", body, 2 * length)
    return Client(_plain(ip_address(body[:length])), port, _over_tls(body[more:]), rest)


def _over_tls(fields: bytes) -> bool:
    """True if the further fields (type, size, value) say that the client came over TLS."""
    while len(fields) >= 3:
        kind, size = struct.unpack_from("!BH", fields)
        value, fields = fields[3 : 3 + size], fields[3 + size :]
        if kind == SSL and value:
            return bool(value[0] & OVER_TLS)
    return False


def _plain(address: IPv4Address | IPv6Address) -> str:
    return read_address(str(address)) or ""
