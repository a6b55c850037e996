"""A password hasher without threads: cheap, immediate, or delayed by the test."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from scramp import ScramMechanism

from twentytwo_protocol.schema import Refused
from twentytwo_server.accounts.scram import ScramCredentials
from twentytwo_server.ports import Hashes, PasswordCheck


class Direct:
    """`ports.Hasher` without threads. `calls` has the requests; `late` delays the answers.

    `full`: it refuses work. `age` goes into the hash: hashes made at another age are dated.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.late = False
        self.full = False
        self.age = 1
        self.waiting: list[Callable[[], None]] = []

    dummy_hash = "nobody"

    def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
        """Hashes a password."""
        self._begin("hash")
        info = ScramMechanism("SCRAM-SHA-256").make_auth_info(password, 4096, b"salt" * 4)
        hashes = Hashes(self._hash(password, self.age), ScramCredentials(*info).text)
        self._answer(lambda: done(hashes))

    def verify(self, password: str, hashed: str, done: Callable[[PasswordCheck], None]) -> None:
        """Compares a password with a hash."""
        self._begin("verify")
        assert hashed == self.dummy_hash or hashed.count(":") == 1, "that takes no time to compare"
        verdict = PasswordCheck.WRONG
        if hashed == self._hash(password, self.age):
            verdict = PasswordCheck.RIGHT
        elif any(hashed == self._hash(password, age) for age in range(self.age)):
            verdict = PasswordCheck.DATED
        self._answer(lambda: done(verdict))

    def stop(self) -> None:
        """Does nothing."""

    def _hash(self, password: str, age: int) -> str:
        return f"{age}:{hashlib.sha256(password.encode()).hexdigest()}"

    def _begin(self, what: str) -> None:
        if self.full:
            raise Refused("BUSY", "Too many.", wait=5000)
        self.calls.append(what)

    def _answer(self, answer: Callable[[], None]) -> None:
        if self.late:
            self.waiting.append(answer)
        else:
            answer()

    def release(self) -> None:
        """Answers all delayed requests."""
        while self.waiting:
            self.waiting.pop(0)()
