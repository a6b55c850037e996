"""Guests who have become accounts: a person who blocked the guest has blocked the account.

The store changes all blocked names at once. Each server also has the blocked names of its own
people in memory. So the change is broadcast, several times in case messages are lost.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial

from msgspec import DecodeError, json

from twentytwo_protocol.value import Value

from ...facts import Fact, GuestKnownAs
from ...ports import Bus, Store
from ...subjects import GUESTS
from ..people.people import People
from ..tables.pausable_clock import PausableClock

TOLD_AFTER = (0, 1_000, 5_000, 30_000, 120_000)
"""Milliseconds after which the other servers are told."""
REMEMBERED = 10 * TOLD_AFTER[-1]
"""Milliseconds for which a server ignores copies of a message: a later guest may have the name."""


class GuestMessage(Value):
    """A guest has become an account. A server acts once for each `tag`."""

    tag: str
    guest: str
    account: str


_DECODER = json.Decoder(GuestMessage)


class KnownGuests:
    """Tells the other servers of the guests who become accounts here, and hears theirs.

    `run` is the name of this server and of its run.
    """

    def __init__(
        self, people: People, store: Store, clock: PausableClock, bus: Bus, run: str
    ) -> None:
        self._people = people
        self._store = store
        self._clock = clock
        self._bus = bus
        self._run = run
        self._numbers = itertools.count(1)
        self._heard_of: set[str] = set()
        store.after_commit(self._committed)
        self.stop = bus.listen(GUESTS, self._heard)

    def _committed(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, GuestKnownAs):
                tag = f"{self._run}/{next(self._numbers)}"
                self._remember(tag)
                message = json.encode(GuestMessage(tag, fact.guest, fact.account))
                for wait in TOLD_AFTER:
                    self._clock.later(wait, partial(self._bus.tell, GUESTS, message))

    def _heard(self, data: bytes) -> None:
        try:
            heard = _DECODER.decode(data)
        except DecodeError:
            return
        if heard.tag in self._heard_of:
            return
        self._remember(heard.tag)
        facts = [*self._people.block_instead(heard.guest, heard.account)]
        if facts:
            self._store.keep(facts, lambda: None)

    def _remember(self, tag: str) -> None:
        self._heard_of.add(tag)
        self._clock.later(REMEMBERED, partial(self._heard_of.discard, tag))
