"""The answers of the exercises, asked of the hard bot: see `python -m tests.games.lessons`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.lessons import Exercise, losses, positions
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words.cardplay import Scored
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.lesson import LEARNER
from twentytwo_server.games.registry import games

EXERCISES = [
    pytest.param(found, id=f"{key}-{found.deal.seed}-{'+'.join(found.step.moves[0])}")
    for key, game in games().items()
    for found in positions(game)
]
WORLDS = 120
CHANCE = 0.06
"""How far below an answer another move may be in so few worlds."""


def test_every_lesson_has_three_exercises_with_an_answer() -> None:
    for game in games().values():
        seeds = [found.deal.seed for found in positions(game)]
        assert len({*seeds}) == (3 if game.lesson is not None else 0)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_answer_is_what_the_hard_bot_would_play(exercise: Exercise) -> None:
    lost = losses(exercise, WORLDS)
    answers = [lost[token] for token in exercise.step.moves]
    others = [chance for token, chance in lost.items() if token not in exercise.step.moves]
    assert max(answers) <= min(others) + CHANCE, lost
    assert min(answers) + CHANCE < max(others), lost


def endings(game: AnyGame, state: Any, deed: Deed) -> Iterator[bool]:
    """Whether the contract is made, for every way in which a hand may go on after a move."""
    state, happened = game.play(state, deed)
    made = [e.won >= e.bid for e in happened if isinstance(e, Scored) and e.bid and e.won]
    if made:
        yield made[0]
        return
    for answer in game.moves(state):
        yield from endings(game, state, answer)


def test_the_exercise_of_leading_trumps_is_won_by_them_and_lost_without_whatever_others_play() -> (
    None
):
    *_, found = positions(games()["twentyeight"])
    for token, made in (("KD", True), ("AH", False)):
        deed = found.match.judge(LEARNER, found.match.read(token))
        assert {*endings(found.game, found.match.state, deed)} == {made}
