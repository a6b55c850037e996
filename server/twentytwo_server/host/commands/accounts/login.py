"""Registering an account, and logging in by a password, a login token or a SCRAM proof."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar, TypeVarTuple

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.connection import Bye

from ....accounts import names, passwords, scram
from ....answers import ask, run
from ....consequences import of_no_command
from ....facts import (
    Account,
    Fact,
    InviteCode,
    InviteCodeUsed,
    PasswordChanged,
    PasswordRehashed,
    TokenGiven,
)
from ....limits.logins import Attempt
from ....ports import PasswordCheck
from ...config import Registration
from ...host import Host
from ...moderation.invite_codes import resetting
from ..call import Call, Handlers
from ..session.arrival import check_private
from .guest_login import log_in

log = logging.getLogger("twentytwo.accounts")

T = TypeVar("T")
Args = TypeVarTuple("Args")

ASK = "Password (hidden; an empty line cancels):"
CHOOSE = "Choose a password of 10 characters or more, for example three unrelated words:"
REPEAT_PASSWORD = "The same password again:"

EXCHANGE_LASTS = 60_000
"""Milliseconds that a client has for both steps of a SCRAM exchange."""
TOKEN_LASTS = 180 * 86_400_000
"""Milliseconds for which a login token is valid."""


# ------------------------------------------------------------------------ making one


async def register(call: Call, command: words.Register) -> None:
    """Makes an account and logs the connection in; asks a person for a missing password.

    With a code of the operator for an account that there is, it sets a new password.
    """
    if (reset := _reset_of(call.host, command)) is not None:
        await _reset_password(call, command, *reset)
        return
    name = _new_name(call, command)
    if command.password is None:
        steps = (("password", CHOOSE), ("password", REPEAT_PASSWORD))
        ask_password(call, command, *steps, judge=partial(_judge, name))
        return
    password = command.password.strip()
    passwords.check(password, name)
    looks = names.skeleton(name)
    # Reserved before the first await, so that two people cannot get the same name.
    call.host.people.skeletons[looks] = name
    used = _take_code(call.host, command)
    try:
        hashing = call.ask(call.host.hasher.hash, password)
        # Counted only once hashing has begun: if it was refused (BUSY) no account is made.
        call.host.login_limits.registered(call.link().address)
        hashes = await hashing
        call.host.sanctions.check_name(
            name
        )  # while it was hashed; `log_in` would leave it reserved
    except Exception:
        del call.host.people.skeletons[looks]
        for code in used:
            call.host.invite_codes.put_back(code)
        raise
    account = Account(name, looks, hashes.password, hashes.scram, call.host.clock.wall())
    welcome = f"Welcome, {name}. The name is yours from now on."
    facts: list[Fact] = [account, *(InviteCodeUsed(code.digest) for code in used)]
    await log_in(call, name, facts, welcome=welcome)


def _reset_of(host: Host, command: words.Register) -> tuple[str, str] | None:
    """The account whose password the code resets, and the stored code; None for another code."""
    name = host.people.skeletons.get(names.skeleton(command.name), "")
    if command.code is None or name.lower() != command.name.lower():
        return None
    code = resetting(name, command.code)
    return (name, code) if host.invite_codes.is_good(code) else None


async def _reset_password(call: Call, command: words.Register, name: str, code: str) -> None:
    """Sets a new password, revokes all tokens, and logs the connection in."""
    host = call.host
    _check_guest(call)
    check_private(call)
    host.sanctions.check_name(name)
    if command.password is None:
        steps = (("password", CHOOSE), ("password", REPEAT_PASSWORD))
        judge = partial(_judge, name)
        ask_password(call, command, *steps, judge=judge)
        return
    password = command.password.strip()
    passwords.check(password, name)
    used = host.invite_codes.take(code)  # before the first await, because the code works only once
    try:
        hashes = await call.ask(host.hasher.hash, password)
    except Exception:
        host.invite_codes.put_back(used)
        raise
    facts: list[Fact] = [
        PasswordChanged(name, hashes.password, hashes.scram),
        InviteCodeUsed(used.digest),
    ]
    person = host.people.exact(name)
    if person is not None:
        host.people.forget_secrets(person)
        person.used_secrets = ()
        facts.append(person.fact)
    await host.people.revocations.keep(facts)
    await log_in(call, name, welcome=f"Welcome back, {name}. Your old password is no longer valid.")


def _judge(name: str, chosen: str) -> None:
    passwords.check(chosen.strip(), name)


def _take_code(host: Host, command: words.Register) -> Sequence[InviteCode]:
    """Uses up the invite code for this account; returns nothing if none is needed."""
    if host.config.now.registration is not Registration.INVITE or command.code is None:
        return ()
    return (host.invite_codes.take(command.code),)


def _new_name(call: Call, command: words.Register) -> str:
    """Checks whether an account of that name may be made here and now; returns the name.

    Raises `Refused`: the person is logged in, registration is closed or needs another code, the
    connection is not private, the name is bad or taken, or too many accounts are being made.
    """
    _check_guest(call)
    name = command.name.removeprefix("~")
    if call.host.config.now.registration is Registration.CLOSED:
        raise Refused("FORBIDDEN", "No new accounts are made on this server; guests are welcome.")
    if call.host.config.now.registration is Registration.INVITE:
        _check_code(call.host, name, command.code)
    check_private(call)
    names.check_account(name)
    taken = call.host.people.skeletons.get(names.skeleton(name))
    if taken is not None:
        like = "" if taken.lower() == name.lower() else f", which {name} looks like"
        raise Refused("NAME_TAKEN", f"There is an account {taken} already{like}.", arg="name")
    wait = call.host.login_limits.registration_wait(call.link().address)
    if wait:
        call.host.metrics.limited["registrations"] += 1
        raise Refused("RATE", "Too many accounts are being made; try again later.", wait=wait)
    return name


def _check_code(host: Host, name: str, code: str | None) -> None:
    usage = f"register {name} code=CODE, with a code from the operator."
    if code is None:
        raise Refused("FORBIDDEN", f"Accounts are made by invitation here: {usage}", arg="code")
    if not host.invite_codes.is_good(code):
        text = "That invite code is wrong, used or expired. Guests need no code."
        raise Refused("FORBIDDEN", text, arg="code")


def _check_guest(call: Call) -> None:
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


# ------------------------------------------------------------------------- coming in


async def login(call: Call, command: words.Login) -> None:
    """Logs in by a password or a login token; asks a person who gave neither for the password."""
    _check_guest(call)
    check_private(call)
    if command.token is not None:
        await _login_by_token(call, command.name, command.token)
    elif command.password is None:
        _check_wait(call, command.name)
        ask_password(call, command, ("password", ASK))
    else:
        account = await verify(call, command.name, command.password.strip())
        if account is not None:
            await log_in(call, account.name)


def _check_wait(call: Call, name: str) -> None:
    wait = call.host.login_limits.wait(name, call.link().address)
    if wait:
        call.host.metrics.limited["logins"] += 1
        text = f"Too many wrong tries; the next may be made in {wait / 1000:.1f} s."
        raise Refused("RATE", text, wait=wait)


def _begin_attempt(call: Call, name: str) -> Attempt:
    """Counts a login attempt. Raises `Refused` (RATE) if the next one is not allowed yet.

    It counts as failed unless `LoginLimits.succeeded` or `cancelled` is called with it.
    """
    _check_wait(call, name)
    return call.host.login_limits.begin(name, call.link().address)


async def verify(call: Call, name: str, password: str) -> Account | None:
    """The account of that name if this is its password; else refuses the command and returns None.

    Neither the reply nor the time it takes tells whether there is such an account. If the password
    is changed while it is being compared, it is compared again with the new one. Counts as a login
    attempt. Raises `Refused` if the attempt is too early, the server too busy, or the connection
    gone.
    """
    host, attempt = call.host, _begin_attempt(call, name)
    fits = len(password.encode()) <= passwords.LONGEST
    account = await call.ask(host.store.account, name)
    while True:
        # Always compare something, so that the time does not tell whether the account exists; the
        # dummy hash fits no password. A password that is too long is cut, to bound the work, and
        # compared with the dummy: the cut one might be right.
        hashed = account.password if account and fits else host.hasher.dummy_hash
        try:
            comparing = call.ask(host.hasher.verify, password[: passwords.LONGEST], hashed)
        except Refused:
            host.login_limits.cancelled(attempt)  # too busy: nothing was compared
            raise
        # From here on the attempt counts, even if the connection is gone when the answer comes.
        verdict = await comparing
        if account is None or verdict is PasswordCheck.WRONG:
            _refuse_login(call)
            return None
        latest = await look_up(call, host.store.account, name)
        if latest is not None and latest.password == account.password:
            break
        account = latest  # the password was changed during the comparison
    host.login_limits.succeeded(attempt)
    if verdict is PasswordCheck.DATED:
        rehashing = _rehash(host, account, password)
        of_no_command(run, rehashing, lambda _: host.faults.log("hashing a password anew"))
    return account


async def look_up(
    call: Call, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
) -> T:
    """The answer of the store, read again if a revocation came meanwhile (`accounts.revocations`).

    Use this for everything that decides a login. Raises `Refused` if the connection is gone.
    """
    found = await call.host.people.revocations.look_up(port, *args)
    call.link()
    return found


def _refuse_login(call: Call) -> None:
    """Refuses a failed login; closes the connection after `LoginQuota.tries` of them."""
    call.session.tries += 1
    link = call.host.connections.link(call.session)
    if link is not None:  # without the name: people also type their password there
        log.info("a wrong password or token, from %s", link.address)
    mine = call.person is not None and not call.person.guest
    unknown = "There is no account of that name with that password."
    call.refuse(Refused("BAD_LOGIN", "That is not your password." if mine else unknown))
    if call.session.tries >= call.host.login_limits.quota.tries:
        call.session.notice(Bye("LOGIN", False, text="Too many wrong passwords. Goodbye."))
        call.host.connections.hang_up(call.session)


async def _rehash(host: Host, account: Account, password: str) -> None:
    """Replaces an outdated hash of a password that was right, unless the password was changed."""
    try:
        hashes = await ask(host.hasher.hash, password)
    except Refused:
        return  # too busy; the next login will do it
    again = PasswordRehashed(account.name, account.password, hashes.password, hashes.scram)
    host.store.keep([again], lambda: None)


async def _login_by_token(call: Call, name: str, token: str) -> None:
    host, attempt = call.host, _begin_attempt(call, name)
    digest = hashlib.sha256(token.encode()).digest()
    given = await look_up(call, host.store.token, digest)
    if given is None or given.name.lower() != name.lower() or is_over(host, given):
        _refuse_login(call)
        return
    host.login_limits.succeeded(attempt)
    await log_in(call, given.name)


def is_over(host: Host, given: TokenGiven) -> bool:
    """True if a login token has expired."""
    return host.clock.wall() >= given.wall + TOKEN_LASTS


async def auth(call: Call, command: words.Auth) -> None:
    """Logs in by SCRAM: the first message gets a challenge, the second is the proof."""
    _check_guest(call)
    if command.mech.upper() != scram.SCRAM_MECHANISM:
        raise Refused("BAD_ARG", f"This server knows {scram.SCRAM_MECHANISM}.", arg="mech")
    if scram.is_first(command.data):
        await _challenge(call, command.data)
    else:
        await _proved(call, _exchange(call), command.data)


def _exchange(call: Call) -> scram.Exchange:
    """The SCRAM exchange of this connection. Raises `Refused` if there is none or it is too old."""
    found = call.session.exchange
    if not isinstance(found, scram.Exchange):
        raise Refused("BAD_ARG", "That is not the first message of an exchange.", arg="data")
    if call.host.clock.now() - found.began >= EXCHANGE_LASTS:
        raise Refused("BAD_ARG", "That exchange took too long; begin another.", arg="data")
    return found


async def _challenge(call: Call, first: str) -> None:
    host = call.host
    call.session.exchange = None
    try:
        name = scram.name_in(first)
        _check_wait(call, name)
        account = await call.ask(host.store.account, name)
        stored = scram.ScramCredentials.from_text(account.scram) if account else None
        credentials = stored or scram.dummy_credentials(name, _secret(host))
        whose = account.name if account else name
        exchange = scram.Exchange(first, whose, credentials, host.chance.token(), host.clock.now())
    except scram.BadProof:
        raise Refused("BAD_ARG", "That is not a SCRAM message.", arg="data") from None
    call.session.exchange = exchange
    call.ok(More(exchange.challenge), n=1)


def _secret(host: Host) -> bytes:
    """The secret for the dummy keys of unknown names, made once in each run of the server.

    An unknown name must always show the same salt within a run, as an account does: a salt that
    changes would tell that there is no such account.
    """
    if not host.dummy_key_secret:
        host.dummy_key_secret = host.chance.token().encode()
    return host.dummy_key_secret


async def _proved(call: Call, exchange: scram.Exchange, final: str) -> None:
    attempt = _begin_attempt(call, exchange.name)
    # Before the first await: an exchange allows only one attempt.
    call.session.exchange = None
    try:
        proof = exchange.finish(final)
    except scram.BadProof:
        _refuse_login(call)
        return
    latest = await look_up(call, call.host.store.account, exchange.name)
    if latest is None or scram.ScramCredentials.from_text(latest.scram) != exchange.credentials:
        _refuse_login(call)
        return
    call.host.login_limits.succeeded(attempt)
    await log_in(call, exchange.name, rows=[More(proof)])


HANDLERS: Handlers = {
    words.Register: register,
    words.Login: login,
    words.Auth: auth,
}
