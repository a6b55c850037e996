"""Addresses of servers, as a person types them."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address

from msgspec.structs import replace

from twentytwo_protocol.value import Value

PORT = 2222
"""The default port."""
TLS_PORT = 2223
"""The default port for TLS."""
WEB_PORT = 8022
"""The default port of the page that `twentytwo host` hands out."""
TLS = "tls://"

_BRACKETS = re.compile(r"\[([^\[\]\s/]+)\](?::([0-9]+))?")
_HOST = re.compile(r"([^:\s/]+)(?::([0-9]+))?")


class Address(Value):
    """A host and a port, or the path of a UNIX socket.

    With `tls` the server needs a certificate for the host. It has to be signed by an authority in
    the file `ca`, or, without a file, by one that the system trusts.
    """

    host: str = "localhost"
    port: int = PORT
    path: str = ""
    tls: bool = False
    ca: str = ""

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{TLS if self.tls else ''}{host}:{self.port}"

    @property
    def lookup(self) -> str:
        """The host name for resolvers: `xn--bcher-kva.example` for `bücher.example`.

        Raises `OSError` for an invalid host name.
        """
        try:
            return self.host.encode("idna").decode()
        except UnicodeError:
            raise OSError("there is no such host") from None

    @property
    def certified(self) -> str:
        """The name in the server's certificate."""
        return self.lookup.partition("%")[0]

    def sent_from(self, other: Address) -> Address:
        """This address, after a redirect by the server `other`; with TLS if the server had TLS."""
        return replace(self, tls=True, ca=other.ca) if other.tls and not self.path else self


def parse(text: str) -> Address:
    """The address in a text: `HOST`, `HOST:PORT`, `[IPV6]:PORT`, `unix:PATH`, or `tls://` and one
    of them.

    Raises `ValueError`.
    """
    if text.startswith("unix:"):
        if text == "unix:":
            raise ValueError("unix: needs a path")
        return Address(path=text[5:])
    tls = text.startswith(TLS)
    authority = text.removeprefix(TLS).removesuffix("/") if tls else text
    usual = TLS_PORT if tls else PORT
    if _is_ipv6(authority):
        return Address(authority, usual, tls=tls)
    found = _BRACKETS.fullmatch(authority)
    found = found if found is None or _is_ipv6(found[1]) else None
    found = found or _HOST.fullmatch(authority)
    if not found:
        raise ValueError(f"{text!r} is not HOST or HOST:PORT")
    port = int(found[2]) if found[2] else usual
    if not 0 < port < 65536:
        raise ValueError(f"there is no port {found[2]}")
    return Address(found[1], port, tls=tls)


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True
