"""The bans and mutes that are in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused

from ...facts import Fact, Sanction, SanctionKind, SanctionLifted
from ...session.streams import rfc3339
from .networks import Networks, network, spelled


class Sanctions:
    """All bans and mutes, by kind and target. They end by the wall clock, `wall`.

    The target for a person is the name in lower case. The caller stores each change.
    """

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall
        self._all: dict[tuple[SanctionKind, str], Sanction] = {}
        self._networks = Networks()

    def restore(self, stored: Iterable[Sanction]) -> Sequence[Fact]:
        """Restores the stored sanctions at a start; returns the facts that delete expired ones."""
        ended: list[Fact] = []
        for each in stored:
            if each.until > self._wall():
                self.put(each)
            else:
                ended.append(SanctionLifted(each.kind, each.target))
        return ended

    @property
    def all(self) -> list[Sanction]:
        """All bans and mutes, also those that have ended."""
        return [*self._all.values()]

    def __contains__(self, sanction: Sanction) -> bool:
        """True if this very ban or mute is known."""
        return self._all.get((sanction.kind, sanction.target)) == sanction

    def put(self, sanction: Sanction) -> None:
        """Adds a ban or a mute."""
        self._all[sanction.kind, sanction.target] = sanction
        found = network(sanction.target) if sanction.kind is SanctionKind.BAN else None
        if found is not None:
            self._networks.add(found)

    def lift(self, kind: SanctionKind, target: str) -> bool:
        """Removes a ban or a mute; False if the target has none."""
        known = self._all.pop((kind, target), None)
        found = network(target) if kind is SanctionKind.BAN else None
        if found is not None:
            self._networks.remove(found)
        return known is not None

    def in_force(self, kind: SanctionKind) -> list[Sanction]:
        """All bans or all mutes in force, in the order of their ends."""
        now = self._wall()
        found = [each for each in self._all.values() if each.kind is kind and each.until > now]
        return sorted(found, key=lambda each: (each.until, each.target))

    def ban_of_address(self, address: str) -> Sanction | None:
        """The ban of an address, if there is one."""
        bans = (self._of(SanctionKind.BAN, spelled(each)) for each in self._networks.over(address))
        return next(filter(None, bans), None)

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
        """Removes the mute of a guest whose name is free again; returns the facts to store."""
        muted = self.lift(SanctionKind.MUTE, name.lower())
        return [SanctionLifted(SanctionKind.MUTE, name.lower())] if muted else []

    def rename(self, old: str, new: str) -> Sequence[Fact]:
        """Moves the mute of a guest to the account. Returns the facts to store."""
        mute = self.mute_of(old)
        if mute is None:
            return []
        self.lift(SanctionKind.MUTE, mute.target)
        moved = replace(mute, target=new.lower())
        self.put(moved)
        return [SanctionLifted(SanctionKind.MUTE, mute.target), moved]


def until(sanction: Sanction) -> str:
    """The end of a ban or a mute and its reason, as text for the person concerned."""
    end = rfc3339(sanction.until)[:16].replace("T", " ")
    return f"until {end} UTC" + (f": {sanction.why}" if sanction.why else "")
