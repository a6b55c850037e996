"""Passwords: rules for new passwords, and hashing in threads.

A hash takes many milliseconds. `Hashing` uses two threads and a short queue. When the queue is full
it refuses work, so that a flood of logins does not delay games.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from twentytwo_protocol.schema import Refused

from ..ports import Hashes, PasswordCheck
from . import scram

SHORTEST, LONGEST = 10, 256
"""Minimum and maximum length of a password, in bytes of UTF-8."""
FEWEST = 4
"""Minimum number of different characters in a password."""

_COMMON = """
0000000000 0123456789 0987654321 1111111111 1122334455 11223344556677 1234512345 123456123456
1234567890 12345678900 12345678901 123456789012 1234567890a 1234567891 12345678910 123456789a
123456789abc 123456789q 1234qwerasdf 123qwe123qwe 123qweasdzxc 1357924680 1472583690 1q2w3e4r5t
1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv 2222222222 3141592653 5555555555
6666666666 7777777777 8888888888 9876543210 987654321a 9999999999 a123456789 aaaaaaaaaa
abc1234567 abc123456789 abcd123456 abcd1234567 abcdefghij abcdefghijk admin12345 administrator
asdfasdfasdf asdfghjkl1 asdfghjkl123 asdfghjkl; basketball blink182blink butterfly1 changeme123
charlie123 chocolate1 christopher correcthorsebatterystaple elizabeth1 football123
forgotpassword fuckyou123 hello12345 helloworld iloveyou12 iloveyou123 iloveyou1234 letmein123
letmein1234 letmein12345 liverpool1 manchester manunited1 masterpassword michael123 microsoft1
monkey1234 mypassword mypassword1 onetwothree p@ssw0rd123 p@ssword123 pa55word123 pass123456
pass1234567 passw0rd12 passw0rd123 password00 password01 password1! password10 password11
password12 password123 password123! password1234 password12345 password123456 password99
passwordpassword pokemon123 princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc1
qazwsxedcrfv qweasdzxc1 qweasdzxc123 qwer123456 qwerty1234 qwerty12345 qwerty123456
qwerty12345678 qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[] secret1234
starwars123 sunshine12 sunshine123 superman123 test123456 testtest123 thepassword
trustno1trustno1 unknownpassword welcome123 welcome1234 whatever123 zaq12wsxcde3 zxcvbnm123
zxcvbnm1234
"""
COMMON = frozenset(_COMMON.split())
"""Passwords that attackers try first, in lower case."""

T = TypeVar("T")


def check(password: str, name: str, arg: str = "password") -> None:
    """Raises `Refused` (BAD_ARG) unless an account of that name may have this new password.

    `arg` is the argument that the refusal names.
    """
    wrong = _wrong(password, name)
    if wrong:
        raise Refused("BAD_ARG", wrong, arg=arg)


def _wrong(password: str, name: str) -> str:
    """A sentence about the fault of a new password; empty if there is none."""
    size = len(password.encode())
    if not SHORTEST <= size <= LONGEST:
        return f"A password has {SHORTEST} to {LONGEST} bytes; three words in a row will do."
    folded = password.lower()
    if folded in COMMON or len(set(folded)) < FEWEST or folded.replace(name.lower(), "") == "":
        return "That one is guessed first. Three words that do not belong together are better."
    try:
        scram.prepared(password)
    except ValueError:
        return "There are characters in it that not every keyboard has."
    return ""


def _normal(password: str) -> str:
    """The password normalised for hashing; a password that SASLprep forbids is unchanged."""
    try:
        return scram.prepared(password)
    except ValueError:
        return password


def _dummy_hash(argon: PasswordHasher) -> str:
    """A hash that takes as long to compare as any other, and whose password nobody knows.

    It is a constant, because computing it would slow down every start of a server.
    """
    salt, digest = (
        b64encode(bytes(size)).decode().rstrip("=") for size in (argon.salt_len, argon.hash_len)
    )
    costs = f"m={argon.memory_cost},t={argon.time_cost},p={argon.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${digest}"


class Hashing:
    """A `ports.Hasher` that uses argon2id, in threads of its own.

    `deliver` runs a function in the thread of the caller: `reactor.callFromThread`. `threads` and
    `queue` limit the numbers of running and of waiting hashes.
    """

    def __init__(
        self,
        deliver: Callable[[Callable[[], None]], object],
        *,
        threads: int = 2,
        queue: int = 32,
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._deliver = deliver
        self._most = threads + queue
        self._under_way = 0
        self._argon = hasher or PasswordHasher(
            time_cost=2, memory_cost=19_456, parallelism=1, hash_len=32, salt_len=16
        )
        self._pool = ThreadPoolExecutor(threads, "hashing")
        self._dummy_hash = _dummy_hash(self._argon)

    @property
    def dummy_hash(self) -> str:
        """A hash to compare with if there is no account, so that refusing takes as long."""
        return self._dummy_hash

    def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
        """Hashes a new password, then calls `done`. Raises `Refused` (BUSY)."""
        normal = _normal(password)
        self._start(lambda: Hashes(self._argon.hash(normal), scram.secrets_of(normal)), done)

    def verify(self, password: str, hashed: str, done: Callable[[PasswordCheck], None]) -> None:
        """Compares a password with a hash, then calls `done`. Raises `Refused` (BUSY)."""
        self._start(lambda: self._verdict(password, hashed), done)

    def _verdict(self, password: str, hashed: str) -> PasswordCheck:
        try:
            self._argon.verify(hashed, _normal(password))
        except (VerificationError, InvalidHashError):
            return PasswordCheck.WRONG
        return (
            PasswordCheck.DATED if self._argon.check_needs_rehash(hashed) else PasswordCheck.RIGHT
        )

    def _start(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        if self._under_way >= self._most:
            raise Refused("BUSY", "Too many logins at the moment; try again.", wait=5_000)
        self._under_way += 1

        def ended(future: Future[T]) -> None:
            if not future.cancelled():
                self._deliver(lambda: self._done(future, done))

        self._pool.submit(work).add_done_callback(ended)

    def _done(self, future: Future[T], done: Callable[[T], None]) -> None:
        self._under_way -= 1
        done(future.result())

    def stop(self) -> None:
        """Drops the queue without waiting. Call it when the reactor stops."""
        self._pool.shutdown(wait=False, cancel_futures=True)
