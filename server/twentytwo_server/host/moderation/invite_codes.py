"""The operator's codes; each makes one account, or resets the password of one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from ...facts import InviteCode


class InviteCodes:
    """The unused codes, by hash. They expire by the wall clock, `wall`."""

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall
        self._all: dict[bytes, InviteCode] = {}
        self._taken: dict[bytes, InviteCode] = {}

    def restore(self, stored: Iterable[InviteCode]) -> None:
        """Restores the stored codes at a start."""
        self._all = {each.digest: each for each in stored}

    @property
    def unused(self) -> list[InviteCode]:
        """All codes that are not used, also those that have expired."""
        return [*self._all.values()]

    def add(self, code: InviteCode) -> None:
        """Adds a code that another server has given."""
        if code.digest not in self._taken:
            self._all[code.digest] = code

    def drop(self, code: InviteCode) -> None:
        """Forgets a code that was used at another server."""
        self._all.pop(code.digest, None)
        self._taken.pop(code.digest, None)

    def give(self, code: str, until: int) -> InviteCode:
        """Adds a code with an expiry time; returns the fact to store before the code is shown."""
        given = InviteCode(_digest(code), until, self._wall())
        self._all[given.digest] = given
        return given

    def is_good(self, code: str) -> bool:
        """True if an account may be made with a code."""
        found = self._all.get(_digest(code))
        return found is not None and found.until > self._wall()

    def take(self, code: str) -> InviteCode:
        """Removes a good code, so that nobody else can use it. Call `used` or `put_back` later."""
        taken = self._all.pop(_digest(code))
        self._taken[taken.digest] = taken
        return taken

    def used(self, code: InviteCode) -> None:
        """Forgets a code that was taken, because an account was made with it."""
        self._taken.pop(code.digest, None)

    def put_back(self, code: InviteCode) -> None:
        """Makes a code good again that was taken, because no account was made with it.

        It stays used if it was used at another server meanwhile.
        """
        if self._taken.pop(code.digest, None) is not None:
            self._all[code.digest] = code


def resetting(name: str, code: str) -> str:
    """The key under which a code for a new password is stored."""
    return f"{name.lower()} {code}"


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()
