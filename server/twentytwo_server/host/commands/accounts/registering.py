"""Registering an account, and setting a new password with a code of the operator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import accounts as words

from ....accounts import names, passwords
from ....answers import ask
from ....facts import Account, Fact, InviteCode, InviteCodeUsed, PasswordChanged
from ....limits.logins import LoginLimits
from ....metrics import Metrics
from ....ports import Hasher, Redeemed, Store
from ...cluster.homes import Homes
from ...config import LiveConfig, Registration
from ...moderation.invite_codes import InviteCodes, resetting
from ...moderation.sanctions import Sanctions
from ...people.people import People
from ...tables.pausable_clock import PausableClock
from ..call import Call
from ..session.arrival import Arrivals
from .guest_login import Logins
from .verifying import ask_password, check_guest

CHOOSE = "Choose a password of 10 characters or more, for example three unrelated words:"
REPEAT_PASSWORD = "The same password again:"


def choose_password(call: Call, command: words.Register, name: str) -> None:
    """Asks a person for a new password, twice."""
    steps = (("password", CHOOSE), ("password", REPEAT_PASSWORD))
    ask_password(call, command, *steps, judge=partial(_judge, name))


def _judge(name: str, chosen: str) -> None:
    passwords.check(chosen.strip(), name)


@dataclass(slots=True)
class RegistrationRules:
    """The rules about new accounts: who may make them, how many, and of which names."""

    _people: People
    _invite_codes: InviteCodes
    _limits: LoginLimits
    _metrics: Metrics
    _arrivals: Arrivals
    _config: LiveConfig

    def new_name(self, call: Call, command: words.Register) -> str:
        """Checks whether an account of that name may be made here and now; returns the name.

        Raises `Refused`: the person is logged in, registration is closed or needs another code, the
        connection is not private, the name is bad or taken, or too many accounts are being made.
        """
        check_guest(call)
        name, registration = command.name.removeprefix("~"), self._config.now.registration
        if registration is Registration.CLOSED:
            text = "No new accounts are made on this server; guests are welcome."
            raise Refused("FORBIDDEN", text)
        if registration is Registration.INVITE:
            self._check_code(name, command.code)
        self._arrivals.check_private(call)
        names.check_account(name)
        taken = self._people.skeletons.get(names.skeleton(name))
        if taken is not None:
            like = "" if taken.lower() == name.lower() else f", which {name} looks like"
            raise Refused("NAME_TAKEN", f"There is an account {taken} already{like}.", arg="name")
        wait = self._limits.registration_wait(call.link().address)
        if wait:
            self._metrics.limited["registrations"] += 1
            raise Refused(
                "RATE", "Too many registrations at the moment; try again later.", wait=wait
            )
        return name

    def _check_code(self, name: str, code: str | None) -> None:
        usage = f"register {name} code=CODE, with a code from the operator."
        if code is None:
            text = f"Accounts are made by invitation here: {usage}"
            raise Refused("FORBIDDEN", text, arg="code")
        if not self._invite_codes.is_good(code):
            text = "That invite code is wrong, used or expired. Guests need no code."
            raise Refused("FORBIDDEN", text, arg="code")

    def take_code(self, code: str | None) -> Sequence[InviteCode]:
        """Uses up the invite code for an account; returns nothing if none is needed."""
        if self._config.now.registration is not Registration.INVITE or code is None:
            return ()
        return (self._invite_codes.take(code),)

    def used(self, codes: Sequence[InviteCode]) -> None:
        """Forgets the codes: the account was made."""
        for code in codes:
            self._invite_codes.used(code)

    def put_back(self, used: Sequence[InviteCode]) -> None:
        """Makes the codes good again: the account was not made."""
        for code in used:
            self._invite_codes.put_back(code)

    def count(self, call: Call) -> None:
        """Counts an account that is being made."""
        self._limits.registered(call.link().address)


@dataclass(slots=True)
class Redemptions:
    """Makes each name, and uses each code, once at all servers."""

    _store: Store
    _homes: Homes

    async def redeem(
        self, made: Account | PasswordChanged, codes: Sequence[InviteCode]
    ) -> Sequence[Fact]:
        """Returns the facts that are still to be stored: all, if no other server shares the store.

        Raises `Refused` if another server was faster.
        """
        if not self._homes.shared:
            return [made, *(InviteCodeUsed(code.digest) for code in codes)]
        digest = b"".join(code.digest for code in codes)  # of one code, or of none
        outcome = await ask(self._store.redeem, made, digest)
        if outcome is Redeemed.NAME_TAKEN:
            raise Refused("NAME_TAKEN", f"There is an account like {made.name} now.", arg="name")
        if outcome is Redeemed.CODE_USED:
            raise Refused("FORBIDDEN", "That invite code has been used.", arg="code")
        return ()


@dataclass(slots=True)
class Registrations:
    """Makes accounts."""

    _rules: RegistrationRules
    _redemptions: Redemptions
    _people: People
    _hasher: Hasher
    _sanctions: Sanctions
    _logins: Logins
    _clock: PausableClock

    async def make(self, call: Call, command: words.Register) -> None:
        """Makes an account and logs the connection in; asks a person for a missing password."""
        name = self._rules.new_name(call, command)
        if command.password is None:
            choose_password(call, command, name)
            return
        password = command.password.strip()
        passwords.check(password, name)
        looks, skeletons = names.skeleton(name), self._people.skeletons
        # Reserved before the first await, so that two people cannot get the same name.
        skeletons[looks] = name
        used = self._rules.take_code(command.code)
        try:
            hashing = call.ask(self._hasher.hash, password)
            # Counted only once hashing has begun: if it was refused (BUSY) no account is made.
            self._rules.count(call)
            hashes = await hashing
            # Again, while it was hashed: `log_in` would leave the name reserved.
            self._sanctions.check_name(name)
            account = Account(name, looks, hashes.password, hashes.scram, self._clock.wall())
            facts = await self._redemptions.redeem(account, used)
        except Exception:
            del skeletons[looks]
            self._rules.put_back(used)
            raise
        self._rules.used(used)
        welcome = f"Welcome, {name}. The name is yours from now on."
        await self._logins.log_in(call, name, facts, welcome=welcome)


@dataclass(slots=True)
class PasswordResets:
    """Sets new passwords with codes of the operator."""

    _people: People
    _invite_codes: InviteCodes
    _redemptions: Redemptions
    _homes: Homes
    _hasher: Hasher
    _sanctions: Sanctions
    _arrivals: Arrivals
    _logins: Logins

    def asked(self, command: words.Register) -> tuple[str, str] | None:
        """The account whose password the code resets, and the stored code; None if the code is for
        something else.
        """
        name = self._people.skeletons.get(names.skeleton(command.name), "")
        if command.code is None or name.lower() != command.name.lower():
            return None
        code = resetting(name, command.code)
        return (name, code) if self._invite_codes.is_good(code) else None

    async def reset(self, call: Call, command: words.Register, name: str, code: str) -> None:
        """Sets a new password, revokes all tokens, and logs the connection in."""
        check_guest(call)
        self._arrivals.check_private(call)
        self._sanctions.check_name(name)
        if command.password is None:
            choose_password(call, command, name)
            return
        password = command.password.strip()
        passwords.check(password, name)
        used = self._invite_codes.take(code)  # before the first await: the code works only once
        try:
            hashes = await call.ask(self._hasher.hash, password)
            await self._homes.bring(name, call.link)  # only their home forgets the resume tokens
            changed = PasswordChanged(name, hashes.password, hashes.scram)
            facts = [*await self._redemptions.redeem(changed, [used])]
        except Exception:
            self._invite_codes.put_back(used)
            raise
        self._invite_codes.used(used)
        person = self._people.exact(name)
        if person is not None:
            self._people.forget_secrets(person)
            person.used_secrets = ()
            facts.append(person.fact)
        await self._people.revocations.keep(facts)
        welcome = f"Welcome back, {name}. Your old password is no longer valid."
        await self._logins.log_in(call, name, welcome=welcome)


async def register(
    call: Call, command: words.Register, registrations: Registrations, resets: PasswordResets
) -> None:
    """Makes an account and logs the connection in; asks a person for a missing password.

    With a code of the operator for an account that there is, it sets a new password.
    """
    if (reset := resets.asked(command)) is not None:
        await resets.reset(call, command, *reset)
    else:
        await registrations.make(call, command)
