"""Whoever a seek has brought together has a moment for words of their own before the game."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.kit.hosts import LateStore, Peer, World
from twentytwo_server.host.tables.auto_start import GIVE_UP_AFTER, TIME_FOR_WORDS
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.match import Words
from twentytwo_server.table.table import Phase


def found(world: World, *names: str) -> list[Peer]:
    """People who look for each other, and have just been found."""
    peers = [world.program(name) for name in names]
    for peer in peers:
        peer.ok(f"seek twentytwo players={len(peers)}")
    return peers


def test_whoever_is_told_that_others_are_found_has_a_seat_after_a_crash() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("seek twentytwo players=2")
    store.late = True
    bob.hear("@s seek twentytwo players=2")
    MemoryStore.keep(store, *store.waiting.pop(0))
    assert [line for line in bob.lines if line.startswith("@s OK ")]
    store.waiting.clear()
    store.late = False
    again = world.restarted()
    assert [seat.name for seat in again.room().table.seats] == ["~ann", "~bob"]


def sealed(word: str) -> str:
    return f"seedhash {sha256(word.encode()).hexdigest()}"


def phase(world: World) -> Phase:
    return world.room().table.phase


def words(world: World) -> Words | None:
    match = world.room().table.match
    assert match is not None
    return match.terms.words


def test_the_game_begins_when_everybody_has_sealed_a_word() -> None:
    world = World()
    ann, bob = found(world, "ann", "bob")
    for peer in (ann, bob):
        world.advance(200)
        assert phase(world) is Phase.OPEN
        peer.ok(sealed(f"{peer.name[1:]}word"))
    world.advance(200)
    assert phase(world) is Phase.STARTING
    for peer in (ann, bob):
        peer.ok(f"seed {peer.name[1:]}word")
    assert phase(world) is Phase.PLAYING
    assert words(world) == ("annword", "bobword")


def test_whoever_gives_none_is_waited_for_no_longer_than_a_moment() -> None:
    world = World()
    ann, _, cat = found(world, "ann", "bob", "cat")
    world.advance(500)
    ann.ok("seed kitten")
    cat.ok(sealed("mouse"))
    world.advance(TIME_FOR_WORDS - 501)
    assert phase(world) is Phase.OPEN
    world.advance(1)
    assert phase(world) is Phase.STARTING
    cat.ok("seed mouse")
    assert words(world) == ("kitten", None, "mouse")


def test_people_who_say_nothing_play_after_a_moment() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("seek")
    ann.take()
    told = bob.say("seek")
    assert [line for line in told if "Found!" in line] == ann.take()[:1]
    assert told[0] == "* Found! You play Twenty-Two at t1; it begins in a moment."
    world.advance(TIME_FOR_WORDS)
    assert phase(world) is Phase.PLAYING
    assert TIME_FOR_WORDS <= 3_000


def test_a_word_that_comes_as_the_game_is_to_begin_only_delays_it() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = found(world, "ann", "bob")
    bob.ok("ready")
    world.advance(TIME_FOR_WORDS - 1)
    store.late = True
    ann.hear(f"@1 {sealed('mouse')}")  # when it is kept, bob is ready no more
    world.advance(1)
    store.late = False
    store.release()
    assert phase(world) is Phase.OPEN
    world.advance(100)
    assert phase(world) is Phase.STARTING
    ann.ok("seed mouse")
    assert phase(world) is Phase.PLAYING


def test_nobody_plays_with_fewer_than_they_looked_for() -> None:
    world = World()
    ann, bob, cat = found(world, "ann", "bob", "cat")
    ann.ok("leave")
    world.advance(GIVE_UP_AFTER + 1_000)
    assert phase(world) is Phase.OPEN
    bob.ok("ready")
    cat.ok("ready")
    bob.ok("start")
    assert phase(world) is Phase.PLAYING


def test_a_stranger_who_sits_down_meanwhile_is_not_made_ready() -> None:
    world = World()
    ann, _, _ = found(world, "ann", "bob", "cat")
    ann.ok("leave")
    world.program("dan").ok("join t1")
    world.advance(GIVE_UP_AFTER + 1_000)
    assert phase(world) is Phase.OPEN
    assert not any(seat.ready for seat in world.room().table.seats)


def test_who_left_and_sat_down_again_in_time_plays() -> None:
    world = World()
    ann, bob = found(world, "ann", "bob")
    ann.ok("leave")
    ann.ok("join t1")
    world.advance(TIME_FOR_WORDS)
    assert phase(world) is Phase.PLAYING
    assert world.room().table.host == bob.name


def test_who_sat_down_again_much_later_is_asked_like_everybody() -> None:
    world = World()
    ann, _ = found(world, "ann", "bob")
    ann.ok("leave")
    world.advance(GIVE_UP_AFTER)
    ann.ok("join t1")
    world.advance(GIVE_UP_AFTER)
    assert phase(world) is Phase.OPEN


def test_people_may_begin_before_and_nothing_comes_after() -> None:
    world = World()
    ann, bob = found(world, "ann", "bob")
    bob.ok("ready")
    ann.ok("start")
    ann.ok("resign")
    last = world.room().stream.last
    world.advance(GIVE_UP_AFTER + 1_000)
    assert world.room().stream.last == last


def test_a_start_that_is_called_off_is_left_to_the_people() -> None:
    world = World()
    ann, bob = found(world, "ann", "bob")
    ann.ok(sealed("mouse"))
    bob.ok("seed kitten")
    world.advance(200)
    assert phase(world) is Phase.STARTING
    world.advance(30_000)
    assert "CALLEDOFF" in bob.words("t1")
    world.advance(GIVE_UP_AFTER + 1_000)
    assert phase(world) is Phase.OPEN


@pytest.mark.parametrize("how", ["leave", "logout"])
def test_a_table_that_everybody_leaves_is_gone(how: str) -> None:
    world = World()
    for peer in found(world, "ann", "bob"):
        peer.ok(how)
    world.advance(GIVE_UP_AFTER + 1_000)
    assert world.host.rooms == {}


def test_a_guest_who_logs_in_meanwhile_plays_as_the_account() -> None:
    world = World()
    _, bob = found(world, "ann", "bob")
    bob.ok("register bobby :three blind mice")
    world.advance(TIME_FOR_WORDS)
    assert phase(world) is Phase.PLAYING
    assert world.room().table.names == {1: "~ann", 2: "bobby"}


def test_the_table_is_full_before_the_words_are_counted() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = (world.program(name) for name in ("ann", "bob"))
    ann.ok("seek twentytwo")
    store.late = True
    bob.hear("@1 seek twentytwo")
    store.release()  # the table is there, and bob's place is still to be kept
    ann.hear(f"@2 {sealed('mouse')}")
    world.advance(500)
    store.late = False
    while store.waiting:
        store.release()
    world.advance(200)
    assert phase(world) is Phase.OPEN
    bob.ok("seed kitten")
    world.advance(200)
    assert phase(world) is Phase.STARTING


def test_nobody_is_sent_away_from_a_game_that_seek_has_found() -> None:
    world = World()
    ann, bob, _ = found(world, "ann", "bob", "cat")
    world.advance(GIVE_UP_AFTER)
    assert phase(world) is Phase.PLAYING
    assert ann.err("remove bob") == "GAME_RUNNING"
    assert world.room().table.seat_of(bob.name)


def test_between_games_the_host_of_a_found_table_may_send_somebody_away() -> None:
    world = World()
    ann, bob = found(world, "ann", "bob")
    world.advance(GIVE_UP_AFTER)
    for peer in (ann, bob):
        peer.ok("abort")
    ann.ok("remove bob")
    assert not world.room().table.seat_of(bob.name)
