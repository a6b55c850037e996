"""Passwords: which will do, and the threads that hash them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from tests.kit.cases import together
from twentytwo_protocol.schema import Refused
from twentytwo_server.accounts import passwords, scram
from twentytwo_server.accounts.passwords import COMMON, Hashing
from twentytwo_server.ports import Hashes, PasswordCheck

GOOD = "three blind mice"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Mailbox:
    """A thread that is given calls, as a reactor is."""

    def __init__(self) -> None:
        self._calls: queue.Queue[Callable[[], None]] = queue.Queue()

    def deliver(self, call: Callable[[], None]) -> None:
        self._calls.put(call)

    def turn(self) -> None:
        self._calls.get(timeout=100)()


@pytest.fixture
def mail() -> Mailbox:
    return Mailbox()


@pytest.fixture
def hashing(mail: Mailbox) -> Iterator[Hashing]:
    made = Hashing(mail.deliver, hasher=CHEAP)
    yield made
    made.stop()


@together("password", [GOOD, "x1y2z3-ab!", "längeres Wort", "ß" * 4 + "abcd", "a b c d e f"])
def test_a_password_of_ten_bytes_will_do(password: str) -> None:
    passwords.check(password, "ann")


@together(
    "password",
    ["", "ninebytes", "ü" * 4 + "a", "x" * 257, "aaaaaaaaaaaa", "ababababab", "annannannann",
     "ANNannANNann", "1234567890", "Password123", "qwertyuiop",
     "abc\u0007defghij", "abcdefg\u0378hi"],
)  # fmt: skip
def test_a_password_that_is_short_or_common_will_not_do(password: str) -> None:
    with pytest.raises(Refused) as wrong:
        passwords.check(password, "ann")
    assert (wrong.value.code, wrong.value.fields["arg"]) == ("BAD_ARG", "password")
    assert not password or password not in wrong.value.text


@pytest.mark.parametrize("password", ["zoran1zoran1", "Zoran1ZORAN1zoran1"])
def test_a_name_said_again_and_again_will_not_do(password: str) -> None:
    with pytest.raises(Refused):
        passwords.check(password, "Zoran1")
    passwords.check(password, "zoe")


def test_the_longest_password_has_256_bytes() -> None:
    passwords.check("abcd" * 64, "ann")


def test_the_common_ones_are_long_enough_to_be_worth_naming() -> None:
    assert len(COMMON) > 100
    assert all(len(each) >= 10 and each == each.lower() for each in COMMON)


def test_a_password_is_right_and_another_is_not(mail: Mailbox, hashing: Hashing) -> None:
    found: list[object] = []
    hashing.hash(GOOD, found.append)
    mail.turn()
    (hashes,) = found
    assert isinstance(hashes, Hashes)
    assert hashes.password.startswith("$argon2id$")
    assert GOOD not in hashes.password + hashes.scram + repr(hashes)
    assert scram.ScramCredentials.from_text(hashes.scram).iterations == scram.ITERATIONS
    for password in (GOOD, GOOD + "!"):
        hashing.verify(password, hashes.password, found.append)
        mail.turn()
    assert found[1:] == [PasswordCheck.RIGHT, PasswordCheck.WRONG]


def test_the_same_password_typed_with_other_letters_is_right(
    mail: Mailbox, hashing: Hashing
) -> None:
    found: list[object] = []
    hashed = CHEAP.hash("für Elise zu Hand")
    hashing.verify("fu\u0308r Elise zu Hand", hashed, found.append)
    mail.turn()
    assert found == [PasswordCheck.RIGHT]


def test_a_hash_of_weaker_parameters_is_dated(mail: Mailbox) -> None:
    hashing = Hashing(mail.deliver, hasher=PasswordHasher(2, 16, 1))
    found: list[PasswordCheck] = []
    hashing.verify(GOOD, CHEAP.hash(GOOD), found.append)
    mail.turn()
    assert found == [PasswordCheck.DATED]
    hashing.stop()


@pytest.mark.parametrize("hashed", ["", "nonsense", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA"])
def test_a_hash_that_is_none_fits_no_password(mail: Mailbox, hashing: Hashing, hashed: str) -> None:
    found: list[PasswordCheck] = []
    hashing.verify(GOOD, hashed, found.append)
    mail.turn()
    assert found == [PasswordCheck.WRONG]


def test_nobody_has_the_hash_of_nobody(mail: Mailbox, hashing: Hashing) -> None:
    found: list[PasswordCheck] = []
    hashing.verify(GOOD, hashing.dummy_hash, found.append)
    mail.turn()
    assert found == [PasswordCheck.WRONG]


def test_the_hashes_are_as_strong_as_is_promised_and_that_of_nobody_is_like_them(
    mail: Mailbox,
) -> None:
    hashing = Hashing(mail.deliver)
    found: list[Hashes] = []
    hashing.hash(GOOD, found.append)
    mail.turn()
    hashing.stop()
    real, dummy = found[0].password.split("$"), hashing.dummy_hash.split("$")
    assert real[:4] == dummy[:4] == ["", "argon2id", "v=19", "m=19456,t=2,p=1"]
    assert [len(part) for part in real] == [len(part) for part in dummy]
    with pytest.raises(VerifyMismatchError):  # it was compared: it is not refused for its form
        PasswordHasher().verify(hashing.dummy_hash, GOOD)


def test_who_comes_when_the_queue_is_full_is_told_to_wait(mail: Mailbox) -> None:
    gate = threading.Event()

    class Slow(PasswordHasher):
        # The types of the library say that it is never False; it raises where they differ.
        def verify(  # type: ignore[override]  # for that reason
            self, hash: str | bytes, password: str | bytes
        ) -> bool:
            return gate.wait(10)

    hashing = Hashing(mail.deliver, threads=1, queue=2, hasher=Slow(1, 8, 1))
    found: list[PasswordCheck] = []
    for _ in range(3):
        hashing.verify(GOOD, hashing.dummy_hash, found.append)
    with pytest.raises(Refused) as wrong:
        hashing.verify(GOOD, hashing.dummy_hash, found.append)
    assert (wrong.value.code, wrong.value.fields["wait"]) == ("BUSY", 5000)
    gate.set()
    for _ in range(3):
        mail.turn()
    hashing.verify(GOOD, hashing.dummy_hash, found.append)
    mail.turn()
    assert found == [PasswordCheck.RIGHT] * 4
    hashing.stop()


def test_an_answer_comes_in_the_thread_of_whoever_asked(mail: Mailbox, hashing: Hashing) -> None:
    where: list[threading.Thread] = []
    hashing.verify(GOOD, hashing.dummy_hash, lambda _: where.append(threading.current_thread()))
    mail.turn()
    assert where == [threading.current_thread()]


def test_whoever_has_an_answer_may_ask_again_at_once(mail: Mailbox) -> None:
    hashing = Hashing(mail.deliver, threads=1, queue=0, hasher=CHEAP)
    found: list[PasswordCheck] = []
    hashing.verify(
        GOOD, hashing.dummy_hash, lambda _: hashing.verify(GOOD, hashing.dummy_hash, found.append)
    )
    mail.turn()
    mail.turn()
    assert found == [PasswordCheck.WRONG]
    hashing.stop()
