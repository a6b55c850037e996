"""Twenty-Eight at a table: what viewers are shown, what they know, what people may type."""

from __future__ import annotations

import random

import pytest

from tests.kit.cases import together
from tests.kit.tables import Run, started
from tests.kit.truth import check
from twentytwo_protocol.cards import PIQUET
from twentytwo_protocol.games.twentyeight import Call, No, Redeal, Trump, Trump_
from twentytwo_protocol.schema import Command, Refused, redact
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.words.cardplay import Bid, Dealt, Move, Pass, Play, Played, Turn
from twentytwo_server.games.twentyeight import TWENTYEIGHT
from twentytwo_server.games.twentyeight.states import Bidding, Playing

HAND = 50
"""Moves that are more than a hand."""


@pytest.mark.parametrize(
    "options", [{"loss_limit": "0"}, {"call": "optional", "redeal_no_points": "yes"}]
)
def test_what_every_viewer_was_shown_says_what_is_true(options: dict[str, str]) -> None:
    run = started(4, game=TWENTYEIGHT, options=options)
    chance = random.Random(28)
    for _ in range(3 * HAND):
        check(run)
        run.any_move(chance)


def test_the_second_round_of_the_deal_comes_from_the_stock() -> None:
    run = started(4, game=TWENTYEIGHT)
    assert run.model(1).stock == 16
    _to_the_tricks(run)
    assert run.model(1).stock == 0
    assert {seat.cards for seat in run.model(None).seats.values()} == {8}


def _to_the_tricks(run: Run) -> Playing:
    while not isinstance(state := run.table.match.state, Playing):  # type: ignore[union-attr]
        run.default()
    return state


def test_nobody_but_the_bidder_sees_the_trump_before_it_is_shown() -> None:
    run = started(4, game=TWENTYEIGHT)
    state = _to_the_tricks(run)
    secret = f"={state.down}"
    for viewer in (None, 1, 2, 3, 4):
        told = [line for line in run.lines(viewer) if line.startswith("TRUMP")]
        assert (secret in told[0]) is (viewer == state.bidder)
        assert ("down=" in "".join(run.lines(viewer))) is (viewer == run.asked.seat == state.bidder)


def test_a_play_of_the_bidder_is_never_called_a_trump_while_it_is_hidden() -> None:
    run = started(4, game=TWENTYEIGHT, options={"call": "optional", "loss_limit": "0"})
    chance = random.Random(8)
    hidden, kinds = True, set()
    for _ in range(6 * HAND):
        for event in run.any_move(chance):
            if isinstance(event, Trump_):
                hidden = not event.shown
            elif isinstance(event, Dealt):
                hidden = True
            elif isinstance(event, Played):
                kinds.add((hidden, event.kind))
    assert (False, "trump") in kinds
    assert (True, "discard") in kinds
    assert (True, "trump") not in kinds


def test_a_question_tells_the_others_nothing_but_that_it_is_asked() -> None:
    run = started(4, game=TWENTYEIGHT)
    _to_the_tricks(run)
    asked = run.asked
    for viewer in (None, *({1, 2, 3, 4} - {asked.seat})):
        seen = redact(asked, viewer)
        assert (seen.legal, seen.hand, seen.down, seen.default, seen.nlegal) == (None,) * 5


# ---------------------------------------------------------------------------- what is typed


def _turn(act: str, *legal: str) -> Turn:
    return Turn(1, 1, act, legal=legal, default=legal[0])


@together(
    ("typed", "asked", "meant"),
    [
        ("18", _turn("bid", "pass", "18", "19"), Move("18")),
        ("17", _turn("bid", "pass", "18", "19"), Move("17")),
        ("bid 18", _turn("bid", "pass", "18"), Bid("18")),
        ("pass", _turn("bid", "pass", "18"), Pass()),
        ("redeal", _turn("bid", "14", "redeal"), Redeal()),
        ("jh", _turn("bid", "pass", "18"), Play(("JH",))),
        ("10h", _turn("trump", "TH", "8C"), Trump(("TH",))),
        ("8", _turn("trump", "TH", "8C"), Trump(("8",))),
        ("trump 8c", _turn("trump", "TH", "8C"), Trump(("8c",))),
        ("hearts", _turn("trump", "TH", "8C"), Trump(("TH",))),
        ("make clubs trump", _turn("trump", "TH", "8C"), Trump(("8C",))),
        ("a heart", _turn("play", "JH", "9C"), Play(("JH",))),
        ("call", _turn("declare", "no", "call"), Call()),
        ("no", _turn("declare", "no", "call"), No()),
        ("NO", _turn("declare", "no", "call"), No()),
        ("jh", _turn("play", "JH", "9H"), Play(("JH",))),
        ("j", _turn("play", "JH", "9H"), Play(("J",))),
        ("10h", None, Play(("TH",))),
    ],
)
def test_what_people_type(typed: str, asked: Turn | None, meant: Command) -> None:
    assert read_person(typed, named=True, deck=PIQUET, asked=asked) == meant


@together(
    ("token", "code"),
    [("13", "ILLEGAL"), ("pass", "ILLEGAL"), ("redeal", "ILLEGAL"), ("plenty", "BAD_ARG")],
)
def test_a_first_bid_that_is_none(token: str, code: str) -> None:
    run = started(4, game=TWENTYEIGHT)
    assert run.refused(run.mover, Move(token)).code == code


def test_a_card_is_no_answer_to_an_auction() -> None:
    run = started(4, game=TWENTYEIGHT)
    assert isinstance(run.table.match.state, Bidding)  # type: ignore[union-attr]
    refused = run.refused(run.mover, Play(("JH",)))
    assert refused.code == "WRONG_ACT"
    assert refused.text == (
        "Now is the time to bid, not to play. You may type 14, 15, 16, and more."
    )
    choosing = run.refused(run.mover, Trump(("JH",))).text
    assert choosing.startswith("Now is the time to bid, not to choose the trump. You may type ")


def test_pass_and_redeal_are_answers_to_an_auction() -> None:
    run = started(4, game=TWENTYEIGHT)
    assert run.refused(run.mover, Redeal()).fields["reason"] == "NO_REDEAL"
    run.default()
    run.order(run.mover, Pass())
    with pytest.raises(Refused):
        run.order(run.mover, Bid("14"))
