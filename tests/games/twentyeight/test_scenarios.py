"""Whole hands traced trick by trick: what was legal, who called, who won, what it scored."""

from __future__ import annotations

from typing import Any

from tests.games.setting import vectors
from tests.games.twentyeight.setting import Table, of, words
from tests.kit.cases import together
from twentytwo_protocol.games.twentyeight import Trump_
from twentytwo_protocol.words.cardplay import Handover, Scored, Took

Scenario = dict[str, Any]
SCENARIOS = [s for s in vectors("scenarios.json")["scenarios"] if s["game"] == "twenty-eight"]


def _dealt(scenario: Scenario) -> Table:
    fours = scenario["first_four"]
    held = [{*hand} for hand in scenario["hands_in_play"]]
    held[scenario["bidder"]].add(scenario["facedown"])
    more = [" ".join(sorted(hand - {*four})) for hand, four in zip(held, fours, strict=True)]
    return Table([" ".join(four) for four in fours], more, preset=scenario["ruleset"])


@together("number", range(len(SCENARIOS)))
def test_scenario(number: int) -> None:
    scenario = SCENARIOS[number]
    table = _dealt(scenario)
    table.bid(*scenario["calls"])
    table.token(*words(scenario["facedown"]))
    for trick in scenario["tricks"]:
        assert table.turn == trick["leader"] + 1
        for step in trick["plays"]:
            _check_play(table, step)
        (took,) = of(table.events[-12:], Took)[-1:]
        assert (took.seat - 1, took.points) == (trick["winner"], trick["points"])
    declarers, _ = of(table.events, Scored)
    sides = {0: (1, 3), 1: (2, 4)}
    assert declarers.side == sides[scenario["declarers"]]
    points = (scenario["points_0_2"], scenario["points_1_3"])
    assert declarers.won == points[scenario["declarers"]]
    assert declarers.points == scenario["victory_points"]
    (over,) = of(table.events, Handover)
    made = scenario["victory_points"] > 0
    assert over.losers == sides[scenario["declarers"] ^ made]


def _check_play(table: Table, step: Scenario) -> None:
    assert table.turn == step["seat"] + 1
    shown = [event.caller for event in of(table.events, Trump_) if event.shown]
    if table.act == "declare":
        table.token("call" if step["called"] else "no")
    called = [event.caller for event in of(table.events[-3:], Trump_) if event.shown]
    if step["called"] and not shown:
        assert called == [table.turn]
    assert set(table.legal) == {*words(" ".join(step["legal"]))}
    table.play(step["card"])


def test_there_are_scenarios_for_both_presets() -> None:
    assert {s["ruleset"] for s in SCENARIOS} == {"denexa", "pagat"}
