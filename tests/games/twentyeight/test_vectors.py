"""The sources' own examples and the derived cases, one test each, named by their ids.

`vectors/rules.json` explains its kinds at its top. It numbers seats from 0 in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tests.games.setting import vectors
from tests.games.twentyeight.setting import Table, of, playing, rules_of, words
from tests.kit.cases import together
from twentytwo_protocol.cards import SUITS
from twentytwo_protocol.games.twentyeight import Call
from twentytwo_protocol.words.cardplay import Scored, Took
from twentytwo_server.games.twentyeight import TWENTYEIGHT, TwentyEightRules
from twentytwo_server.games.twentyeight.auction import Bids
from twentytwo_server.games.twentyeight.plays import Calls, Plays, must_call
from twentytwo_server.games.twentyeight.ranking import best, points_of
from twentytwo_server.games.twentyeight.states import Bidding, Choosing, Playing, Standing
from twentytwo_server.games.twentyeight.tricks import on_turn

Out = dict[str, Any]


def _cards(cards: list[str]) -> tuple[str, ...]:
    return words(" ".join(cards))


def points(given: Out, out: Out, rules: TwentyEightRules) -> None:
    assert points_of(_cards(given["cards"])) == out["points"]


def bids(given: Out, out: Out, rules: TwentyEightRules) -> None:
    table = Table()
    table.state = replace(table.state, standing=Standing(rules, hand=1, dealer=4))
    assert table.turn == 1
    table.bid(*given["calls"])
    if out["done"]:
        assert isinstance(table.state, Choosing)
        assert (table.state.bidder - 1, table.state.bid) == (out["winner"], out["bid"])
        return
    assert isinstance(table.state, Bidding)
    assert table.state.seat - 1 == out["seat"]
    legal = [deed.token for deed in Bids(table.state)]
    assert ("pass" in legal) is out["may_pass"]
    numbers = [int(token) for token in legal if token != "pass"]
    assert numbers == [*range(out["minimum"], out["maximum"] + 1)]


def actions(given: Out, out: Out, rules: TwentyEightRules) -> None:
    hand, down = " ".join(given["hand"]), given.get("facedown", "")
    revealed, led, trump = given.get("revealed", False), given["led"], given["trump"]
    bidder = bool(given.get("bidder"))
    # Seat 1 is on turn; where it does not lead seat 4 has led a card of the suit.
    other = next(rank + led for rank in "78Q" if rank + led not in hand) if led else ""
    hidden = next(rank + trump for rank in "QK" if rank + trump not in hand)
    state = playing(
        [hand, *[hidden if place == 1 and not bidder else "" for place in range(3)]],
        trump=trump,
        down="" if revealed else down if bidder else hidden,
        bidder=1 if bidder else 3,
        leader=4 if led else 1,
        plays=other,
        shown=revealed,
    )
    state = replace(state, standing=Standing(rules, hand=1, dealer=4))
    asked, events = on_turn(state, [])
    assert isinstance(asked, Playing)
    if out["call"] == "no":
        assert not must_call(state) and not events
        assert set(Plays(state).legal) == set(_cards(out["play"]))
        reveal = set(Plays(state).legal) == {state.down}
        assert reveal is out["reveal"]
        return
    assert must_call(state)
    assert asked.asked is (out["call"] == "may")
    if asked.asked:
        declined = replace(asked, asked=False)
        assert set(Plays(declined).legal) == set(_cards(out["play"]))
        assert [deed.token for deed in Calls(asked)] == ["no", "call"]
        after, _ = TWENTYEIGHT.play(asked, Call())
        assert isinstance(after, Playing)
        asked = after
    assert asked.down == ""
    assert set(Plays(asked).legal) == set(_cards(out["after_call"]))


def trick(given: Out, out: Out, rules: TwentyEightRules) -> None:
    plays = _cards(given["trick"])
    shown = None if given["trump"] is None else given["shown_before"]
    trumps = [given["trump"]] if given["trump"] else list(SUITS)
    for trump in trumps:
        found = best(plays, trump, shown, rules.order, rules.early_trump == "yes")
        assert found == out["winner"]


def victory(given: Out, out: Out, rules: TwentyEightRules) -> None:
    found = []
    for bid, won in given["results"]:
        state = playing(
            ["7S", "7H", "7D", "7C"], bid=bid, bidder=2, won=(28 - won, won), shown=True, down=""
        )
        table = state
        for card in ("7S", "7H", "7D", "7C"):
            assert isinstance(table, Playing)
            table, events = TWENTYEIGHT.play(table, TWENTYEIGHT.deeds["play"].of(card))  # type: ignore[assignment]
        assert of(events, Took)[0].points == 0
        declarers, defenders = of(events, Scored)
        assert (declarers.side, declarers.bid, declarers.won) == ((2, 4), bid, won)
        assert (defenders.side, defenders.points, defenders.total) == ((1, 3), 0, 0)
        assert declarers.points == declarers.total
        found.append(declarers.points)
    assert found == out["victory_points"]


CHECKS: dict[str, Callable[[Out, Out, TwentyEightRules], None]] = {
    "t28.points": points,
    "t28.bids": bids,
    "t28.actions": actions,
    "t28.trick": trick,
    "t28.victory": victory,
}

OURS = [each for each in vectors("rules.json")["vectors"] if each["kind"].startswith("t28.")]


@together("vector", OURS)
def test_vector(vector: Out) -> None:
    rules = rules_of(vector["ruleset"], **vector.get("options", {}))
    CHECKS[vector["kind"]](vector["in"], vector["out"], rules)


def test_every_kind_of_vector_occurs() -> None:
    assert {each["kind"] for each in OURS} == set(CHECKS)
    assert len(OURS) == 46
