"""Whole hands traced trick by trick: who bids and plays when, who wins, what is left."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.setting import vectors
from tests.games.whist22.setting import Table, of
from twentytwo_protocol.words.cardplay import Handover, Scored, Took
from twentytwo_server.games.whist22 import WHIST22

Scenario = dict[str, Any]
SCENARIOS = [s for s in vectors("scenarios.json")["scenarios"] if s["game"] == "whist22"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=map(str, range(len(SCENARIOS))))
def test_scenario(scenario: Scenario) -> None:
    hands = [" ".join(hand) for hand in scenario["hands"]]
    table = Table(*hands, dealer=scenario["dealer"] + 1)
    for seat in scenario["bid_order"]:
        assert table.seat == seat + 1
        table.bid(scenario["bids"][seat])
    for trick in scenario["tricks"]:
        _check_trick(table, trick)
    points = of(table.events, Scored)
    assert [event.won for event in points] == scenario["won"]
    assert [event.total for event in points] == scenario["scores"]
    (over,) = of(table.events, Handover)
    start = WHIST22.presets["gamerules"].start_score
    assert over.losers == tuple(s for s, n in enumerate(scenario["scores"], 1) if n < start)
    assert over.totals == WHIST22.totals(table.state) == tuple(scenario["scores"])


def _check_trick(table: Table, trick: Scenario) -> None:
    seats = len(table.playing.hands)
    for place, card in enumerate(trick["plays"]):
        assert table.seat == (trick["leader"] + place) % seats + 1
        assert card in table.legal
        events = table.play(card)
    (took,) = of(events, Took)
    assert took.seat == trick["winner"] + 1


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) == 5
