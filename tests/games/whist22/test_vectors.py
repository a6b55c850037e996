"""The source's own examples and the derived cases, one test each, named by their ids.

`vectors/rules.json` explains its kinds at its top. It numbers seats from 0 in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.setting import vectors
from tests.games.whist22.setting import Table, of, rules_of
from tests.kit.cases import together
from twentytwo_protocol.words.cardplay import Took
from twentytwo_server.games.whist22 import WHIST22
from twentytwo_server.games.whist22.bidding import Bids, forbidden
from twentytwo_server.games.whist22.scoring import scored
from twentytwo_server.games.whist22.states import Over, Standing

Out = dict[str, Any]

REASONS = {"FOOL_NEEDS_VALUE": "DECLARE_FOOL", "FOOL_BAD_VALUE": "DECLARE_FOOL", "NOT_HELD": ""}
"""What the vectors call a reason, and what the protocol does."""


def size(given: Out, out: Out) -> None:
    bga = given.get("table") == "bga"
    rules = rules_of(first_size="bga") if bga else rules_of()
    assert rules.most_cards(given["players"]) == out["size"]


def sizes(given: Out, out: Out) -> None:
    rules = rules_of(sequence=given["sequence"], max_players=7)
    seats = next(n for n in range(3, 8) if rules.most_cards(n) == given["max"])
    found = [rules.size_of(hand, seats) for hand in range(1, given["hands"] + 1)]
    assert found == out["sizes"]


def bids(given: Out, out: Out) -> None:
    so_far = tuple(given["so_far"])
    hook = forbidden(so_far, given["size"], given["players"], rules_of())
    moves = Bids((), given["size"], so_far, hook)
    assert [int(bid.bid) for bid in moves] == out["allowed"]


def play(given: Out, out: Out) -> None:
    hand = given["hand"]
    others = [str(card) for card in range(1, 22) if str(card) not in hand]
    hands = [hand, others[: len(hand)], others[len(hand) : 2 * len(hand)]]
    table = Table(*map(" ".join, hands))
    table.bid(0, 0, 0)
    for token, reason in out["reason"].items():
        if reason is None:
            assert token in table.legal
        else:
            assert table.why(token).reason == REASONS[reason]


def trick(given: Out, out: Out) -> None:
    cards = given["trick"]
    filler = (str(n) for n in range(1, 22) if str(n) not in cards)
    hands = [f"{'F' if card[0] == 'F' else card} {next(filler)}" for card in cards]
    table = Table(*hands)
    table.bid(*[0] * len(cards))
    (took,) = of(table.play(*cards), Took)
    assert took.seat - 1 == out["winner"]
    assert table.seat == took.seat


def score(given: Out, out: Out) -> None:
    standing = Standing(rules_of(), tuple(given["scores"]), hand=1, dealer=1)
    state, _ = scored(standing, tuple(given["bids"]), tuple(given["tricks"]))
    assert list(WHIST22.totals(state)) == out["scores"]
    assert isinstance(state, Over) is (out["state"] == "won")
    winners = state.winners if isinstance(state, Over) else ()
    assert [seat - 1 for seat in winners] == out["winners"]


CHECKS: dict[str, Callable[[Out, Out], None]] = {
    "w22.size": size,
    "w22.sizes": sizes,
    "w22.bids": bids,
    "w22.play": play,
    "w22.trick": trick,
    "w22.score": score,
}

OURS = [each for each in vectors("rules.json")["vectors"] if each["kind"].startswith("w22.")]


@together("vector", OURS)
def test_vector(vector: Out) -> None:
    CHECKS[vector["kind"]](vector["in"], vector["out"])


def test_every_kind_of_vector_occurs() -> None:
    assert {each["kind"] for each in OURS} == set(CHECKS)
    assert len(OURS) == 21
