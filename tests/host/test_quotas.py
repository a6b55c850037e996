"""What those of one address may hold together, and how often they may come or guess."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.hosts import Peer, World
from twentytwo_server.accounts import names
from twentytwo_server.limits.quotas import AddressQuota

FRIENDS, OTHERS = "192.0.2.1", "192.0.2.2"


def comes(world: World, name: str, address: str = FRIENDS) -> Peer:
    """A program at that address, which has no more than others may have."""
    peer = world.peer(address)
    peer.share = 1
    peer.ok("hello 1")
    peer.name = peer.ok(f"guest {name}").fields["name"]
    return peer


def limited(**quota: int) -> World:
    return World(quotas=AddressQuota(**quota))


def test_an_address_has_so_many_tables_and_others_have_theirs() -> None:
    world = limited(tables=3)
    ann, bob, cid = comes(world, "ann"), comes(world, "bob"), comes(world, "cid", OTHERS)
    ann.ok("open")
    ann.ok("open")
    bob.ok("practice bots=1")
    for command in ("open", "practice bots=1", "open private=kiwi"):
        assert ann.err(command) == "QUOTA"
    bob.ok("practice bots=2")  # the table before is left for it
    cid.ok("open")
    ann.ok("close t2")
    bob.ok("open")


def test_whose_seat_is_kept_still_counts_and_by_the_address_that_they_came_from() -> None:
    world = limited(tables=1, names=2)
    ann = comes(world, "ann")
    ann.ok("open")
    ann.drop()
    bob = comes(world, "bob")
    assert bob.err("open") == "QUOTA"
    bob.drop()
    late = world.peer(FRIENDS)
    late.share = 1
    late.ok("hello 1")
    assert late.err("guest cid") == "QUOTA"
    world.advance(world.host.config.now.grace)
    late.ok("guest cid")


def test_new_guests_are_counted_by_the_minute_and_told_when_to_try_again() -> None:
    world = limited(guests=3)
    for name in ("ann", "bob", "cid"):
        comes(world, name).ok("logout")
    late = world.peer(FRIENDS)
    late.share = 1
    late.ok("hello 1")
    refused = late.ask("guest dan")
    assert refused.fields["code"] == "RATE" and refused.fields["wait"] == "20000"
    comes(world, "eve", OTHERS)
    world.advance(20_000)  # three a minute: the first is over in a third of it
    late.ok("guest dan")


def test_seats_and_seeks_of_an_address_are_counted_together() -> None:
    world = limited(seats=3, seeks=1)
    zoe = comes(world, "zoe", OTHERS)
    tables = [zoe.ok("open seats=4").fields["on"] for _ in range(2)]
    ann, bob = comes(world, "ann"), comes(world, "bob")
    ann.ok(f"join {tables[0]}")
    ann.ok(f"join {tables[1]}")
    bob.ok(f"join {tables[0]}")
    assert bob.err(f"join {tables[1]}") == "QUOTA"
    assert bob.err("open") == "QUOTA"
    ann.ok(f"leave {tables[1]}")
    bob.ok(f"join {tables[1]}")
    ann.ok("seek twentytwo players=2")
    ann.ok("seek twentytwo players=3")  # in place of the one before
    assert bob.err("seek twentytwo players=4") == "QUOTA"
    zoe.ok("seek twentytwo players=5")


def test_hard_bots_of_an_address_are_counted_and_others_are_not() -> None:
    world = limited(thinking_bots=5)
    ann, bob = comes(world, "ann"), comes(world, "bob")
    ann.ok("practice bots=4 level=hard")
    assert bob.err("practice bots=2 level=hard") == "QUOTA"
    bob.ok("open seats=4")
    bob.ok("addbot level=hard")
    assert bob.err("addbot level=hard") == "QUOTA"
    bob.ok("addbot")
    ann.ok("practice bots=4 level=hard")
    ann.ok("practice bots=11")


def test_the_last_tables_are_for_people_with_an_account_or_a_seat() -> None:
    world = World(quotas=AddressQuota(reserved_tables=50), most_tables=4)
    ann, bob = comes(world, "ann"), comes(world, "bob", OTHERS)
    ann.ok("open")
    ann.ok("open")
    refused = bob.ask("open")
    assert refused.fields["code"] == "BUSY"
    assert "tables are taken" in (refused.text or "")
    ann.ok("open")
    bob.ok("join t1")
    bob.ok("open")
    assert ann.err("open") == "BUSY"


def test_a_crowded_server_lets_in_who_has_a_seat() -> None:
    world = World()
    peer = world.peer()
    peer.crowded = True
    peer.ok("hello 1")
    assert peer.err("guest bob") == "BUSY"
    seated = world.program("cid")
    seated.ok("open")
    seated.drop()
    peer.ok(f"resume {seated.token}")


def test_words_are_not_guessed_faster_and_faster() -> None:
    world = limited(wrong_words=3)
    zoe = comes(world, "zoe", OTHERS)
    on = zoe.ok("open private=kiwi").fields["on"]
    ann = comes(world, "ann")
    assert [ann.err(f"join plum{n}") for n in range(3)] == ["NO_SUCH_TABLE"] * 3
    waits: list[int] = []
    for _ in range(8):
        refused = ann.ask("join kiwi")
        assert refused.fields["code"] == "RATE", "not even looked at"
        waits.append(int(refused.fields["wait"]))
        world.advance(waits[-1])
        assert ann.err(f"join plum{waits[-1]}") == "NO_SUCH_TABLE"
    assert waits == [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000]
    # Whoever names a table or a person guesses nothing, and others know their words.
    open_ = zoe.ok("open").fields["on"]
    ann.ok(f"join {open_}")
    ann.ok(f"leave {open_}")
    ann.ok("join zoe")
    comes(world, "bob", "192.0.2.3").ok("join KIWI")
    world.advance(60_000)
    ann.ok("join kiwi")
    assert on


@pytest.mark.parametrize("verb", ["join", "watch"])
def test_a_wrong_word_counts_whether_to_join_or_to_watch(verb: str) -> None:
    world = limited(wrong_words=2)
    comes(world, "zoe", OTHERS).ok("open private=kiwi")
    ann = comes(world, "ann")
    assert [ann.err(f"{verb} plum{n}") for n in range(3)] == ["NO_SUCH_TABLE"] * 2 + ["RATE"]
    assert ann.err(f"{verb} kiwi") == "RATE"


def test_a_word_of_digits_is_a_word_and_guessing_at_it_one_guess() -> None:
    world = limited(wrong_words=2)
    zoe = comes(world, "zoe", OTHERS)
    on = zoe.ok("open private=4711").fields["on"]
    zoe.ok("open")
    ann, bob = comes(world, "ann"), comes(world, "bob", "192.0.2.3")
    assert bob.ok("join 4711").fields["on"] == on
    assert [ann.err(f"join {n}") for n in (1, 99, 4711)] == ["NO_SUCH_TABLE"] * 2 + ["RATE"]
    assert ann.ok("join 2").fields["on"] == "t2"


def test_an_address_of_this_machine_has_more() -> None:
    world = limited(tables=2)
    ann = comes(world, "ann")
    ann.share = 4
    ann.ok("logout")
    ann.ok("guest ann")
    for _ in range(8):
        ann.ok("open")
    assert ann.err("open") == "QUOTA"


def test_many_guests_of_one_name_cost_as_much_as_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    asked = 0

    def counting(name: str) -> str:
        nonlocal asked
        asked += 1
        return name

    monkeypatch.setattr(names, "skeleton", counting)
    came = [world.program("aa").name for _ in range(300)]
    assert came[:3] == ["~aa", "~aa2", "~aa3"] and len({*came}) == 300
    assert asked <= 4 * 300


def test_the_number_of_who_has_gone_is_given_out_again() -> None:
    world = World()
    peers = [world.program("ann") for _ in range(5)]
    peers[3].ok("logout")
    peers[1].ok("logout")
    assert [world.program("ann").name for _ in range(3)] == ["~ann2", "~ann4", "~ann6"]
    taken = world.program("bob2")
    world.program("bob")
    assert world.program("bob").name == "~bob3"
    assert taken.name == "~bob2"


def test_quotas_can_be_changed_while_it_runs() -> None:
    world = limited(tables=1)
    ann = comes(world, "ann")
    ann.ok("open")
    world.host.quotas.change(replace(world.host.quotas.quota, tables=2))
    ann.ok("open")
