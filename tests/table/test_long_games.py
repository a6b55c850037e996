"""A game that its own rules never end is ended by score after very many hands."""

from __future__ import annotations

import random

import pytest

from tests.kit import tables, truth
from tests.kit.tables import Run
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Gameover, Handover, Result
from twentytwo_protocol.words.fairness import Committed, Revealed
from twentytwo_server.games.registry import games
from twentytwo_server.games.twentytwo.showdown import places_so_far
from twentytwo_server.games.twentytwo.states import Standing

SLOW = {
    "twentytwo": {"limit": "100"},
    "twentysix": {"limit": "100"},
    "whist22": {"start_score": "50"},
    "twentyeight": {"target": "50"},
}
"""Options by which no game is over within a few hands."""


def long(key: str, most_hands: int, people: int = 4) -> Run:
    run = tables.started(people, game=games()[key], options=SLOW[key], most_hands=most_hands)
    run.play(random.Random(3))
    return run


def told(run: Run) -> list[object]:
    return [entry.event for entry in run.stream.after(0)]


@pytest.mark.parametrize("key", SLOW)
def test_after_so_many_hands_the_score_decides(key: str) -> None:
    run = long(key, 3)
    events = told(run)
    assert [event.no for event in events if isinstance(event, Handover)] == [1, 2, 3]
    results = [event for event in events if isinstance(event, Result)]
    totals = {result.seat: result.total for result in results}
    assert len(results) == 4
    sign = -1 if key in ("twentytwo", "twentysix") else 1
    for one in results:
        better = sum(sign * total > sign * one.total for total in totals.values())
        assert one.place == 1 + better
    winners = tuple(sorted(result.seat for result in results if result.place == 1))
    assert events[-2:] == [Gameover(winners, "hands"), events[-1]]
    assert isinstance(events[-1], Committed)
    truth.check(run)


def test_the_secret_is_told_between_the_last_hand_and_the_results() -> None:
    events = told(long("whist22", 2))
    last = max(i for i, event in enumerate(events) if isinstance(event, Handover))
    assert isinstance(events[last + 1], Revealed)
    assert [type(event) for event in events[last + 2 :]] == [*[Result] * 4, Gameover, Committed]


def test_another_game_may_follow_and_is_as_long() -> None:
    run = long("whist22", 2)
    for name in ("ann", "bob", "cat", "dan"):
        run.order(name, words.Rematch())
    run.play(random.Random(4))
    assert [e.why for e in told(run) if isinstance(e, Gameover)] == ["hands", "hands"]


def test_a_game_that_ends_with_its_last_hand_has_ended_by_its_own_rules() -> None:
    usual = tables.over(2, options={"limit": "10"}, seed=3)
    hands = max(event.no for event in told(usual) if isinstance(event, Handover))
    run = tables.over(2, options={"limit": "10"}, seed=3, most_hands=hands)
    assert told(run)[-1] == told(usual)[-1]
    assert [event.why for event in told(run) if isinstance(event, Gameover)] == ["last"]


def test_whoever_is_out_comes_behind_all_who_still_play() -> None:
    rules = games()["twentytwo"].presets["pagat"]
    standing = Standing(rules, 5, (1, 3, 5), (9, 22, 7, 25, 7), (b"",) * 5, (0, 4, 0, 6, 0), 7)
    assert places_so_far(standing) == (3, 5, 1, 4, 1)


def test_people_are_told_why() -> None:
    voice = Voice({1: "ann", 2: "bob"}, 1)
    said = voice.sentence(Gameover((2,), "hands"))
    first = "*** Game over: after so many hands the score decides. bob wins."
    assert said == f"{first}\nrematch plays another, leave gets up."


def test_who_wins_with_others_is_named_first_as_a_sentence_begins() -> None:
    voice = Voice({1: "ann", 2: "bob", 3: "cat"}, 1)
    said = voice.sentence(Gameover((1, 3), "lowest"))
    assert said.startswith("*** Game over. You and cat win.\n")
