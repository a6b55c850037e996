"""Whole hands traced trick by trick: how many moves were legal, who won, lost and deals next."""

from __future__ import annotations

from typing import Any

from tests.games.setting import play, rules_of, shuffled, standing, vectors, words
from tests.kit.cases import together
from twentytwo_protocol.cards import RANK_ORDER
from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Handover, Shown, Took
from twentytwo_server.games.twentytwo import TWENTYTWO
from twentytwo_server.games.twentytwo.states import Dealing, Exchanging, State

Scenario = dict[str, Any]
SCENARIOS = [s for s in vectors("scenarios.json")["scenarios"] if s["game"] == "twenty-two"]


def _title(scenario: Scenario) -> str:
    options = "".join(f"-{name}-{value}" for name, value in scenario["options"].items())
    return f"{scenario['ruleset']}{options}-{scenario['seats']}"


class Table:
    """A scenario's table: its seats are numbered clockwise from 0."""

    def __init__(self, scenario: Scenario) -> None:
        self.seats: int = scenario["seats"]
        self.clockwise: bool = scenario["direction"] == "cw"
        self.rules = rules_of(scenario["ruleset"], scenario["options"])
        before = list(scenario["scores"])
        for seat in scenario["losers"]:
            before[seat] -= scenario["points"]
        size = len(words(scenario["hands"][0]))
        self.state: State = Dealing(
            standing(
                self.rules,
                self.seats,
                totals=self.by_number(before),
                wanted=size,
                dealer=self.number(scenario["dealer"]),
            )
        )
        self.events: list[Event] = []

    def number(self, seat: int) -> int:
        return seat + 1 if self.clockwise else (self.seats - seat) % self.seats + 1

    def by_number(self, values: list[Any]) -> list[Any]:
        number = {self.number(seat): value for seat, value in enumerate(values)}
        return [number[seat] for seat in sorted(number)]

    def deal(self, hands: list[str], leader: int) -> None:
        """Deals these hands, one card at a time from the leader on."""
        ranks = [list(words(hand)) for hand in self.by_number(hands)]
        left = list(TWENTYTWO.pack(self.state))
        order = [(leader - 1 + i) % self.seats for i in range(self.seats)]
        top = []
        for round_ in range(len(ranks[0])):
            for seat in order:
                card = next(card for card in left if card[0] == ranks[seat][round_])
                left.remove(card)
                top.append(card)
        self.say(shuffled(TWENTYTWO, self.state, top))

    def say(self, deed: Any) -> list[Event]:
        self.state, events = TWENTYTWO.play(self.state, deed)
        self.events += events
        return events


@together("scenario", SCENARIOS)
def test_scenario(scenario: Scenario) -> None:
    table = Table(scenario)
    table.deal(scenario["hands"], table.number(scenario["tricks"][0]["leader"]))
    dealt = table.state
    assert isinstance(dealt, Exchanging)
    assert len(dealt.stock) == scenario["stock"]
    while isinstance(table.state, Exchanging):
        table.say(Exchange(()))
    for trick in scenario["tricks"]:
        _check_trick(table, trick)
    _check_end(table, scenario)


def _check_trick(table: Table, trick: Scenario) -> None:
    assert TWENTYTWO.turn(table.state) == table.number(trick["leader"])
    events: list[Event] = []
    for step in trick["plays"]:
        assert TWENTYTWO.turn(table.state) == table.number(step["seat"])
        moves = TWENTYTWO.moves(table.state)
        assert (len(moves), len(list(moves))) == (step["legal"], step["legal"])
        events = table.say(play(step["play"]))
    (took,) = (event for event in events if isinstance(event, Took))
    assert took.seat == table.number(trick["winner"])


def _check_end(table: Table, scenario: Scenario) -> None:
    shown = {event.seat: event.card[0] for event in table.events if isinstance(event, Shown)}
    last = table.by_number([words(card)[0] for card in scenario["last_cards"]])
    assert [shown[seat] for seat in sorted(shown)] == last
    assert max(last, key=RANK_ORDER.__getitem__) == shown[table.number(scenario["losers"][0])]
    over = next(event for event in table.events if isinstance(event, Handover))
    assert sorted(over.losers) == sorted(map(table.number, scenario["losers"]))
    assert list(over.totals) == table.by_number(scenario["scores"])
    after = table.state.standing
    assert scenario["state"] == "on"
    assert list(after.playing) == sorted(map(table.number, scenario["who"]))
    assert after.dealer == table.number(scenario["next_dealer"])
    assert after.wanted == scenario["next_hand"]


def test_there_is_a_scenario_for_every_preset() -> None:
    assert {s["ruleset"] for s in SCENARIOS} >= {"pagat", "gamerules", "tvtropes", "rasmussen"}
