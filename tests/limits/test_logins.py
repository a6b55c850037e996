"""How often somebody may try to come in, on a clock turned by hand."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.cases import together
from tests.kit.clock import HandClock
from twentytwo_server.limits.backoff import DAY_MS
from twentytwo_server.limits.logins import MINUTE, LoginLimits, LoginQuota

HOME, AWAY = "192.0.2.1", "198.51.100.7"


def limits(**allowed: int) -> tuple[HandClock, LoginLimits]:
    clock = HandClock()
    return clock, LoginLimits(clock.now, LoginQuota(**allowed))


def fail(it: LoginLimits, times: int, account: str = "ann", address: str = "") -> None:
    for n in range(times):
        it.begin(account, address or f"10.0.{n // 256}.{n % 256}")


def test_five_failures_of_an_account_are_free_and_then_each_waits_longer() -> None:
    clock, it = limits()
    fail(it, 4)
    assert it.wait("ann", HOME) == 0
    waits = []
    for _ in range(9):
        it.begin("ann", HOME)
        waits.append(it.wait("ann", AWAY))
        clock.advance(waits[-1])
        assert it.wait("ann", AWAY) == 0
    assert waits == [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]


def test_another_account_does_not_wait() -> None:
    _, it = limits()
    fail(it, 8)
    assert it.wait("ann", HOME) > 0
    assert it.wait("bob", HOME) == 0


def test_a_name_is_the_same_in_any_case() -> None:
    _, it = limits()
    fail(it, 8, "Ann")
    assert it.wait("aNN", HOME) > 0


def test_five_failures_within_a_quarter_of_an_hour_are_too_many_and_one_is_then_forgotten() -> None:
    clock, it = limits()
    for _ in range(4):
        fail(it, 1)
        clock.advance(15 * MINUTE // 4 - 1)
    fail(it, 1)
    assert it.wait("ann", HOME) == 1000
    clock.advance(15 * MINUTE)
    fail(it, 1)
    assert it.wait("ann", HOME) == 1000
    clock.advance(8 * 15 * MINUTE)
    fail(it, 4)
    assert it.wait("ann", HOME) == 0


def test_an_address_that_failed_ten_times_waits_for_any_account() -> None:
    clock, it = limits()
    for n in range(10):
        assert it.wait(f"name{n}", HOME) == 0
        it.begin(f"name{n}", HOME)
        clock.advance(1000)
    assert it.wait("zoe", HOME) == 50_000, "ten in ten minutes: the first is over in one"
    assert it.wait("zoe", AWAY) == 0
    clock.advance(50_000)
    assert it.wait("zoe", HOME) == 0
    it.begin("zoe", HOME)
    assert it.wait("zoe", HOME) == MINUTE


def test_a_success_takes_back_its_own_try_and_no_other() -> None:
    _, it = limits()
    for n in range(9):
        it.begin(f"name{n}", HOME)
    for _ in range(5):
        it.succeeded(it.begin("mine", HOME))
    assert it.wait("zoe", HOME) == 0
    it.begin("zoe", HOME)
    assert it.wait("zoe", HOME) > 0


def test_a_success_does_not_forgive_failures_from_elsewhere() -> None:
    _, it = limits()
    fail(it, 8)
    it.succeeded(it.begin("ann", HOME))
    assert it.wait("ann", AWAY) > 0


def test_the_owner_does_not_wait_for_others_where_they_came_in_before() -> None:
    _, it = limits()
    it.succeeded(it.begin("ann", HOME))
    fail(it, 12)
    assert it.wait("ann", HOME) == 0
    assert it.wait("ann", AWAY) > 0


def test_many_tries_at_once_are_counted_when_they_begin() -> None:
    _, it = limits()
    begun = 0
    while not it.wait("ann", HOME):
        it.begin("ann", HOME)
        begun += 1
    assert begun == 5


def test_who_was_not_looked_at_has_not_tried() -> None:
    _, it = limits()
    for _ in range(50):
        it.cancelled(it.begin("ann", HOME))
    assert it.wait("ann", HOME) == 0


def test_who_was_not_looked_at_waits_no_longer_for_it() -> None:
    clock, it = limits()
    fail(it, 8)
    clock.advance(it.wait("ann", HOME))
    for end in (it.cancelled, it.succeeded):
        attempt = it.begin("ann", HOME)
        assert it.wait("ann", AWAY) == 16_000
        end(attempt)
        assert it.wait("ann", AWAY) == 0


def test_three_accounts_an_hour_are_made_from_an_address() -> None:
    clock, it = limits()
    for _ in range(3):
        assert it.registration_wait(HOME) == 0
        it.registered(HOME)
        clock.advance(MINUTE)
    assert it.registration_wait(HOME) == 17 * MINUTE, "three an hour: the first is over in 20"
    assert it.registration_wait(AWAY) == 0
    clock.advance(17 * MINUTE)
    assert it.registration_wait(HOME) == 0
    it.registered(HOME)
    assert it.registration_wait(HOME) == 20 * MINUTE


def test_thirty_accounts_in_ten_minutes_are_made_by_everybody() -> None:
    clock, it = limits()
    for n in range(30):
        assert it.registration_wait(f"10.1.0.{n}") == 0
        it.registered(f"10.1.0.{n}")
    assert it.registration_wait(AWAY) == 20_000, "thirty in ten minutes: the first is over in 20 s"
    clock.advance(20_000)
    assert it.registration_wait(AWAY) == 0


def guessed_at(it: LoginLimits, name: str) -> Callable[[], bool]:
    """An account fails so often that it has to wait; whether that is remembered."""
    fail(it, 5, name)
    return lambda: it.wait(name, AWAY) > 0


def guessing(it: LoginLimits, name: str) -> Callable[[], bool]:
    """An address fails so often that it has to wait."""
    fail(it, 10, "x", name)
    return lambda: it.wait("zoe", name) > 0


def at_home(it: LoginLimits, name: str) -> Callable[[], bool]:
    """The owner of an account comes in from an address."""
    it.succeeded(it.begin(name, HOME))

    def known() -> bool:
        fail(it, 5, name)
        assert it.wait(name, AWAY) > 0
        return it.wait(name, HOME) == 0

    return known


def registering(it: LoginLimits, name: str) -> Callable[[], bool]:
    """An address makes as many accounts as it may."""
    for _ in range(3):
        it.registered(name)
    return lambda: it.registration_wait(name) > 0


@together("happens", [guessed_at, guessing, at_home, registering])
def test_so_many_are_remembered_and_those_forgotten_that_were_used_longest_ago(
    happens: Callable[[LoginLimits, str], Callable[[], bool]],
) -> None:
    _, it = limits(most=3, all_registrations=10**6)
    first, second, _, again, last = [happens(it, name) for name in "abcad"]
    assert [each() for each in (again, last)] == [True, True]
    assert not second()
    _, it = limits(most=3, all_registrations=10**6)
    first, *others = [happens(it, name) for name in "abcd"]
    assert [each() for each in others] == [True, True, True]
    assert not first()


def test_of_all_day_as_many_accounts_are_remembered() -> None:
    _, it = limits(most=3, day_free=0, failures=100)
    for name in "abcad":
        it.begin(name, HOME)
    it.begin("a", HOME)
    assert it.wait("a", AWAY) == 3 * 4000
    it.begin("b", HOME)
    assert it.wait("b", AWAY) == 4000


def test_of_many_failures_the_latest_count() -> None:
    clock, it = limits()
    fail(it, 20)
    clock.advance(14 * MINUTE)
    fail(it, 20)
    clock.advance(2 * MINUTE)
    it.begin("ann", HOME)
    assert it.wait("ann", AWAY) == MINUTE


def test_in_a_day_of_guessing_from_everywhere_few_guesses_are_looked_at() -> None:
    clock, it = limits()
    looked_at, day = 0, clock.now() + 24 * 60 * MINUTE
    while clock.now() < day:
        wait = it.wait("ann", f"10.{looked_at % 200}.0.1")
        if wait:
            clock.jump(wait)
        else:
            it.begin("ann", f"10.{looked_at % 200}.0.1")
            looked_at += 1
    assert looked_at < 500


def test_in_no_day_of_a_week_of_guessing_more_are_looked_at() -> None:
    clock, it = limits()
    looked_at: list[int] = []
    end = clock.now() + 7 * DAY_MS
    while clock.now() < end:
        wait = it.wait("ann", f"10.{len(looked_at) % 200}.0.1")
        if wait:
            clock.jump(wait)
        else:
            it.begin("ann", f"10.{len(looked_at) % 200}.0.1")
            looked_at.append(clock.now())
    within = [sum(at - DAY_MS < other <= at for other in looked_at) for at in looked_at]
    assert max(within) < 500


def all_day() -> tuple[HandClock, LoginLimits]:
    """Where nothing counts but what happens all day long."""
    return limits(failures=10**6)


def test_an_account_that_is_guessed_at_all_day_waits_up_to_five_minutes_and_less_afterwards() -> (
    None
):
    clock, it = all_day()
    waits = [it.wait("ann", HOME)]
    for _ in range(130):
        it.begin("ann", AWAY)
        waits.append(it.wait("ann", HOME))
    assert waits[:63] == [0] * 61 + [4000, 8000]
    assert waits == sorted(waits)
    assert waits[-1] < 5 * MINUTE
    clock.jump(DAY_MS // 300)
    it.begin("ann", AWAY)  # one more, and one has gone by
    assert it.wait("ann", HOME) == waits[-1]
    clock.jump(DAY_MS)
    assert it.wait("ann", HOME) == 0


def test_who_was_not_looked_at_all_day_has_not_tried() -> None:
    _, it = all_day()
    for _ in range(500):
        it.cancelled(it.begin("ann", HOME))
        it.succeeded(it.begin("ann", HOME))
    fail(it, 60)
    assert it.wait("ann", AWAY) == 0
    fail(it, 1)
    assert it.wait("ann", AWAY) == 4000
    assert it.wait("ann", HOME) == 0


@given(st.lists(st.tuples(st.integers(0, 5 * MINUTE), st.booleans()), max_size=60))
def test_however_tries_come_no_wait_is_longer_than_allowed(
    tries: list[tuple[int, bool]],
) -> None:
    clock, it = limits()
    for gap, right in tries:
        clock.jump(gap)
        assert 0 <= it.wait("ann", HOME) <= 10 * MINUTE
        assert 0 <= it.wait("ann", AWAY) <= 5 * MINUTE
        if it.wait("ann", HOME) == 0:
            made = it.begin("ann", HOME)
            if right:
                it.succeeded(made)
