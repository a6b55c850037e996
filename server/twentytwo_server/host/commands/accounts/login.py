"""Accounts: making one, and coming in as one, by a password, a token or a proof."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.connection import Bye

from ....accounts import names, passwords, scram
from ....accounts.throttles import Try
from ....facts import Account, PasswordRehashed, TokenGiven
from ....ports import Hashes, Verdict
from ...config import Registration
from ...host import Host
from ..call import Call, Handlers
from ..session.arrival import check_private
from .guest_login import become, link_of, nothing

ASK = "Password, please. Nobody is shown it; an empty line gives up."
CHOOSE = "Choose a password of 10 characters or more: three words that do not belong together."
AGAIN = "The same again, please."

EXCHANGE_LASTS = 60_000
"""Milliseconds that a client has for the two steps of a proof."""
TOKEN_LASTS = 180 * 86_400_000
"""Milliseconds from the making of a login token to its end."""


# ------------------------------------------------------------------------ making one


def register(call: Call, said: words.Register) -> None:
    """Somebody makes an account, and is it from then on."""
    name = _new_name(call, said.name)
    if said.password is None:
        steps = (("password", CHOOSE), ("password", AGAIN))
        ask(call, said, *steps, judge=lambda chosen: passwords.check(chosen.strip(), name))
        return
    password = said.password.strip()
    passwords.check(password, name)
    looks = names.skeleton(name)

    def hashed(hashes: Hashes) -> None:
        wall = call.host.clock.wall()
        account = Account(name, looks, hashes.password, hashes.scram, wall)
        become(call, name, [account], welcome=f"Welcome, {name}. The name is yours from now on.")

    def failed() -> None:
        del call.host.people.skeletons[looks]

    # The name is taken at once, so that two who want it at the same time do not both get it.
    call.host.people.skeletons[looks] = name
    try:
        call.host.hasher.hash(password, later(call, hashed, failed))
    except Refused:
        failed()
        raise
    call.host.throttles.registered(link_of(call).address)


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
    wait = call.host.throttles.registration_wait(link_of(call).address)
    if wait:
        raise Refused("RATE", "Too many accounts are being made; try again later.", wait=wait)
    return name


def _check_guest(call: Call) -> None:
    if call.person is not None and not call.person.guest:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already; logout first.")


def ask(
    call: Call,
    said: Command,
    *steps: tuple[str, str],
    judge: Callable[[str], None] = lambda chosen: None,
) -> None:
    """Asks a person for a password, without showing it; programs have to send it.

    `judge` refuses what will not do as a new one.
    """
    if not call.people:
        raise Refused("BAD_ARG", f"{said.word.word} needs a password.", arg=steps[0][0])
    call.session.ask_hidden(said, *steps, judge=judge)
    call.done()


def later(
    call: Call, work: Callable[..., None], failed: Callable[[], None] = nothing
) -> Callable[..., None]:
    """The work as it is done when an answer has come: what it raises refuses the command.

    By then the connection may be gone, or replaced by a newer one: then nothing is done either.
    """

    def done(*answer: Any) -> None:
        link_of(call)
        work(*answer)

    return call.later(done, failed)


# ------------------------------------------------------------------------- coming in


def login(call: Call, said: words.Login) -> None:
    """Somebody comes in as their account, by its password or by a login token."""
    _check_guest(call)
    check_private(call)
    if said.token is not None:
        _login_by_token(call, said.name, said.token)
    elif said.password is None:
        _check_wait(call, said.name)
        ask(call, said, ("password", ASK))
    else:
        password = said.password.strip()
        verify(call, said.name, password, lambda account: become(call, account.name))


def _check_wait(call: Call, name: str) -> None:
    wait = call.host.throttles.wait(name, link_of(call).address)
    if wait:
        text = f"Too many wrong tries; the next may be made in {wait / 1000:.1f} s."
        raise Refused("RATE", text, wait=wait)


def _begin(call: Call, name: str) -> Try:
    """A try to come in. Raises `Refused` where it is too early for one."""
    _check_wait(call, name)
    return call.host.throttles.begin(name, link_of(call).address)


def verify(call: Call, name: str, password: str, right: Callable[[Account], None]) -> None:
    """Compares a password; the work is the same whether there is such an account or not."""
    host, made = call.host, _begin(call, name)

    def compare(account: Account | None) -> None:
        fits = len(password.encode()) <= passwords.LONGEST
        hashed = account.password if account and fits else host.hasher.nobody
        try:
            host.hasher.verify(password[: passwords.LONGEST], hashed, later(call, judged(account)))
        except Refused:
            host.throttles.cancelled(made)
            raise

    def judged(account: Account | None) -> Callable[[Verdict], None]:
        def judge(verdict: Verdict) -> None:
            if account is None or verdict is Verdict.WRONG:
                _wrong(call)
            else:
                look_up(call, name, lambda latest: accept(account, latest, verdict))

        return judge

    def accept(account: Account, latest: Account | None, verdict: Verdict) -> None:
        if latest is None or latest.password != account.password:
            compare(latest)  # it was changed while it was compared
            return
        host.throttles.succeeded(made)
        if verdict is Verdict.DATED:
            _rehash(host, account, password)
        right(account)

    host.store.account(name, later(call, compare))


def look_up(call: Call, name: str, found: Callable[[Account | None], None]) -> None:
    """The account of that name, as it is behind every change that has been decided."""
    host = call.host
    host.people.locks.look(lambda done: host.store.account(name, done), later(call, found))


def _wrong(call: Call) -> None:
    """A try has failed; after some of them the connection is closed."""
    call.session.tries += 1
    call.session.exchange = None
    mine = call.person is not None and not call.person.guest
    unknown = "There is no account of that name with that password."
    call.refuse(Refused("BAD_LOGIN", "That is not your password." if mine else unknown))
    if call.session.tries >= call.host.throttles.allowance.tries:
        call.session.notice(Bye("LOGIN", False, "That was wrong too often. Goodbye."))
        call.host.hang_up(call.session)


def _rehash(host: Host, account: Account, password: str) -> None:
    """Keeps a stronger hash of a password that was right, unless there is another by then."""

    def hashed(hashes: Hashes) -> None:
        again = PasswordRehashed(account.name, account.password, hashes.password, hashes.scram)
        host.store.keep([again], lambda: None)

    try:
        host.hasher.hash(password, hashed)
    except Refused:
        return  # the next login does it


def _login_by_token(call: Call, name: str, token: str) -> None:
    host, made = call.host, _begin(call, name)
    digest = hashlib.sha256(token.encode()).digest()

    def found(given: TokenGiven | None) -> None:
        if given is None or given.name.lower() != name.lower() or is_over(host, given):
            _wrong(call)
            return
        host.throttles.succeeded(made)
        become(call, given.name)

    host.people.locks.look(lambda done: host.store.token(digest, done), later(call, found))


def is_over(host: Host, given: TokenGiven) -> bool:
    """Whether the time of a login token is over."""
    return host.clock.wall() >= given.wall + TOKEN_LASTS


def auth(call: Call, said: words.Auth) -> None:
    """Somebody proves that they know the password of their account."""
    _check_guest(call)
    if said.mech.upper() != scram.MECHANISM:
        raise Refused("BAD_ARG", f"This server knows {scram.MECHANISM}.", arg="mech")
    if scram.is_first(said.data):
        _challenge(call, said.data)
    else:
        _proved(call, _exchange(call), said.data)


def _exchange(call: Call) -> scram.Exchange:
    """The exchange that is under way on this connection. Raises `Refused`."""
    found: scram.Exchange | None = call.session.exchange
    if found is None:
        raise Refused("BAD_ARG", "That is no first message of an exchange.", arg="data")
    if call.host.clock.now() - found.began >= EXCHANGE_LASTS:
        raise Refused("BAD_ARG", "That exchange took too long; begin another.", arg="data")
    return found


def _challenge(call: Call, first: str) -> None:
    host = call.host
    call.session.exchange = None
    try:
        name = scram.name_in(first)
    except scram.BadProof:
        raise Refused("BAD_ARG", "That is no message of SCRAM.", arg="data") from None
    _check_wait(call, name)

    def found(account: Account | None) -> None:
        known = scram.Keys.of(account.scram) if account else None
        keys = known or scram.keys_of_nobody(name, _secret(host))
        try:
            whose = account.name if account else name
            nonce = host.chance.token()
            exchange = scram.Exchange(first, whose, keys, nonce, host.clock.now())
        except scram.BadProof:
            raise Refused("BAD_ARG", "That is no message of SCRAM.", arg="data") from None
        call.session.exchange = exchange
        call.ok(More(exchange.challenge), n=1)

    host.store.account(name, later(call, found))


def _secret(host: Host) -> bytes:
    """What the salts of names without an account are made from; another at each start."""
    if not host.decoy:
        host.decoy = host.chance.token().encode()
    return host.decoy


def _proved(call: Call, exchange: scram.Exchange, final: str) -> None:
    made = _begin(call, exchange.name)
    call.session.exchange = None
    try:
        proof = exchange.finish(final)
    except scram.BadProof:
        _wrong(call)
        return

    def accept(latest: Account | None) -> None:
        if latest is None or scram.Keys.of(latest.scram) != exchange.keys:
            _wrong(call)
            return
        call.host.throttles.succeeded(made)
        become(call, exchange.name, rows=[More(proof)])

    look_up(call, exchange.name, accept)


HANDLERS: Handlers = {
    words.Register: register,
    words.Login: login,
    words.Auth: auth,
}
