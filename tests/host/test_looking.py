"""What somebody reads who asks: the hand with the question, the scores, the help on the game."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.kit.cases import together
from tests.kit.clock import BusyClock
from tests.kit.hosts import Peer, World
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.host.commands.standing import FOLDED_AT_ONCE

Here = Callable[[TableModel, Turn], bool]


def at(line: str, here: Here = lambda table, asked: True) -> tuple[World, Peer, Turn]:
    """A practice table, once seat 1 is asked what is looked for; until then it plays low."""
    world = World()
    ann = world.person("ann")
    ann.say(line)
    for _ in range(1000):
        match = world.room().table.match
        asked = match.question if match else None
        if asked is None or asked.seat != 1:
            world.advance(100)
        elif here(world.room().model(1), asked):
            return world, ann, asked
        else:
            ann.say(f"move {asked.default}")
    raise AssertionError("it never came to that")


def in_one(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


@together(
    ("line", "act", "begins"),
    [
        ("practice bots=1 seed=1", "exchange", "Your cards: "),
        ("practice bots=1 seed=1", "play", "Your cards: "),
        ("practice twentysix bots=1 seed=1", "play", "Your cards: "),
        ("practice whist22 bots=2 seed=1", "bid", "Your cards: "),
        ("practice whist22 bots=2 seed=1", "play", "Your cards: "),
        ("practice twentyeight seed=1", "bid", "Your cards: "),
        ("practice twentyeight seed=1", "play", "Your cards: "),
    ],
)
def test_hand_repeats_the_question(line: str, act: str, begins: str) -> None:
    world, ann, asked = at(line, lambda table, asked: asked.act == act)
    said = in_one(ann.say("hand"))
    assert begins in said
    assert said.count("Your cards: ") == 1
    entry = next(e for e in world.room().stream.backwards() if e.event == asked)
    told = entry.voice(1).sentence(redact(asked, 1)).split("\n")[-1]
    assert in_one([told]) in said


def test_hand_tells_a_program_the_question_in_one_line() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("practice bots=1 seed=1")
    while (seat := world.room().table.on_turn) is None or seat.number != 1:
        world.advance(100)
    text = ann.ok("hand").text or ""
    assert text.startswith("Your cards: ") and ".  Your turn: " in text


def test_the_card_that_lies_face_down_is_apart_on_the_turn_of_others_too() -> None:
    _, ann, asked = at("practice twentyeight seed=8", lambda table, asked: asked.down is not None)
    ann.say(f"move {asked.default}")
    cards, turn = ann.say("hand")
    held, down = cards.split("Face down: ")
    assert down == f"{asked.down}." and str(asked.down) not in held.split()
    assert turn == "It is bot:steady's turn."


def is_blind(table: TableModel, asked: Turn) -> bool:
    return table.hand is not None and table.hand.size == 1


@pytest.mark.parametrize("act", ["bid", "play"])
def test_whoever_does_not_see_their_card_reads_those_of_the_others_again(act: str) -> None:
    world, ann, _ = at(
        "practice whist22 rules=bga seed=3 bots=2",
        lambda table, asked: is_blind(table, asked) and asked.act == act,
    )
    seats = world.room().model(1).seats
    held = ", ".join(f"{s.name} holds {s.seen[0]}" for s in seats.values() if s.seen)
    lines = ann.say("hand")
    assert f"{held}." in in_one(lines)
    assert in_one(lines[-1:]).startswith("Your bid" if act == "bid" else "Your card, unseen")


def test_in_a_hand_the_scores_have_bids_and_tricks() -> None:
    _, ann, _ = at("practice whist22 bots=2 seed=4", lambda table, asked: (table.trick or 0) == 3)
    lines = ann.say("score")
    won = sum(int(line.rpartition("won ")[2]) for line in lines if ", bid " in line)
    assert won == 2 and len([line for line in lines if ", bid " in line]) == 3
    assert lines[-1] == "It is your turn."


def test_sides_have_a_score_and_what_they_need() -> None:
    _, ann, _ = at("practice twentyeight seed=3", lambda table, asked: (table.trick or 0) > 3)
    ours, theirs, _ = ann.say("score")
    assert ours.strip().startswith("You and bot:steady2: 0, ")
    assert theirs.strip().startswith("bot:steady and bot:steady3: 0, ")
    assert sum(" of " in line for line in (ours, theirs)) == 1


def test_help_play_is_about_the_game_at_the_table() -> None:
    assert "help twentytwo" not in in_one(World().person("ann").say("help play"))
    for line, title in [
        ("practice bots=1", "Twenty-Two: "),
        ("practice twentysix bots=1", "Twenty-Six: "),
        ("practice whist22 bots=2", "Whist 22: "),
        ("practice twentyeight", "Twenty-Eight: "),
    ]:
        world = World()
        ann = world.person("ann")
        ann.say(line)
        assert ann.say("help play")[0].strip().startswith(title)


def test_help_on_a_game_says_how_it_goes() -> None:
    ann = World().person("ann")
    for key in ("twentytwo", "twentysix", "whist22", "twentyeight"):
        lines = ann.say(f"help {key}")
        assert any(line.strip().startswith(("1. ", "9. ")) for line in lines), key
    assert "twentytwo, twentysix, whist22, twentyeight" in in_one(ann.say("help"))


@together("width", [40, 60, 79, 120])
def test_help_is_wrapped_by_paragraphs(width: int) -> None:
    ann = World().person("ann")
    ann.say(f"set width {width}")
    lines = ann.say("help twentysix")
    rules = lines[: next(i for i, line in enumerate(lines) if line.startswith("  Your turn lists"))]
    assert max(map(len, lines)) <= width
    for line, following in pairwise(rules):
        if following.startswith("    "):
            word = following.split()[0]
            assert len(line) + 1 + len(word) > width - 3, "there was room for a word more"


@pytest.mark.parametrize("asks", ["why x k", "why play x k", "why X+K"])
def test_why_takes_an_x_for_a_joker_where_a_play_is_asked_for(asks: str) -> None:
    _, ann, _ = at("practice twentysix bots=1 seed=1", lambda table, asked: asked.act == "play")
    assert "joker" in in_one(ann.say(asks))


def test_why_takes_an_x_for_exchange_where_that_is_asked_for() -> None:
    _, ann, asked = at("practice bots=1 seed=1")
    rank = (asked.cards or ())[0][0]
    assert in_one(ann.say(f"why x {rank}")).startswith("Yes, ")


def test_a_table_that_is_closed_while_it_is_told_is_told_to_the_end() -> None:
    world = World()
    ann = world.program("ann")
    bob = world.program("bob", caps="text")
    bob.writable = False
    ann.ok("open twentytwo seats=2 clock=0")
    ann.ok("addbot")
    ann.ok("start")
    bob.say("@w watch t1")
    bob.hear("@s sync t1 from=0")
    ann.ok("leave t1")
    assert not world.host.rooms
    bob.read_on()
    assert bob.lines[-1].startswith("@s OK on=t1")


def test_whoever_is_told_a_table_slowly_learns_up_to_where() -> None:
    world = World()
    ann, bob, eve = (world.program(name) for name in ("ann", "bob", "eve"))
    ann.ok("open twentytwo seats=2 clock=0")
    bob.ok("watch t1")
    eve.drop()
    token, eve = eve.token, world.program()
    cat = world.program("cat")
    before = world.room().stream.last
    for peer, line in (
        (bob, "sync t1 from=0"),
        (cat, "sync t1 from=0"),
        (eve, f"resume {token} t1:0"),
    ):
        peer.lines.clear()
        peer.writable = False
        peer.hear(f"@s {line}")
    ann.ok("addbot")
    ann.ok("start")
    for peer in (cat, eve, bob):
        peer.read_on()
        end = before if peer is cat else world.room().stream.last  # who resumes it watches
        assert [each.seq for each in peer.events("t1")] == list(range(1, end + 1))
        (at,) = [each for each in peer.records() if each.id == "s" and each.on == "t1"]
        assert at.seq == end


def test_the_past_of_a_long_table_is_folded_in_slices() -> None:
    clock = BusyClock()
    world = World(clock=clock)
    ann, bob, zoe = (world.program(name) for name in ("ann", "bob", "zoe"))
    on = world.game(ann, bob)
    while (match := world.room(on).table.match) and (asked := match.question):
        world.on_turn(on).ok(f"move {asked.default} {on} turn={asked.turn}")
    assert world.room(on).stream.last > FOLDED_AT_ONCE
    zoe.ok(f"watch {on}")
    clock.busy = True
    zoe.hear(f"@s score {on}")
    assert not [line for line in zoe.take() if line.startswith("@s ")]
    clock.turn()
    assert not [line for line in zoe.take() if line.startswith("@s ")], "one slice at a turn"
    clock.settle()
    told = [line for line in zoe.take() if line.startswith("@s ")]
    clock.busy = False
    zoe.hear(f"@s score {on}")
    assert told and [line for line in zoe.take() if line.startswith("@s ")] == told


@pytest.mark.parametrize("line", ["leave", "close"])
def test_whoever_watches_hears_that_the_table_is_closed(line: str) -> None:
    world = World()
    ann, cat = world.program("ann"), world.program("cat")
    ann.ok("open twentytwo")
    zoe = world.person("zoe")
    cat.ok("watch t1")
    zoe.say("watch t1")
    ann.ok(line)
    assert ann.words("t1")[-1:] == ["LEFT"]
    assert cat.words("t1")[-2:] == ["LEFT", "SHUT"]
    assert zoe.take()[-1] == "The table is closed."
    assert cat.err("state t1") == "NO_SUCH_TABLE"
