"""Commands for the owner of an account: change the password, manage login tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from twentytwo_protocol.framing import visible
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.accounts import TokenRow

from ....accounts import passwords
from ....answers import keep
from ....facts import PasswordChanged, TokenGiven, TokenRevoked
from ....session.streams import rfc3339
from ...people.people import Person
from ..call import Call, Handlers
from ..session.arrival import check_private
from .guest_login import fresh_token
from .login import CHOOSE, REPEAT_PASSWORD, TOKEN_LASTS, ask_password, is_over, verify

MOST_TOKENS = 10
"""Maximum number of login tokens of an account."""
LABEL = 32
"""Longest label of a login token, in characters."""

OLD = "Your current password (hidden; an empty line cancels):"


def _account(call: Call) -> Person:
    """The person who gives the command, who must have an account. Raises `Refused` for a guest."""
    if call.me.guest:
        raise Refused("FORBIDDEN", f"{call.me.name} is a guest; register NAME makes an account.")
    return call.me


async def password(call: Call, command: words.Password) -> None:
    """Changes the password of the account and revokes all its login tokens and resume tokens.

    Without `old` it asks a person for it, and after that for the new one. The connection gets a
    new resume token.
    """
    host, me = call.host, _account(call)
    check_private(call)
    if command.old is None:
        ask_password(call, command, ("old", OLD))
        return
    old = command.old.strip()
    new = command.new.strip() if command.new is not None else None
    if new is not None:
        passwords.check(new, me.name, "new")
    if await verify(call, me.name, old) is None:
        return
    if new is None:
        # Only now: a person who does not know the old password is not asked for a new one.
        _choose(call, command, me)
        return
    hashes = await call.ask(host.hasher.hash, new)
    token = fresh_token(call, me)
    changed = PasswordChanged(me.name, hashes.password, hashes.scram)
    await host.people.revocations.keep([changed, me.fact])
    text = "Your password is changed. Your login tokens are no longer valid."
    call.ok(token=token, text=text)


def _choose(call: Call, command: words.Password, me: Person) -> None:
    """Asks a person for the new password, twice."""
    steps = (("new", CHOOSE), ("new", REPEAT_PASSWORD))
    ask_password(
        call, command, *steps, judge=lambda chosen: passwords.check(chosen.strip(), me.name, "new")
    )


async def token(call: Call, command: words.Tokens) -> None:
    """Makes a login token, lists them, or revokes one."""
    me = _account(call)
    check_private(call)
    work = {"new": _new_token, "list": _list_tokens, "revoke": _revoke_token}.get(
        command.what.lower()
    )
    if work is None:
        raise Refused("BAD_ARG", "token new, token list or token revoke N.", arg="what")
    which = visible(" ".join(filter(None, (command.which, command.text)))).strip()
    if command.what.lower() == "new" and command.which is not None and not call.people:
        raise Refused("BAD_ARG", "What to call it goes behind ' :': token new :laptop", arg="text")
    await work(call, me, which, await call.ask(call.host.store.tokens, me.name))


async def _new_token(call: Call, me: Person, label: str, tokens: Sequence[TokenGiven]) -> None:
    over = [TokenRevoked(me.name, each.number) for each in tokens if is_over(call.host, each)]
    if len(tokens) - len(over) >= MOST_TOKENS:
        raise Refused("QUOTA", f"You have {MOST_TOKENS} login tokens; revoke one first.")
    if len(label) > LABEL:
        raise Refused("BAD_ARG", f"Call it something of at most {LABEL} characters.", arg="text")
    # Higher than `last_token` too: a token may be on its way into the store.
    me.last_token = max([me.last_token, *(each.number for each in tokens)]) + 1
    made = call.host.chance.token()
    digest = hashlib.sha256(made.encode()).digest()
    given = TokenGiven(me.name, me.last_token, digest, label, call.host.clock.wall())
    text = f"Keep it safe, it is not shown again: {made}" if call.people else None
    row = _token_row(given)
    await keep(call.host.store, [*over, given])
    call.ok(row, token=made, n=1, text=text)


async def _list_tokens(call: Call, _: Person, __: str, tokens: Sequence[TokenGiven]) -> None:
    rows = [_token_row(each) for each in tokens if not is_over(call.host, each)]
    text = None if rows or not call.in_words else "You have no login tokens; token new makes one."
    call.ok(*rows, n=len(rows), text=text)


def _token_row(given: TokenGiven) -> TokenRow:
    made, end = rfc3339(given.wall), rfc3339(given.wall + TOKEN_LASTS)
    return TokenRow(given.number, made, given.label or None, end)


async def _revoke_token(call: Call, me: Person, which: str, tokens: Sequence[TokenGiven]) -> None:
    found = next((each for each in tokens if str(each.number) == which), None)
    if found is None:
        raise Refused("BAD_ARG", "There is no login token of that number.", arg="which")
    text = f"Token {found.number} is no longer valid."
    gone = TokenRevoked(me.name, found.number)
    await call.host.people.revocations.keep([gone])
    call.ok(text=text)


HANDLERS: Handlers = {words.Password: password, words.Tokens: token}
