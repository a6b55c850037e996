"""The laws on random games of every preset: all lightly, one in forty heavily."""

from __future__ import annotations

import random

import pytest

from tests.kit.length import times
from tests.laws.laws import Case, check_heavily, check_lightly, every_preset, played

PARTS = times(1, long=4)
GAMES = times(200, long=2000)
HEAVY = 40


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("game", "preset"), every_preset())
def test_laws_of_random_games(game: str, preset: str, part: int) -> None:
    worlds = tried = 0
    for number in range(part, GAMES, PARTS):
        case = Case(game, preset, number)
        try:
            found = played(case)
            if number // PARTS % HEAVY:
                check_lightly(found)
            else:
                worlds += check_heavily(found, random.Random(number))
                tried += 1
        except Exception as broken:
            broken.add_note(f"the case is {case!r}")
            raise
    # Many other worlds are impossible; but with none, the law of two worlds would say nothing.
    assert worlds > tried
