"""Viewers cannot distinguish worlds that differ in hidden cards; planted leaks are found."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from tests.kit.length import times
from tests.secrets.pairs import Leak, cases, compare
from tests.secrets.planted import PLANTED, SHOWN_BY, found
from tests.secrets.scripts import Script, script
from tests.secrets.worlds import Other, other_world
from twentytwo_protocol.games.twentyeight import Trump_
from twentytwo_protocol.words.cardplay import Dealt, Exchanged
from twentytwo_server.games.registry import games

PAIRS, PARTS = times(200, long=2000), times(1, long=4)
"""The number of pairs of each game, and the number of tests that share them."""


pytestmark = pytest.mark.usefixtures("quiet")


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", list(games()))
def test_viewers_who_may_not_know_the_difference_cannot_distinguish_two_worlds(
    game: str, part: int
) -> None:
    pairs = 0
    for case in cases(game, 10_000 * part):
        pairs += compare(case).pairs
        if pairs >= PAIRS // PARTS:
            break


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found(name: str) -> None:
    script, _ = found(name, SHOWN_BY.get(name, 1))
    assert script, f"not found: {name}"


# ----------------------------------------------------------- the other worlds are not too few


def worlds(game: str, scripts: int) -> list[tuple[Script, Other]]:
    """Other worlds of many scripts of a game, without playing them on a server."""
    found = []
    for case in islice(cases(game), scripts):
        made = script(case)
        dice = random.Random(str(case))
        found += [(made, other) for _ in range(5) if (other := other_world(made, dice))]
    return found


def hidden(made: Script, other: Other) -> Counter[str]:
    """The kinds of differences between the worlds, by the viewers to whom they are hidden."""
    count: Counter[str] = Counter()
    for here, there in zip(made.steps, other.steps, strict=True):
        for one, two in zip(here.events, there.events, strict=True):
            match one, two:
                case Dealt(), Dealt() if one.seen != two.seen:
                    count["a card that its owner does not see"] += one.seat in other.blind
                case Dealt(), Dealt() if one.cards != two.cards:
                    order = sorted(one.cards or ()) == sorted(two.cards or ())
                    count["a hand"] += not order and one.seat not in other.blind
                case Trump_(shown=False), Trump_() if one.card != two.card:
                    count["the trump card"] += 1
                    count["the trump suit"] += one.suit != two.suit
                case Exchanged(), Exchanged() if (one.gave, one.got) != (two.gave, two.got):
                    count["an exchange"] += 1
    count["the order of the deal"] += not other.change
    return count


@pytest.mark.parametrize(
    ("game", "what"),
    [
        ("twentytwo", "a hand"),
        ("twentytwo", "an exchange"),
        ("twentytwo", "the order of the deal"),
        ("twentysix", "a hand"),
        ("whist22", "a hand"),
        ("whist22", "a card that its owner does not see"),
        ("twentyeight", "a hand"),
        ("twentyeight", "the trump card"),
        ("twentyeight", "the trump suit"),
    ],
)
def test_the_worlds_differ_in_all_that_can_be_hidden(game: str, what: str) -> None:
    made = worlds(game, 120)
    different = sum(hidden(*pair)[what] > 0 for pair in made)
    assert different >= 10, f"{different} of {len(made)}"


def test_a_leak_report_names_the_viewer_and_the_difference() -> None:
    name = "a running game is exported as the first seat sees it"
    with PLANTED[name](), pytest.raises(Leak, match=r"twentytwo/.*#.*Party.*\n.* ms .*\n.* ms "):
        for case in cases("twentytwo"):
            compare(case)
