"""Limits on logins and registrations, by account and by network.

An account is never locked: after some failed logins the next one has to wait, longer after each
further failure, up to a minute. If failures go on all day the wait grows to about five minutes.
A network from which the owner has logged in before does not wait for failures from elsewhere.

An attempt is counted when it begins, so that many at the same time do not get around the limits.
All tables here are bounded: the entry that was used least recently is dropped first.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from ..setting import Unit, setting

MINUTE = 60_000
DAY = 24 * 60 * MINUTE


@dataclass(frozen=True, slots=True)
class LoginQuota:
    """The limits; times in milliseconds. All fields are settings; `FREE` is for development."""

    tries: int = setting(3, "Wrong passwords after which a connection is closed.", restart=True)
    failures: int = setting(
        5,
        "Wrong passwords for one account within `window`; after that, the next attempt has to "
        "wait. The wait doubles with each further wrong password.",
        restart=True,
    )
    window: int = setting(15 * MINUTE, "Period of `failures`.", unit=Unit.MINUTES, restart=True)
    shortest: int = setting(1_000, "Shortest of these waits.", unit=Unit.SECONDS, restart=True)
    longest: int = setting(
        MINUTE,
        "Longest of these waits. It is short, so that nobody can lock another person out by "
        "guessing.",
        unit=Unit.SECONDS,
        restart=True,
    )
    each_day: int = setting(
        300,
        "Number by which the daily count of wrong passwords for an account goes down in a day. "
        "It bounds the guesses in the long run.",
        restart=True,
    )
    day_free: int = setting(60, "Daily count up to which there is no further wait.", restart=True)
    day_step: int = setting(
        4_000,
        "Further wait for each wrong password above `day_free`.",
        unit=Unit.SECONDS,
        restart=True,
    )
    each_address: int = setting(
        10,
        "Wrong passwords from one address within `address_window`; after that, the address has "
        "to wait.",
        restart=True,
    )
    address_window: int = setting(
        10 * MINUTE, "Period of `each_address`.", unit=Unit.MINUTES, restart=True
    )
    registrations: int = setting(
        3, "New accounts from one address within `registration_window`.", restart=True
    )
    registration_window: int = setting(
        60 * MINUTE, "Period of `registrations`.", unit=Unit.MINUTES, restart=True
    )
    all_registrations: int = setting(
        30, "New accounts from all addresses together within `all_window`.", restart=True
    )
    all_window: int = setting(
        10 * MINUTE, "Period of `all_registrations`.", unit=Unit.MINUTES, restart=True
    )
    most: int = setting(
        65_536,
        "Maximum number of accounts and addresses for which these counts are kept. They take "
        "memory.",
        restart=True,
    )


FREE = LoginQuota(
    tries=10**9,
    failures=10**9,
    day_free=10**9,
    each_address=10**9,
    registrations=10**9,
    all_registrations=10**9,
    most=64,
)
"""For development: limits that no test or bot reaches."""


class SlidingWindow:
    """Counts the events of each key within the last `window` milliseconds.

    It remembers at most `keep` events a key and at most `most` keys; the key that was used least
    recently is dropped first.
    """

    def __init__(self, window: int, keep: int, most: int) -> None:
        self._window = window
        self._keep = keep
        self._most = most
        self._by_key: OrderedDict[str, deque[int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_key)

    def of(self, key: str, now: int) -> deque[int]:
        """The times of a key's events that still count, oldest first. Do not change the deque."""
        found = self._by_key.get(key)
        if found is None:
            return deque()
        while found and found[0] <= now - self._window:
            found.popleft()
        if not found:
            del self._by_key[key]
        return found

    def note(self, key: str, now: int) -> None:
        """Counts an event that happens now."""
        found = self.of(key, now)
        if len(found) < self._keep:
            found.append(now)
        else:
            found.rotate(-1)
            found[-1] = now
        self._by_key[key] = found
        self._by_key.move_to_end(key)
        if len(self._by_key) > self._most:
            self._by_key.popitem(last=False)

    def take_back(self, key: str, at: int) -> None:
        """Uncounts the event that was counted at the time `at`."""
        found = self._by_key.get(key)
        if found and at in found:
            found.remove(at)

    def wait(self, key: str, now: int, most: int) -> int:
        """Milliseconds until fewer than `most` events are within the window; 0 if so already."""
        found = self.of(key, now)
        if len(found) < most:
            return 0
        return found[len(found) - most] + self._window - now


class LeakyBuckets:
    """Leaky buckets: one for each key, which drains by `each_day` events in 24 hours.

    At most `most` keys; the one that was used least recently is dropped first.
    """

    def __init__(self, each_day: int, most: int) -> None:
        self._lasts = DAY // each_day
        self._most = most
        self._until: OrderedDict[str, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._until)

    def of(self, key: str, now: int) -> int:
        """How many events are in a key's bucket, rounded up."""
        return -(-max(0, self._until.get(key, 0) - now) // self._lasts)

    def note(self, key: str, now: int) -> None:
        """Counts an event that happens now."""
        self._until[key] = max(now, self._until.get(key, 0)) + self._lasts
        self._until.move_to_end(key)
        if len(self._until) > self._most:
            self._until.popitem(last=False)

    def take_back(self, key: str) -> None:
        """Uncounts one event of a key."""
        if key in self._until:
            self._until[key] -= self._lasts


@dataclass(frozen=True, slots=True)
class Attempt:
    """A login attempt: the account, the network it comes from, and when it began (ms)."""

    account: str
    address: str
    at: int


class LoginLimits:
    """Limits logins and registrations, by account and by network; `now` is in milliseconds.

    For a login ask `wait` first, and refuse unless it is 0. Then call `begin`, without an await in
    between and before the password is compared. Last call `succeeded` if the password was right, or
    `cancelled` if it could not be compared; if it was wrong, nothing: the attempt counts as failed.
    For a registration ask `registration_wait`, then call `registered`.
    """

    def __init__(self, now: Callable[[], int], quota: LoginQuota | None = None) -> None:
        self._now = now
        self.quota = allowed = quota or LoginQuota()
        # So many failures lead to the longest delay: more need not be remembered.
        counted = allowed.failures + (allowed.longest // allowed.shortest).bit_length()
        self._recent_failures = SlidingWindow(allowed.window, min(counted, 64), allowed.most)
        self._failures_today = LeakyBuckets(allowed.each_day, allowed.most)
        self._addresses = SlidingWindow(
            allowed.address_window, min(allowed.each_address, 64), allowed.most
        )
        self._registered = SlidingWindow(
            allowed.registration_window, min(allowed.registrations, 64), allowed.most
        )
        self._all_registered = SlidingWindow(
            allowed.all_window, min(allowed.all_registrations, 64), 1
        )
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    # ------------------------------------------------------------------------- coming in

    def wait(self, account: str, address: str) -> int:
        """Milliseconds until a login to that account from that address is allowed; 0: now."""
        now, place = self._now(), network_of(address)
        waits = [self._addresses.wait(place, now, self.quota.each_address)]
        if (account.lower(), place) not in self._known:
            waits.append(self._wait_for_account(account.lower(), now))
        return max(waits)

    def _wait_for_account(self, account: str, now: int) -> int:
        failed = self._recent_failures.of(account, now)
        if not failed:
            return 0
        delay = max(self._delay_for_window(len(failed)), self._delay_for_day(account, now))
        return max(0, failed[-1] + delay - now)

    def _delay_for_window(self, failures: int) -> int:
        """The delay in milliseconds after so many failures within the window."""
        extra = failures - self.quota.failures
        return min(self.quota.longest, self.quota.shortest << extra) if extra >= 0 else 0

    def _delay_for_day(self, account: str, now: int) -> int:
        """The delay in milliseconds for the failures of the last 24 hours."""
        extra = self._failures_today.of(account, now) - self.quota.day_free
        return max(0, extra) * self.quota.day_step

    def begin(self, account: str, address: str) -> Attempt:
        """Counts a login attempt as failed, until `succeeded` or `cancelled` is called with it."""
        attempt = Attempt(account.lower(), network_of(address), self._now())
        self._recent_failures.note(attempt.account, attempt.at)
        self._failures_today.note(attempt.account, attempt.at)
        self._addresses.note(attempt.address, attempt.at)
        return attempt

    def succeeded(self, attempt: Attempt) -> None:
        """Uncounts a successful login; its network no longer waits for failures from elsewhere."""
        self.cancelled(attempt)
        self._known[attempt.account, attempt.address] = None
        self._known.move_to_end((attempt.account, attempt.address))
        if len(self._known) > self.quota.most:
            self._known.popitem(last=False)

    def cancelled(self, attempt: Attempt) -> None:
        """Uncounts an attempt whose password was not compared, because the server was too busy."""
        self._recent_failures.take_back(attempt.account, attempt.at)
        self._failures_today.take_back(attempt.account)
        self._addresses.take_back(attempt.address, attempt.at)

    # -------------------------------------------------------------------- making accounts

    def registration_wait(self, address: str) -> int:
        """Milliseconds until a registration from that address is allowed; 0: now."""
        now, allowed = self._now(), self.quota
        return max(
            self._registered.wait(network_of(address), now, allowed.registrations),
            self._all_registered.wait("", now, allowed.all_registrations),
        )

    def registered(self, address: str) -> None:
        """Counts a registration from that address."""
        now = self._now()
        self._registered.note(network_of(address), now)
        self._all_registered.note("", now)


@lru_cache(maxsize=4096)  # called for every chat message
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
