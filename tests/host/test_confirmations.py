"""Where a seat, a game or a rating is lost, a person is asked first, and a program is told."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_server.host.commands.confirmations import CONFIRM_WITHIN

PASSWORD = "three blind mice"

COSTS = "A game is running: a bot would take your seat. quit keeps it for you."
RATED = "This game is rated. If you leave, a bot finishes it, and its result is yours."


def people(count: int, options: str = "") -> tuple[World, list[Peer]]:
    """A game of some people."""
    world = World()
    peers = [world.person() for _ in range(count)]
    names = ("ann", "bob", "cat")
    for name, peer in zip(names, peers, strict=False):
        if "rated" in options:
            peer.say(f"register {name} {PASSWORD}")
        else:
            peer.say(name)
    peers[0].say(f"open twentytwo seats={count} clock=0 {options}")
    for peer in peers[1:]:
        peer.say("join t1", "ready")
    peers[0].say("start")
    return world, peers


@together("count", [2, 3])
@together(
    ("verb", "options", "costs"),
    [
        ("leave", "", COSTS),
        ("leave", "rated=1", RATED),
        ("logout", "", COSTS),
        ("logout", "rated=1", RATED),
        ("resign", "", ("~ann would win.", "A bot would play your cards to the end.")),
        (
            "resign",
            "rated=1",
            (
                "ann would win, and this game counts.",
                "A bot would play your cards to the end, and this game counts.",
            ),
        ),
    ],
)
def test_a_person_is_told_what_it_costs_and_it_is_done_when_they_say_it_again(
    verb: str, options: str, costs: str | tuple[str, str], count: int
) -> None:
    world, (_, bob, *_) = people(count, options)
    table = world.room().table
    costs = costs if isinstance(costs, str) else costs[count - 2]
    assert " ".join(map(str.strip, bob.say(verb))) == f"{costs} Type {verb} again to do it."
    assert world.room().table == table
    bob.say(verb)
    assert world.room().table != table


@pytest.mark.parametrize("verb", ["leave", "logout", "resign"])
def test_the_answer_to_an_old_question_is_none(verb: str) -> None:
    world, (_, bob) = people(2)
    table = world.room().table
    for _ in range(3):
        assert any(line.endswith("again to do it.") for line in bob.say(verb))
        world.advance(CONFIRM_WITHIN)
    assert any(line.endswith("again to do it.") for line in bob.say(verb))
    other = "resign" if verb != "resign" else "leave"
    assert any(line.endswith("again to do it.") for line in bob.say(other))
    assert any(line.endswith("again to do it.") for line in bob.say(verb))
    assert world.room().table == table


def test_the_answer_is_for_the_table_that_was_asked_about() -> None:
    world, (_, bob) = people(2)
    bob.say("practice bots=1")
    assert bob.say("leave t1")[-1].endswith("to do it.")
    assert bob.say("leave t2")[-1].endswith("to do it.")
    assert world.room("t2").table.seat_of("~bob")
    assert world.room("t1").table.seat_of("~bob")


def test_nobody_is_asked_where_nothing_is_lost() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open twentytwo")
    bob.say("join t1")
    assert bob.say("leave") == ["You leave t1."]
    bob.say("watch t1")
    assert "again to do it" not in " ".join(bob.say("unwatch", "logout"))
    assert "again to do it" not in " ".join(ann.say("close"))


def test_a_host_is_told_who_loses_a_seat_with_the_table() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open twentytwo", "addbot")
    bob.say("join t1")
    assert bob.say("close")[0].startswith("! ")
    assert ann.say("close") == ["~bob would lose the seat, too. Type close again to do it."]
    assert "t1" in world.host.rooms
    ann.say("close")
    assert "t1" not in world.host.rooms


@together(
    ("verb", "options", "lost"),
    [
        ("leave", "", "seat,game"),
        ("resign", "", "seat,game"),
        ("logout", "", "seat,game"),
        ("leave", "rated=1", "seat,game,rating"),
        ("logout", "rated=1", "seat,game,rating"),
    ],
)
def test_a_program_is_obeyed_at_once_and_told_what_it_has_lost(
    verb: str, options: str, lost: str
) -> None:
    world = World()
    ann, bob = world.program(), world.program()
    for peer, name in ((ann, "ann"), (bob, "bob")):
        peer.ok(f"register {name} :{PASSWORD}")
    world.game(ann, bob, options=options)
    assert bob.ok(verb).fields["lost"] == lost


@pytest.mark.parametrize("verb", ["practice bots=1", "whatif g1", "tutorial whist22"])
def test_a_program_that_opens_a_table_for_practice_reads_that_it_loses_the_one_before(
    verb: str,
) -> None:
    world = World()
    ann = world.program("ann")
    assert "lost" not in ann.ok("practice bots=1").fields
    ann.ok("move -")
    ann.ok("abort")
    assert ann.ok(verb).fields["lost"] == "seat"
    lost = "seat" if verb.startswith("tutorial") else "seat,game"  # a lesson is taken up again
    assert ann.ok("practice bots=1").fields["lost"] == lost
    assert list(world.host.rooms) == ["t3"]


def test_a_program_reads_that_a_daily_deal_takes_the_seat_at_the_one_before() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("daily twentytwo")
    ann.ok("abort")
    assert ann.ok("daily whist22").fields["lost"] == "seat"


def test_a_program_reads_what_ends_with_a_game_that_it_aborts_and_a_table_that_it_closes() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("practice bots=1")
    assert ann.ok("abort").fields["lost"] == "game"
    on = world.table(ann, bob)
    bob.ok("ready")
    ann.ok("start")
    assert "lost" not in ann.ok("abort").fields  # the other one has to agree
    assert "lost" not in bob.ok("abort").fields
    assert ann.ok(f"close {on}").fields["lost"] == "seat"


def test_what_costs_nothing_has_no_field_more() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    on = world.table(ann, bob)
    assert bob.ok(f"leave {on}").fields["lost"] == "seat"
    assert "lost" not in bob.ok("logout").fields


@pytest.mark.parametrize("verb", ["leave", "logout"])
def test_who_plays_against_bots_alone_hears_that_the_game_ends(verb: str) -> None:
    world = World()
    ann = world.peer()
    ann.say("ann", "practice bots=2")
    costs = "Your game at t1 would end without a result; quit keeps it for you."
    assert " ".join(map(str.strip, ann.say(verb))) == f"{costs} Type {verb} again to do it."


def test_who_aborts_a_game_against_bots_is_asked_first_and_among_people_the_others_are() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("practice bots=2")
    asked = "Your game at t1 would end without a result. Type abort again to do it."
    assert ann.say("abort") == [asked]
    assert ann.say("abort")[-1] == "*** The game ends without a result."
    _, (ann, bob) = people(2)
    assert ann.say("abort") == ["You would like to abort; ~bob must agree."]
    assert "*** The game ends without a result." in bob.say("abort")


@pytest.mark.parametrize("verb", ["leave", "abort"])
def test_who_gives_up_a_daily_deal_hears_that_there_is_no_other_attempt(verb: str) -> None:
    world = World()
    ann = world.person("ann")
    ann.say("daily twentytwo")
    told = " ".join(map(str.strip, ann.say(verb)))
    assert told.startswith(
        "Your game at t1 would end without a result, and your one attempt at the daily deal would "
        "be gone"
    )
    assert told.endswith(f"Type {verb} again to do it.")


def test_the_answer_is_what_was_asked_for_word_for_word_and_no_move_came_between() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("practice bots=1 seed=22")
    assert ann.say("practice whist22")[-1].endswith("it.")
    assert ann.say("practice 28")[-1].endswith("it.")
    assert ann.say("tutorial 28")[-1].endswith("it.")
    assert ann.say("tutorial 26")[-1].endswith("it.")
    ann.say("keep")
    assert ann.say("tutorial 26")[-1].endswith("it.")
    assert world.room("t1").table.seat_of("~ann")
    ann.say("tutorial 26")
    assert "t1" not in world.host.rooms
