"""The questions of a lesson: by the rules, or with the lesson's own moves alone."""

from __future__ import annotations

from tests.kit.cases import together
from tests.kit.tables import Dealer, Run, seeded
from twentytwo_protocol.words.cardplay import Move
from twentytwo_server.games.lesson import LEARNER, LessonStep
from twentytwo_server.games.registry import games
from twentytwo_server.table import teaching
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.guiding import DEFAULT, MOVES, same
from twentytwo_server.table.journal import read, written
from twentytwo_server.table.opening import Opening, bare_table, open_table
from twentytwo_server.table.table import Settings

TAUGHT = sorted(key for key, game in games().items() if game.lesson is not None)
ANN = Actor("ann")


def opening(game: str, guided: str) -> Opening:
    """The first deal of a lesson, up to the first turn of it."""
    taught = games()[game]
    assert taught.lesson is not None
    deal, preset = taught.lesson.deals[0], next(iter(taught.presets))
    rules = taught.rules(preset, deal.options)
    return Opening(
        Settings(deal.bots + 1, preset, practice=True, seed=deal.seed, lesson=1),
        {option.name: option.value for option in taught.options(rules)},
        deal.bots,
        start=True,
        most_hands=1,
        guided=guided,
    )


def at_the_first_step(game: str, guided: str) -> tuple[Run, LessonStep]:
    order = opening(game, guided)
    assert order.settings.seed is not None
    table = bare_table("t1", games()[game], order, ANN)
    run = Run(table, Dealer(seeded(order.settings.seed)))
    run.take(open_table(table, order, ANN, run.now()))
    while run.asked.seat != LEARNER:
        move = teaching.scripted(run.table)
        assert move is not None
        run.order(run.mover, Move(move))
    step = teaching.step_of(run.table)
    assert step is not None
    return run, step


@together("game", TAUGHT)
@together("guided", [DEFAULT, MOVES])
def test_what_the_lesson_does_not_take_is_refused_however_it_asks(game: str, guided: str) -> None:
    run, step = at_the_first_step(game, guided)
    match = run.table.match
    assert match is not None
    law = match.terms.game.moves(match.state)
    other = next(deed for deed in law if not any(same(deed.token, each) for each in step.moves))
    assert run.refused("ann", Move(other.token)).fields == {"reason": "LESSON"}
    run.order("ann", Move(step.moves[0]))


def test_how_a_lesson_asks_is_kept() -> None:
    order = opening("twentytwo", MOVES)
    assert read(written(order)) == order
