"""Codes that the operator gives out, each of which makes one account, or resets a password."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from ...facts import InviteCode


class InviteCodes:
    """The codes that nobody has used yet, by hash. `wall` is the wall clock, by which they end."""

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall
        self._all: dict[bytes, InviteCode] = {}

    def restore(self, kept: Iterable[InviteCode]) -> None:
        """Takes over what was kept at a start."""
        self._all = {each.digest: each for each in kept}

    def give(self, code: str, until: int) -> InviteCode:
        """Has a code be good until a wall time; returns the fact to store before it is shown."""
        given = InviteCode(_digest(code), until, self._wall())
        self._all[given.digest] = given
        return given

    def is_good(self, code: str) -> bool:
        """True if an account may be made with a code."""
        found = self._all.get(_digest(code))
        return found is not None and found.until > self._wall()

    def take(self, code: str) -> InviteCode:
        """Takes a code that `is_good` out, so that nobody else makes an account with it."""
        return self._all.pop(_digest(code))

    def put_back(self, code: InviteCode) -> None:
        """No account was made with it: the code is good again."""
        self._all[code.digest] = code


def resetting(name: str, code: str) -> str:
    """The code under which one is kept that resets the password of an account."""
    return f"{name.lower()} {code}"


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()
