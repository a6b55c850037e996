"""Addresses of servers, as a person types them."""

from __future__ import annotations

import re
from dataclasses import dataclass

PORT = 2222
"""The usual port."""

_BRACKETS = re.compile(r"\[([0-9A-Fa-f:.%]+)\](?::([0-9]+))?")
_HOST = re.compile(r"([^:\s/]+)(?::([0-9]+))?")
_IPV6 = re.compile(r"[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port, or the path of a UNIX socket."""

    host: str = "localhost"
    port: int = PORT
    path: str = ""

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


_WHY = {
    "ConnectionRefusedError": "nobody listens there",
    "gaierror": "there is no such host",
    "DNSLookupError": "there is no such host",
    "TimeoutError": "no answer",
}
"""What to tell about a connection that could not be made, by the error of Python or Twisted."""


def trouble(error: Exception) -> str:
    """Why a connection could not be made, in a few words."""
    name = type(error).__name__
    return _WHY.get(name) or str(error) or name


def parse(text: str) -> Address:
    """The address: `HOST`, `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`. Raises `ValueError`."""
    if text.startswith("unix:"):
        return Address(path=text[5:])
    if _IPV6.fullmatch(text):
        return Address(text)
    found = _BRACKETS.fullmatch(text) or _HOST.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not HOST or HOST:PORT")
    port = int(found[2]) if found[2] else PORT
    if not 0 < port < 65536:
        raise ValueError(f"there is no port {found[2]}")
    return Address(found[1], port)
