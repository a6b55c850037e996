"""A bot's pace tells nothing of its cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from tests.kit import tables
from twentytwo_server.table.clocks import TurnClock
from twentytwo_server.table.effects import Effect, Think, Wake

CLOCK = TurnClock(10_000, 5_000)


def timing(effects: Sequence[Effect]) -> list[object]:
    """All of the effects that has to do with time: what is asked when, the turn's number aside."""
    return [
        (type(effect).__name__, effect.after) if isinstance(effect, Wake) else type(effect).__name__
        for effect in effects
    ]


def test_a_bot_with_one_legal_move_is_asked_just_as_one_with_many() -> None:
    run, chance = tables.started(1, bots=3, seed=4, clock=CLOCK), random.Random(4)
    asked = Counter[bool]()
    paces = set()
    while run.playing:
        if run.mover != "ann":
            assert run.thinking == [Think(run.asked.seat, run.asked.turn)]
            paces.add(tuple(timing(run.effects)))
            asked[run.asked.nlegal == 1] += 1
        run.any_move(chance)
    assert min(asked[True], asked[False]) > 10
    assert len(paces) == 1
