"""Friends: told when they come, and kept with the account."""

from __future__ import annotations

from tests.host.test_accounts import account, gone, logged_in
from tests.kit.hosts import Peer, World


def heard(peer: Peer) -> list[str]:
    """The names of the friends of whom it was told since."""
    found = [e.text for e in peer.records() if e.word == "NOTE" and e.fields["code"] == "FRIEND"]
    peer.take()
    return [text.split()[0] for text in found if text]


def two() -> tuple[World, Peer, Peer]:
    """ann, whose friend bob is; both are accounts, and here."""
    world = World()
    bob = account(world, "bob")
    ann = account(world)
    ann.ok("friend BOB")
    ann.take()
    return world, ann, bob


def test_you_are_told_when_a_friend_comes_and_nobody_else_is() -> None:
    world, ann, bob = two()
    cat = account(world, "cat")
    gone(bob)
    bob = logged_in(world, "bob")
    assert heard(ann) == ["bob"]
    assert heard(bob) == heard(cat) == []


def test_a_line_that_drops_for_a_moment_is_no_coming() -> None:
    world, ann, bob = two()
    token = bob.token
    for ms, told in ((1000, []), (61_000, ["bob"])):
        bob.drop()
        world.advance(ms)
        bob = world.program()
        token = bob.ok(f"resume {token}").fields["token"]
        assert heard(ann) == told


def test_friends_are_there_after_a_start_and_until_they_are_none() -> None:
    world, ann, _ = two()
    world = world.restarted()
    ann = logged_in(world)
    logged_in(world, "bob")
    assert heard(ann) == ["bob"]
    ann.ok("unfriend bob")
    assert ann.err("unfriend bob") == "NO_SUCH_USER"
    world = world.restarted()
    assert logged_in(world).rows("friends") == []


def test_friends_are_listed_with_where_they_play() -> None:
    world, ann, bob = two()
    account(world, "cat").drop()
    ann.ok("friend cat")
    on = bob.ok("open whist22").fields["on"]
    assert [each.fields for each in ann.rows("friends")] == [
        {"name": "bob", "here": "1", "on": on, "game": "whist22"},
        {"name": "cat", "here": "0"},
    ]
    bob.ok(f"leave {on}")
    bob.ok("practice")
    assert [each.fields for each in ann.rows("friends n=1")] == [{"name": "bob", "here": "1"}]


def test_a_block_hides_nobody_who_is_here() -> None:
    world, ann, bob = two()
    on = bob.ok("open").fields["on"]

    def shown() -> list[dict[str, str]]:
        """The places where ann sees bob."""
        (friend,) = ann.rows("friends")
        (user,) = ann.rows("who bob")
        (profile,) = ann.rows("profile bob")
        assert friend.fields["here"] == profile.fields["here"] == "1"
        return [{"on": row.fields["on"]} for row in (friend, user, profile)]

    before = shown()
    assert before == [{"on": on}] * 3
    bob.ok("block ann")
    assert shown() == before
    gone(bob)
    bob = logged_in(world, "bob")
    assert heard(ann) == ["bob"]


def test_you_are_not_told_of_a_friend_whom_you_have_blocked() -> None:
    world, ann, bob = two()
    ann.ok("block bob")
    gone(bob)
    logged_in(world, "bob")
    assert heard(ann) == []
    assert [each.fields["here"] for each in ann.rows("friends")] == ["1"]


def test_friends_are_for_accounts_and_accounts() -> None:
    world, ann, _ = two()
    guest = world.program("dan")
    assert guest.err("friend ann") == "FORBIDDEN"
    assert ann.err("friend dan") == "NO_SUCH_USER"
    assert ann.err("friend nobody") == "NO_SUCH_USER"
    assert ann.err("friend ann") == "FORBIDDEN"


def test_a_hundred_friends_are_enough() -> None:
    world, ann, _ = two()
    for no in range(99):
        world.host.friends.add("ann", f"friend{no}")
    account(world, "cat")
    assert ann.err("friend cat") == "QUOTA"
    assert ann.ok("friend bob")


def test_people_read_it_in_a_line() -> None:
    world, ann, bob = two()
    person = world.person()
    ann.drop()
    person.say("login ann three blind mice")
    gone(bob)
    person.take()
    logged_in(world, "bob")
    assert person.take() == ["* bob is here."]
    assert person.say("friends") == ["  bob is here."]


def test_a_guest_without_friends_hears_what_it_takes_to_have_some() -> None:
    ann = World().person("ann")
    (told,) = ann.say("friends")
    assert told == "No friends yet: friends are for accounts, and register NAME makes one."
