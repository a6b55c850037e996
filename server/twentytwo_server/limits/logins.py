"""Limits on logins and registrations, by account and by network.

An account is never locked. After some failed logins the next one is delayed, with longer delays
after each further failure, up to a minute. If failures continue all day, the delay grows to about
five minutes. Failures from elsewhere do not delay a network from which the owner has logged in.

An attempt is counted when it begins, so that parallel attempts cannot evade the limits. All tables
here are bounded: the least recently used entry is dropped first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from twentytwo_protocol.value import Value

from ..setting import Unit, setting
from .backoff import DAY_MS, Backoff, doubling
from .gcra import Limiter, Rate
from .network import network_of

MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class LoginQuota:
    """The limits; times in milliseconds. All fields are settings; `FREE` is for development."""

    tries: int = setting(3, "Wrong passwords after which a connection is closed.", restart=True)
    failures: int = setting(
        5,
        "Wrong passwords for one account after which the next attempt has to wait. The wait "
        "doubles with each further wrong password.",
        restart=True,
    )
    window: int = setting(
        15 * MINUTE,
        "Time after which one wrong password for an account is forgotten.",
        unit=Unit.MINUTES,
        restart=True,
    )
    shortest: int = setting(
        1_000, "Shortest wait after a wrong password.", unit=Unit.SECONDS, restart=True
    )
    longest: int = setting(
        MINUTE,
        "Longest wait after a wrong password. It is short, so that nobody can lock another person "
        "out by guessing.",
        unit=Unit.SECONDS,
        restart=True,
    )
    each_day: int = setting(
        300,
        "Number by which the daily count of wrong passwords for an account goes down in a day. "
        "This limits guessing in the long run.",
        restart=True,
    )
    day_free: int = setting(
        60, "Wrong passwords in the daily count that add no wait.", restart=True
    )
    day_step: int = setting(
        4_000,
        "Further wait for each wrong password above `day_free`.",
        unit=Unit.SECONDS,
        restart=True,
    )
    each_address: int = setting(
        10,
        "Wrong passwords from one address at once, and as many again in each `address_window`. "
        "After that, the address has to wait.",
        restart=True,
    )
    address_window: int = setting(
        10 * MINUTE, "Period of `each_address`.", unit=Unit.MINUTES, restart=True
    )
    registrations: int = setting(
        3,
        "New accounts from one address at once, and as many again in each `registration_window`.",
        restart=True,
    )
    registration_window: int = setting(
        60 * MINUTE, "Period of `registrations`.", unit=Unit.MINUTES, restart=True
    )
    all_registrations: int = setting(
        30,
        "New accounts from all addresses at once, and as many again in each `all_window`.",
        restart=True,
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


class Attempt(Value):
    """A login attempt: the account, the network it comes from, and the waits that it added.

    The account is the hash of its name: people also type their password there.
    """

    account: str
    network: str
    added: tuple[int, ...]


class LoginOutcome(Enum):
    """The outcome of an attempt to log in or to register."""

    FAILED = "failed"
    SUCCEEDED = "succeeded"
    REGISTERED = "registered"


class LoginNews(Value):
    """The outcome of an attempt, which counts at all servers. The account is as in `Attempt`."""

    outcome: LoginOutcome
    network: str
    account: str = ""


class LoginLimits:
    """Limits logins and registrations, by account and by network; `now` is in milliseconds.

    For a login call `wait`, and refuse the login unless the result is 0. Then call `begin`, without
    an await in between and before the password is compared. Finally call `succeeded` for a correct
    password, `cancelled` if the comparison was impossible, and `failed` for a wrong one. For a
    registration call `registration_wait`, then `registered`.

    `tell_others` is called with everything that other servers have to count, too (`heard`).
    """

    def __init__(self, now: Callable[[], int], quota: LoginQuota | None = None) -> None:
        self._now = now
        self.quota = it = quota or LoginQuota()
        recently = doubling(it.failures, it.window, it.shortest, it.longest)
        all_day = Rate.of(it.day_free + it.each_day, it.each_day, DAY_MS)
        self._accounts = (
            Backoff(*recently, it.most),
            Backoff(all_day, lambda failed: max(0, failed - it.day_free) * it.day_step, it.most),
        )
        self._networks = _windowed(it.each_address, it.address_window, it.most)
        self._registered = _windowed(it.registrations, it.registration_window, it.most)
        self._all_registered = _windowed(it.all_registrations, it.all_window, 1)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self.tell_others: Callable[[LoginNews], None] = lambda news: None

    def wait(self, account: str, address: str) -> int:
        """Milliseconds until a login to that account from that address is allowed; 0: now."""
        now, network, key = self._now(), network_of(address), _hashed(account)
        wait = self._networks.wait(network, now)
        if (key, network) in self._known:
            return wait
        return max(wait, *(each.wait(key, now) for each in self._accounts))

    def begin(self, account: str, address: str) -> Attempt:
        """Counts a login attempt as failed, until `succeeded` or `cancelled` is called with it."""
        return self._begin(_hashed(account), network_of(address))

    def _begin(self, account: str, network: str) -> Attempt:
        now = self._now()
        self._networks.fill(network, now)
        added = tuple(each.failed(account, now) for each in self._accounts)
        return Attempt(account, network, added)

    def failed(self, attempt: Attempt) -> None:
        """Tells the other servers of a wrong password, which is counted here already."""
        self.tell_others(LoginNews(LoginOutcome.FAILED, attempt.network, attempt.account))

    def succeeded(self, attempt: Attempt) -> None:
        """Uncounts a successful login; its network no longer waits for failures from elsewhere."""
        self.cancelled(attempt)
        self._know(attempt.account, attempt.network)
        self.tell_others(LoginNews(LoginOutcome.SUCCEEDED, attempt.network, attempt.account))

    def _know(self, account: str, network: str) -> None:
        self._known[account, network] = None
        self._known.move_to_end((account, network))
        if len(self._known) > self.quota.most:
            self._known.popitem(last=False)

    def cancelled(self, attempt: Attempt) -> None:
        """Uncounts an attempt whose password was not compared, because the server was too busy."""
        self._networks.take_back(attempt.network)
        for backoff, added in zip(self._accounts, attempt.added, strict=True):
            backoff.take_back(attempt.account, added)

    def registration_wait(self, address: str) -> int:
        """Milliseconds until a registration from that address is allowed; 0: now."""
        now, network = self._now(), network_of(address)
        return max(self._registered.wait(network, now), self._all_registered.wait("", now))

    def registered(self, address: str) -> None:
        """Counts a registration from that address."""
        network = network_of(address)
        self._register(network)
        self.tell_others(LoginNews(LoginOutcome.REGISTERED, network))

    def _register(self, network: str) -> None:
        now = self._now()
        self._registered.fill(network, now)
        self._all_registered.fill("", now)

    def heard(self, news: LoginNews) -> None:
        """Counts what another server has told."""
        match news.outcome:
            case LoginOutcome.FAILED:
                self._begin(news.account, news.network)
            case LoginOutcome.SUCCEEDED:
                self._know(news.account, news.network)
            case LoginOutcome.REGISTERED:
                self._register(news.network)


def _hashed(account: str) -> str:
    return sha256(account.lower().encode(errors="surrogatepass")).hexdigest()


def _windowed(events: int, window: int, most_keys: int) -> Limiter[str]:
    """A limiter of `events` events at once, and then as many in each window (ms)."""
    return Limiter(Rate.of(events, events, window), most_keys)
