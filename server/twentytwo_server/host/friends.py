"""Whom accounts have as friends, and telling them when one of these comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from twentytwo_protocol.words.connection import Note

from .. import facts
from .people.people import People, Person

MOST = 100
"""How many friends an account may have."""
AWAY = 60_000
"""Milliseconds that somebody has to be away to have come, and not only to be back."""


class FriendLists:
    """The friends of every account, and whose friend each is; `now` is the time in milliseconds.

    An account is not told of a friend whom it has blocked. Whoever has blocked the account is told
    of: `who` and `profile` show them, and a difference would tell of the block.
    """

    def __init__(self, people: People, now: Callable[[], int]) -> None:
        self._people = people
        self._now = now
        self._of: dict[str, set[str]] = {}
        self._befriended: dict[str, set[str]] = {}
        self._left: dict[str, int] = {}

    def restore(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Takes over what was kept at a start."""
        for owner, friends in kept.items():
            for friend in friends:
                self.add(owner, friend)

    def of(self, owner: str) -> Set[str]:
        """The friends of an account."""
        return self._of.get(owner.lower(), frozenset())

    def add(self, owner: str, friend: str) -> None:
        """Makes somebody the friend of an account."""
        self._of.setdefault(owner.lower(), set()).add(friend)
        self._befriended.setdefault(friend.lower(), set()).add(owner)

    def remove(self, owner: str, friend: str) -> None:
        """Ends that."""
        for lists, key, name in (
            (self._of, owner.lower(), friend),
            (self._befriended, friend.lower(), owner),
        ):
            names = lists.get(key, set())
            names.discard(name)
            if not names:
                lists.pop(key, None)

    def forget(self, owner: str) -> None:
        """Ends all friendships of an account."""
        for friend in sorted(self.of(owner)):
            self.remove(owner, friend)

    def fact(self, owner: str) -> facts.Friends:
        """The fact to store when they have changed."""
        return facts.Friends(owner, tuple(sorted(self.of(owner))))

    def left(self, person: Person) -> None:
        """Notes that somebody's connection has gone."""
        if person.name.lower() in self._befriended:
            self._left[person.name.lower()] = self._now()

    def came(self, person: Person) -> None:
        """Tells those who are here, unless they were away for a moment only."""
        key = person.name.lower()
        left = self._left.pop(key, None)
        if left is not None and self._now() - left < AWAY:
            return
        for owner in sorted(self._befriended.get(key, ())):
            there = self._people.exact(owner)
            if there is None or there.session is None or there is person:
                continue
            if person.name not in there.blocked:
                there.session.notice(Note("FRIEND", text=f"{person.name} is here."))
