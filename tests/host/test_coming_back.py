"""What a person is told who has their seat again, or looks: how the hand stands, as of now."""

from __future__ import annotations

import pytest

from tests.kit.hosts import LateStore, Peer, World

PASSWORD = "three blind mice"


def seated(*options: str) -> tuple[World, Peer, Peer]:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say(f"open seats=2 {' '.join(options)}")
    bob.say("join t1", "ready")
    ann.say("start")
    return world, ann, bob


def play(world: World) -> Peer:
    """Has whoever is on turn play the default."""
    match, mover = world.room().table.match, world.on_turn()
    assert match is not None and match.question is not None and match.question.default
    mover.say(match.question.default.replace("+", " "))
    return mover


def token_of(world: World, name: str) -> str:
    return world.host.people.new_token(world.host.people.named(name), private=True)


def came_back(world: World, peer: Peer, way: str) -> list[str]:
    """Drops the connection and takes the seat back, or registers on it; what is told then."""
    if way == "register":
        return peer.say("register annie", PASSWORD, PASSWORD)
    if way == "login":
        peer.say("register annie", PASSWORD, PASSWORD)
        peer.drop()
        return world.peer().say("help", "login annie", PASSWORD)
    token = token_of(world, peer.name)
    peer.drop()
    return world.peer().say(f"resume {token}")


WAYS = pytest.mark.parametrize("way", ["resume", "login", "register"])


@WAYS
def test_whoever_is_back_in_an_exchange_sees_their_cards_and_then_the_question(way: str) -> None:
    world, _, _ = seated()
    lines = came_back(world, world.on_turn(), way)
    assert lines[-2].startswith("Your cards: ")
    assert lines[-1].startswith("Your turn (60 s): exchange")


def test_whoever_registers_on_turn_sees_the_question_also_where_storing_takes_time() -> None:
    store = LateStore()
    world = World(store)
    ann = world.person("ann")
    ann.say("practice bots=1 seed=22")
    store.late = True
    lines = ann.say("register annie", PASSWORD, PASSWORD)
    while store.waiting:
        store.release()
        lines += ann.take()
    renamed = lines.index("You are annie from now on.")
    assert lines[renamed + 1 :] == [
        "Scores: you 0, bot:steady 0.",
        "Your cards: 2H 2S 6C 7C QS KD KH",
        'Your turn: exchange up to 7 cards ("exchange 6 7", or "keep").',
    ]


@WAYS
def test_whoever_is_back_in_a_trick_sees_what_has_gone_their_hand_and_the_question(
    way: str,
) -> None:
    world, _, _ = seated()
    for _ in range(2):
        world.on_turn().say("keep")
    leader = play(world)
    lines = came_back(world, world.on_turn(), way)
    played, gone, hand, question = lines[-4:]
    assert played.startswith(f"{leader.name} leads ")
    assert "Gone: " in gone
    assert hand.startswith("Your cards: ")
    assert question.startswith("Your turn (60 s): ")


def test_who_is_back_and_not_on_turn_sees_the_scores_what_counts_and_the_whole_trick() -> None:
    world = World()
    ann = world.person("ann")
    for name in ("bob", "cat"):
        world.person(name)
    ann.say("open whist22 seats=3 clock=0")
    for peer in world.peers[1:3]:
        peer.say("join t1", "ready")
    ann.say("start")
    for _ in range(3):
        play(world)
    leader = play(world)
    lines = came_back(world, leader, "resume")
    _, scores, facts, cards, trick, waits = lines
    assert scores.startswith("Scores: you ") or ", you " in scores
    assert scores.count(" of ") == 3
    assert "bid" in facts
    assert cards.startswith("Your cards: ")
    assert trick.startswith("You lead ")
    assert waits == f"Waiting for {world.on_turn().name} to play."


def test_who_was_away_is_told_how_many_moves_were_made_for_them() -> None:
    world, _, _ = seated("clock=10")
    mover = world.on_turn()
    token = token_of(world, mover.name)
    mover.drop()
    world.advance(12_000)
    lines = world.peer().say(f"resume {token}")
    assert "While you were away 1 move of yours had to be made for you." in lines
    other = world.on_turn()
    assert not any("While you were away" in line for line in came_back(world, other, "resume"))


def test_the_state_of_an_exchange_shows_ones_own_cards() -> None:
    world, _, _ = seated()
    mover = world.on_turn()
    lines = mover.say("state")
    assert lines[-1].startswith("Your turn (60 s): exchange")
    assert sum("Your cards: " in line for line in lines) == 1


def test_a_question_that_is_shown_again_says_the_time_that_is_left() -> None:
    world, _, _ = seated()
    mover = world.on_turn()
    world.advance(27_000)
    assert mover.say("hand")[-1].startswith("Your turn (33 s): exchange")
    assert mover.say("state")[-1].startswith("Your turn (33 s): exchange")
    world.advance(43_000)  # the time for the move is up, and the reserve of 120 s runs
    assert mover.say("hand")[-1].startswith("Your turn (110 s): exchange")


def test_after_a_pause_whoever_is_on_turn_is_asked_again() -> None:
    world, ann, bob = seated()
    mover = world.on_turn()
    world.advance(20_000)
    ann.say("pause")
    bob.say("pause")
    ann.take()
    told = {bob.name: bob.say("unpause"), ann.name: ann.take()}
    mine = told.pop(mover.name)
    assert mine[-1].startswith("Your turn (40 s): exchange")
    for lines in (mine[:1], *told.values()):
        assert lines == ["* The game goes on."]


def test_help_in_mid_turn_ends_with_the_question() -> None:
    world, _, _ = seated()
    mover = world.on_turn()
    for line in ("?", "help exchange", "help names"):
        assert mover.say(line)[-1].startswith("Your turn (60 s): exchange")
    other = next(each for each in world.peers if each is not mover)
    assert not any(line.startswith("Your turn") for line in other.say("?"))


def test_whoever_begins_to_watch_reads_how_it_stands_and_whom_all_wait_for() -> None:
    world, _, _ = seated()
    for _ in range(2):
        world.on_turn().say("keep")
    leader = play(world)
    told = world.person("cat").say("watch t1")
    assert told[0].startswith("You watch t1: ")
    assert any(line.startswith("Scores: ") for line in told)
    assert any(line.startswith(f"{leader.name} leads ") for line in told)
    assert told[-1] == f"Waiting for {world.on_turn().name} to play (60 s)."
    assert sum("Waiting for " in line for line in told) == 1


def test_the_cards_that_only_others_see_are_told_once_and_in_the_order_of_the_seats() -> None:
    ann = World().person("ann")
    told = ann.say("practice whist22 bots=2 rules=bga seed=3")
    for _ in range(400):
        if any("do not see your own card" in line for line in told):
            break
        match = ann.world.room().table.match
        assert match is not None and match.question is not None
        if match.question.seat == 1 and match.question.default is not None:
            told = ann.say(match.question.default)
        else:
            ann.world.advance(1000)
            told = ann.take()
    first = next(n for n, line in enumerate(told) if "do not see your own card" in line)
    while not any(line.startswith("Your bid") for line in told[first:]):
        ann.world.advance(1000)
        told += ann.take()
    held = [line for line in told[first:] if " holds " in line]
    assert len(held) == 1
    assert held[0].startswith("bot:steady holds ") and ", bot:steady2 holds " in held[0]
