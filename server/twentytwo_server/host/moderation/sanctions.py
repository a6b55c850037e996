"""Bans and mutes that are in force: who is let in, and who may talk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from ipaddress import (
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from twentytwo_protocol.schema import Refused

from ...facts import Fact, Sanction, SanctionKind, SanctionLifted
from ...session.streams import rfc3339

Network = IPv4Network | IPv6Network

HOME = 64
"""The prefix of IPv6 that one household has: a ban of one address there bans all of them."""
LOCAL = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def network(text: str) -> Network | None:
    """The network that an address or a network stands for; None if it is neither.

    Of an IPv6 address it is the /64, as for all limits; a mapped IPv4 address is that address.
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
    """True if addresses of this machine are in a network."""
    return any(found.version == own.version and found.overlaps(own) for own in LOCAL)


def spelled(found: Network) -> str:
    """A network as it is kept and shown: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/64`."""
    alone = found.prefixlen == found.max_prefixlen
    return str(found.network_address) if alone else str(found)


class Sanctions:
    """All bans and mutes, by kind and target. `wall` is the wall clock, by which they end.

    A person is a target by the name in lower case. Whoever changes something here stores it.
    """

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall
        self._all: dict[tuple[SanctionKind, str], Sanction] = {}
        self._networks: dict[tuple[int, int], dict[int, str]] = {}
        """The banned networks by version and length of prefix, each by its first bits."""

    def restore(self, kept: Iterable[Sanction]) -> Sequence[Fact]:
        """Takes over what was kept at a start; returns the facts that forget what has ended."""
        ended: list[Fact] = []
        for each in kept:
            if each.until > self._wall():
                self.put(each)
            else:
                ended.append(SanctionLifted(each.kind, each.target))
        return ended

    def put(self, sanction: Sanction) -> None:
        """Has a ban or a mute hold from now on."""
        self._all[sanction.kind, sanction.target] = sanction
        found = network(sanction.target) if sanction.kind is SanctionKind.BAN else None
        if found is not None:
            self._networks.setdefault(_size(found), {})[_bits(found)] = sanction.target

    def lift(self, kind: SanctionKind, target: str) -> bool:
        """Ends a ban or a mute; False if there is none of that target."""
        known = self._all.pop((kind, target), None)
        found = network(target) if kind is SanctionKind.BAN else None
        if found is not None:
            same = self._networks.get(_size(found), {})
            same.pop(_bits(found), None)
            if not same:
                self._networks.pop(_size(found), None)
        return known is not None

    def in_force(self, kind: SanctionKind) -> list[Sanction]:
        """All of a kind that have not ended, those that end first at the front."""
        now = self._wall()
        found = [each for each in self._all.values() if each.kind is kind and each.until > now]
        return sorted(found, key=lambda each: (each.until, each.target))

    def ban_of_address(self, address: str) -> Sanction | None:
        """The ban that keeps an address out, if there is one."""
        if not self._networks:
            return None
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return None
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        for (version, length), same in self._networks.items():
            if version != found.version:
                continue
            target = same.get(int(found) >> (found.max_prefixlen - length))
            if target is not None and (ban := self._of(SanctionKind.BAN, target)):
                return ban
        return None

    def ban_of(self, name: str) -> Sanction | None:
        """The ban of an account, if there is one."""
        return self._of(SanctionKind.BAN, name.lower())

    def check_name(self, name: str) -> None:
        """Raises `Refused` if the account of that name may not come in at present."""
        ban = self.ban_of(name)
        if ban is not None:
            raise Refused("FORBIDDEN", f"{name} is banned {until(ban)}")

    def mute_of(self, name: str) -> Sanction | None:
        """The mute of a person, if there is one."""
        return self._of(SanctionKind.MUTE, name.lower())

    def _of(self, kind: SanctionKind, target: str) -> Sanction | None:
        found = self._all.get((kind, target))
        return found if found is not None and found.until > self._wall() else None

    def forget(self, name: str) -> Sequence[Fact]:
        """A guest is gone, and the name is free: ends the mute; returns the facts to store."""
        muted = self.lift(SanctionKind.MUTE, name.lower())
        return [SanctionLifted(SanctionKind.MUTE, name.lower())] if muted else []

    def rename(self, old: str, new: str) -> Sequence[Fact]:
        """A guest has become an account, and stays muted. Returns the facts to store."""
        mute = self.mute_of(old)
        if mute is None:
            return []
        self.lift(SanctionKind.MUTE, mute.target)
        moved = replace(mute, target=new.lower())
        self.put(moved)
        return [SanctionLifted(SanctionKind.MUTE, mute.target), moved]


def _size(found: Network) -> tuple[int, int]:
    return found.version, found.prefixlen


def _bits(found: Network) -> int:
    return int(found.network_address) >> (found.max_prefixlen - found.prefixlen)


def until(sanction: Sanction) -> str:
    """When a ban or a mute ends, and why there is one: for whoever it is about."""
    end = rfc3339(sanction.until)[:16].replace("T", " ")
    return f"until {end} UTC" + (f": {sanction.why}" if sanction.why else "")
