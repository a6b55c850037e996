"""Accounts: making one, and coming in as one, by a password, a token or a proof."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.connection import Bye

from ....accounts import names, passwords, scram
from ....accounts.login_limits import Attempt
from ....answers import ask, run
from ....facts import Account, PasswordRehashed, TokenGiven
from ....ports import Verdict
from ...config import Registration
from ...host import Host
from ..call import Call, Handlers
from ..session.arrival import check_private
from .guest_login import log_in

T = TypeVar("T")
Args = TypeVarTuple("Args")

ASK = "Password, please. Nobody is shown it; an empty line gives up."
CHOOSE = "Choose a password of 10 characters or more: three words that do not belong together."
AGAIN = "The same again, please."

EXCHANGE_LASTS = 60_000
"""Milliseconds that a client has for the two steps of a proof."""
TOKEN_LASTS = 180 * 86_400_000
"""Milliseconds from the making of a login token to its end."""


# ------------------------------------------------------------------------ making one


async def register(call: Call, command: words.Register) -> None:
    """Somebody makes an account, and is it from then on."""
    name = _new_name(call, command.name)
    if command.password is None:
        steps = (("password", CHOOSE), ("password", AGAIN))
        ask_password(
            call, command, *steps, judge=lambda chosen: passwords.check(chosen.strip(), name)
        )
        return
    password = command.password.strip()
    passwords.check(password, name)
    looks = names.skeleton(name)
    # The name is taken at once, so that two who want it at the same time do not both get it.
    call.host.people.skeletons[looks] = name
    try:
        hashing = call.ask(call.host.hasher.hash, password)
        # Counted once it is begun: whoever was told BUSY has made no account.
        call.host.login_limits.registered(call.link().address)
        hashes = await hashing
    except Exception:
        del call.host.people.skeletons[looks]
        raise
    account = Account(name, looks, hashes.password, hashes.scram, call.host.clock.wall())
    welcome = f"Welcome, {name}. The name is yours from now on."
    await log_in(call, name, [account], welcome=welcome)


def _new_name(call: Call, wanted: str) -> str:
    """The name for a new account. Raises `Refused`."""
    _check_guest(call)
    if call.host.config.registration is Registration.CLOSED:
        raise Refused("FORBIDDEN", "No new accounts are made on this server; guests are welcome.")
    check_private(call)
    name = wanted.removeprefix("~")
    names.check_account(name)
    taken = call.host.people.skeletons.get(names.skeleton(name))
    if taken is not None:
        like = "" if taken.lower() == name.lower() else f", which {name} looks like"
        raise Refused("NAME_TAKEN", f"There is an account {taken} already{like}.", arg="name")
    wait = call.host.login_limits.registration_wait(call.link().address)
    if wait:
        raise Refused("RATE", "Too many accounts are being made; try again later.", wait=wait)
    return name


def _check_guest(call: Call) -> None:
    if call.person is not None and not call.person.guest:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already; logout first.")


def ask_password(
    call: Call,
    command: Command,
    *steps: tuple[str, str],
    judge: Callable[[str], None] = lambda chosen: None,
) -> None:
    """Asks a person for a password, without showing it; programs have to send it.

    `judge` refuses what will not do as a new one.
    """
    if not call.people:
        raise Refused("BAD_ARG", f"{command.word.word} needs a password.", arg=steps[0][0])
    call.session.ask_hidden(command, *steps, judge=judge)
    call.finish()


# ------------------------------------------------------------------------- coming in


async def login(call: Call, command: words.Login) -> None:
    """Somebody comes in as their account, by its password or by a login token."""
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
        text = f"Too many wrong tries; the next may be made in {wait / 1000:.1f} s."
        raise Refused("RATE", text, wait=wait)


def _begin_attempt(call: Call, name: str) -> Attempt:
    """Counts a login attempt. Raises `Refused` if it has to wait."""
    _check_wait(call, name)
    return call.host.login_limits.begin(name, call.link().address)


async def verify(call: Call, name: str, password: str) -> Account | None:
    """The account of that name, if this is its password; else None, and the command is refused.

    Neither the reply nor the time it takes tells whether there is such an account. The password may
    change while it is compared: then it is compared again with the new one.
    """
    host, attempt = call.host, _begin_attempt(call, name)
    fits = len(password.encode()) <= passwords.LONGEST
    account = await call.ask(host.store.account, name)
    while True:
        # Always compare something, so that the time does not tell whether the account exists. The
        # dummy hash fits no password. A password beyond LONGEST is cut for the comparison, and
        # compared with the dummy, so that it is not taken for one that begins alike.
        hashed = account.password if account and fits else host.hasher.dummy_hash
        try:
            comparing = call.ask(host.hasher.verify, password[: passwords.LONGEST], hashed)
        except Refused:
            host.login_limits.cancelled(attempt)  # too busy to look
            raise
        # From here on the try counts, also where the connection is gone when it is answered.
        verdict = await comparing
        if account is None or verdict is Verdict.WRONG:
            _refuse_login(call)
            return None
        latest = await look_up(call, host.store.account, name)
        if latest is not None and latest.password == account.password:
            break
        account = latest  # it was changed while it was compared
    host.login_limits.succeeded(attempt)
    if verdict is Verdict.DATED:
        run(_rehash(host, account, password), lambda _: host.fault("hashing a password anew"))
    return account


async def look_up(
    call: Call, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
) -> T:
    """The answer of the store, not older than any revocation that has begun.

    Raises `Refused` if the connection is gone by then.
    """
    found = await call.host.people.revocations.look_up(port, *args)
    call.link()
    return found


def _refuse_login(call: Call) -> None:
    """Refuses a login that failed; after some of them it closes the connection."""
    call.session.tries += 1
    mine = call.person is not None and not call.person.guest
    unknown = "There is no account of that name with that password."
    call.refuse(Refused("BAD_LOGIN", "That is not your password." if mine else unknown))
    if call.session.tries >= call.host.login_limits.quota.tries:
        call.session.notice(Bye("LOGIN", False, "That was wrong too often. Goodbye."))
        call.host.hang_up(call.session)


async def _rehash(host: Host, account: Account, password: str) -> None:
    """Keeps a stronger hash of a password that was right, unless there is another by then."""
    try:
        hashes = await ask(host.hasher.hash, password)
    except Refused:
        return  # too busy; the next login does it
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
    """Whether the time of a login token is over."""
    return host.clock.wall() >= given.wall + TOKEN_LASTS


async def auth(call: Call, command: words.Auth) -> None:
    """Somebody proves that they know the password of their account."""
    _check_guest(call)
    if command.mech.upper() != scram.MECHANISM:
        raise Refused("BAD_ARG", f"This server knows {scram.MECHANISM}.", arg="mech")
    if scram.is_first(command.data):
        await _challenge(call, command.data)
    else:
        await _proved(call, _exchange(call), command.data)


def _exchange(call: Call) -> scram.Exchange:
    """The exchange that is under way on this connection. Raises `Refused`."""
    found = call.session.exchange
    if not isinstance(found, scram.Exchange):
        raise Refused("BAD_ARG", "That is no first message of an exchange.", arg="data")
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
        raise Refused("BAD_ARG", "That is no message of SCRAM.", arg="data") from None
    call.session.exchange = exchange
    call.ok(More(exchange.challenge), n=1)


def _secret(host: Host) -> bytes:
    """The secret from which salts for unknown names are made; a new one at each start.

    Within a run an unknown name must always show the same salt, as an account does.
    """
    if not host.dummy_key_secret:
        host.dummy_key_secret = host.chance.token().encode()
    return host.dummy_key_secret


async def _proved(call: Call, exchange: scram.Exchange, final: str) -> None:
    attempt = _begin_attempt(call, exchange.name)
    # Before the first await: an exchange is good for one attempt.
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
