"""The options of Whist 22: their values and sources, the presets, what does not go together."""

from __future__ import annotations

import pytest

from tests.games.whist22.setting import Table, rules_of
from tests.kit.cases import together
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.whist22 import WHIST22
from twentytwo_server.games.whist22.states import Dealing, Standing

VALUES = {
    "max_players": ("4", "7"),
    "first_size": ("even", "bga"),
    "sequence": ("bounce", "saw"),
    "blind_one": ("no", "yes"),
    "start_score": ("14", "14"),
    "hook": ("yes", "yes"),
    "fool": ("choice", "choice"),
}
"""Every option with its value by gamerules and by bga."""


@pytest.mark.parametrize(("preset", "column"), [("gamerules", 0), ("bga", 1)])
def test_the_presets_are_those_of_the_sources(preset: str, column: int) -> None:
    found = {option.name: option.value for option in WHIST22.options(rules_of(preset))}
    assert found == {name: values[column] for name, values in VALUES.items()}


def test_gamerules_is_the_default_and_there_are_no_other_presets() -> None:
    assert [*WHIST22.presets] == ["gamerules", "bga"]


def test_every_option_has_a_help_and_a_source() -> None:
    for option in WHIST22.options(rules_of()):
        assert len(option.help) > 10
        assert option.source.startswith(("gamerules", "bga"))


@together(
    ("name", "value"),
    [
        ("max_players", "8"),
        ("max_players", "1"),
        ("first_size", "9"),
        ("sequence", "twice"),
        ("blind_one", "1"),
        ("start_score", "0"),
        ("start_score", "51"),
        ("fool", "22"),
        ("partners", "yes"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(BadOption) as wrong:
        WHIST22.rules("gamerules", {name: value})
    assert wrong.value.option == name


def test_the_score_that_ends_the_game_is_zero_and_the_first_is_an_option() -> None:
    rules = rules_of(start_score=3)
    assert WHIST22.target(rules) == 0
    assert WHIST22.totals(WHIST22.new(rules, 4)) == (3, 3, 3, 3)


def test_more_players_than_allowed_are_refused() -> None:
    with pytest.raises(BadOption, match="3 to 4 can play, not 5"):
        WHIST22.new(rules_of(), 5)


@together("seats", range(2, 8))
def test_the_sizes_of_bga(seats: int) -> None:
    sizes = {2: 9, 3: 7, 4: 5, 5: 4, 6: 3, 7: 3}
    assert rules_of("bga").size_of(1, seats) == sizes[seats]


def test_with_out_in_ones_the_fool_is_out_in_hands_of_one_and_in_no_other() -> None:
    out = rules_of("bga", fool="out-in-ones", blind_one="no")
    assert [out.has_fool(size) for size in range(1, 10)] == [False] + [True] * 8
    two = Table("3 F", "7 8", "9 10", preset="bga", fool="out-in-ones", sequence="bounce")
    two.bid(1, 1, 1)
    assert two.legal == ["F0", "3", "F22"]
    one = Standing(out, (14, 14, 14), 6, 3)
    assert "F" not in WHIST22.pack(Dealing(one))
    assert len(WHIST22.pack(Dealing(one))) == 21
    assert len(WHIST22.pack(Dealing(Standing(out, (14, 14, 14), 5, 3)))) == 22
    blind = Table("3", "7", "9", preset="bga", fool="out-in-ones")
    blind.bid(0, 0, 0)
    assert blind.legal == ["0"]
