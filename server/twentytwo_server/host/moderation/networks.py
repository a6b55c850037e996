"""Networks of addresses, and a set that finds the networks of an address."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import (
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Any

Network = IPv4Network | IPv6Network

HOME = 64
"""The IPv6 prefix length of one household: a ban of one address bans the whole prefix."""
LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def network(text: str) -> Network | None:
    """The network that an address or a network stands for; None if it is neither.

    An IPv6 address stands for its /64, as for all limits. An IPv4 address that is mapped into IPv6
    stands for the IPv4 address.
    """
    try:
        found = ip_network(text.partition("%")[0], strict=False)
    except ValueError:
        return None
    if isinstance(found, IPv6Network):
        mapped = found.network_address.ipv4_mapped
        if mapped is not None and found.prefixlen == 128:
            return IPv4Network(mapped)
        if found.prefixlen > HOME and not found.is_loopback:
            return found.supernet(new_prefix=HOME)
    return found


def is_own(found: Network) -> bool:
    """True if a network contains addresses of this machine."""
    return any(found.version == own.version and found.overlaps(own) for own in LOOPBACK)


def is_in(address: str, found: Any) -> bool:
    """True if an address is in a network."""
    own = network(address)
    return own is not None and own.version == found.version and own.subnet_of(found)


def spelled(found: Network) -> str:
    """A network as text: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/64`."""
    alone = found.prefixlen == found.max_prefixlen
    return str(found.network_address) if alone else str(found)


class Networks:
    """A set of networks. The time of a lookup grows with the number of prefix lengths only."""

    def __init__(self) -> None:
        self._all: dict[tuple[int, int], dict[int, Network]] = {}
        """The networks by version and prefix length, then by their first bits."""

    def __len__(self) -> int:
        return sum(map(len, self._all.values()))

    def add(self, found: Network) -> None:
        """Adds a network."""
        self._all.setdefault((found.version, found.prefixlen), {})[_bits(found)] = found

    def remove(self, found: Network) -> None:
        """Removes a network, if it is there."""
        size = found.version, found.prefixlen
        same = self._all.get(size, {})
        same.pop(_bits(found), None)
        if not same:
            self._all.pop(size, None)

    def over(self, address: str) -> Iterator[Network]:
        """The networks that contain an address; empty if the text is no IP address."""
        if not self._all:
            return
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        for (version, length), same in self._all.items():
            if version == found.version:
                over = same.get(int(found) >> (found.max_prefixlen - length))
                if over is not None:
                    yield over


def _bits(found: Network) -> int:
    return int(found.network_address) >> (found.max_prefixlen - found.prefixlen)
