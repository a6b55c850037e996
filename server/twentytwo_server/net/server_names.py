"""The names of a server: HTTP requests under other names are refused.

A foreign page can point its own name at this server (DNS rebinding). The browser then treats the
server's answers as the page's own, but `Host` has the foreign name. IP addresses are safe.
"""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.value import Value

from ..limits.network import read_address
from .listeners import Tcp, listen_address

MISDIRECTED = 421
"""The status of HTTP for a request that names another host."""
UNKNOWN = "This server does not have that name; its operator lists names in server.names."


class ServerNames(Value):
    """The names of a server, in lower case."""

    names: frozenset[str] = frozenset()

    def __contains__(self, host: str) -> bool:
        """True if a `Host`, `HOST` or `HOST:PORT`, is an address or one of the names."""
        return read_address(host) is not None or _bare(host) in self.names


ADDRESSES_ALONE = ServerNames()
"""A server without a name."""


def server_names(names: Iterable[str], endpoints: Iterable[str]) -> ServerNames:
    """The names that an operator lists, those of the listeners, and localhost."""
    bindings = [listen_address(text).binding for text in endpoints]
    hosts = [binding.host for binding in bindings if isinstance(binding, Tcp)]
    known = [name for name in (*names, *hosts, "localhost") if read_address(name) is None]
    return ServerNames(frozenset(map(_bare, known)))


def _bare(host: str) -> str:
    """A host without its port, in lower case, without the dot that ends a whole name."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower().removesuffix(".")
