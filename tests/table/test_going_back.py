"""Taking moves back, and playing a hand once more, at a practice table."""

from __future__ import annotations

import random
from itertools import takewhile

import pytest

from tests.kit import tables
from tests.kit.cases import together
from tests.kit.tables import Run
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import (
    UNDONE,
    Aborted,
    Again,
    Continued,
    Game_,
    Handover,
    Turn,
    Undo,
)
from twentytwo_protocol.words.fairness import Committed
from twentytwo_server.games.registry import games
from twentytwo_server.session.streams import Burst
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.effects import GoOn
from twentytwo_server.table.going_back import after_deal, before_decision
from twentytwo_server.table.match import Step
from twentytwo_server.table.orders import decide
from twentytwo_server.table.table import Phase

CHANCE = 22


def practice(game: str = "twentytwo", *, bots: int = 2, seed: int | None = None) -> Run:
    run = tables.opened(1 + bots, bots=bots, game=games()[game], practice=True)
    run.table = tables.with_settings(run.table, seed=seed)
    run.order("ann", words.Start())
    return run


def mine(run: Run) -> int:
    """Plays on until ann is asked something that she can decide; the number of that turn."""
    for _ in range(500):
        asked = run.asked
        if run.mover == "ann" and (asked.choose == "subset" or (asked.nlegal or 0) > 1):
            return asked.turn
        run.default()
    raise AssertionError("she is never asked")


def half_gone_back(run: Run) -> GoOn:
    """Takes a move back, but for the order that goes on."""
    decision = decide(run.table, Actor("ann"), Undo(), run.now())
    run.take(decision)
    assert run.table.phase is Phase.OVER and run.table.going_on is not None
    return run.table.going_on


@together("game", sorted(games()))
@together("seed", [None, 7])
def test_a_move_that_is_taken_back_leaves_the_same_question_and_the_same_cards(
    game: str, seed: int | None
) -> None:
    bots = 3 if game == "twentyeight" else 2
    run = practice(game, bots=bots, seed=seed)
    for _ in range(3):
        mine(run)
        before, turn = run.table.match, run.asked
        assert before is not None
        run.default()
        for _ in range(2):
            if run.mover != "ann":
                run.default()
        told = run.order("ann", Undo())
        after = run.table.match
        assert after is not None and (after.state, run.asked) == (before.state, turn)
        assert after.terms.id != before.terms.id and run.mover == "ann" and run.thinking == []
        ended = next(event for event in told if isinstance(event, Aborted))
        went_on = next(event for event in told if isinstance(event, Continued))
        assert (ended.why, went_on.id) == (UNDONE, before.terms.id)
        assert not any(isinstance(event, Turn) and event.turn > turn.turn for event in told)
        run.default()


def test_a_hand_begins_again_with_its_deal_and_a_hand_that_has_not_begun_is_the_one_before() -> (
    None
):
    run = practice()
    start = run.table.match
    assert start is not None
    first = run.asked.turn
    mine(run)
    while run.table.match is not None and not any(s.ended_hand for s in run.table.played):
        run.default()
    second = run.asked.turn
    run.order("ann", Again())
    assert run.table.match is not None and run.table.match.state == start.state
    assert run.asked.turn == first < second
    mine(run)
    run.default()
    assert not any(step.ended_hand for step in run.table.played)
    run.order("ann", Again())
    assert run.table.match.state == start.state


def test_a_game_that_is_over_goes_on_too_and_the_next_hand_is_dealt_anew() -> None:
    run = practice(bots=1)
    run.play(random.Random(CHANCE))
    assert run.table.phase is Phase.OVER
    said = run.order("ann", Undo())
    assert run.playing and not any(isinstance(event, Aborted) for event in said)
    run.play(random.Random(CHANCE + 1))
    assert run.table.phase is Phase.OVER


def test_deals_that_are_taken_over_are_said_to_be_and_repeatable_ones_come_again() -> None:
    for seed, alg in ((None, "taken"), (7, "fd1")):  # the fake deals call all others so
        run = practice(seed=seed)
        mine(run)
        run.default()
        told = run.order("ann", Undo())
        begins = [type(event) for event in told].index(Game_)
        promised = [event for event in told[:begins] if isinstance(event, Committed)]
        assert promised[-1].alg == alg


def test_who_has_decided_nothing_has_nothing_to_take_back() -> None:
    run = practice()
    assert run.refused("ann", Undo()).code == "NO_GAME"
    assert run.refused("ann", Again()).code == "NO_GAME"
    assert run.refused("ann", Again()).text.startswith("You have made no decision in this hand yet")
    mine(run)
    assert run.refused("ann", Undo()).text == "There is no decision of yours to take back."


def test_nothing_is_taken_back_where_others_play_or_it_is_no_practice() -> None:
    run = tables.started(2)
    run.play(random.Random(1), 6)
    assert run.refused("ann", Undo()).code == "FORBIDDEN"
    run = practice()
    mine(run)
    run.default()
    run.table = tables.with_settings(run.table, lesson=1)
    assert "A lesson" in run.refused("ann", Undo()).text
    run = tables.seated(2, practice=True)
    run.order("ann", words.Start())
    run.play(random.Random(1), 6)
    assert "Other people" in run.refused("bob", Again()).text


def test_who_takes_back_twice_at_once_goes_back_by_two() -> None:
    run = practice()
    first = mine(run)
    run.default()
    mine(run)
    run.default()
    run.order("ann", Undo())
    run.order("ann", Undo())
    assert run.asked.turn == first


@pytest.mark.parametrize("order", [Undo(), Again()])
def test_the_end_of_one_game_and_the_beginning_of_the_next_are_told_at_one_moment(
    order: Undo | Again,
) -> None:
    run = practice(seed=7)
    mine(run)
    run.default()
    told = [type(event) for event in run.order("ann", order)]
    assert told.index(Aborted) < told.index(Game_) < told.index(Continued) and told[-1] is Turn
    assert run.playing and run.wakes == []


def test_a_game_that_is_not_the_last_does_not_go_on() -> None:
    run = practice()
    mine(run)
    run.default()
    going_on = half_gone_back(run)
    run.order("ann", words.Rematch())
    begun = run.table.match
    assert begun is not None
    run.order("", going_on)
    assert run.table.match is begun


def test_a_person_reads_where_it_goes_on_and_not_what_they_know() -> None:
    run = practice()
    for _ in range(4):
        mine(run)
        run.default()
    mine(run)
    last = run.stream.last
    run.default()
    going_on = half_gone_back(run)
    undone = Burst.of([e for e in run.stream.after(last) if not isinstance(e.event, Turn)])
    assert undone.news == ()
    last = run.stream.last
    run.order("", going_on)
    burst = Burst.of(list(run.stream.after(last)))
    told = [type(entry.event) for entry in burst.news]
    assert told[0] is Continued and told[-1] is Turn and told.count(Turn) == 1
    assert len(burst.news) < len(burst.entries) and Handover not in told
    assert all(redact(e.event, 1) is e.event or e.event.word.word != "DREW" for e in burst.news)


def test_where_a_hand_began_is_found_among_the_steps() -> None:
    deed = Undo()
    made = [(0, 0), (1, 0), (2, 1), (0, 0), (1, 0), (2, 0), (1, 1), (0, 0), (2, 0)]
    steps = [Step(seat, deed, seat > 0, bool(ended)) for seat, ended in made]  # type: ignore[arg-type]
    assert [before_decision(steps[:n], 1) for n in range(10)] == [
        *(None, None, 1, 1, 1, 4, 4, 6, 6, 6)
    ]
    assert [after_deal(steps[:n], 1) for n in (2, 5, 9)] == [1, 4, 4]
    assert after_deal(steps, 3) is None
    assert len(list(takewhile(lambda step: step.seat != 2, steps))) == 2
