"""Bots that think elsewhere: how long they take, and what they find."""

from __future__ import annotations

import time

import pytest

from twentytwo_protocol.words.cardplay import Dealt, Game_, Hand_, Trick, Turn
from twentytwo_server import thinking
from twentytwo_server.games.registry import games
from twentytwo_server.ports import Job

RULES = games()["twentytwo"].rules("pagat", {})
SEEN = (
    Game_("twentytwo", "g1", 2, "-", 22),
    Hand_(1, 1, 3, 46),
    Dealt(1, 3),
    Dealt(2, 3, ("3C", "3D", "KS")),
    Trick(1, 2),
)


def job(*legal: str) -> Job:
    """A lead of the second seat."""
    turn = Turn(1, 2, "play", choose="one", nlegal=len(legal), legal=legal, hand=("3C", "3D", "KS"))
    return Job("twentytwo", "hard", RULES, 2, SEEN, turn, 1)


def test_an_easy_choice_takes_as_long_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(thinking, "_bot", lambda job, seconds: Sure())
    assert thinking._answer(job("3", "K"), 0.5) == "3"
    (waited,) = slept
    assert 0.4 < waited <= 0.5


class Sure:
    """A bot that need not think."""

    def choose(self, turn: Turn) -> str:
        return (turn.legal or ("",))[0]


def test_the_moves_are_weighed_with_the_chance_to_lose_the_hand() -> None:
    found = thinking._weigh(job("3", "3+3", "K"), 0.05)
    assert {move.token for move in found} == {"3", "3+3", "K"}
    worth = [move.worth for move in found]
    assert found[0].worth == max(worth)
    assert all(move.loss is not None and 0 <= move.loss <= 1 for move in found)
    king_kept = next(move for move in found if move.token == "3+3")
    assert king_kept.loss == max(move.loss or 0.0 for move in found)
