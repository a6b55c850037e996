"""Logging in by a password, a login token or a SCRAM proof."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import More

from ....accounts import scram
from ....answers import ask, keep
from ....facts import SecretMade, TokenGiven
from ....ports import Store
from ...config import Randomness
from ...people.people import People
from ...tables.pausable_clock import PausableClock
from ..call import Call, Handlers
from ..session.arrival import Arrivals
from .guest_login import Logins
from .registering import register
from .verifying import LoginAttempts, PasswordVerifier, check_guest, look_up

EXCHANGE_LASTS = 60_000
"""Milliseconds that a client has for both steps of a SCRAM exchange."""
DUMMY_SECRET = "scram"
"""The name of the secret in the database for the keys of unknown names."""
TOKEN_LASTS = 180 * 86_400_000
"""Milliseconds for which a login token is valid."""


def is_over(given: TokenGiven, wall: int) -> bool:
    """True if a login token has expired at that time."""
    return wall >= given.wall + TOKEN_LASTS


async def login(
    call: Call,
    command: words.Login,
    arrivals: Arrivals,
    verifier: PasswordVerifier,
    others: OtherLogins,
    logins: Logins,
) -> None:
    """Logs in by a password, a login token, or the SSH key of the connection.

    Asks a person who has none of them for the password.
    """
    check_guest(call)
    arrivals.check_private(call)
    if command.token is not None:
        await others.by_token(call, command.name, command.token)
    elif command.password is None:
        if not await others.by_key(call, command.name):
            verifier.ask(call, command)
    else:
        account = await verifier.verify(call, command.name, command.password.strip())
        if account is not None:
            is_valid = partial(verifier.is_valid, call, account)
            await logins.log_in(call, account.name, is_valid=is_valid)


@dataclass(slots=True)
class OtherLogins:
    """Logs in by a login token, or by an SSH key."""

    _attempts: LoginAttempts
    _people: People
    _store: Store
    _clock: PausableClock
    _logins: Logins

    async def by_token(self, call: Call, name: str, token: str) -> None:
        """Looks the token up."""
        attempt = self._attempts.begin(call, name)
        digest = hashlib.sha256(token.encode()).digest()
        given = await look_up(call, self._people, self._store.token, digest)
        wrong = given is None or given.name.lower() != name.lower()
        if given is None or wrong or is_over(given, self._clock.wall()):
            self._attempts.refuse(call, attempt)
            return
        self._attempts.succeeded(attempt)

        async def is_valid() -> bool:
            return await look_up(call, self._people, self._store.token, digest) == given

        await self._logins.log_in(call, given.name, is_valid=is_valid)

    async def by_key(self, call: Call, name: str) -> bool:
        """Logs in if the client has signed with a key of the account; else returns False."""
        key = call.session.key
        if key is None or not key.proved:
            return False
        kept = await look_up(call, self._people, self._store.ssh_keys, name)
        mine = next((each for each in kept if each.digest == key.digest), None)
        if mine is None:
            return False

        async def is_valid() -> bool:
            return mine in await look_up(call, self._people, self._store.ssh_keys, name)

        await self._logins.log_in(call, mine.name, is_valid=is_valid)
        return True


async def auth(call: Call, command: words.Auth, proofs: ScramLogin) -> None:
    """Logs in by SCRAM: the first message gets a challenge, the second is the proof."""
    check_guest(call)
    if command.mech.upper() != scram.SCRAM_MECHANISM:
        raise Refused("BAD_ARG", f"This server knows {scram.SCRAM_MECHANISM}.", arg="mech")
    if scram.is_first(command.data):
        await proofs.challenge(call, command.data)
    else:
        await proofs.prove(call, command.data)


@dataclass(slots=True)
class ScramLogin:
    """Logs in by SCRAM proofs.

    `_secret` is for the dummy keys of unknown names. An unknown name must always show the same
    salt, as an account does: one that is another after a restart, or at another server, would tell
    that there is no such account. So the database keeps the secret.
    """

    _attempts: LoginAttempts
    _people: People
    _store: Store
    _chance: Randomness
    _clock: PausableClock
    _logins: Logins
    _secret: str | None = field(init=False, default=None)

    async def challenge(self, call: Call, first: str) -> None:
        """Answers the first message of an exchange."""
        call.session.exchange = None
        try:
            name = scram.name_in(first)
            self._attempts.check_wait(call, name)
            account = await call.ask(self._store.account, name)
            stored = scram.ScramCredentials.from_text(account.scram) if account else None
            secret = await self._dummy_secret()  # also for an account: the answer takes as long
            credentials = stored or scram.dummy_credentials(name, secret.encode())
            whose, nonce = account.name if account else name, self._chance.token()
            exchange = scram.Exchange(first, whose, credentials, nonce, self._clock.now())
        except scram.BadProof:
            raise Refused("BAD_ARG", "That is not a SCRAM message.", arg="data") from None
        call.link()
        call.session.exchange = exchange
        call.ok(More(exchange.challenge), n=1)

    async def _dummy_secret(self) -> str:
        if self._secret is None:
            found = await ask(self._store.secret, DUMMY_SECRET)
            if found is None:
                made = SecretMade(DUMMY_SECRET, self._chance.token())
                await keep(self._store, [made])  # the first one stays
                found = await ask(self._store.secret, DUMMY_SECRET) or made.secret
            self._secret = found
        return self._secret

    async def prove(self, call: Call, final: str) -> None:
        """Checks the proof, and logs in."""
        exchange = self._exchange(call)
        attempt = self._attempts.begin(call, exchange.name)
        # Before the first await: an exchange allows only one attempt.
        call.session.exchange = None
        try:
            proof = exchange.finish(final)
        except scram.BadProof:
            self._attempts.refuse(call, attempt)
            return

        async def is_valid() -> bool:
            latest = await look_up(call, self._people, self._store.account, exchange.name)
            known = latest and scram.ScramCredentials.from_text(latest.scram)
            return known == exchange.credentials

        if not await is_valid():
            self._attempts.refuse(call, attempt)
            return
        self._attempts.succeeded(attempt)
        await self._logins.log_in(call, exchange.name, rows=[More(proof)], is_valid=is_valid)

    def _exchange(self, call: Call) -> scram.Exchange:
        """The exchange of this connection. Raises `Refused` if there is none or it is too old."""
        found = call.session.exchange
        if not isinstance(found, scram.Exchange):
            raise Refused("BAD_ARG", "That is not the first message of an exchange.", arg="data")
        if self._clock.now() - found.began >= EXCHANGE_LASTS:
            raise Refused("BAD_ARG", "That exchange took too long; begin another.", arg="data")
        return found


HANDLERS: Handlers = {
    words.Register: register,
    words.Login: login,
    words.Auth: auth,
}
