"""Friends: adding, removing and listing them."""

from __future__ import annotations

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import friends as words
from twentytwo_protocol.words.friends import FriendRow

from ...answers import keep
from ..friends import MOST_FRIENDS
from .call import Call, Handlers
from .paging import page, texts


async def friend(call: Call, command: words.Friend) -> None:
    """Adds a friend of the account."""
    host, me = call.host, call.me.name
    if call.me.guest:
        text = "Guests come and go, and so would their friends: register NAME makes an account."
        raise Refused("FORBIDDEN", text)
    account = await call.ask(host.store.account, command.name)
    if account is None:
        guest = host.people.find(command.name)
        text = f"There is no account {command.name}."
        if guest is not None:
            text = f"{guest.name} is a guest: that name may be somebody else's tomorrow."
        raise Refused("NO_SUCH_USER", text, arg="name")
    if account.name == me:
        raise Refused("FORBIDDEN", "You cannot be your own friend.")
    if len(host.friends.of(me) | {account.name}) > MOST_FRIENDS:
        raise Refused("QUOTA", f"You have {MOST_FRIENDS} friends; unfriend one first.")
    host.friends.add(me, account.name)
    text = f"You are told when {account.name} comes. unfriend {account.name} changes that."
    await keep(host.store, [host.friends.fact(me), *call.kept(lambda: {"text": text})])
    call.ok(text=text)


async def unfriend(call: Call, command: words.Unfriend) -> None:
    """Removes a friend of the account."""
    host, me, wanted = call.host, call.me.name, command.name.lower()
    found = [name for name in host.friends.of(me) if name.lower() == wanted]
    if not found:
        text = f"{command.name} is no friend of yours; friends lists them."
        raise Refused("NO_SUCH_USER", text, arg="name")
    host.friends.remove(me, found[0])
    text = f"You are told of {found[0]} no more."
    await keep(host.store, [host.friends.fact(me), *call.kept(lambda: {"text": text})])
    call.ok(text=text)


def friends(call: Call, command: words.Friends) -> None:
    """Lists the friends of the account, and where they are."""
    mine = sorted(call.host.friends.of(call.me.name), key=str.lower)
    found = page(mine, str.lower, command.n, command.after and command.after.lower())
    rows = [_row(call, name) for name in found.items]
    how = "friend NAME tells you when somebody comes."
    if call.me.guest:
        how = "friends are for accounts, and register NAME makes one."
    none = None if mine else f"No friends yet: {how}"
    text = texts(none, found.more("friends")) if call.in_words else None
    call.ok(*rows, n=len(rows), next=found.next, text=text)


def _row(call: Call, name: str) -> FriendRow:
    person = call.host.people.exact(name)
    if person is None or person.session is None:
        return FriendRow(name, False)
    seats = call.host.access.seats_shown(person, call.me)
    if not seats:
        return FriendRow(name, True)
    return FriendRow(name, True, seats[-1].id, seats[-1].table.game.key)


HANDLERS: Handlers = {words.Friend: friend, words.Unfriend: unfriend, words.Friends: friends}
