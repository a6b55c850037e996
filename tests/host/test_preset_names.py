"""A preset that has another name now is found by the one it had, and told by the one it has."""

from __future__ import annotations

import pytest

from tests.kit.hosts import World
from twentytwo_server.games.options import called_first, called_now
from twentytwo_server.games.registry import games

RENAMED = [("whist22", "gamerules"), ("twentyeight", "denexa")]
PASSWORD = "three blind mice"


@pytest.mark.parametrize(("key", "name"), RENAMED)
def test_both_names_are_the_same_rules_and_one_is_listed(key: str, name: str) -> None:
    presets = games()[key].presets
    assert presets["seed"] == presets[name]
    assert "seed" in presets
    assert "seed" not in list(presets)
    assert name in list(presets)
    assert games()[key].rules("seed", {}) == games()[key].rules(name, {})
    assert called_now(presets, "seed") == called_now(presets, name) == name
    assert called_first(presets, "seed") == called_first(presets, name) == "seed"
    assert called_now(presets, "elsewhere") == called_first(presets, "elsewhere") == "elsewhere"


@pytest.mark.parametrize(("key", "name"), RENAMED)
@pytest.mark.parametrize("asked", ["seed", "SEED"])
def test_a_client_that_asks_for_the_old_name_is_told_the_new_one(
    key: str, name: str, asked: str
) -> None:
    ann = World().program("ann")
    rules = f"rules={asked}"
    ann.ok(f"open {key} seats=4 {rules}")
    told = {e.fields["key"]: e.fields.get("value") for e in ann.events("t1") if e.word == "OPTION"}
    assert told["preset"] == name
    assert ann.rows(f"rules {key} {rules}")[0].fields["rules"] == name
    shown = World().person("bob").say(f"practice {key} {rules}", "table")
    assert any(f"({name})" in line for line in shown)


@pytest.mark.parametrize("order", ["denexa", "seed", "Denexa"])
def test_the_order_of_denexa_is_taken_by_its_name_and_told_as_it_always_was(order: str) -> None:
    ann = World().program("ann")
    hashes = []
    for line in ("practice twentyeight", f"practice twentyeight options=order:{order}"):
        on = ann.ok(line).fields["on"]
        events = ann.events(on)
        told = {e.fields["key"]: e.fields.get("value") for e in events if e.word == "OPTION"}
        assert told["order"] == "seed"
        hashes += [e.fields["ruleshash"] for e in events if e.word == "GAME"]
    assert len(hashes) == 2 and len(set(hashes)) == 1
    rules = World().person("bob").say("rules twentyeight")
    assert "10 8 7 (seed, or denexa)" in " ".join(map(str.strip, rules))


def test_seeks_by_either_name_are_for_the_same() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("seek whist22 players=3 rules=seed")
    bob.ok("seek whist22 players=3 rules=gamerules")
    cat = world.program("cat")
    cat.ok("seek whist22 players=3")
    assert list(world.host.rooms) == ["t1"]


def test_ratings_of_before_go_on() -> None:
    world = World()
    ann, bob, cat = (world.program() for _ in range(3))
    for peer, name in ((ann, "ann"), (bob, "bob"), (cat, "cat")):
        peer.ok(f"register {name} :{PASSWORD}")
    ann.ok("open whist22 seats=3 rated=1 clock=0")
    for peer in (bob, cat):
        peer.ok("join t1")
        peer.ok("ready")
    ann.ok("start")
    while (match := world.room().table.match) is not None and match.question is not None:
        world.on_turn().ok(f"move {match.question.default}")
    asked = world.host.store.rating
    kept: list[str] = []
    asked("ann", lambda rated: kept.extend(each.rules for each in rated))
    assert kept == ["seed"]
    assert [row.fields["rules"] for row in ann.rows("rating")] == ["gamerules"]
    for name in ("seed", "gamerules"):
        assert len(ann.rows(f"ranks whist22 rules={name}")) == 3


def test_a_rematch_with_repeated_deals_says_that_they_are_the_same() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("practice bots=1 seed=22 first_hand=5 limit=10")
    bob.say("open twentytwo seats=2")
    match = world.room().table.match
    while match is not None and (asked := match.question) is not None:
        if asked.seat == 1 and asked.default is not None:
            ann.take()
            last = ann.say(asked.default.replace("+", " "))
        else:
            world.advance(1000)
            last = ann.take()
        match = world.room().table.match
    assert last[-1] == "rematch plays the same deals again, leave gets up."
    assert ann.say("rematch")[0] == "The same deals again: seed=22."
    assert not any("same deals" in line for line in bob.say("rematch"))
