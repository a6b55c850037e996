"""Every option of every game: what it takes and what it does not, and what the helps say of it.

The bounds stand here once more on purpose: a bound that moves is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.cases import together
from twentytwo_protocol.cards import JOKER
from twentytwo_protocol.schema import REASONS
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.registry import games
from twentytwo_server.games.twentyeight import auction
from twentytwo_server.games.twentyeight.ranking import POINTS
from twentytwo_server.games.twentyeight.rules import stakes
from twentytwo_server.games.twentytwo import TWENTYSIX, TWENTYTWO
from twentytwo_server.games.twentytwo.rules import AUTO_ONE_PACK, PLAYERS_PER_PACK
from twentytwo_server.games.whist22 import WHIST22
from twentytwo_server.games.whist22.rules import BGA_SIZES

OF_TWENTYTWO = """
max_players       2-12
decks             auto 1 2 3 4
jokers            0-8
direction         cw ccw
first_dealer      draw random
first_hand        1-13
hand_size         loser_card fixed
exchange          on off
heading           optional mandatory
bar               best lead
winner            bar set
straights         off on
straight_min      2-13
straight_max      2-13 none
straight_suited   no yes
points            11/10 sequential
keep_cards        yes no
dead_cards        out back
limit             10-100
dealer            loser rotate
dealer_tie        draw last_to_play random
eliminated_deals  yes no
all_out           shared lowest runoff
"""
TABLE = {
    "twentytwo": OF_TWENTYTWO,
    "twentysix": OF_TWENTYTWO,
    "whist22": """
max_players       2-7
first_size        even bga
sequence          bounce bounce_repeat saw
blind_one         no yes
start_score       1-50
hook              yes no
fool              choice low high out-in-ones
""",
    "twentyeight": """
order             denexa pagat
call              mandatory optional
must_trump        always caller
early_trump       no yes
pass_out          no yes
target            1-50
loss_limit        1-50 none
redeal_no_points  no yes
""",
}
"""The options of every game: `LOWEST-HIGHEST`, with `none` where 0 is none; or the words."""

TOGETHER = {("whist22", "max_players"): {"first_size": "bga"}}
"""What else must be chosen so that an option can take its bounds."""


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Game, option and values of every row."""
    for key, table in TABLE.items():
        for line in table.strip().splitlines():
            name, *values = line.split()
            yield key, name, values


NUMBERS = [
    (key, name, *map(int, values[0].split("-")), "none" in values)
    for key, name, values in rows()
    if "-" in values[0] and values[0][0].isdigit()
]
WORDS = [row for row in rows() if (row[0], row[1]) not in {(n[0], n[1]) for n in NUMBERS}]


def chosen(key: str, name: str, value: str) -> str:
    """The value of an option after it was chosen. Raises `BadOption`."""
    game = games()[key]
    rules = game.rules(next(iter(game.presets)), {**TOGETHER.get((key, name), {}), name: value})
    return next(option.value for option in game.options(rules) if option.name == name)


def refused(key: str, name: str, value: str) -> None:
    """Asserts that an option does not take a value, and says so by its name."""
    with pytest.raises(BadOption) as wrong:
        chosen(key, name, value)
    assert wrong.value.option == name
    assert wrong.value.text.startswith(f"{name} takes ")


def test_the_table_has_every_option_of_every_game() -> None:
    assert [*TABLE] == [*games()]
    for key, game in games().items():
        (rules, *_) = game.presets.values()
        assert [o.name for o in game.options(rules)] == [n for k, n, _ in rows() if k == key]


@together(("key", "name", "lowest", "highest", "none"), NUMBERS)
def test_a_number_is_taken_from_its_lowest_to_its_highest(
    key: str, name: str, lowest: int, highest: int, none: bool
) -> None:
    for value in range(lowest, highest + 1):
        assert chosen(key, name, str(value)) == str(value)
    refused(key, name, str(highest + 1))
    if none:
        assert chosen(key, name, "0") == "0"
        if lowest > 1:
            refused(key, name, str(lowest - 1))
    elif lowest > 0:
        refused(key, name, str(lowest - 1))


@together(("key", "name"), [row[:2] for row in NUMBERS])
@together("value", ["", "-1", "+3", "3.0", "1e1", "three", "on", "٣", "0000003"])
def test_what_is_no_number_is_refused_for_one(key: str, name: str, value: str) -> None:
    refused(key, name, value)


@together(("key", "name", "values"), WORDS)
def test_a_choice_takes_its_words_and_no_other(key: str, name: str, values: list[str]) -> None:
    game = games()[key]
    for value in values:
        assert chosen(key, name, value) == value
        assert chosen(key, name, value.upper()) == value
    for value in ("", "0", "5", "true", f"{values[0]}x", values[0][:-1]):
        refused(key, name, value)
    (rules, *_) = game.presets.values()
    described = next(option for option in game.options(rules) if option.name == name)
    assert described.allowed == f"{', '.join(values[:-1])} or {values[-1]}"


@together(("key", "name", "lowest", "highest", "none"), NUMBERS)
def test_the_bounds_that_are_told_are_those_that_hold(
    key: str, name: str, lowest: int, highest: int, none: bool
) -> None:
    game = games()[key]
    (rules, *_) = game.presets.values()
    described = next(option for option in game.options(rules) if option.name == name)
    assert described.allowed == f"{lowest} to {highest}{', or 0 for none' if none else ''}"


# ---------------------------------------------------------------- what the helps say of limits

NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def help_of(game: AnyGame, name: str) -> str:
    """The help of an option."""
    (rules, *_) = game.presets.values()
    return next(option.help for option in game.options(rules) if option.name == name)


def test_the_help_of_first_size_has_the_sizes_of_bga() -> None:
    sizes = ", ".join(map(str, BGA_SIZES.values()))
    fewest, most = min(BGA_SIZES), max(BGA_SIZES)
    assert f"{sizes} for {fewest} to {most} players" in help_of(WHIST22, "first_size")


def test_the_help_of_decks_says_how_many_auto_takes() -> None:
    many, each = NUMERALS[AUTO_ONE_PACK], NUMERALS[PLAYERS_PER_PACK]
    assert f"one, and above {many} players one for every {each}" in help_of(TWENTYTWO, "decks")


def test_the_help_of_points_says_what_cards_cost() -> None:
    rules = [TWENTYTWO.rules("pagat", {"points": points}) for points in ("11/10", "sequential")]
    low, high = ({rank: each.points_of(rank) for rank in "AKQJ"} for each in rules)
    assert help_of(TWENTYTWO, "points") == (
        f"A {low['A']}, K Q J {low['K']}; or A {high['A']}, K {high['K']}, Q {high['Q']}, "
        f"J {high['J']}; a joker is {rules[0].points_of(JOKER)}"
    )
    assert low["K"] == low["Q"] == low["J"]


def test_the_pages_of_twentytwo_and_twentysix_have_their_limits() -> None:
    pagat, twentysix = TWENTYTWO.presets["pagat"], TWENTYSIX.presets["twentysix"]
    page = vocabulary("twentytwo").help
    assert f"With {pagat.limit} points you are out." in page
    assert f"an ace {pagat.points_of('A')}, K Q J {pagat.points_of('K')}" in page
    page = " ".join(vocabulary("twentysix").help.split())
    packs, jokers = NUMERALS[int(twentysix.decks)], NUMERALS[twentysix.jokers]
    assert f"to {twentysix.limit} points." in page
    assert f"{packs} packs and {jokers} jokers" in page
    assert f"it loses, and counts {twentysix.points_of(JOKER)}." in page


def test_the_page_of_twentyeight_and_its_reasons_have_the_bids_and_what_they_score() -> None:
    page = " ".join(vocabulary("twentyeight").help.split())
    least, partner, most = auction.LOWEST_BID, auction.OVER_PARTNER, auction.HIGHEST_BID
    assert f"The lowest bid is {least}, over your partner {partner}." in page
    assert f"There are {most} card points" in page
    assert f"at least {least}" in REASONS["TOO_LOW"]
    assert f"at least {partner}" in REASONS["PARTNER_20"]
    assert f"there are only {most} points" in REASONS["ONLY_28"]
    assert [stakes(bid)[0] for bid in (19, 20, 24, 25)] == [1, 2, 2, 3]
    assert "score 1, for a bid from 20 on 2, from 25 on 3" in page
    presets = games()["twentyeight"].presets
    evening, *sources = presets.values()
    wins = f"{evening.target} points win the game, {evening.loss_limit} below zero lose it."
    assert f"{wins} By denexa and pagat 10 win, and no score loses." in page
    assert [*presets] == ["evening", "denexa", "pagat"]
    assert {(rules.target, rules.loss_limit) for rules in sources} == {(10, 0)}
    assert f"jacks {POINTS['J']}, nines {POINTS['9']}, aces and tens {POINTS['A']}" in page
