"""Checks passwords, within the limits of login attempts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.connection import Bye

from ....accounts import passwords
from ....answers import ask, run
from ....consequences import of_no_command
from ....facts import Account, PasswordRehashed
from ....limits.logins import Attempt, LoginLimits
from ....metrics import Metrics
from ....ports import Hasher, PasswordCheck, Store
from ...connections import Connections
from ...faults import Faults
from ...people.people import People
from ..call import Call

log = logging.getLogger("twentytwo.accounts")

ASK = "Password (hidden; an empty line cancels):"

T = TypeVar("T")
Args = TypeVarTuple("Args")


def check_guest(call: Call) -> None:
    """Raises `Refused` if the connection has an account already."""
    if call.person is not None and not call.person.guest:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already; logout first.")


def ask_password(
    call: Call,
    command: Command,
    *steps: tuple[str, str],
    judge: Callable[[str], None] = lambda chosen: None,
) -> None:
    """Ends the command and asks a person for a password without echo; then repeats the command.

    `steps` are pairs of a field of the command and the question for it; the same field twice means
    that both answers must agree. `judge` raises `Refused` for a password that is not acceptable.
    Raises `Refused` for a program, which must send the password in the command.
    """
    if not call.people:
        raise Refused("BAD_ARG", f"{command.word.word} needs a password.", arg=steps[0][0])
    call.session.ask_hidden(command, *steps, judge=judge)


async def look_up(
    call: Call, people: People, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
) -> T:
    """The answer of the store, read again if a revocation came meanwhile (`accounts.revocations`).

    Use this for everything that decides a login. Raises `Refused` if the connection is gone.
    """
    found = await people.revocations.look_up(port, *args)
    call.link()
    return found


@dataclass(slots=True)
class LoginAttempts:
    """The attempts to log in, limited for each name and address."""

    _limits: LoginLimits
    _connections: Connections
    _metrics: Metrics

    def check_wait(self, call: Call, name: str) -> None:
        """Raises `Refused` (RATE) if the next attempt is not allowed yet."""
        wait = self._limits.wait(name, call.link().address)
        if wait:
            self._metrics.limited["logins"] += 1
            text = f"Too many wrong tries; the next may be made in {wait / 1000:.1f} s."
            raise Refused("RATE", text, wait=wait)

    def begin(self, call: Call, name: str) -> Attempt:
        """Counts an attempt. Raises `Refused` (RATE) if the next one is not allowed yet.

        It counts as failed unless `succeeded` or `cancelled` is called with it.
        """
        self.check_wait(call, name)
        return self._limits.begin(name, call.link().address)

    def succeeded(self, attempt: Attempt) -> None:
        """Counts an attempt as successful."""
        self._limits.succeeded(attempt)

    def cancelled(self, attempt: Attempt) -> None:
        """Takes back the count of an attempt in which no password was compared."""
        self._limits.cancelled(attempt)

    def refuse(self, call: Call, attempt: Attempt) -> None:
        """Refuses a failed login; closes the connection after `LoginQuota.tries` of them."""
        self._limits.failed(attempt)
        call.session.tries += 1
        link = self._connections.link(call.session)
        if link is not None:  # without the name: people also type their password there
            log.info("a wrong password or token, from %s", link.address)
        mine = call.person is not None and not call.person.guest
        unknown = "There is no account of that name with that password."
        call.refuse(Refused("BAD_LOGIN", "That is not your password." if mine else unknown))
        if call.session.tries >= self._limits.quota.tries:
            call.session.notice(Bye("LOGIN", False, text="Too many wrong passwords. Goodbye."))
            self._connections.hang_up(call.session)


@dataclass(slots=True)
class PasswordVerifier:
    """Compares passwords with those of accounts."""

    _attempts: LoginAttempts
    _people: People
    _store: Store
    _hasher: Hasher
    _faults: Faults

    def ask(self, call: Call, command: words.Login) -> None:
        """Asks a person for the password, if the next attempt is allowed already."""
        self._attempts.check_wait(call, command.name)
        ask_password(call, command, ("password", ASK))

    async def verify(self, call: Call, name: str, password: str) -> Account | None:
        """The account of that name if this is its password; else refuses the command, returns None.

        Neither the reply nor the time it takes tells whether there is such an account. If the
        password is changed while it is being compared, it is compared again with the new one.
        Counts as a login attempt. Raises `Refused` if the attempt is too early, the server too
        busy, or the connection gone.
        """
        attempt, hasher = self._attempts.begin(call, name), self._hasher
        fits = len(password.encode()) <= passwords.LONGEST
        account = await call.ask(self._store.account, name)
        while True:
            # Always compare something, so that the time does not tell whether the account exists;
            # the dummy hash fits no password. A password that is too long is cut, to bound the
            # work, and compared with the dummy: the cut one might be right.
            hashed = account.password if account and fits else hasher.dummy_hash
            try:
                comparing = call.ask(hasher.verify, password[: passwords.LONGEST], hashed)
            except Refused:
                self._attempts.cancelled(attempt)  # too busy
                raise
            # From here on the attempt counts, even if the connection is gone when the answer comes.
            verdict = await comparing
            if account is None or verdict is PasswordCheck.WRONG:
                self._attempts.refuse(call, attempt)
                return None
            latest = await look_up(call, self._people, self._store.account, name)
            if latest is not None and latest.password == account.password:
                break
            account = latest  # the password was changed during the comparison
        self._attempts.succeeded(attempt)
        if verdict is PasswordCheck.DATED:
            rehashing = self._rehash(account, password)
            of_no_command(run, rehashing, lambda _: self._faults.log("hashing a password anew"))
        return account

    async def is_valid(self, call: Call, account: Account) -> bool:
        """False if the account has another password by now."""
        latest = await look_up(call, self._people, self._store.account, account.name)
        return latest is not None and latest.password == account.password

    async def _rehash(self, account: Account, password: str) -> None:
        """Replaces an outdated hash of a right password, unless the password was changed."""
        try:
            hashes = await ask(self._hasher.hash, password)
        except Refused:
            return  # too busy; the next login will do it
        again = PasswordRehashed(account.name, account.password, hashes.password, hashes.scram)
        self._store.keep([again], lambda: None)
