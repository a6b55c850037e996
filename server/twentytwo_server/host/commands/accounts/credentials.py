"""Commands for the owner of an account: change the password, manage login tokens and SSH keys."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from twentytwo_protocol.framing import visible
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import KeyRow, TokenRow

from ....accounts import passwords, ssh_keys
from ....answers import keep
from ....facts import PasswordChanged, SshKeyAdded, SshKeyRemoved, TokenGiven, TokenRevoked
from ....ports import Hasher, Store
from ....session.streams import rfc3339
from ...config import Randomness
from ...people.people import People, Person
from ...tables.pausable_clock import PausableClock
from ..call import Call, Handlers
from ..session.arrival import Arrivals
from .login import TOKEN_LASTS, is_over
from .registering import CHOOSE, REPEAT_PASSWORD
from .verifying import PasswordVerifier, ask_password

MOST_TOKENS = 10
"""Maximum number of login tokens of an account."""
MOST_KEYS = 10
"""Maximum number of SSH keys of an account."""
LABEL = 32
"""Longest label of a login token or a key, in characters."""

OLD = "Your current password (hidden; an empty line cancels):"


def _account(call: Call) -> Person:
    """The person who gives the command, who must have an account. Raises `Refused` for a guest."""
    if call.me.guest:
        raise Refused("FORBIDDEN", f"{call.me.name} is a guest; register NAME makes an account.")
    return call.me


async def password(
    call: Call,
    command: words.Password,
    people: People,
    hasher: Hasher,
    arrivals: Arrivals,
    verifier: PasswordVerifier,
) -> None:
    """Changes the password of the account; revokes its login tokens, SSH keys and resume tokens.

    Without `old` it asks a person for it, and after that for the new one. The connection gets a
    new resume token.
    """
    me = _account(call)
    arrivals.check_private(call)
    if command.old is None:
        ask_password(call, command, ("old", OLD))
        return
    old = command.old.strip()
    new = command.new.strip() if command.new is not None else None
    if new is not None:
        passwords.check(new, me.name, "new")
    if await verifier.verify(call, me.name, old) is None:
        return
    if new is None:
        # Only now: a person who does not know the old password is not asked for a new one.
        _choose(call, command, me)
        return
    hashes = await call.ask(hasher.hash, new)
    token = arrivals.fresh_token(call, me)
    changed = PasswordChanged(me.name, hashes.password, hashes.scram)
    await people.revocations.keep([changed, me.fact])
    text = "Your password is changed. Your login tokens and keys are no longer valid."
    call.ok(token=token, text=text)


def _choose(call: Call, command: words.Password, me: Person) -> None:
    """Asks a person for the new password, twice."""
    steps = (("new", CHOOSE), ("new", REPEAT_PASSWORD))
    ask_password(
        call, command, *steps, judge=lambda chosen: passwords.check(chosen.strip(), me.name, "new")
    )


async def token(call: Call, command: words.Tokens, arrivals: Arrivals, tokens: LoginTokens) -> None:
    """Makes a login token, lists them, or revokes one."""
    _account(call)
    arrivals.check_private(call)
    await tokens.carry_out(call, command)


@dataclass(slots=True)
class LoginTokens:
    """The login tokens of accounts."""

    _people: People
    _store: Store
    _chance: Randomness
    _clock: PausableClock

    async def carry_out(self, call: Call, command: words.Tokens) -> None:
        """Makes a login token, lists them, or revokes one."""
        me = call.me
        work = {"new": self._new, "list": self._list, "revoke": self._revoke}.get(
            command.what.lower()
        )
        if work is None:
            raise Refused("BAD_ARG", "token new, token list or token revoke N.", arg="what")
        which = visible(" ".join(filter(None, (command.which, command.text)))).strip()
        if command.what.lower() == "new" and command.which is not None and not call.people:
            text = "What to call it goes behind ' :': token new :laptop"
            raise Refused("BAD_ARG", text, arg="text")
        await work(call, me, which, await call.ask(self._store.tokens, me.name))

    async def _new(self, call: Call, me: Person, label: str, tokens: Sequence[TokenGiven]) -> None:
        over = [
            TokenRevoked(me.name, each.number)
            for each in tokens
            if is_over(each, self._clock.wall())
        ]
        if len(tokens) - len(over) >= MOST_TOKENS:
            raise Refused("QUOTA", f"You have {MOST_TOKENS} login tokens; revoke one first.")
        if len(label) > LABEL:
            raise Refused("BAD_ARG", f"The label may have at most {LABEL} characters.", arg="text")
        # Higher than `last_token` too: a token may be on its way into the store.
        me.last_token = max([me.last_token, *(each.number for each in tokens)]) + 1
        made = self._chance.token()
        digest = hashlib.sha256(made.encode()).digest()
        given = TokenGiven(me.name, me.last_token, digest, label, self._clock.wall())
        text = f"Keep it safe, it is not shown again: {made}" if call.people else None
        row = _token_row(given)
        await keep(self._store, [*over, given])
        call.ok(row, token=made, n=1, text=text)

    async def _list(self, call: Call, _: Person, __: str, tokens: Sequence[TokenGiven]) -> None:
        rows = [_token_row(each) for each in tokens if not is_over(each, self._clock.wall())]
        text = (
            None if rows or not call.in_words else "You have no login tokens; token new makes one."
        )
        call.ok(*rows, n=len(rows), text=text)

    async def _revoke(
        self, call: Call, me: Person, which: str, tokens: Sequence[TokenGiven]
    ) -> None:
        found = next((each for each in tokens if str(each.number) == which), None)
        if found is None:
            raise Refused("BAD_ARG", "There is no login token with that number.", arg="which")
        text = f"Token {found.number} is no longer valid."
        gone = TokenRevoked(me.name, found.number)
        await self._people.revocations.keep([gone])
        call.ok(text=text)


def _token_row(given: TokenGiven) -> TokenRow:
    made, end = rfc3339(given.wall), rfc3339(given.wall + TOKEN_LASTS)
    return TokenRow(given.number, made, given.label or None, end)


async def keys(call: Call, command: words.Keys, arrivals: Arrivals, kept: SshKeys) -> None:
    """Adds a key to the account, lists its keys, or removes one."""
    _account(call)
    arrivals.check_private(call)
    await kept.carry_out(call, command)


@dataclass(slots=True)
class SshKeys:
    """The SSH keys of accounts."""

    _people: People
    _store: Store
    _clock: PausableClock

    async def carry_out(self, call: Call, command: words.Keys) -> None:
        """Adds a key to the account, lists its keys, or removes one."""
        work = {"": self._list, "list": self._list, "add": self._add, "remove": self._remove}.get(
            (command.what or "").lower()
        )
        if work is None:
            raise Refused("BAD_ARG", "keys, keys add KEY or keys remove N.", arg="what")
        which = " ".join(filter(None, (command.which, command.text)))
        have = await self._people.revocations.look_up(self._store.ssh_keys, call.me.name)
        await work(call, call.me, which, have)

    async def _add(self, call: Call, me: Person, text: str, have: Sequence[SshKeyAdded]) -> None:
        key = _key_to_add(call, text)
        known = next((each for each in have if each.digest == key.digest), None)
        if known is not None:
            call.ok(_key_row(known), n=1, text="That key logs in to your account already.")
            return
        if len(have) >= MOST_KEYS:
            raise Refused("QUOTA", f"You have {MOST_KEYS} keys; remove one first.")
        # Higher than `last_key` too: a key may be on its way into the store.
        me.last_key = max([me.last_key, *(each.number for each in have)]) + 1
        label = visible(key.comment)[:LABEL]
        added = SshKeyAdded(me.name, me.last_key, key.kind, key.digest, label, self._clock.wall())
        await keep(self._store, [added])
        call.ok(_key_row(added), n=1, text=f"ssh {me.name}@... with this key now logs in.")

    async def _list(self, call: Call, _: Person, __: str, have: Sequence[SshKeyAdded]) -> None:
        rows = [_key_row(each) for each in have]
        none = "You have no keys; keys add KEY adds one, a line of your .pub file."
        call.ok(*rows, n=len(rows), text=None if rows or not call.in_words else none)

    async def _remove(
        self, call: Call, me: Person, which: str, have: Sequence[SshKeyAdded]
    ) -> None:
        found = next((each for each in have if str(each.number) == which), None)
        if found is None:
            raise Refused(
                "BAD_ARG", "You have no key with that number; keys lists yours.", arg="which"
            )
        await self._people.revocations.keep([SshKeyRemoved(me.name, found.number)])
        call.ok(text=f"Key {found.number} no longer logs in.")


def _key_to_add(call: Call, text: str) -> ssh_keys.PublicKey:
    """The key in the text, or else the one that the client has offered. Raises `Refused`."""
    offered = call.session.key
    if text:
        try:
            return ssh_keys.read_line(text)
        except ssh_keys.BadKey as bad:
            raise Refused("BAD_ARG", str(bad), arg="text") from None
    if offered is None:
        text = (
            "Which key? keys add KEY takes the line of your .pub file. After "
            f"ssh {call.me.name}@... and login {call.me.name}, keys add takes the key of your ssh."
        )
        raise Refused("BAD_ARG", text, arg="text")
    return ssh_keys.PublicKey(offered.kind, offered.digest)


def _key_row(added: SshKeyAdded) -> KeyRow:
    made = rfc3339(added.wall)
    shown = ssh_keys.fingerprint(added.digest)
    return KeyRow(added.number, added.kind, shown, made, added.label or None)


HANDLERS: Handlers = {words.Password: password, words.Tokens: token, words.Keys: keys}
