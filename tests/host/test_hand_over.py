"""After each hand of a practice table: what is said of it to the one person there."""

from __future__ import annotations

from tests.kit.hosts import Peer, World

DECIDED = " lost to "


def played(world: World, peer: Peer, line: str = "practice bots=2 seed=22") -> list[str]:
    """What is said while somebody plays by default until two hands are over."""
    heard = peer.say(line)
    for _ in range(400):
        world.advance(500)
        heard += peer.take()
        match = world.room().table.match
        if match is None or "Hand 3" in "".join(heard) or "HAND no=3" in "".join(heard):
            break
        asked = match.question
        if asked is not None and asked.seat == 1:
            heard += peer.say(f"move {asked.default}")
    return heard


def test_a_person_reads_it_between_the_score_and_the_next_hand() -> None:
    world = World()
    heard = played(world, world.person("ann"))
    told = [place for place, line in enumerate(heard) if DECIDED in line]
    assert len(told) >= 2
    after = heard[told[0] :]
    assert heard[told[0]].startswith("* ")
    assert any(line.startswith("--- Hand 2") for line in after)
    assert not any(line.startswith("--- Hand 2") for line in heard[: told[0]])


def test_remarks_can_be_turned_off() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("set remarks off")
    assert DECIDED not in "\n".join(played(world, ann))


def test_a_client_in_which_somebody_types_is_told_as_a_note_and_a_bot_is_not() -> None:
    world = World()
    person = played(world, world.program("ann"))
    assert any(line.startswith("NOTE code=HAND table=t1 ") for line in person)
    world = World()
    assert "code=HAND" not in "\n".join(played(world, world.program("ann", bot=True)))


def test_where_several_people_play_it_is_not_told() -> None:
    world = World()
    ann = world.person("ann")
    assert DECIDED not in "\n".join(played(world, ann, "open twentytwo seats=2"))
    world.person("bob").say("join t1", "ready")
    assert DECIDED not in "\n".join(played(world, ann, "start"))
    assert world.room().table.match is not None
