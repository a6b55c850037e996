"""Friends: adding, removing and listing them."""

from __future__ import annotations

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import friends as words
from twentytwo_protocol.words.friends import FriendRow

from ...answers import keep
from ...ports import Store
from ..access import Access
from ..friends import MOST_FRIENDS, FriendLists
from ..people.elsewhere import Elsewhere
from ..people.people import People, Person
from .call import Call, Handlers
from .paging import page, texts


async def friend(
    call: Call, command: words.Friend, friends: FriendLists, people: People, store: Store
) -> None:
    """Adds a friend of the account."""
    me = call.me.name
    if call.me.guest:
        text = "Guests come and go, and so would their friends: register NAME makes an account."
        raise Refused("FORBIDDEN", text)
    account = await call.ask(store.account, command.name)
    if account is None:
        guest = people.find(command.name)
        text = f"There is no account {command.name}."
        if guest is not None:
            text = f"{guest.name} is a guest: that name may be somebody else's tomorrow."
        raise Refused("NO_SUCH_USER", text, arg="name")
    if account.name == me:
        raise Refused("FORBIDDEN", "You cannot be your own friend.")
    if len(friends.of(me) | {account.name}) > MOST_FRIENDS:
        raise Refused("QUOTA", f"You have {MOST_FRIENDS} friends; unfriend one first.")
    friends.add(me, account.name)
    text = f"You are told when {account.name} comes. unfriend {account.name} changes that."
    await keep(store, [friends.fact(me), *call.kept(lambda: {"text": text})])
    call.ok(text=text)


async def unfriend(call: Call, command: words.Unfriend, friends: FriendLists, store: Store) -> None:
    """Removes a friend of the account."""
    me, wanted = call.me.name, command.name.lower()
    found = [name for name in friends.of(me) if name.lower() == wanted]
    if not found:
        text = f"{command.name} is no friend of yours; friends lists them."
        raise Refused("NO_SUCH_USER", text, arg="name")
    friends.remove(me, found[0])
    text = f"You are told of {found[0]} no more."
    await keep(store, [friends.fact(me), *call.kept(lambda: {"text": text})])
    call.ok(text=text)


def list_friends(
    call: Call,
    command: words.Friends,
    friends: FriendLists,
    elsewhere: Elsewhere,
    access: Access,
) -> None:
    """Lists the friends of the account, and where they are."""
    mine = sorted(friends.of(call.me.name), key=str.lower)
    found = page(mine, str.lower, command.n, command.after and command.after.lower())
    rows = [_row(call.me, name, elsewhere, access) for name in found.items]
    how = "friend NAME tells you when somebody comes."
    if call.me.guest:
        how = "friends are for accounts, and register NAME makes one."
    none = None if mine else f"No friends yet: {how}"
    text = texts(none, found.more("friends")) if call.in_words else None
    call.ok(*rows, n=len(rows), next=found.next, text=text)


def _row(me: Person, name: str, elsewhere: Elsewhere, access: Access) -> FriendRow:
    person = elsewhere.find_connected(name)
    if person is None:
        return FriendRow(name, False)
    seats = access.seats_shown(person, me)
    if not seats:
        return FriendRow(name, True)
    return FriendRow(name, True, seats[-1].on, seats[-1].game)


HANDLERS: Handlers = {words.Friend: friend, words.Unfriend: unfriend, words.Friends: list_friends}
