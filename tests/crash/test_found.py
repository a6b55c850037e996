"""Bugs found by the crash tests, each as a test case."""

from __future__ import annotations

from tests.kit.hosts import LateStore, World


def test_a_table_that_is_closed_during_a_resume_is_told_as_its_seat_saw_it() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob, options="options=first_hand:1,limit:10,exchange:off")
    while not any("GAMEOVER" in peer.words("t1") for peer in (ann, bob)):
        match = world.room().table.match
        assert match is not None
        assert match.question is not None
        mover = world.on_turn()
        mover.hear(f"move {match.question.default}")
    dealt = [line for line in bob.lines if line.startswith("DEALT") and "cards=" in line]
    again = world.peer()
    again.say("hello 1 client=test")
    store.late = True
    ann.hear("close t1")
    again.hear(f"resume {bob.token} t1:0")
    store.release()
    told = again.take()
    assert [line for line in told if line.startswith("DEALT") and "cards=" in line] == dealt
    assert told[-1].startswith("@* OK name=~bob")
