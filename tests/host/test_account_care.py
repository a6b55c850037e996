"""An operator looks after accounts: lists, exports, resets and erases them."""

from __future__ import annotations

import json

import pytest

from tests.host.test_moderation import SECRET, account
from tests.kit.hosts import LateStore, World
from tests.kit.operators import HOUR, Operator
from twentytwo_server.store import Refused

NEW = ":four green mice"


def names(operator: Operator, **given: object) -> list[object]:
    return [row["name"] for row in operator.does("accounts", **given).rows]


def test_accounts_are_listed_by_name_in_pages_and_by_a_text_in_theirs() -> None:
    world = World()
    for name in ("bob", "Ann", "annabel"):
        account(world, name).drop()
    operator = Operator(world)
    assert names(operator) == ["Ann", "annabel", "bob"]
    answer = operator.does("accounts", n=2)
    assert [row["name"] for row in answer.rows] == ["Ann", "annabel"]
    assert answer.text == "3 accounts in all; 1 more: --after annabel"
    assert names(operator, n=2, after="annabel") == ["bob"]
    assert names(operator, like="AN") == ["Ann", "annabel"]
    operator.does("ban", target="bob", ms=HOUR)
    (row,) = operator.does("accounts", like="bob").rows
    assert row["made"] and "until" in str(row["banned"]) and not row["here"]


def test_a_code_sets_a_new_password_once_and_ends_every_token() -> None:
    world = World()
    ann = account(world, "ann")
    token = ann.ok("token new").fields["token"]
    ann.drop()
    operator = Operator(world)
    said = operator.does("reset account", name="ANN", ms=HOUR).text
    code = said.rpartition("code=")[2]
    other, thief = world.program(), world.program()
    assert thief.err(f"register ann code={code[:-1]} {NEW}") == "NAME_TAKEN"
    assert other.ok(f"login ann {SECRET}").fields["name"] == "ann", "until then the old one holds"
    other.ok("logout")
    world = world.restarted()
    fresh = world.program()
    assert fresh.err(f"register ann code={code} :short") == "BAD_ARG"
    assert fresh.ok(f"register ann code={code} {NEW}").fields["name"] == "ann"
    again = world.program()
    assert again.err(f"register ann code={code} {SECRET}") == "NAME_TAKEN"
    assert again.err(f"login ann {SECRET}") == "BAD_LOGIN"
    assert again.err(f"login ann token={token}") == "BAD_LOGIN"
    assert again.err(f"resume {ann.token}") == "BAD_TOKEN"
    world.advance(60_000)
    assert again.ok(f"login ann {NEW}").fields["name"] == "ann"


def test_a_code_that_is_too_old_or_for_a_banned_account_resets_nothing() -> None:
    world = World()
    account(world, "ann").drop()
    operator = Operator(world)
    code = operator.does("reset account", name="ann", ms=1000).text.rpartition("code=")[2]
    world.advance(1001)
    assert world.program().err(f"register ann code={code} {NEW}") == "NAME_TAKEN"
    code = operator.does("reset account", name="ann", ms=HOUR).text.rpartition("code=")[2]
    operator.does("ban", target="ann", ms=HOUR)
    assert world.program().err(f"register ann code={code} {NEW}") == "FORBIDDEN"
    operator.does("unban", target="ann")
    assert world.program().ok(f"register ann code={code} {NEW}").fields["name"] == "ann"


def test_a_person_is_asked_for_the_new_password_twice() -> None:
    world = World()
    account(world, "ann").drop()
    code = Operator(world).does("reset account", name="ann", ms=HOUR).text.rpartition("code=")[2]
    person = world.person()
    person.say("zoe")
    said = person.say(f"register ann code={code}", NEW[1:], NEW[1:])
    assert person.session.name == "ann"
    assert "Welcome back, ann." in "\n".join(said)


def test_an_export_has_what_is_kept_and_no_secret() -> None:
    world = World()
    ann, bob = account(world, "ann"), account(world, "bob")
    ann.ok("friend bob")
    ann.ok("block bob")
    token = ann.ok("token new :laptop").fields["token"]
    bob.ok("report ann :she laughs")
    text = Operator(world).does("export account", name="ann").text
    found = json.loads(text)
    assert (found["friends"], found["blocked"]) == (["bob"], ["bob"])
    assert found["login tokens"][0]["label"] == "laptop"
    assert (found["reports about them"], found["address"]) == ([1], "127.0.0.1")
    assert token not in text and ann.token not in text and SECRET[1:] not in text


def test_an_account_that_is_erased_leaves_its_name_and_its_games_and_nothing_else() -> None:
    world = World()
    ann, bob = account(world, "ann"), world.program("bob")
    on = world.game(ann, bob)
    operator = Operator(world)
    with pytest.raises(Refused, match=f"ann has a seat at {on}"):
        operator.does("erase account", name="ann")
    bob.ok(f"abort {on}")
    ann.ok(f"abort {on}")
    ann.ok(f"leave {on}")
    token = ann.ok("token new").fields["token"]
    answer = operator.does("erase account", name="ann")
    assert "ann is erased" in answer.text and ann.hung_up
    for here in (world, world.restarted()):
        other = here.program()
        assert other.err(f"login ann {SECRET}") == "BAD_LOGIN"
        assert other.err(f"login ann token={token}") == "BAD_LOGIN"
        assert other.err(f"resume {ann.token}") == "BAD_TOKEN"
        assert other.err(f"register ann {SECRET}") == "NAME_TAKEN"
        found = json.loads(Operator(here).does("export account", name="ann").text)
        assert (found["friends"], found["login tokens"], found["inbox"]) == ([], [], [])
        assert found["games"]


def test_what_is_erased_is_acknowledged_when_it_is_safe() -> None:
    store = LateStore()
    world = World(store)
    account(world, "ann").drop()
    store.late = True
    asked = Operator(world).asks("erase account", name="ann")
    assert not asked.called
    store.release()
    assert asked.called


def test_connections_are_listed_by_address_the_most_first() -> None:
    world = World()
    one = world.peer("203.0.113.7")
    one.say("hello 1 client=bot/2", "guest ann")
    world.advance(5_000)
    for _ in range(2):
        world.peer("203.0.113.9")
    answer = Operator(world).does("connections")
    assert answer.text == "3 connections from 2 addresses"
    assert [row["address"] for row in answer.rows] == ["203.0.113.9"] * 2 + ["203.0.113.7"]
    last = answer.rows[-1]
    assert (last["name"], last["client"], last["seconds"]) == ("~ann", "bot/2", 5)
