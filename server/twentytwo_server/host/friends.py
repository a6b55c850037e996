"""The friends of accounts, and the notices when a friend comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from twentytwo_protocol.words.connection import Note

from .. import facts
from .people.people import People

MOST_FRIENDS = 100
"""Maximum number of friends of an account."""
AWAY = 60_000
"""Minimum absence in milliseconds after which a return causes a notice."""


class FriendLists:
    """The friends of every account, in both directions; `now` is the time in milliseconds.

    An account gets no notice of a friend whom it has blocked. It does get notices of a friend who
    has blocked it: `who` and `profile` show that friend too, and a difference would reveal the
    block.
    """

    def __init__(self, people: People, now: Callable[[], int]) -> None:
        self._people = people
        self._now = now
        self._of: dict[str, set[str]] = {}
        self._befriended: dict[str, set[str]] = {}
        self._left: dict[str, int] = {}

    def restore(self, stored: Mapping[str, Sequence[str]]) -> None:
        """Restores the stored friends at a start."""
        for owner, friends in stored.items():
            for friend in friends:
                self.add(owner, friend)

    def of(self, owner: str) -> Set[str]:
        """The friends of an account."""
        return self._of.get(owner.lower(), frozenset())

    def add(self, owner: str, friend: str) -> None:
        """Adds a friend of an account."""
        self._of.setdefault(owner.lower(), set()).add(friend)
        self._befriended.setdefault(friend.lower(), set()).add(owner)

    def remove(self, owner: str, friend: str) -> None:
        """Removes a friend of an account."""
        for lists, key, name in (
            (self._of, owner.lower(), friend),
            (self._befriended, friend.lower(), owner),
        ):
            names = lists.get(key, set())
            names.discard(name)
            if not names:
                lists.pop(key, None)

    def forget(self, owner: str) -> None:
        """Removes all friendships of an account."""
        for friend in sorted(self.of(owner)):
            self.remove(owner, friend)

    def fact(self, owner: str) -> facts.Friends:
        """The fact to store when the friends of an account have changed."""
        return facts.Friends(owner, tuple(sorted(self.of(owner))))

    def left(self, name: str) -> None:
        """Notes that the connection of a person is gone."""
        if name.lower() in self._befriended:
            self._left[name.lower()] = self._now()

    def came(self, name: str) -> None:
        """Tells the connected friends, unless the person was away for a moment only."""
        key = name.lower()
        left = self._left.pop(key, None)
        if left is not None and self._now() - left < AWAY:
            return
        for owner in sorted(self._befriended.get(key, ())):
            there = self._people.exact(owner)
            if there is None or there.session is None or owner.lower() == key:
                continue
            if name not in there.blocked:
                there.session.notice(Note("FRIEND", text=f"{name} is here."))
