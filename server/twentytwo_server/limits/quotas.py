"""Quotas for all people of one address together, so that no address takes everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused

from ..setting import Unit, setting
from .backoff import Backoff, doubling
from .gcra import Limiter, Rate

MINUTE = 60_000
SHORTEST_WAIT = 1_000
"""Milliseconds of the first wait after wrong words; each further one doubles it."""


@dataclass(frozen=True, slots=True)
class AddressQuota:
    """The quotas; times in milliseconds. For addresses of this machine the numbers are multiplied
    by `share`.

    All fields are settings; `NO_QUOTA` is for development.
    """

    tables: int = setting(
        30,
        "Open tables. Ten friends behind one router can each have a practice table, and a few "
        "tables together.",
    )
    seats: int = setting(150, "Seats at tables: enough for a school class with practice tables.")
    names: int = setting(
        100, "Names of people who are connected, or whose seat or name is still kept for them."
    )
    seeks: int = setting(20, "Seeks that are open at the same time.")
    thinking_bots: int = setting(
        24,
        "Hard bots at tables: enough for two full tables. Each bot needs search processes of "
        "the server.",
        least=0,
    )
    guests: int = setting(
        30,
        "New guests at once, and as many again per minute. The name of each guest is kept for a "
        "while after the connection is lost.",
    )
    wrong_words: int = setting(
        10,
        "Wrong secret words for tables after which each further attempt has to wait. One of them "
        "is forgotten every ten minutes.",
    )
    longest_wait: int = setting(
        60_000,
        "Longest wait before another attempt at a secret word. The wait starts at a second and "
        "doubles with each wrong word.",
        unit=Unit.SECONDS,
    )
    reserved_tables: int = setting(
        10,
        "Percentage of all tables reserved for people who have an account or already have a seat.",
        least=0,
        most=90,
    )


NO_QUOTA = AddressQuota(
    tables=10**9,
    seats=10**9,
    names=10**9,
    seeks=10**9,
    thinking_bots=10**9,
    guests=10**9,
    wrong_words=10**9,
    reserved_tables=0,
)
"""For development: quotas that no bot reaches."""


class Quotas:
    """Counts new guests and wrong secret words of each address. `now` returns milliseconds.

    For `check` the caller counts what an address holds. `share` is the multiplier of the address.
    """

    def __init__(self, quota: AddressQuota, now: Callable[[], int]) -> None:
        self._now = now
        self.quota = quota
        guests, words = _rates(quota)
        self._guests: Limiter[str] = Limiter(guests)
        self._words = Backoff(*words)

    def change(self, quota: AddressQuota) -> None:
        """Changes the quotas; what was counted still counts."""
        self.quota = quota
        self._guests.rate, words = _rates(quota)
        self._words.change(*words)

    def check(self, held: int, most: int, share: int, what: str) -> None:
        """Raises `Refused` (QUOTA) unless an address with `held` items may have one more."""
        if held >= most * share:
            text = f"Your address has {held} {what}, and may not have more."
            raise Refused("QUOTA", text)

    def new_guest(self, network: str, share: int) -> None:
        """Counts a new guest. Raises `Refused` (RATE) if there are too many."""
        wait = self._guests.take(network, self._now(), 1, share)
        if wait:
            text = f"Many guests have come from your address; try again in {wait / 1000:.0f} s."
            raise Refused("RATE", text, wait=wait)

    def check_word(self, network: str) -> None:
        """Raises `Refused` (RATE) if the next attempt at a secret word has to wait."""
        wait = self._words.wait(network, self._now())
        if wait:
            text = f"Too many wrong words from your address; try again in {wait / 1000:.0f} s."
            raise Refused("RATE", text, wait=wait)

    def wrong_word(self, network: str, share: int) -> None:
        """Counts a wrong secret word."""
        self._words.failed(network, self._now(), share)


def _rates(it: AddressQuota) -> tuple[Rate, tuple[Rate, Callable[[int], int]]]:
    """The rate of new guests, and the waits after wrong words."""
    words = doubling(it.wrong_words, 10 * MINUTE, SHORTEST_WAIT, it.longest_wait)
    return Rate.of(it.guests, it.guests, MINUTE), words
