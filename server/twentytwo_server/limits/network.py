"""Addresses as the keys of limits: one spelling, one network, and whether it is this machine."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The network that counts as one address: an IPv4 address, or the /64 of an IPv6 address.

    Anything else, such as `unix`, is returned as it is.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{int(found) >> 64:x}/64"
    return str(found)


def read_address(text: str) -> str | None:
    """The IP address in a header or other text; None if there is none.

    A port, brackets and a zone are dropped, so that the key of a limit or a ban has one spelling.
    """
    bracketed = re.fullmatch(r"\[(.*?)\](:.*)?", text)
    if bracketed is not None:
        text = bracketed[1]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return str(getattr(found, "ipv4_mapped", None) or found)


@lru_cache(maxsize=4096)
def is_local(address: str) -> bool:
    """True for an address of this machine only: loopback, or a Unix socket."""
    if address == "unix":
        return True
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
