"""Accounts: making one, coming in, taking a guest's things along, what is refused, what is kept."""

from __future__ import annotations

import random
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from tests.accounts.test_scram import Client
from tests.kit.cases import together
from tests.kit.hashing import Direct
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.accounts import scram
from twentytwo_server.facts import (
    Account,
    InboxLine,
    PersonGone,
    PersonKept,
    Pool,
    Rated,
    Remembered,
)
from twentytwo_server.host.config import Registration
from twentytwo_server.host.tables.room import Room
from twentytwo_server.ports import Hashes, PasswordCheck
from twentytwo_server.store.memory import MemoryStore

PASSWORD = "three blind mice"
OTHER = "four and twenty blackbirds"
FAR = "192.0.2.1"
GRACE = 120_000


class Turned(LateStore):
    """Tells a start of people in the other order: a store owes none."""

    def remembered(self) -> Remembered:
        """What there is."""
        found = super().remembered()
        return replace(found, people=found.people[::-1])


def account(world: World, name: str = "ann", *, bot: bool = False) -> Peer:
    """A program that has made an account."""
    peer = world.program(bot=bot)
    reply = peer.ok(f"register {name} :{PASSWORD}")
    peer.name, peer.token = reply.fields["name"], reply.fields["token"]
    peer.take()
    return peer


def logged_in(world: World, name: str = "ann") -> Peer:
    """A program that has logged in."""
    peer = world.program()
    reply = peer.ok(f"login {name} :{PASSWORD}")
    peer.name, peer.token = reply.fields["name"], reply.fields["token"]
    return peer


def gone(peer: Peer) -> None:
    """The connection is lost, and the time of grace goes by."""
    peer.drop()
    peer.world.advance(GRACE)


def default(world: World, on: str = "t1") -> str:
    match = world.room(on).table.match
    assert match is not None
    assert match.question is not None
    assert match.question.default is not None
    return match.question.default


def play_out(world: World, on: str = "t1") -> None:
    """Everybody plays the default until the game is over."""
    while (match := world.room(on).table.match) and not match.over:
        world.on_turn(on).ok(f"move {default(world, on)} {on}")


# ------------------------------------------------------------------------- making one


def test_an_account_is_a_name_without_a_tilde_and_a_token() -> None:
    world = World()
    peer = world.program()
    ok = peer.ok(f"register ann :{PASSWORD}")
    assert ok.fields["name"] == "ann"
    assert ok.fields["grace"] == str(GRACE)
    assert ok.fields["token"]
    assert peer.ok("whoami").text == "You are ann."


def test_what_is_kept_of_a_password_is_not_the_password() -> None:
    store = MemoryStore()
    account(World(store))
    found: list[Account | None] = []
    store.account("ann", found.append)
    assert isinstance(found[0], Account)
    assert PASSWORD not in repr(found)
    assert "mice" not in repr(store.__dict__)


@together("name", ["ann", "ANN", "Ann", "a-nn", "a_n_n"])
def test_a_name_like_that_of_an_account_is_taken(name: str) -> None:
    world = World()
    account(world)
    assert world.program().err(f"register {name} :{PASSWORD}") == "NAME_TAKEN"


def test_two_who_want_the_same_name_at_once_do_not_both_get_it() -> None:
    world = World()
    world.hasher.late = True
    one, other = world.program(), world.program()
    one.hear(f"@r register mi1a :{PASSWORD}")
    assert other.err(f"register rnila :{PASSWORD}") == "NAME_TAKEN"
    world.hasher.release()
    assert any("OK name=mi1a" in line for line in one.take())


@together(
    ("line", "code"),
    [
        (f"register a :{PASSWORD}", "BAD_NAME"),
        (f"register adm1n :{PASSWORD}", "BAD_NAME"),
        (f"register bottom :{PASSWORD}", "BAD_NAME"),
        ("register ann :short", "BAD_ARG"),
        ("register ann :password123", "BAD_ARG"),
        ("register ann :" + "x" * 300, "BAD_ARG"),
        ("register ann", "BAD_ARG"),
        ("register", "BAD_ARG"),
        ("login ann", "BAD_ARG"),
        ("auth PLAIN AAAA", "BAD_ARG"),
        ("auth SCRAM-SHA-256 AAAA", "BAD_ARG"),
        ("auth SCRAM-SHA-256 biws", "BAD_ARG"),
        ("password a :b", "LOGIN_FIRST"),
        ("token list", "LOGIN_FIRST"),
        ("rating", "LOGIN_FIRST"),
        ("profile", "LOGIN_FIRST"),
        ("profile nobody", "NO_SUCH_USER"),
        ("ranks nonsense", "NO_SUCH_GAME"),
        ("ranks twentytwo rules=nonsense", "BAD_ARG"),
        ("ranks twentytwo pool=fish", "BAD_ARG"),
        ("ranks twentytwo n=0", "BAD_ARG"),
        ("ranks twentytwo n=501", "BAD_ARG"),
    ],
)
def test_what_will_not_do_is_refused(line: str, code: str) -> None:
    world = World()
    assert world.program().err(line) == code
    assert world.host.people.skeletons == {}
    assert len(world.host.people) == 0


def test_a_name_is_free_again_if_nothing_came_of_it() -> None:
    world = World()
    world.hasher.full = True
    assert world.program().err(f"register ann :{PASSWORD}") == "BUSY"
    world.hasher.full = False
    world.hasher.late = True
    lost = world.program()
    lost.hear(f"register ann :{PASSWORD}")
    lost.drop()
    world.hasher.release()
    world.hasher.late = False
    account(world)


def test_from_one_address_three_accounts_an_hour_are_made() -> None:
    world = World()
    for name in ("ann", "bob", "cat"):
        account(world, name)
    late = world.program()
    reply = late.ask(f"register dan :{PASSWORD}")
    assert (reply.fields["code"], reply.fields["wait"]) == ("RATE", "1200000")
    world.advance(1_200_000)  # three an hour: the first is over in a third of it
    account(world, "dan")


def test_a_network_of_ipv6_makes_three_accounts_an_hour_whatever_address_it_uses() -> None:
    world = World(plaintext_login=True)

    def far(address: str) -> Peer:
        peer = world.peer(address)
        peer.say("hello 1 client=test")
        return peer

    for n in range(3):
        far(f"2001:db8::{n}").ok(f"register ann{n}x :{PASSWORD}")
    assert far("2001:db8::ffff:1").err(f"register dan :{PASSWORD}") == "RATE"
    far("2001:db8:0:1::1").ok(f"register dan :{PASSWORD}")


def test_a_network_of_ipv6_guesses_as_often_as_an_address_whatever_address_it_uses() -> None:
    world = World(plaintext_login=True)
    account(world)
    for n in range(10):
        far = world.peer(f"2001:db8::{n}")
        far.say("hello 1 client=test")
        assert far.err(f"login ann{n}x :{OTHER}") == "BAD_LOGIN"
    late, other = world.peer("2001:db8::ffff"), world.peer("2001:db8:0:1::1")
    for peer, code in ((late, "RATE"), (other, "BAD_LOGIN")):
        peer.say("hello 1 client=test")
        assert peer.err(f"login zoe :{OTHER}") == code


def test_an_operator_may_close_registration_to_all_but_those_who_are_there() -> None:
    store = MemoryStore()
    world = World(store)
    ann = account(world)
    assert ["registration", "open"] in [list(r.fields.values()) for r in ann.rows("info")]
    closed = World(store, registration=Registration.CLOSED)
    new = closed.program("new")
    reply = new.ask(f"register zoe :{PASSWORD}")
    assert reply.fields == {"code": "FORBIDDEN", "class": "auth"}
    assert reply.text == "No new accounts are made on this server; guests are welcome."
    assert closed.person("typing").say("register zoe") == [f"! {reply.text}"]
    assert ["registration", "closed"] in [list(r.fields.values()) for r in new.rows("info")]
    logged_in(closed)
    assert list(closed.host.people.skeletons.values()) == ["ann"]


def test_who_is_an_account_makes_no_other_and_is_no_guest() -> None:
    ann = account(World())
    assert ann.err(f"register bob :{PASSWORD}") == "FORBIDDEN"
    assert ann.err(f"login bob :{PASSWORD}") == "FORBIDDEN"
    assert ann.err("guest bob") == "FORBIDDEN"
    assert ann.err("resume whatever") == "FORBIDDEN"


# -------------------------------------------------------------------------- coming in


def test_the_owner_of_an_account_comes_in_again() -> None:
    world = World()
    gone(account(world))
    assert world.host.people.find("ann") is None
    again = logged_in(world, "ANN")
    assert again.name == "ann"


@pytest.mark.parametrize("line", [f"login ann :{OTHER}", f"login zoe :{PASSWORD}", "login ann :x"])
def test_what_is_wrong_is_wrong_in_the_same_words(line: str) -> None:
    world = World()
    gone(account(world))
    reply = world.program().ask(line)
    assert reply.fields == {"code": "BAD_LOGIN", "class": "auth"}
    assert reply.text == "There is no account of that name with that password."


@together("password", [OTHER, "x", "y" * 400, "ü" * 200, "a\u00a0b\u0378c"])
def test_an_unknown_name_costs_the_server_the_same_work(password: str) -> None:
    world = World()
    account(world)
    done = []
    for name in ("ann", "zoe"):
        world.hasher.calls.clear()
        assert world.program().err(f"login {name} :{password}") == "BAD_LOGIN"
        done.append(world.hasher.calls[:])
    assert done == [["verify"], ["verify"]]


def test_where_there_is_no_account_no_password_is_right() -> None:
    class Anything(Direct):
        """Finds every password right, also that of nobody."""

        def verify(self, password: str, hashed: str, done: Callable[[PasswordCheck], None]) -> None:
            done(PasswordCheck.RIGHT)

    world = World(hasher=Anything())
    account(world)
    assert world.program().err(f"login zoe :{PASSWORD}") == "BAD_LOGIN"
    logged_in(world)


LONGEST = "abcd" * 64


@pytest.mark.parametrize("longest", [LONGEST, "\u00fcber" * 51 + "a"])
def test_what_is_beyond_the_longest_password_counts(longest: str) -> None:
    assert len(longest.encode()) == 256
    world = World()
    ann = world.program()
    ann.ok(f"register ann :{longest}")
    for beyond in ("x", "abcd", "x" * 300):
        assert world.program().err(f"login ann :{longest}{beyond}") == "BAD_LOGIN"
    assert ann.err(f"password {longest}x :{OTHER}") == "BAD_LOGIN"
    assert world.program().err(f"login ann :{longest[:-1]}") == "BAD_LOGIN"
    world.advance(60_000)
    world.program().ok(f"login ann :{longest}")


def test_a_new_password_is_no_longer_than_the_longest() -> None:
    ann = account(World())
    assert ann.err(f"password three%20blind%20mice :{LONGEST}x") == "BAD_ARG"
    ann.ok(f"password three%20blind%20mice :{LONGEST}")


def test_after_three_wrong_tries_the_connection_is_closed() -> None:
    world = World()
    account(world)
    guesser = world.program()
    for n in range(3):
        assert not guesser.hung_up
        assert guesser.err(f"login ann :{OTHER}{n}") == "BAD_LOGIN"
    assert guesser.take()[-1].startswith("BYE code=LOGIN resume=0")
    assert guesser.hung_up


def guesses(world: World, count: int, name: str = "ann") -> None:
    for n in range(count):
        far = world.peer(f"198.51.100.{n}")
        far.private = True
        far.say("hello 1 client=test")
        assert far.err(f"login {name} :{OTHER}") == "BAD_LOGIN"


def test_an_account_that_is_guessed_at_has_to_wait_but_not_where_its_owner_was() -> None:
    world = World()
    gone(account(world))
    guesses(world, 5)
    stranger = world.peer(FAR)
    stranger.private = True
    stranger.say("hello 1 client=test")
    reply = stranger.ask(f"login ann :{PASSWORD}")
    assert (reply.fields["code"], reply.fields["wait"]) == ("RATE", "1000")
    world.advance(1000)
    stranger.ok(f"login ann :{PASSWORD}")


@pytest.mark.parametrize("how", ["login", "token", "auth"])
def test_whoever_comes_in_has_not_failed_and_does_not_wait_for_the_failures_of_others(
    how: str,
) -> None:
    world = World()
    token = account(world).ok("token new").fields["token"]

    def comes_in() -> None:
        owner = world.program()
        line = {"login": f"login ann :{PASSWORD}", "token": f"login ann token={token}"}.get(how)
        owner.ok(line or begun(owner, Client("ann", PASSWORD)))

    for _ in range(12):
        comes_in()
    guesses(world, 5)
    stranger = world.peer(FAR)
    stranger.private = True
    stranger.say("hello 1 client=test")
    assert stranger.err(f"login ann :{PASSWORD}") == "RATE"
    comes_in()


def test_a_try_that_has_to_wait_is_not_looked_at() -> None:
    world = World()
    account(world)
    guesses(world, 5)
    world.hasher.calls.clear()
    assert world.program().err(f"login ann :{OTHER}") == "RATE"
    assert world.hasher.calls == []


def test_when_the_server_is_too_busy_to_look_nothing_was_tried() -> None:
    world = World()
    account(world)
    world.hasher.full = True
    for _ in range(20):
        assert world.program().err(f"login ann :{PASSWORD}") == "BUSY"
    world.hasher.full = False
    logged_in(world)


def test_a_development_server_counts_nothing() -> None:
    world = World(dev=True)
    for n in range(12):
        account(world, f"ann{n}x")
    guesser = world.program()
    for _ in range(12):
        assert guesser.err(f"login ann1x :{OTHER}") == "BAD_LOGIN"
    assert not guesser.hung_up


def test_a_login_tells_where_the_streams_stand() -> None:
    world = World()
    ann, bob = account(world), world.program("bob")
    world.game(ann, bob)
    bob.ok("tell ann :hi")
    ann.drop()
    again = world.program()
    again.ok(f"login ann :{PASSWORD}")
    rows = [r for r in again.records() if r.word == "AT"]
    assert [r.fields["on"] for r in rows] == ["me", "t1"]
    assert rows[0].fields["seq"] == "1"
    # PRESENCE here=1 comes after the reply.
    assert rows[1].fields["seq"] == str(world.room().stream.last - 1)
    assert rows[1].fields["talk"] == "k1"
    assert again.words("t1") == ["PRESENCE"]


def test_the_newest_connection_of_an_account_wins() -> None:
    world = World()
    ann = account(world)
    again = logged_in(world)
    assert ann.take()[-1].startswith("BYE code=REPLACED resume=0")
    assert ann.hung_up
    assert ann.session.closing
    ann.drop()
    world.advance(10 * GRACE)
    assert again.ok("whoami").fields["name"] == "ann"
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"


def test_an_account_keeps_its_seat_through_a_login() -> None:
    world = World()
    ann, bob = account(world), world.program("bob")
    world.game(ann, bob)
    gone(ann)
    assert world.room().table.seats[0].standin
    again = logged_in(world)
    seat = world.room().table.seats[0]
    assert (seat.name, seat.here, seat.standin) == ("ann", True, False)
    assert len(again.ok("hand t1").fields["cards"].split(",")) == 7


# ------------------------------------------------------------------------ login tokens


def test_a_login_token_opens_its_own_account_and_no_other() -> None:
    world = World()
    ann = account(world)
    account(world, "bob")
    token = ann.ok("token new :laptop").fields["token"]
    (row,) = [r for r in ann.records() if r.word == "TOKEN"]
    assert (row.fields["no"], row.fields["label"]) == ("1", "laptop")
    assert world.program().err(f"login bob token={token}") == "BAD_LOGIN"
    assert world.program().err(f"login zoe token={token}") == "BAD_LOGIN"
    assert world.program().err("login ann token=nonsense") == "BAD_LOGIN"
    assert world.program().ok(f"login ann token={token}").fields["name"] == "ann"


def test_a_token_that_is_revoked_opens_nothing() -> None:
    world = World()
    ann = account(world)
    first, second = (ann.ok(f"token new :{n}").fields["token"] for n in "ab")
    ann.ok("token revoke 1")
    assert [r.fields["label"] for r in ann.rows("token list")] == ["b"]
    assert world.program().err(f"login ann token={first}") == "BAD_LOGIN"
    world.program().ok(f"login ann token={second}")


def test_a_login_token_that_was_revoked_opens_nothing_after_a_restart_either() -> None:
    world = World()
    ann = account(world)
    first, second = (ann.ok(f"token new :{n}").fields["token"] for n in "ab")
    ann.ok("token revoke 1")
    world = world.restarted()
    assert world.program().err(f"login ann token={first}") == "BAD_LOGIN"
    assert world.program().ok(f"login ann token={second}").fields["name"] == "ann"


def test_tokens_that_are_revoked_because_an_old_one_was_used_stay_so_over_a_restart() -> None:
    world = World()
    ann = account(world)
    old = ann.token
    tokens = [old]
    for _ in range(2):
        again = world.program()
        tokens.append(again.ok(f"resume {tokens[-1]}").fields["token"])
    assert world.program().ask(f"resume {old}").word == "ERR"
    for each in (world, world.restarted()):
        assert [each.program().ask(f"resume {token}").word for token in tokens] == 3 * ["ERR"]


def test_tokens_that_another_password_ended_open_nothing_after_a_restart_either() -> None:
    world = World()
    ann = account(world)
    token = ann.ok("token new").fields["token"]
    changed(ann)
    world = world.restarted()
    assert world.program().err(f"login ann token={token}") == "BAD_LOGIN"
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    assert world.program().err(f"login ann :{PASSWORD}") == "BAD_LOGIN"
    world.program().ok(f"login ann :{OTHER}")


def test_only_the_hash_of_a_login_token_is_kept() -> None:
    store = MemoryStore()
    ann = account(World(store))
    token = ann.ok("token new").fields["token"]
    assert token not in repr(store.__dict__)


@together(
    ("line", "code"),
    [
        ("token", "BAD_ARG"),
        ("token nonsense", "BAD_ARG"),
        ("token revoke", "BAD_ARG"),
        ("token revoke 7", "BAD_ARG"),
        ("token revoke 01", "BAD_ARG"),
        (f"token new {'x' * 33}", "BAD_ARG"),
    ],
)
def test_a_token_command_that_will_not_do_is_refused(line: str, code: str) -> None:
    assert account(World()).err(line) == code


DAY = 86_400_000


def test_a_login_token_ends_half_a_year_after_it_was_made_and_says_so() -> None:
    world = World()
    ann = account(world)
    token = ann.ok("token new").fields["token"]
    (row,) = [r for r in ann.records() if r.word == "TOKEN"]
    assert (row.fields["made"], row.fields["expires"]) == (
        "2026-01-02T03:04:05.000Z",
        "2026-07-01T03:04:05.000Z",
    )
    world.clock.jump(180 * DAY - 1)
    again = world.program()
    again.ok(f"login ann token={token}")
    world.clock.jump(1)
    assert world.program().err(f"login ann token={token}") == "BAD_LOGIN"
    assert again.rows("token list") == []


def test_login_tokens_that_have_ended_do_not_stand_in_the_way_of_others() -> None:
    world = World()
    ann = account(world)
    for _ in range(10):
        ann.ok("token new")
    assert ann.err("token new") == "QUOTA"
    world.clock.jump(180 * DAY)
    ann.ok("token new :fresh")
    assert [r.fields["label"] for r in ann.rows("token list")] == ["fresh"]
    kept: list[Any] = []
    world.store.tokens("ann", kept.extend)
    assert [each.label for each in kept] == ["fresh"]


def test_an_account_that_was_away_for_a_day_comes_back_by_logging_in_and_has_its_seat() -> None:
    world = World()
    ann, bob = account(world), world.program("bob")
    on = world.game(ann, bob)
    ann.drop()
    world.advance(GRACE + DAY - 1)
    assert world.host.people.by_token(ann.token).name == "ann"
    world.advance(1)
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    assert len(logged_in(world).ok(f"hand {on}").fields["cards"].split(",")) == 7


def test_a_guest_who_was_away_for_days_comes_back_to_a_game_that_goes_on() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    ann.drop()
    world.advance(3 * DAY)
    assert world.program().ok(f"resume {ann.token}").fields["name"] == "~ann"


def test_an_account_has_ten_login_tokens_at_most() -> None:
    ann = account(World())
    for _ in range(10):
        ann.ok("token new")
    assert ann.err("token new") == "QUOTA"
    ann.ok("token revoke 4")
    ann.ok("token new")
    numbers = [int(r.fields["no"]) for r in ann.rows("token list")]
    assert numbers == [1, 2, 3, *range(5, 12)]


def test_a_guest_has_neither_password_nor_tokens() -> None:
    ann = World().program("ann")
    assert ann.err("token list") == "FORBIDDEN"
    assert ann.err(f"password x :{PASSWORD}") == "FORBIDDEN"


def test_two_tokens_that_are_made_at_once_have_two_numbers() -> None:
    store = LateStore()
    ann = account(World(store))
    store.late = True
    for line in ("@r token new :a", "@r token new :b"):
        ann.hear(line)
    store.release()
    store.late = False
    assert [row.fields["no"] for row in ann.rows("token list")] == ["1", "2"]


def test_another_password_ends_all_tokens() -> None:
    world = World()
    ann = account(world)
    token = ann.ok("token new").fields["token"]
    fresh = ann.ok(f"password three%20blind%20mice :{OTHER}").fields["token"]
    assert ann.ok("whoami").fields["name"] == "ann"
    assert world.program().err(f"login ann :{PASSWORD}") == "BAD_LOGIN"
    assert world.program().err(f"login ann token={token}") == "BAD_LOGIN"
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    world.program().ok(f"resume {fresh}")
    world.program().ok(f"login ann :{OTHER}")


def test_the_password_is_changed_only_by_who_knows_it() -> None:
    world = World()
    ann = account(world)
    assert ann.err(f"password wrong%20words :{OTHER}") == "BAD_LOGIN"
    assert ann.err("password three%20blind%20mice :short") == "BAD_ARG"
    logged_in(world)


def test_a_hash_of_weaker_times_is_replaced_at_a_login_and_tokens_stay() -> None:
    store = MemoryStore()
    world = World(store)
    ann = account(world)
    token = ann.ok("token new").fields["token"]
    world.hasher.age = 2
    logged_in(world)
    found: list[Any] = []
    store.account("ann", found.append)
    assert found[0].password.startswith("2:")
    world.program().ok(f"login ann token={token}")


# --------------------------------------------------------------------------- a proof


def test_who_proves_to_know_the_password_comes_in_and_is_given_a_proof() -> None:
    world = World()
    gone(account(world))
    client, peer = Client("ann", PASSWORD), world.program()
    (more,) = peer.rows(f"auth SCRAM-SHA-256 {client.first}")
    final = client.final(more.fields["data"])
    ok = peer.ok(f"auth SCRAM-SHA-256 {final}")
    (proof,) = [r for r in peer.records() if r.word == "MORE"]
    assert client.believes(proof.fields["data"])
    assert ok.fields["name"] == "ann"
    assert ok.fields["token"]


def test_who_does_not_is_told_no_more_than_with_a_password() -> None:
    world = World()
    gone(account(world))
    for name in ("ann", "zoe"):
        client, peer = Client(name, OTHER), world.program()
        (more,) = peer.rows(f"auth SCRAM-SHA-256 {client.first}")
        reply = peer.ask(f"auth SCRAM-SHA-256 {client.final(more.fields['data'])}")
        assert reply.fields == {"code": "BAD_LOGIN", "class": "auth"}
        assert peer.err(f"auth SCRAM-SHA-256 {client.final(more.fields['data'])}") == "BAD_ARG"


def shown(world: World, name: str) -> dict[str, str]:
    """What somebody on a new connection is shown of an account's password, real or not."""
    client, peer = Client(name, OTHER), world.program()
    (more,) = peer.rows(f"auth SCRAM-SHA-256 {client.first}")
    parts = b64decode(more.fields["data"]).decode().split(",")
    return dict(part.split("=", 1) for part in parts)


@pytest.mark.parametrize("name", ["ann", "zoe"])
def test_whoever_asks_twice_is_shown_the_same_salt_whether_there_is_an_account_or_not(
    name: str,
) -> None:
    world = World()
    gone(account(world))
    once, again, large = (shown(world, each) for each in (name, name, name.upper()))
    assert once["s"] == again["s"] == large["s"]
    assert once["i"] == again["i"] == large["i"]
    assert once["r"] != again["r"]
    after = shown(world.restarted(), name)
    assert (after["s"], after["i"]) == (once["s"], once["i"])
    assert shown(world, "zac")["s"] != once["s"]


def test_what_is_shown_of_an_account_looks_like_what_is_shown_where_there_is_none() -> None:
    class Real(Direct):
        """Keeps of a password what a server keeps."""

        def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
            super().hash(
                password, lambda made: done(Hashes(made.password, scram.secrets_of(password)))
            )

    world = World(hasher=Real())
    gone(account(world))
    real, decoy = shown(world, "ann"), shown(world, "zoe")
    assert real["i"] == decoy["i"]
    assert len(b64decode(real["s"])) == len(b64decode(decoy["s"]))
    assert len(real["r"]) == len(decoy["r"])


def test_proofs_are_counted_like_passwords() -> None:
    world = World()
    gone(account(world))
    peer = world.program()
    for _ in range(3):
        client = Client("ann", OTHER)
        (more,) = peer.rows(f"auth SCRAM-SHA-256 {client.first}")
        peer.ask(f"auth SCRAM-SHA-256 {client.final(more.fields['data'])}")
    assert peer.hung_up
    guesses(world, 2)
    late = Client("ann", PASSWORD)
    stranger = world.peer(FAR)
    stranger.say("hello 1 client=test")
    assert stranger.err(f"auth SCRAM-SHA-256 {late.first}") == "RATE"


def begun(peer: Peer, client: Client) -> str:
    """The last message of a proof that has begun."""
    (more,) = peer.rows(f"auth SCRAM-SHA-256 {client.first}")
    return f"auth SCRAM-SHA-256 {client.final(more.fields['data'])}"


def changed(peer: Peer) -> None:
    """Another password is chosen."""
    peer.ok(f"password three%20blind%20mice :{OTHER}")


def test_a_proof_is_good_for_a_minute() -> None:
    world = World()
    gone(account(world))
    early, late = world.program(), world.program()
    sent, kept = begun(early, Client("ann", PASSWORD)), begun(late, Client("ann", PASSWORD))
    world.advance(59_999)
    early.ok(sent)
    world.advance(1)
    assert late.err(kept) == "BAD_ARG"
    assert early.ok("whoami").fields["name"] == "ann"
    late.ok(begun(late, Client("ann", PASSWORD)))


def test_an_exchange_is_good_for_one_try_right_or_wrong() -> None:
    world = World()
    gone(account(world))
    peer = world.program()
    wrong = begun(peer, Client("ann", OTHER))
    assert peer.err(wrong) == "BAD_LOGIN"
    assert peer.err(wrong) == "BAD_ARG"
    right = begun(peer, Client("ann", PASSWORD))
    peer.ok(right)
    peer.ok("logout")
    assert peer.err(right) == "BAD_ARG"


def test_whoever_begins_anew_has_done_with_the_exchange_before_also_where_that_fails() -> None:
    world = World()
    gone(account(world))
    peer = world.program()
    proof = begun(peer, Client("ann", PASSWORD))
    nameless = b64encode(b"n,,r=abc").decode()
    assert peer.err(f"auth SCRAM-SHA-256 {nameless}") == "BAD_ARG"
    assert peer.err(proof) == "BAD_ARG"


# ------------------------------------------------------------ taken away on the way in


def test_a_proof_that_began_with_an_old_password_opens_nothing() -> None:
    world = World()
    ann, thief = account(world), world.program()
    proof = begun(thief, Client("ann", PASSWORD))
    changed(ann)
    assert thief.err(proof) == "BAD_LOGIN"
    assert ann.ok("whoami").fields["name"] == "ann"


def test_a_password_that_is_changed_while_it_is_compared_opens_nothing() -> None:
    world = World()
    ann, thief = account(world), world.program()
    world.hasher.late = True
    thief.hear(f"@r login ann :{PASSWORD}")
    world.hasher.late = False
    changed(ann)
    world.hasher.release()
    assert [r.fields for r in replies(thief)] == [{"code": "BAD_LOGIN", "class": "auth"}]
    assert ann.ok("whoami").fields["name"] == "ann"


def test_a_password_that_is_still_right_when_it_was_changed_meanwhile_opens_the_account() -> None:
    world = World()
    ann, owner = account(world), world.program()
    changed(ann)
    world.hasher.late = True
    owner.hear(f"@r login ann :{OTHER}")
    world.hasher.late = False
    ann.ok(f"password four%20and%20twenty%20blackbirds :{PASSWORD}")
    ann.ok(f"password three%20blind%20mice :{OTHER}")
    world.hasher.release()
    assert [r.word for r in replies(owner)] == ["OK"]


@pytest.mark.parametrize("how", ["login", "auth", "token"])
def test_what_is_taken_away_and_still_to_be_kept_opens_nothing(how: str) -> None:
    store = LateStore()
    world = World(store)
    ann, thief = account(world), world.program()
    token = ann.ok("token new").fields["token"]
    line = {
        "login": f"login ann :{PASSWORD}",
        "auth": begun(thief, Client("ann", PASSWORD)),
        "token": f"login ann token={token}",
    }[how]
    store.late = True
    ann.hear(f"@p password three%20blind%20mice :{OTHER}")
    thief.hear(f"@r {line}")
    while store.waiting:
        store.release()
    assert [r.fields["code"] for r in replies(thief)] == ["BAD_LOGIN"]
    assert any(line.startswith("@p OK") for line in ann.lines)
    assert ann.ok("whoami").fields["name"] == "ann"


def test_a_token_whose_revocation_is_still_to_be_kept_opens_nothing() -> None:
    store = LateStore()
    world = World(store)
    ann, thief = account(world), world.program()
    token = ann.ok("token new").fields["token"]
    store.late = True
    ann.hear("@p token revoke 1")
    thief.hear(f"@r login ann token={token}")
    while store.waiting:
        store.release()
    assert [r.fields["code"] for r in replies(thief)] == ["BAD_LOGIN"]


def rehashing(world: World, peer: Peer) -> None:
    """A login whose password is to be hashed anew, when the hasher comes to it."""
    world.hasher.age, world.hasher.late = 2, True
    peer.hear(f"@r login ann :{PASSWORD}")
    world.hasher.waiting.pop(0)()
    world.hasher.late = False
    assert [r.word for r in replies(peer)] == ["OK"]


def test_a_stronger_hash_of_an_old_password_is_not_kept() -> None:
    world = World()
    account(world)
    ann = world.program()
    rehashing(world, ann)
    changed(ann)
    world.hasher.release()
    assert world.program().err(f"login ann :{PASSWORD}") == "BAD_LOGIN"
    world.program().ok(f"login ann :{OTHER}")


def test_a_stronger_hash_brings_no_token_back_and_takes_none_away() -> None:
    world = World()
    ann = account(world)
    first, second = (ann.ok(f"token new :{n}").fields["token"] for n in "ab")
    again = world.program()
    rehashing(world, again)
    again.ok("token revoke 1")
    third = again.ok("token new :c").fields["token"]
    world.hasher.release()
    assert world.program().err(f"login ann token={first}") == "BAD_LOGIN"
    for token in (second, third):
        world.program().ok(f"login ann token={token}")


# ------------------------------------------------------------------- others on the way


@together(
    "line",
    [
        f"register zoe :{PASSWORD}",
        f"login ann :{PASSWORD}",
        "login ann token=x",
        "register zoe",
        "login ann",
    ],
)
def test_a_password_is_not_taken_where_others_can_read_it(line: str) -> None:
    world = World()
    account(world)
    far = world.peer(FAR)
    far.say("hello 1 client=test")
    assert far.err(line) == "TLS_REQUIRED"
    assert world.hasher.calls == ["hash"]


def test_guests_come_and_come_back_from_anywhere() -> None:
    world = World()
    far, again = world.peer(FAR), world.peer(FAR)
    far.say("hello 1 client=test")
    again.say("hello 1 client=test")
    token = far.ok("guest ann").fields["token"]
    far.drop()
    assert again.ok(f"resume {token}").fields["name"] == "~ann"


def test_a_proof_is_taken_from_anywhere_but_a_token_is_not_given_there() -> None:
    world = World()
    ann = account(world)
    client, far = Client("ann", PASSWORD), world.peer(FAR)
    far.say("hello 1 client=test")
    (more,) = far.rows(f"auth SCRAM-SHA-256 {client.first}")
    ok = far.ok(f"auth SCRAM-SHA-256 {client.final(more.fields['data'])}")
    assert "token" not in ok.fields
    assert far.err("token new") == "TLS_REQUIRED"
    assert far.err(f"password x :{OTHER}") == "TLS_REQUIRED"
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"


def test_an_accounts_token_is_not_taken_where_others_can_read_it() -> None:
    world = World()
    ann = account(world)
    far = world.peer(FAR)
    far.say("hello 1 client=test")
    assert far.err(f"resume {ann.token}") == "TLS_REQUIRED"
    world.program().ok(f"resume {ann.token}")


def test_an_operator_may_allow_it() -> None:
    world = World(plaintext_login=True)
    far = world.peer(FAR)
    far.say("hello 1 client=test")
    assert far.ok(f"register ann :{PASSWORD}").fields["token"]


def clear_guest(world: World, name: str = "kim") -> Peer:
    """A guest whose token others could read."""
    far = world.peer(FAR)
    far.say("hello 1 client=test")
    far.token = far.ok(f"guest {name}").fields["token"]
    return far


def test_a_guests_token_that_others_could_read_never_opens_the_account() -> None:
    world = World()
    gone(account(world))
    far, bob = clear_guest(world), world.program("bob")
    on = world.game(far, bob)
    far.ok(begun(far, Client("ann", PASSWORD)))
    assert world.program().err(f"resume {far.token}") == "BAD_TOKEN"
    assert far.ok("whoami").fields["name"] == "ann"
    assert world.room(on).table.seats[0].name == "ann"
    world = world.restarted()
    assert world.program().err(f"resume {far.token}") == "BAD_TOKEN"
    assert len(logged_in(world).ok(f"hand {on}").fields["cards"].split(",")) == 7


def test_nor_where_the_login_itself_is_read_by_nobody() -> None:
    world = World()
    gone(account(world))
    far = clear_guest(world)
    far.drop()
    safe = world.program()
    fresh = safe.ok(f"resume {far.token}").fields["token"]
    safe.ok(f"login ann :{PASSWORD}")
    assert world.program().err(f"resume {far.token}") == "BAD_TOKEN"
    world.program().ok(f"resume {fresh}")


def test_nor_where_it_is_used_again_while_the_guest_logs_in() -> None:
    store = LateStore()
    world = World(store)
    gone(account(world))
    far = clear_guest(world)
    safe, thief = world.program(), world.peer(FAR)
    safe.ok(f"resume {far.token}")
    thief.say("hello 1 client=test")
    store.late = True
    thief.hear(f"@r resume {far.token}")
    safe.hear(f"@s login ann :{PASSWORD}")
    while store.waiting:
        store.release()
    (stolen,) = [r.fields["token"] for r in replies(thief)]
    for token in (far.token, stolen):
        assert world.program().err(f"resume {token}") == "BAD_TOKEN"


@together("kind", [LateStore, Turned])
@together("steps", range(6))
def test_wherever_a_server_is_killed_a_guest_whom_others_overheard_finds_their_seat(
    steps: int, kind: type[LateStore]
) -> None:
    store = kind()
    world = World(store)
    gone(account(world))
    far, bob = clear_guest(world), world.program("bob")
    on = world.game(far, bob)
    bob.ok("tell kim :hi")
    proof = begun(far, Client("ann", PASSWORD))
    store.late = True
    far.hear(f"@r {proof}")
    for _ in range(steps):
        if store.waiting:
            facts, done = store.waiting.pop(0)
            MemoryStore.keep(store, facts, done)
    store.waiting.clear()
    store.late = False
    world = world.restarted()
    if steps == 0:  # nothing was kept of it: the guest is the guest
        assert world.program().ok(f"resume {far.token}").fields["name"] == "~kim"
        return
    assert world.program().err(f"resume {far.token}") == "BAD_TOKEN"
    again = logged_in(world)
    assert len(again.ok(f"hand {on}").fields["cards"].split(",")) == 7
    again.ok("sync me from=0")
    assert [r.text for r in again.events("me")] == ["hi"]
    assert world.host.people.find("~kim") is None


# -------------------------------------------------------------------------- by typing


def test_a_person_is_asked_for_a_password_twice_and_not_shown_it() -> None:
    world = World()
    seen: list[bool] = []
    ann = world.peer()
    ann.session.show_typing = seen.append
    assert ann.say("register ann")[0].startswith("Choose a password")
    assert seen == [False]
    assert ann.say(PASSWORD) == ["The same password again:"]
    lines = ann.say(PASSWORD)
    assert lines[0] == "Welcome, ann. The name is yours from now on."
    assert "resume" in lines[1]
    assert seen[-1] is True


def test_two_passwords_that_are_not_alike_are_asked_for_again_and_become_nobodys_name() -> None:
    world = World()
    ann = world.peer()
    ann.say("register ann", PASSWORD)
    wrong, question, *_ = ann.say(OTHER)
    assert "not alike" in wrong
    assert question.startswith("Choose a password")
    assert world.host.people.skeletons == {}
    ann.say(PASSWORD)
    assert ann.say(PASSWORD)[0] == "Welcome, ann. The name is yours from now on."


def test_a_password_that_will_not_do_is_refused_before_it_is_typed_again() -> None:
    ann = World().peer()
    ann.say("register ann")
    assert "10 to 256" in ann.say("short")[0]
    assert ann.say(PASSWORD) == ["The same password again:"]
    assert "nothing was done" in ann.say("")[0]


def test_an_empty_line_gives_up() -> None:
    ann = World().peer()
    ann.say("login ann")
    assert "nothing was done" in ann.say("")[0]
    assert ann.say("bob")[0].startswith("Welcome, ~bob")


def test_a_person_logs_in_by_a_question_too() -> None:
    world = World()
    gone(account(world))
    ann = world.peer()
    ann.say("login ann")
    assert ann.say(PASSWORD)[0] == "Welcome, ann."
    assert ann.say("whoami") == ["You are ann."]


def test_a_person_changes_the_password_by_three_questions() -> None:
    world = World()
    ann = world.peer()
    ann.say(f"register ann {PASSWORD}", "password")
    assert ann.say(PASSWORD)[0].startswith("Choose a password")
    assert "10 to 256" in ann.say("short")[0]
    ann.say(OTHER)
    assert "is changed" in " ".join(ann.say(OTHER))
    world.program().ok(f"login ann :{OTHER}")


def test_nobody_is_asked_for_a_new_password_before_the_old_one_is_right() -> None:
    world = World()
    ann = world.peer()
    ann.say(f"register ann {PASSWORD}", "password")
    assert ann.say(OTHER) == ["! That is not your password."]
    assert ann.say("whoami") == ["You are ann."]
    assert ann.say("password wrong%20words") == ["! That is not your password."]
    assert ann.say("password three%20blind%20mice")[0].startswith("Choose a password")


def test_a_program_is_told_which_of_both_passwords_is_missing() -> None:
    ann = account(World())
    for line, missing in (("password", "old"), ("password three%20blind%20mice", "new")):
        assert ann.ask(line).fields["arg"] == missing


def test_what_is_typed_as_a_password_is_in_no_log() -> None:
    session = World().peer().session
    for line in (
        f"login ann {PASSWORD}",
        f"@7 LOGIN ann {PASSWORD}",
        f"register ann {PASSWORD}",
        f"regi ann {PASSWORD}",
        f"passw {PASSWORD} x",
        f"password {PASSWORD} x",
        f"login ann token={PASSWORD}",
        f"resume {PASSWORD}",
        f"auth SCRAM-SHA-256 {PASSWORD}",
    ):
        assert "mice" not in session.loggable(line)
    for line in (
        "play q q",
        "pass",
        "tell bob password",
        "p 3",
        "r",
        "@1 ready",
        "",
        "@1",
        "say re",
    ):
        assert session.loggable(line) == line
    session.hear("login ann", None, None)
    session.ask_hidden(session_command(), ("password", "?"))
    assert session.loggable(PASSWORD) == "..."


def session_command() -> Any:
    from twentytwo_protocol.words.accounts import Login

    made = Login("ann", None, PASSWORD)
    assert PASSWORD not in repr(made)
    return made


# --------------------------------------------------------------- a guest's things


def test_a_guest_who_registers_keeps_seat_and_host_and_everybody_hears_of_it_once() -> None:
    world = World()
    ann, bob, eve = (world.program(name) for name in ("ann", "bob", "eve"))
    world.game(ann, bob)
    eve.ok("watch t1")
    for peer in (ann, bob, eve):
        peer.take()
    lines = ann.say(f"@1 register ann :{PASSWORD}")
    assert lines[0].startswith("@1 AT on=me")
    assert lines[1].startswith("@1 AT on=t1")
    assert lines[2].startswith("@1 OK name=ann token=")
    seq = world.room().stream.last
    renamed = f"RENAMED on=t1 seq={seq} name=ann was=~ann seat=1"
    assert lines[3:] == [renamed]
    assert bob.take() == [renamed]
    assert eve.take() == [renamed]
    table = world.room().table
    assert (table.seats[0].name, table.host) == ("ann", "ann")
    assert len(ann.ok("hand").fields["cards"].split(",")) == 7


def test_tables_where_a_guest_is_not_are_not_troubled_by_a_login(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    gone(account(world))
    guest, host = world.program("eve"), world.program("bob")
    mine, other = world.table(guest), world.table(host)
    asked: list[str] = []
    order = Room.order

    def noted(room: Room, *args: Any, **named: Any) -> None:
        asked.append(room.id)
        order(room, *args, **named)

    monkeypatch.setattr(Room, "order", noted)
    guest.ok(f"login ann :{PASSWORD}")
    assert mine in asked
    assert other not in asked


def test_at_several_tables_each_tells_the_new_name_once() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    for _ in range(3):
        world.table(ann, bob)
    ann.take()
    bob.take()
    ann.ok(f"register zoe :{PASSWORD}")
    for peer in (ann, bob):
        told = [e for e in peer.events() if e.word == "RENAMED"]
        assert sorted(e.on for e in told) == ["t1", "t2", "t3"]


def test_a_guest_who_logs_in_keeps_the_place_at_which_they_watch() -> None:
    world = World()
    gone(account(world))
    bob, eve = world.program("bob"), world.program("eve")
    world.table(bob, world.program("cat"))
    eve.ok("watch t1")
    eve.ok(f"login ann :{PASSWORD}")
    assert world.room().table.watchers == ("ann",)
    assert "RENAMED" not in eve.words("t1")
    (told,) = eve.events("k1")
    assert (told.word, told.fields["name"], told.fields["was"]) == ("WATCHING", "ann", "~eve")
    bob.ok("say :hello t1")
    assert "SAID" in [e.word for e in eve.events("t1")]


def test_the_model_of_a_watcher_knows_the_new_name() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    ann.ok(f"register zoe :{PASSWORD}")
    for seat in (None, 1, 2):
        model = world.room().model(seat)
        assert model.seats[1].name == "zoe"
        assert model.host == "zoe"


def test_games_won_and_votes_are_taken_along() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    play_out(world)
    won = dict(world.room().table.wins)
    ann.ok(f"register zoe :{PASSWORD}")
    expected = {"zoe" if name == "~ann" else name: n for name, n in won.items()}
    assert dict(world.room().table.wins) == expected
    ann.ok("rematch")
    bob.ok("rematch")
    bob.ok("abort")
    assert {name for _, name in world.room().table.votes} == {"~bob"}


def test_the_inbox_is_taken_along() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    bob.ok("tell ann :one")
    bob.ok("tell ann :two")
    ann.ok(f"register zoe :{PASSWORD}")
    bob.ok("tell zoe :three")
    ann.ok("sync me from=0")
    assert [r.text for r in ann.events("me")] == ["one", "two", "three"]


def test_the_guests_name_is_free_again_and_its_token_opens_the_account() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok(f"register zoe :{PASSWORD}")
    assert world.program("ann").name == "~ann"
    assert world.program().ok(f"resume {ann.token}").fields["name"] == "zoe"


def test_a_guest_is_not_called_like_an_account() -> None:
    world = World()
    account(world)
    assert world.program("Ann").name == "~Ann2"
    welcome = world.peer().say("ann")[0]
    assert welcome.startswith("Welcome, ~ann3 (ann is an account; if it is yours, login ann).")


def test_a_login_brings_two_sets_of_seats_together() -> None:
    world = World()
    ann, bob = account(world), world.program("bob")
    world.game(ann, bob)
    guest, cat = world.program("dan"), world.program("cat")
    on = world.game(guest, cat)
    cat.ok("tell dan :hello")
    ann.drop()
    guest.ok(f"login ann :{PASSWORD}")
    person = world.host.people.find("ann")
    assert person is not None
    assert sorted(person.tables) == ["t1", on]
    assert world.room(on).table.seats[0].name == "ann"
    assert world.room("t1").table.seats[0].here
    guest.ok("sync me from=0")
    assert [r.text for r in guest.events("me")] == ["hello"]


def test_who_would_have_two_seats_at_one_table_leaves_one_first() -> None:
    world = World()
    ann, guest = account(world), world.program("dan")
    world.table(ann, guest)
    assert guest.err(f"login ann :{PASSWORD}") == "FORBIDDEN"
    guest.ok("leave")
    guest.ok(f"login ann :{PASSWORD}")


@pytest.mark.parametrize("name", ["ann", "zoe"])
def test_everybody_elses_records_of_a_guest_are_of_the_account(name: str) -> None:
    store = MemoryStore()
    world = World(store)
    ann, bob = world.program("ann"), account(world, "bob")
    ann.ok("open twentytwo private=kiwi")
    for line in ("invite bob", "decline ann", "invite bob"):
        (bob if "decline" in line else ann).ok(line)
    for line in ("block ann", "report ann :rude"):
        bob.ok(line)
    ann.ok(f"register {name} :{PASSWORD}")
    ann.ok("tell bob :again")
    assert bob.events("me")[-1].text is None
    assert [each.about for each in world.host.reports.open] == [name]
    if name == "ann":
        assert bob.ok("accept ~ann").fields["on"] == "t1"
        bob.ok("leave")
        ann.ok("invite bob")
    assert bob.ok(f"accept {name}").fields["on"] == "t1"
    again = logged_in(world.restarted(), "bob")
    assert name in (again.ok("block").text or "")
    again.ok(f"unblock {name}")


def test_those_who_are_away_have_blocked_the_account_too() -> None:
    world = World()
    bob, ann = account(world, "Bob"), world.program("ann")
    bob.ok("block ann")
    gone(bob)
    ann.ok(f"register ann :{PASSWORD}")
    again = logged_in(world.restarted(), "Bob")
    assert "~" not in (again.ok("block").text or "~")
    assert again.ok("unblock ann")


def test_a_lesson_goes_on_after_a_guest_has_registered() -> None:
    world = World()
    ann = world.program("ann")
    on = ann.ok("tutorial").fields["on"]
    world.host.people.named("ann").lessons["twentytwo"] = 3
    ann.ok(f"leave {on}")
    ann.ok(f"register ann :{PASSWORD}")
    assert world.host.people.named("ann").lessons["twentytwo"] == 3


def test_a_guest_who_logs_in_looks_for_players_no_more() -> None:
    world = World()
    gone(account(world))
    guest = world.program("dan")
    guest.ok("seek twentytwo players=2")
    guest.ok(f"login ann :{PASSWORD}")
    assert guest.rows("seeks") == []


def test_whether_a_program_plays_is_what_the_newest_connection_says() -> None:
    world = World()
    account(world, bot=True)
    person = world.host.people.find("ann")
    assert person is not None
    assert person.program
    logged_in(world)
    assert not person.program


def test_others_find_somebody_by_the_old_name_no_more() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok(f"register zoe :{PASSWORD}")
    assert bob.err("tell ann :hi") == "NO_SUCH_USER"
    bob.ok("tell zoe :hi")


def test_the_lobby_hears_of_both_names_after_the_reply() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("follow people")
    lines = ann.say(f"@1 register zoe :{PASSWORD}")
    words = [line.split()[0] for line in lines]
    assert words == ["@1", "@1", "OFFLINE", "ONLINE"]


# ----------------------------------------------------------------- kept, then told


def replies(peer: Peer) -> list[ParsedLine]:
    return [r for r in peer.records() if r.id == "r" and r.word in ("OK", "ERR")]


@together(
    "line",
    ["guest eve", f"register eve :{PASSWORD}", f"login ann :{PASSWORD}", "resume {token}"],
)
def test_nobody_is_told_who_they_are_before_it_is_kept(line: str) -> None:
    store = LateStore()
    world = World(store)
    ann = account(world)
    peer = world.program()
    store.late = True
    peer.hear(f"@r {line.format(token=ann.token)}")
    assert replies(peer) == []
    assert peer.session.name is None
    store.release()
    assert [r.word for r in replies(peer)] == ["OK"]


@together("line", ["tell bob :hi", "invite bob", "logout", "token new"])
def test_what_people_are_told_is_kept_before_it_is_acknowledged(line: str) -> None:
    store = LateStore()
    world = World(store)
    ann, bob = account(world), world.program("bob")
    ann.ok("open twentytwo")
    bob.take()
    store.late = True
    ann.hear(f"@r {line}")
    assert replies(ann) == []
    assert bob.take() == []
    store.release()
    assert [r.word for r in replies(ann)] == ["OK"]


def test_two_who_tell_at_once_get_two_numbers() -> None:
    store = LateStore()
    world = World(store)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    store.late = True
    ann.hear("@r tell cat :one")
    bob.hear("@r tell cat :two")
    store.release()
    assert [(r.fields["seq"], r.text) for r in cat.events("me")] == [("1", "one"), ("2", "two")]


def test_a_connection_that_is_gone_when_it_is_kept_leaves_somebody_who_is_away() -> None:
    store = LateStore()
    world = World(store)
    peer = world.program()
    store.late = True
    peer.hear("@r guest ann")
    peer.drop()
    store.release()
    store.late = False
    person = world.host.people.find("ann")
    assert person is not None
    assert person.session is None
    world.advance(GRACE)
    assert world.host.people.find("ann") is None


@pytest.mark.parametrize("line", ["resume {token}", f"login ann :{PASSWORD}"])
def test_who_is_on_the_way_back_when_the_time_of_grace_ends_is_not_forgotten(line: str) -> None:
    store = LateStore()
    world = World(store)
    ann = account(world)
    ann.drop()
    again = world.program()
    store.late = True
    again.hear(f"@r {line.format(token=ann.token)}")
    world.advance(2 * GRACE)
    store.release()
    store.late = False
    assert [r.word for r in replies(again)] == ["OK"]
    assert again.ok("whoami").fields["name"] == "ann"


def test_a_guest_whose_line_drops_while_registering_is_the_account_all_the_same() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    store.late = True
    ann.hear(f"@r register zoe :{PASSWORD}")
    ann.drop()
    while store.waiting:
        store.release()
    store.late = False
    seat = world.room().table.seats[0]
    assert (seat.name, seat.here) == ("zoe", False)
    again = world.program()
    assert again.ok(f"resume {ann.token}").fields["name"] == "zoe"
    assert world.room().table.seats[0].here


def test_an_error_behind_the_answer_ends_the_command_and_is_no_second_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    world = World()
    peer = world.program("ann")
    monkeypatch.setattr(world.host.lobby, "announce", broken)
    assert peer.ok(f"register zoe :{PASSWORD}").fields["name"] == "zoe"
    monkeypatch.undo()
    assert "broken" in caplog.text
    assert world.program().ok("describe games").word == "OK"


@pytest.mark.parametrize("moves", [0, 3])
def test_a_move_sent_right_behind_a_login_is_made_by_the_account(moves: int) -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    for _ in range(moves):
        world.on_turn().ok(f"move {default(world)}")
    mover = world.on_turn()
    token = default(world)
    store.late = True
    mover.hear(f"@r register zoe :{PASSWORD}")
    before = mover.replies
    for _ in range(20):
        store.release()
    # The next line is heard when the tables know the name, and not before.
    assert mover.replies == before + 1
    mover.hear(f"@s move {token}")
    store.release()
    assert any(line.startswith("@s OK") for line in mover.lines)


# ------------------------------------------------------------------------- a restart


def test_a_restart_keeps_accounts_tokens_seats_and_inboxes() -> None:
    world = World()
    ann, bob = account(world), world.program("bob")
    world.game(ann, bob)
    bob.ok("tell ann :hi")
    world = world.restarted()
    again = world.program()
    lines = again.say(f"@r resume {ann.token} t1:0 me:0")
    assert "TOLD on=me seq=1 by=~bob to=ann :hi" in lines
    assert world.room().table.seats[0].here
    guest = world.program()
    assert guest.ok(f"resume {bob.token}").fields["name"] == "~bob"
    guest.ok("tell ann :again")
    assert again.events("me")[-1].seq == 2
    assert world.program().err(f"register a-nn :{PASSWORD}") == "NAME_TAKEN"


def test_after_a_restart_the_time_of_grace_begins_anew() -> None:
    world = World()
    ann = world.program("ann")
    ann.drop()
    world.advance(GRACE - 1)
    world = world.restarted()
    world.advance(GRACE - 1)
    assert world.host.people.find("ann")
    world.advance(1)
    assert world.host.people.find("ann") is None
    assert world.restarted().host.people.find("ann") is None


def test_the_token_before_the_last_is_good_after_a_restart_too() -> None:
    world = World()
    ann = world.program("ann")
    again = world.program()
    again.ok(f"resume {ann.token}")
    world = world.restarted()
    assert world.program().ok(f"resume {ann.token}").fields["name"] == ann.name


def test_a_long_inbox_goes_on_where_it_was_after_a_restart() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    for n in range(230):
        bob.ok(f"tell ann :{n}")
    world = world.restarted()
    again = world.program()
    (gone,) = again.rows(f"resume {ann.token} me:20")
    assert (gone.fields["code"], gone.fields["oldest"]) == ("GONE", "31")
    assert again.events("me") == []
    again.ok("sync me from=30")
    assert [r.seq for r in again.events("me")] == [*range(31, 231)]


@together("kind", [LateStore, Turned])
@together("tables", [0, 2])
@together("heard", [True, False])
@together("steps", range(5))
def test_wherever_a_server_is_killed_a_guest_who_registered_loses_nothing(
    steps: int, heard: bool, tables: int, kind: type[LateStore]
) -> None:
    store = kind()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    for _ in range(tables):
        world.game(ann, bob)
    bob.ok("tell ann :hi")
    store.late = True
    ann.hear(f"@r register zoe :{PASSWORD}")
    for _ in range(steps):
        if store.waiting:
            facts, done = store.waiting.pop(0)
            MemoryStore.keep(store, facts, done)
    acknowledged = [r for r in replies(ann) if r.word == "OK"]
    store.waiting.clear()
    store.late = False
    world = world.restarted()
    token = acknowledged[0].fields["token"] if acknowledged and heard else ann.token
    again = world.program()
    ok = again.ok(f"resume {token} me:0")
    name = "zoe" if steps else "~ann"
    assert ok.fields["name"] == name
    assert [r.text for r in again.events("me")] == ["hi"]
    assert again.ok("whoami").fields["name"] == name
    for on in [f"t{number + 1}" for number in range(tables)]:
        assert world.room(on).table.seats[0].name == name
        assert len(again.ok(f"hand {on}").fields["cards"].split(",")) == 7
    gone_now = world.host.people.find("~ann")
    assert gone_now is None or steps == 0
    again.ok("tell bob :back")


@together("others", [False, True])
@together("steps", range(7))
def test_what_somebody_is_told_while_they_register_is_not_lost(steps: int, others: bool) -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    if others:  # the account has an inbox of its own
        account(world, "zoe").ok("tell bob :first")
        bob.ok("tell zoe :second")
    store.late = True
    ann.hear(f"@r login zoe :{PASSWORD}" if others else f"@r register zoe :{PASSWORD}")
    bob.hear("@t tell ann :hi")
    for _ in range(steps):
        if store.waiting:
            facts, done = store.waiting.pop(0)
            MemoryStore.keep(store, facts, done)
    acknowledged = [r for r in bob.records() if r.id == "t" and r.word == "OK"]
    store.waiting.clear()
    store.late = False
    world = world.restarted()
    again = world.program()
    again.ok(f"resume {ann.token} me:0")
    heard = [r.text for r in again.events("me")]
    assert heard.count("hi") == 1 if acknowledged else heard.count("hi") <= 1
    if steps == 6:
        assert acknowledged


# ------------------------------------------------------------------- tokens used twice


def test_a_token_used_after_its_successor_ends_the_chain_and_its_owner_is_told() -> None:
    world = World()
    ann = world.program("ann")
    second = world.program()
    fresh = second.ok(f"resume {ann.token}").fields["token"]
    third = world.program()
    newest = third.ok(f"resume {fresh}").fields["token"]
    third.take()
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    assert third.take()[-1].startswith("WARN code=TOKEN_REVOKED")
    for token in (ann.token, fresh, newest):
        assert world.program().err(f"resume {token}") == "BAD_TOKEN"
    assert third.ok("whoami").fields["name"] == "~ann"


@pytest.mark.parametrize("how", ["used twice", "logout"])
def test_tokens_that_were_ended_open_nothing_after_a_restart_either(how: str) -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    newest = world.program().ok(f"resume {ann.token}").fields["token"]
    newest = (last := world.program()).ok(f"resume {newest}").fields["token"]
    if how == "logout":
        last.ok("logout")
    else:
        assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    world = world.restarted()
    for token in (ann.token, newest):
        assert world.program().err(f"resume {token}") == "BAD_TOKEN"
    world.program().ok(f"resume {bob.token}")


def test_a_token_that_nobody_had_ends_nothing() -> None:
    world = World()
    ann = world.program("ann")
    for _ in range(3):
        assert world.program().err("resume nonsense") == "BAD_TOKEN"
    world.program().ok(f"resume {ann.token}")


def test_of_two_who_resume_at_once_exactly_one_is_in() -> None:
    for first in (0, 1):
        store = LateStore()
        world = World(store)
        ann = world.program("ann")
        ann.drop()
        racers = [world.program(), world.program()]
        store.late = True
        for n in (first, 1 - first):
            racers[n].hear(f"@r resume {ann.token}")
        store.release()
        assert [replies(racer)[0].word for racer in racers].count("OK") == 1
        winner, loser = racers[1 - first], racers[first]
        assert replies(winner)[0].word == "OK"
        assert loser.hung_up
        assert loser.take()[-1].startswith("BYE code=REPLACED")
        store.late = False
        assert winner.ok("whoami").fields["name"] == "~ann"


def test_a_password_that_is_checked_while_the_connection_is_replaced_opens_nothing() -> None:
    world = World()
    gone(account(world))
    guest = world.program("bob")
    world.hasher.late = True
    guest.hear(f"@r login ann :{PASSWORD}")
    other = world.program()
    other.ok(f"resume {guest.token}")
    world.hasher.release()
    assert [r.fields.get("code") for r in replies(guest)] == ["FORBIDDEN"]
    assert world.host.people.find("ann") is None
    assert other.ok("whoami").fields["name"] == "~bob"


LINES: tuple[Callable[[dict[str, str]], str], ...] = (
    lambda held: f"login ann :{PASSWORD}",
    lambda held: f"login ann :{OTHER}",
    lambda held: f"resume {held.get('token', 'x')}",
    lambda held: "guest bob",
    lambda held: "logout",
    lambda held: "practice bots=1",
    lambda held: "move default",
    lambda held: "whoami",
    lambda held: "tell ann :hi",
    lambda held: "leave",
    lambda held: "quit",
)


@together("seed", range(60))
def test_however_two_connections_of_one_person_take_turns_one_of_them_is_in(seed: int) -> None:
    chance = random.Random(seed)
    store = LateStore()
    world = World(store, dev=True)
    peers = [account(world), world.program()]
    held = {"token": peers[0].token}
    asked: dict[int, int] = {}
    for step in range(60):
        store.late = chance.random() < 0.5
        world.hasher.late = chance.random() < 0.2
        n = chance.randrange(2)
        if peers[n].hung_up or peers[n].session.closing or chance.random() < 0.05:
            peers[n].drop()
            peers[n] = world.program()
        peer = peers[n]
        # A connection hears its next line when the one before is answered.
        if peer.replies == asked.get(id(peer), peer.replies):
            asked[id(peer)] = peer.replies + 1
            peer.hear(f"@s{step} {chance.choice(LINES)(held)}")
        if chance.random() < 0.5:
            world.hasher.release()
            store.release()
        for line in [line for each in peers for line in each.take()]:
            if " token=" in line:
                held["token"] = line.split("token=")[1].split()[0]
        _check_people(world, peers)
    world.hasher.late = store.late = False
    world.hasher.release()
    while store.waiting:
        store.release()
    _check_people(world, peers)
    for peer in peers:
        peer.drop()
    world.advance(GRACE)
    assert all(person.session is None for person in world.host.people)
    assert all(person.pending == 0 for person in world.host.people)


def _check_people(world: World, peers: list[Peer]) -> None:
    """Nobody is on two connections, or on one that is gone; everybody is found."""
    sessions = [person.session for person in world.host.people if person.session]
    assert len({id(session) for session in sessions}) == len(sessions)
    for person in world.host.people:
        assert world.host.people.exact(person.name) is person
        if person.session is not None:
            assert person.session.name is not None
            assert world.host.people.on(person.session) is person
            assert any(person.session is peer.session for peer in peers)


# ---------------------------------------------------------------------------- ratings


def told(peer: Peer) -> list[ParsedLine]:
    """What is in somebody's inbox."""
    peer.ok("sync me from=0")
    return peer.events("me")


def rated_game(world: World, *names: str, bot: bool = False) -> list[Peer]:
    peers = [account(world, name, bot=bot) for name in names]
    world.game(*peers, options="rated=1")
    return peers


def test_the_best_ten_are_listed_or_as_many_as_somebody_asks_for() -> None:
    world = World()
    for place in range(101):
        rated = Rated(Pool.PEOPLE, "twentytwo", "pagat", f"p{place}", 100.0 - place, 1.0, 1, 0)
        world.store.keep([rated], lambda: None)
    ann = world.program("ann")
    listed = {asked: ann.rows(f"ranks twentytwo {asked}") for asked in ("", "n=1", "n=100")}
    assert [len(rows) for rows in listed.values()] == [10, 1, 100]
    for rows in listed.values():
        assert [row.fields["name"] for row in rows] == [f"p{place}" for place in range(len(rows))]
    listed_on = [row for rows in ann.pages("ranks twentytwo n=40") for row in rows]
    assert [row.fields["rank"] for row in listed_on] == [str(place) for place in range(1, 102)]


def test_a_rated_game_changes_the_ratings_of_everybody_at_the_table() -> None:
    world = World()
    ann, bob = rated_game(world, "ann", "bob")
    play_out(world)
    table = world.room().table
    (winner,) = [name for name, _ in table.wins]
    rows = ann.rows("ranks twentytwo")
    assert [(r.fields["rank"], r.fields["games"]) for r in rows] == [("1", "1"), ("2", "1")]
    assert rows[0].fields["name"] == winner
    for peer in (ann, bob):
        (event,) = [e for e in told(peer) if e.word == "RATED"]
        better = peer.name == winner
        assert event.fields["id"] == "g1"
        assert event.fields["old"] == "1500"
        assert (int(event.fields["new"]) > 1500) is better
        (mine,) = peer.rows("rating")
        assert mine.fields["rating"] == event.fields["new"]


def test_who_has_no_rating_is_told_how_to_get_one() -> None:
    world = World()
    account(world)
    bob, cat = world.person("bob"), world.person("cat")
    assert bob.say("rating") == [
        "You are a guest, and ratings are for accounts: register NAME makes one."
    ]
    assert bob.say("rating cat") == ["~cat is a guest, and ratings are for accounts."]
    assert cat.say("rating ann") == ["ann has no rating yet: open rated=1 opens a table for it."]


def test_ratings_survive_a_restart_and_go_on() -> None:
    world = World()
    ann, bob = rated_game(world, "ann", "bob")
    play_out(world)
    for peer in (ann, bob):
        peer.ok("rematch")
    play_out(world)
    world = world.restarted()
    (row,) = world.program().rows("rating ann")
    assert row.fields["games"] == "2"


def test_a_game_of_guests_is_not_rated() -> None:
    world = World()
    world.game(world.program("ann"), world.program("bob"))
    play_out(world)
    assert world.peers[0].rows("ranks") == []


def test_a_game_of_accounts_that_was_not_opened_for_it_is_not_rated() -> None:
    world = World()
    world.game(account(world), account(world, "bob"))
    play_out(world)
    assert world.peers[0].rows("ranks") == []


def test_programs_are_rated_among_themselves() -> None:
    world = World()
    ann, _ = rated_game(world, "ann", "mary", bot=True)
    play_out(world)
    assert ann.rows("ranks") == []
    assert len(ann.rows("ranks pool=bots")) == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("open twentytwo rated=1 options=limit:10", "BAD_ARG"),
        ("open twentytwo rated=1 bots=1", "BAD_ARG"),
        ("open twentytwo rated=1 seed=3", "BAD_ARG"),
    ],
)
def test_a_table_that_would_not_be_fair_is_not_rated(line: str, code: str) -> None:
    assert account(World(dev=True)).err(line) == code


def test_a_preset_named_and_options_as_it_has_them_are_rated() -> None:
    world = World()
    account(world).ok("open twentytwo rated=1 rules=tvtropes")
    assert world.room().table.settings.rated


def test_at_a_rated_table_sit_accounts_of_one_kind_and_nothing_is_changed() -> None:
    world = World()
    ann, bob = account(world), account(world, "cat")
    ann.ok("open twentytwo seats=3 rated=1")
    assert world.program("zac").err("join t1") == "FORBIDDEN"
    assert account(world, "robo", bot=True).err("join t1") == "FORBIDDEN"
    assert ann.err("addbot") == "FORBIDDEN"
    assert ann.err("option limit 10") == "FORBIDDEN"
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    assert ann.err("remove cat") == "GAME_RUNNING"


def test_who_leaves_a_rated_game_leaves_the_result_and_not_the_rating() -> None:
    world = World()
    ann, bob, cat = rated_game(world, "ann", "bob", "cat")
    bob.ok("leave")
    cat.ok("resign")
    assert ann.err("abort") == "FORBIDDEN"
    while (match := world.room().table.match) and not match.over:
        if world.room().table.on_turn == world.room().table.seat_of("ann"):
            ann.ok(f"move {default(world)}")
        else:
            world.advance(1000)
    assert len(ann.rows("ranks")) == 3
    assert ann.err("rematch") == "NOT_READY"


@pytest.mark.parametrize("number", [2, 3])
def test_a_rated_game_that_everybody_leaves_counts_all_the_same(number: int) -> None:
    world = World()
    peers = rated_game(world, *("ann", "bob", "cat")[:number])
    for peer in reversed(peers):
        peer.ok("leave")
    assert world.host.rooms == {}
    assert [row.fields["games"] for row in peers[0].rows("ranks")] == ["1"] * number
    (row,) = peers[0].rows("history")
    assert row.fields["why"] == ("resigned" if number == 2 else "last")


def test_a_game_that_was_agreed_to_be_void_is_not_rated() -> None:
    world = World()
    ann, bob = rated_game(world, "ann", "bob")
    ann.ok("abort")
    bob.ok("abort")
    assert ann.rows("ranks") == []


def test_two_games_that_end_at_once_are_rated_one_after_the_other() -> None:
    store = LateStore()
    world = World(store, dev=True)
    ann, bob = (account(world, name) for name in ("ann", "bob"))
    for on in ("t1", "t2"):
        world.game(ann, bob, options="rated=1")
        while True:
            match = world.room(on).table.match
            assert match is not None
            token = default(world, on)
            after, _ = match.play(match.judge(match.question.seat, match.read(token)), 0, _house)  # type: ignore[union-attr]
            if after.over:
                break
            world.on_turn(on).ok(f"move {token} {on}")
    store.late = True
    for on in ("t1", "t2"):
        world.on_turn(on).hear(f"@z move {default(world, on)} {on}")
    while store.waiting:
        store.release()
    store.late = False
    assert [r.fields["games"] for r in ann.rows("rating")] == ["2"]


def _house(number: int, pack: Any) -> Any:
    return tuple(pack)


# ---------------------------------------------------------------------------- profiles


def test_a_profile_says_since_when_and_whether_somebody_is_here() -> None:
    world = World()
    ann = account(world)
    ann.ok("open twentytwo")
    (row,) = world.program().rows("profile ANN")
    assert row.fields["name"] == "ann"
    assert row.fields["here"] == "1"
    assert row.fields["made"].startswith("2026-01-02T")
    assert row.fields["on"] == "t1"
    ann.ok("leave")
    gone(ann)
    (row,) = world.program().rows("profile ann")
    assert row.fields["here"] == "0"


def test_a_guest_has_a_profile_while_here() -> None:
    world = World()
    world.program("bob")
    (row,) = world.program().rows("profile bob")
    assert (row.fields["name"], "made" in row.fields) == ("~bob", False)


def test_a_private_table_is_in_no_profile() -> None:
    world = World()
    ann = account(world)
    ann.ok("open twentytwo private=kiwi")
    (row,) = world.program("eve").rows("profile ann")
    assert "on" not in row.fields
    (mine,) = ann.rows("profile")
    assert mine.fields["on"] == "t1"


def test_logout_gives_up_the_seats_and_the_account_comes_in_again() -> None:
    world = World()
    ann = account(world)
    ann.ok("open twentytwo")
    ann.ok("logout")
    assert world.host.rooms == {}
    assert ann.err("whoami") == "LOGIN_FIRST"
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    ann.ok(f"login ann :{PASSWORD}")


def test_what_was_kept_of_people_is_what_there_is(caplog: pytest.LogCaptureFixture) -> None:
    class Noting(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.facts: list[Any] = []

        def keep(self, facts: Any, done: Callable[[], None]) -> None:
            self.facts += facts
            super().keep(facts, done)

    store = Noting()
    world = World(store)
    ann = world.program("ann")
    ann.ok(f"register zoe :{PASSWORD}")
    ann.ok("tell zoe :note to self")
    ann.ok("token new :canary")
    world.program().err(f"login zoe :{OTHER}")
    ann.ok("logout")
    world.advance(GRACE)
    kinds = [
        type(f) for f in store.facts if isinstance(f, Account | PersonKept | PersonGone | InboxLine)
    ]
    assert kinds == [PersonKept, Account, PersonKept, PersonGone, InboxLine, PersonKept, PersonGone]
    assert "mice" not in caplog.text + repr(store.facts)


def test_who_came_back_as_a_guest_that_logs_in_elsewhere_is_nobody_elses_guest_later() -> None:
    store = LateStore()
    world = World(store)
    gone(account(world, "bob"))
    guest, again = world.program("ann"), world.peer()
    again.say("hello 1 client=test")
    store.late = True
    again.hear(f"@r resume {guest.token}")
    guest.hear(f"@r login bob :{PASSWORD}")
    store.late = False
    store.release()
    token = replies(again)[-1].fields["token"]
    assert (guest.hung_up, again.hung_up) == (True, True)
    other = world.program("ann")
    assert other.name == "~ann"
    assert again.err("whoami") == "LOGIN_FIRST"
    newest = world.peer()
    newest.say("hello 1 client=test")
    assert newest.ok(f"resume {token}").fields["name"] == "bob"
