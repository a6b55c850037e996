"""People at one table of a pair learn nothing of the play or the watchers at the other."""

from __future__ import annotations

import pytest

from tests.kit.hosts import Peer, World
from twentytwo_server.table.table import Phase

ASKED = (
    "tables",
    "table t1",
    "state t1",
    "who",
    "game g1",
    "export g1",
    "export g1 form=record",
    "replay g1",
    "review g1",
    "whatif g1",
    "fair g1",
    "fair log",
    "history ann",
    "stats ann",
    "watch t1",
    "events t1 after=0",
    "resync t1",
    "join t1",
    "kibitz :hello",
)
"""Queries that might reveal the other table's cards."""


def evening(pick: int, *, over: bool) -> list[str]:
    """All output to people not at t1, while t1 throws that card of each hand.

    `over`: the game at t1 ends meanwhile.
    """
    world = World()
    ann, eve, bob, fay = (world.program(name) for name in ("ann", "eve", "bob", "fay"))
    gus, people = world.program("gus"), world.person("hal")
    ann.ok("open twentytwo seats=2 clock=0 duplicate=1")
    for peer, on in ((eve, "t2"), (bob, "t1"), (fay, "t2")):
        peer.ok(f"join {on}")
        peer.ok("ready")
    ann.ok("ready")
    ann.ok("start t1")
    told: list[str] = []
    others: tuple[Peer, ...] = (eve, fay, gus, people)
    for peer in others:
        peer.take()
    for _ in range(2):
        asked = world.on_turn("t1")
        seat = world.room("t1").seat_number(world.host.people.on(asked.session))
        card = world.room("t1").model(seat).holding[pick]
        asked.ok(f"move {card[0]} t1")
        told += [line for peer in others for line in peer.take()]
        match = world.room("t2").table.match
        assert match is not None
        assert match.question is not None
        world.on_turn("t2").hear(f"move {match.question.default} t2")
    if over:
        ann.ok("abort t1")
        bob.ok("abort t1")
        assert world.room("t1").table.phase is Phase.OVER
    for peer in others:
        for line in ASKED:
            told += peer.say(f"@x {line}" if peer is not people else line)
    return told


@pytest.mark.parametrize("over", [False, True])
def test_nobody_elsewhere_sees_the_plays_at_one_table_of_a_pair(over: bool) -> None:
    here, there = evening(0, over=over), evening(-1, over=over)
    assert here == there != []
