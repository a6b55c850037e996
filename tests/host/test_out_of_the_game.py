"""Somebody who is out of a game against bots: the result at once, or another game."""

from __future__ import annotations

import pytest

from tests.kit.hosts import Peer, World

OFFER = "You are out: finish tells the result at once, rematch deals a new game."


def out(person: Peer, typed: str = "practice limit=10 seed=3") -> list[str]:
    """All that is told to somebody who plays the moves of the clock until they are out."""
    told = person.say(typed)
    room = person.world.room()
    for _ in range(500):
        if room.model(1).at(1).out:
            return told + person.take()
        asked = room.table.match.question if room.table.match else None
        assert asked is not None
        if asked.seat == 1:
            told += person.say(f"move {asked.default}")
        else:
            person.world.advance(500)
            told += person.take()
    raise AssertionError("never out")


def ended(person: Peer) -> list[str]:
    """What is told until the game is over."""
    person.world.advance(600_000)
    return person.take()


def result(told: list[str]) -> list[str]:
    """The places, and who has won."""
    first = next(n for n, line in enumerate(told) if line.startswith("  1. "))
    return told[first : next(n for n, line in enumerate(told) if "Game over" in line) + 1]


def stream(world: World) -> list[str]:
    return [entry.whole for entry in world.room().stream.after(0)]


def test_who_is_out_is_told_of_both_words() -> None:
    ann = World().person("ann")
    assert OFFER in out(ann)


def test_finish_tells_the_result_alone_and_the_bots_play_as_they_would_have() -> None:
    ann, eve = World(pause=400).person("ann"), World(pause=400).person("ann")
    out(ann)
    out(eve)
    (answer, *told) = [*ann.say("finish"), *ended(ann)]
    assert answer == "The bots play on; the result follows."
    whole = ended(eve)
    assert result(whole) == result(told)
    assert len(told) < 8 < len(whole)
    assert stream(ann.world) == stream(eve.world)


def test_finish_waits_for_no_bot() -> None:
    world = World(pause=400)
    ann = world.person("ann")
    out(ann)
    before = world.clock.now()
    ann.say("finish")
    world.advance(1)
    assert any("Game over" in line for line in ann.take())
    assert world.clock.now() - before == 1


@pytest.mark.parametrize("told", [[], ["finish"]])
def test_rematch_alone_begins_another_game(told: list[str]) -> None:
    ann = World(pause=400).person("ann")
    out(ann)
    ann.say(*told)
    begun = ann.say("rematch")
    assert any(line.startswith("*** A game of Twenty-Two begins") for line in begun)
    ann.world.advance(3000)
    assert any(line.startswith("Your turn: exchange") for line in begun + ann.take())
    table = ann.world.room().table
    assert table.match is not None and table.match.terms.id == "g2"


def test_rematch_keeps_the_end_of_the_game_before_and_then_that_of_the_other() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("practice bots=1 seed=3")
    ann.ok("rematch")
    assert [row.fields["id"] for row in ann.rows("history")] == ["g1"]
    ann.ok("rematch")
    ann.ok("abort")
    assert [row.fields["id"] for row in ann.rows("history")] == ["g3", "g2", "g1"]
    world = world.restarted()
    again = world.program()
    again.ok(f"resume {ann.token}")
    match = world.room().table.match
    assert match is not None and match.terms.id == "g3" and world.host.faults.count == 0


def test_in_the_middle_of_a_game_rematch_asks_first_and_finish_is_refused() -> None:
    ann = World().person("ann")
    ann.say("practice")
    assert " ".join(ann.say("finish")).startswith("! You are still in this game")
    (asked,) = ann.say("rematch")
    assert asked == "Your game at t1 would end without a result. Type rematch again to do it."
    told = ann.say("rematch")
    ends = told.index("*** The game ends without a result.")
    assert told[ends + 1].startswith("*** A game of Twenty-Two begins")


def test_among_people_nobody_ends_the_game_of_others_by_these_words() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=3 clock=0", "addbot")
    bob.say("join t1", "ready")
    ann.say("start")
    assert ann.say("rematch")[0].startswith("! A game is running already")
    assert " ".join(ann.say("finish")).startswith("! You are still in this game")


def out_among_people(world: World) -> tuple[Peer, Peer]:
    """Two people and a bot; the first has just been put out, and is told so."""
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=4 clock=0 options=limit:10", "addbot", "addbot")
    bob.say("join t1", "ready")
    ann.say("start")
    room, people = world.room(), {ann.name: ann, bob.name: bob}
    for _ in range(500):
        asked = room.table.match.question if room.table.match else None
        assert asked is not None
        name = room.table.names[asked.seat]
        if name in people:
            people[name].say(f"move {asked.default}")
        else:
            world.advance(3000)
        out = [each for seat, each in room.table.names.items() if room.model(1).at(seat).out]
        for gone, other in ((ann, bob), (bob, ann)):
            if gone.name in out:
                return gone, other
    raise AssertionError("never out")


def test_who_is_out_among_people_is_told_the_result_alone_and_plays_elsewhere_meanwhile() -> None:
    world = World()
    gone, other = out_among_people(world)
    gone.take()
    assert gone.say("finish") == [
        "The others play on, and you are told the result. practice, seek or join tN?"
    ]
    before = world.room().stream.last
    assert any("begins" in line for line in gone.say("practice bots=1"))
    room = world.room()
    told: list[str] = []
    while room.table.phase.value == "playing":
        asked = room.table.match.question if room.table.match else None
        assert asked is not None
        if room.table.names[asked.seat] == other.name:
            other.say(f"move {asked.default}")
        world.advance(3000)
        told += [line for line in gone.take() if "[t1]" in line]
    assert room.stream.last > before + 8
    assert told[0].startswith("[t1]   1. "), told
    assert any("Game over" in line for line in told)


def test_who_is_out_leaves_without_a_question() -> None:
    gone, other = out_among_people(World())
    assert other.say("leave")[0].startswith("A game is running")
    gone.take()
    assert gone.say("leave") == ["You leave t1."]


def test_a_lesson_and_a_daily_deal_have_no_rematch() -> None:
    ann = World().person("ann")
    ann.say("tutorial")
    assert ann.say("rematch")[0].startswith("! A game is running already")
    bob = World().person("bob")
    bob.say("daily twentytwo")
    assert bob.say("rematch")[0].startswith("! A daily deal is played once")
