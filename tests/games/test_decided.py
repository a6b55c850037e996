"""What decided a hand, in one sentence: from what was played, and nothing that stays hidden."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.kit.cases import together
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import (
    Bid_,
    Contract,
    Handover,
    Played,
    Scored,
    Shown,
    Took,
    Trick,
)
from twentytwo_server.games.game import Deciding
from twentytwo_server.games.registry import BUILT_IN, games

NAMES = {1: "ann", 2: "bob", 3: "cat", 4: "dan"}


def decided(key: str, hand: Sequence[Event], me: int = 1) -> str:
    game = games()[key]
    assert isinstance(game, Deciding)
    rules = games()[key].rules(next(iter(games()[key].presets)), {})
    return game.decided(rules, hand, Voice(NAMES, me, key))


def test_every_game_of_the_server_says_it() -> None:
    assert all(isinstance(game, Deciding) for game in BUILT_IN)


def last_cards(mine: str, *tricks: tuple[str, str], his: str, lead: int = 1) -> list[Event]:
    """A hand of two that ann loses, by what she and bob play; she leads all tricks, or none."""
    hand: list[Event] = []
    for left, (ann, bob) in enumerate(reversed(tricks), 1):
        plays = [(1, ann), (2, bob)] if lead == 1 else [(2, bob), (1, ann)]
        (first, led), (second, answer) = plays
        hand[:0] = [
            Played(first, tuple(led.split()), "lead", left),
            Played(second, tuple(answer.split()), "low", left),
        ]
    return [*hand, Shown(1, mine), Shown(2, his), Handover(1, (1,), (10, 0))]


def test_a_lead_that_would_have_saved_the_hand_is_named() -> None:
    hand = last_cards("JH", ("9C", "5D"), ("3C", "8D"), his="7D")
    assert decided("twentytwo", hand) == (
        "Your last card, a jack, lost to a seven; you led 3C in trick 2, but the jack might have "
        "saved the hand."
    )
    assert decided("twentytwo", hand, me=2) == (
        "ann's last card, a jack, lost to a seven; ann led 3C in trick 2, but the jack might have "
        "saved the hand."
    )


def test_who_would_have_lost_with_the_other_lead_as_well_is_not_blamed() -> None:
    obeyed = last_cards("6D", ("AD", "KC"), ("5D 5C", "3C 2C"), his="5H")
    assert decided("twentytwo", obeyed) == "Your last card, a six, lost to a five."


def test_who_never_led_is_not_blamed() -> None:
    hand = last_cards("JH", ("9C", "TD"), ("3C", "8D"), his="7D", lead=2)
    assert decided("twentytwo", hand) == "Your last card, a jack, lost to a seven."


def test_who_lost_together_are_named_together() -> None:
    shown = [Shown(2, "4H"), Shown(1, "4S"), Shown(3, "3H"), Handover(1, (2, 1), (4, 4, 0, 0))]
    assert decided("twentytwo", shown) == "Your and bob's last cards, fours, lost to a three."
    everybody = [Shown(2, "4H"), Shown(1, "4S"), Handover(1, (2, 1), (4, 4, 0, 0))]
    assert decided("twentytwo", everybody) == ""


def tricks(bid: int, *tricks: tuple[str, str, int]) -> list[Event]:
    """A hand of Whist 22 by ann's card, bob's card and who took it, for each trick."""
    hand: list[Event] = [Bid_(1, str(bid)), Bid_(2, "1")]
    for number, (mine, his, winner) in enumerate(tricks, 1):
        hand += [Trick(number, 1), Played(1, (mine,), "lead", 0), Played(2, (his,), "follow", 0)]
        hand.append(Took(winner, number, (mine if winner == 1 else his,)))
    return hand


@together(
    ("hand", "said"),
    [
        (
            tricks(2, ("18", "20", 2), ("F22", "3", 1), ("4", "5", 2)),
            "You bid 2 and took 1: your 18 fell to bob's 20 in trick 1.",
        ),
        (
            tricks(1, ("18", "2", 1), ("17", "3", 1)),
            "You bid 1 and took 2: 17 in trick 2 was one too many.",
        ),
        (
            tricks(2, ("18", "2", 1), ("17", "3", 1)),
            "You bid 2 and took 2: 18 and 17 took them.",
        ),
        (tricks(0, ("7", "9", 2)), "You bid 0 and took 0: your 7 went below bob's 9 in trick 1."),
    ],
)
def test_a_bid_of_tricks_is_told_by_the_card_that_decided_it(hand: list[Event], said: str) -> None:
    assert decided("whist22", hand) == said
    assert decided("whist22", hand, me=4) == ""


@pytest.mark.parametrize(
    ("bid", "points", "said"),
    [
        (14, 1, "The bid of 14 was made in trick 3, with your JC and 6 points."),
        (
            20,
            -3,
            "The bid of 20 failed by 5: the costliest trick was the second, which bob took with 9H "
            "for 7 points.",
        ),
    ],
)
def test_a_contract_is_told_by_the_trick_that_made_or_broke_it(
    bid: int, points: int, said: str
) -> None:
    hand = [
        Contract(3, bid, (1, 3)),
        Took(3, 1, ("JS",), 9),
        Took(2, 2, ("9H",), 7),
        Took(1, 3, ("JC",), 6),
        Took(4, 4, ("7H",), 6),
        Scored(None, points, points, side=(1, 3), bid=bid, won=15),
    ]
    assert decided("twentyeight", hand) == said
