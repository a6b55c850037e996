"""Playing on from a point of a game that is over."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.words.cardplay import Continued
from twentytwo_server.facts import GameEnded
from twentytwo_server.table.table import Phase


def default(world: World, on: str) -> str:
    match = world.room(on).table.match
    assert match is not None and match.question is not None
    assert match.question.default is not None
    return match.question.default


def played() -> tuple[World, Peer]:
    """A practice game that ann has played to its end, with the default moves."""
    world = World()
    ann = world.program("ann")
    ann.ok("practice bots=1 seed=5 options=first_hand:3")
    for _ in range(500):
        world.advance(5_000)
        if world.room("t1").table.phase is Phase.OVER:
            return world, ann
        ann.ok(f"move {default(world, 't1')}")
    raise AssertionError("it never ends")


def test_a_game_goes_on_where_its_player_had_a_choice_with_the_same_cards() -> None:
    world, ann = played()
    then = list(world.room("t1").stream.after(0))
    reply = ann.ok("whatif g1 at=2")
    assert (reply.fields["on"], reply.fields["seat"]) == ("t2", "1")
    table = world.room("t2").table
    assert table.match is not None and table.match.question is not None
    assert table.match.question.seat == 1 and table.match.terms.taken
    now = list(world.room("t2").stream.after(0))
    told = next(e.event for e in now if isinstance(e.event, Continued))
    assert (told.id, told.no) == ("g1", 2)
    kinds = ("DEALT", "PLAYED", "EXCHANGED", "SHUFFLED")
    before = [e.event for e in then if e.event.word.word in kinds]
    after = [e.event for e in now if e.event.word.word in kinds]
    assert after and before[: len(after)] == after
    ann.ok(f"move {default(world, 't2')}")


def test_a_seat_whose_player_is_not_known_is_played_on_all_the_same() -> None:
    world, ann = played()
    found: list[GameEnded | None] = []
    world.store.game("g1", found.append)
    assert found[0] is not None
    nameless = [line for line in found[0].record.splitlines() if not line.startswith("name ")]
    world.store.keep([replace(found[0], game="g7", record="\n".join(nameless))], lambda: None)
    assert ann.ok("whatif g7 seat=2").fields["seat"] == "2"


def test_the_choice_is_the_first_in_that_trick_or_after_it() -> None:
    world, ann = played()
    turns = []
    for place in ("1", "1.1", "2"):
        on = ann.ok(f"whatif g1 at={place}").fields["on"]
        match = world.room(on).table.match
        assert match is not None
        turns.append((match.turn, match.question.act if match.question else ""))
    assert turns[0] < turns[1] < turns[2]
    assert [act for _, act in turns] == ["exchange", "play", "exchange"]


def test_another_seat_is_taken_with_bots_in_all_others_and_it_is_there_after_a_restart() -> None:
    world, ann = played()
    ann.ok("whatif g1 seat=2 level=easy")
    table = world.room("t2").table
    assert [(s.number, s.name) for s in table.seats] == [(1, "bot:easy"), (2, ann.name)]
    before = world.room("t2").table.match
    world = world.restarted()
    after = world.room("t2").table.match
    assert before is not None and after is not None and after.state == before.state


@together(
    ("words", "code"),
    [
        ("g1 at=99", "BAD_ARG"),
        ("g1 at=1.2.3", "BAD_ARG"),
        ("g1 seat=3", "BAD_ARG"),
        ("g1 level=divine", "BAD_ARG"),
        ("g77", "NO_SUCH_GAME"),
    ],
)
def test_what_makes_no_sense_is_refused_and_leaves_all_as_it_was(words: str, code: str) -> None:
    world, ann = played()
    assert ann.ask(f"whatif {words}").fields["code"] == code
    assert [room.id for room in world.host.rooms.values()] == ["t1"]


def test_who_had_nothing_to_decide_there_is_told_so_of_themselves_or_of_the_seat_they_named() -> (
    None
):
    _, ann = played()
    assert ann.ask("whatif g1 at=99").text == "You had no decision after that point."
    assert ann.ask("whatif g1 at=99 seat=2").text == "Seat 2 had no decision after that point."


def test_nobody_plays_on_from_anothers_practice_or_from_a_game_that_runs() -> None:
    world, ann = played()
    bob = world.program("bob")
    assert bob.ask("whatif g1").fields["code"] == "NO_SUCH_GAME"
    ann.ok("practice bots=1")
    room = world.room("t2")
    assert room.table.match is not None
    assert ann.ask(f"whatif {room.table.match.terms.id}").fields["code"] == "GAME_RUNNING"


def in_trick_two_of_hand_two(world: World, ann: Peer) -> None:
    """Plays the default until ann has decided in the second trick of hand 2."""
    for _ in range(500):
        world.advance(5_000)
        model = world.room().model(1)
        if model.hand is not None and (model.hand.no, model.trick or 0) >= (2, 2):
            break
        ann.say(default(world, "t1").replace("+", " "))
    ann.say(default(world, "t1").replace("+", " "))
    ann.take()


@pytest.mark.parametrize("line", ["undo", "whatif g1 at=2.2"])
def test_a_person_reads_the_hand_that_goes_on_and_only_the_question_that_is_open(
    line: str,
) -> None:
    world = World()
    ann = world.person("ann")
    ann.say("practice bots=1 seed=5")
    in_trick_two_of_hand_two(world, ann)
    if line != "undo":
        ann.say("abort", "abort")
    told = ann.say(line)
    world.advance(1)
    told += ann.take()
    begun = next(n for n, each in enumerate(told) if each.startswith("--- Back in hand 2 of g1, "))
    assert ann.say("game")[0].startswith(f"  {told[begun].rstrip('.').split()[-1]}  it is running")
    _, hand, cards, *rest = told[begun:]
    assert hand.startswith("--- Hand 2: ")
    assert cards.startswith("Your cards: ")
    assert sum("takes trick 1 with" in each or "take trick 1 with" in each for each in rest) == 1
    assert sum(each.startswith(("Your turn", "Your lead")) for each in told) == 1
    assert told[-1].startswith(("Your turn", "Your lead"))
    assert not any("decided it" in each or "Scores:" in each for each in told)
    assert len(told) - begun <= 12
