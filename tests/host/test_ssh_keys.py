"""Keys of SSH that log in to accounts: adding, listing, removing, logging in."""

from __future__ import annotations

from tests.accounts.test_ssh_keys import ED25519, FINGERPRINT
from tests.host.test_moderation import account
from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from tests.kit.operators import HOUR, Operator
from twentytwo_server.accounts.ssh_keys import read_line
from twentytwo_server.session.session import ClientKey

KEY = read_line(ED25519)


def over_ssh(world: World, *, proved: bool = True) -> Peer:
    """A person whose client has this key."""
    person = world.person()
    person.session.key = ClientKey(KEY.kind, KEY.digest, proved)
    return person


def says(person: Peer, line: str) -> str:
    """The answer to a line that a person types."""
    return "\n".join(person.say(line))


def test_a_key_is_added_listed_and_removed() -> None:
    world = World()
    ann = account(world, "ann")
    (row,) = ann.rows(f"keys add :{ED25519}")
    assert row.fields["fingerprint"] == FINGERPRINT
    assert (row.fields["no"], row.fields["label"]) == ("1", "ann@laptop")
    assert [r.fields for r in ann.rows("keys")] == [row.fields]
    (same,) = ann.rows(f"keys add :{ED25519} again")
    assert same.fields == row.fields
    assert account(world, "bob").rows("keys") == []
    ann.ok("keys remove 1")
    assert ann.rows("keys list") == []
    assert ann.rows(f"keys add :{ED25519}")[0].fields["no"] == "2"


@together(
    ("line", "code"),
    [
        ("keys nonsense", "BAD_ARG"),
        ("keys add", "BAD_ARG"),
        ("keys add :nonsense", "BAD_ARG"),
        ("keys remove", "BAD_ARG"),
        ("keys remove 7", "BAD_ARG"),
    ],
)
def test_a_command_for_keys_that_will_not_do_is_refused(line: str, code: str) -> None:
    assert account(World(), "ann").err(line) == code


def test_guests_have_no_keys_and_an_account_at_most_ten() -> None:
    world = World()
    assert world.program("zoe").err(f"keys add :{ED25519}") == "FORBIDDEN"
    ann = account(world, "ann")
    for letter in "ABCDEFGHIJ":
        ann.ok(f"keys add :{ED25519.replace('903', letter * 3)}")
    assert ann.err(f"keys add :{ED25519}") == "QUOTA"


def test_a_client_that_has_signed_with_a_key_logs_in_without_a_password() -> None:
    world = World()
    account(world, "ann").ok(f"keys add :{ED25519}")
    person = over_ssh(world)
    assert "Welcome, ann." in says(person, "login Ann")
    says(person, "logout")
    account(world, "bob")
    assert "Password" in says(person, "login bob"), "the key is no key of his"


def test_a_key_that_was_only_shown_or_was_removed_or_of_a_banned_account_opens_nothing() -> None:
    world = World()
    ann = account(world, "ann")
    ann.ok(f"keys add :{ED25519}")
    assert "Password" in says(over_ssh(world, proved=False), "login ann")
    operator = Operator(world)
    operator.does("ban", target="ann", ms=HOUR)
    assert "banned" in says(over_ssh(world), "login ann")
    operator.does("unban", target="ann")
    again = over_ssh(world)
    says(again, "login ann")
    says(again, "keys remove 1")
    assert "Password" in says(over_ssh(world), "login ann")


def test_the_key_that_the_client_has_offered_is_added_without_typing_it() -> None:
    world = World()
    account(world, "ann")
    person = over_ssh(world, proved=False)
    says(person, "login ann")
    says(person, "three blind mice")
    assert FINGERPRINT in says(person, "keys add")
    assert "Welcome, ann." in says(over_ssh(world), "login ann")


def test_a_new_password_removes_the_keys_and_an_export_lists_them() -> None:
    world = World()
    ann = account(world, "ann")
    ann.ok(f"keys add :{ED25519}")
    assert FINGERPRINT in Operator(world).does("export account", name="ann").text
    ann.ok("password three%20blind%20mice :four green mice")
    assert ann.rows("keys") == []
    assert "Password" in says(over_ssh(world.restarted()), "login ann")
