"""The options of Twenty-Eight: their values and sources, the presets, what is refused."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.games.twentyeight.setting import rules_of
from tests.kit.cases import together
from tests.kit.hosts import World
from twentytwo_protocol.cards import PIQUET, pack32
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.registry import BUILT_IN
from twentytwo_server.games.twentyeight import TWENTYEIGHT, TwentyEightRules

TABLE = """
order             denexa     denexa     pagat
call              mandatory  mandatory  optional
must_trump        always     always     caller
early_trump       no         no         no
pass_out          no         no         no
target            5          10         10
loss_limit        5          0          0
redeal_no_points  no         no         yes
"""
"""Every option with its value by each preset."""


@pytest.mark.parametrize(("preset", "column"), [("evening", 1), ("denexa", 2), ("pagat", 3)])
def test_the_presets_are_the_table_of_the_sources(preset: str, column: int) -> None:
    rows = [line.split() for line in TABLE.strip().splitlines()]
    found = {option.name: option.value for option in TWENTYEIGHT.options(rules_of(preset))}
    assert found == {row[0]: row[column] for row in rows}


def test_an_evening_is_what_is_played_unless_told_otherwise() -> None:
    assert [*TWENTYEIGHT.presets] == ["evening", "denexa", "pagat"]
    assert TWENTYEIGHT.presets["denexa"] == TwentyEightRules()


@together(
    "line",
    ["practice twentyeight", "open twentyeight", "daily twentyeight", "tutorial twentyeight"],
)
def test_who_names_no_rules_plays_an_evening_and_who_names_a_source_plays_that(line: str) -> None:
    ann = World().program("ann")
    usual = told_options(ann.events(ann.ok(line).fields["on"]))
    assert usual.items() >= {"preset": "evening", "target": "5", "loss_limit": "5"}.items()
    for preset in ("denexa", "pagat"):
        asked = told_options(ann.events(ann.ok(f"open twentyeight rules={preset}").fields["on"]))
        assert asked.items() >= {"preset": preset, "target": "10", "loss_limit": "0"}.items()


def told_options(events: Iterable[ParsedLine]) -> dict[str, str | None]:
    """The options that a table has told."""
    return {e.fields["key"]: e.fields.get("value") for e in events if e.word == "OPTION"}


def test_help_says_which_preset_plays_what() -> None:
    told = " ".join(line.strip() for line in World().person("ann").say("help twentyeight"))
    assert "5 points win the game, 5 below zero lose it. By denexa and pagat 10 win, " in told
    assert (
        "Presets (rules=): evening, denexa (target 10, loss_limit 0), pagat (order pagat, " in told
    )


def test_every_option_says_what_it_is_and_where_it_comes_from() -> None:
    for option in TWENTYEIGHT.options(rules_of()):
        assert len(option.help) > 10
        assert option.source.startswith(("denexa", "pagat", "programs", "here"))


@together(
    ("option", "value"),
    [
        ("order", "hoyle"),
        ("call", "yes"),
        ("target", "0"),
        ("target", "51"),
        ("loss_limit", "51"),
        ("loss_limit", "-1"),
        ("doubles", "yes"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(option: str, value: str) -> None:
    with pytest.raises(BadOption) as refused:
        TWENTYEIGHT.rules("denexa", {option: value})
    assert refused.value.option == option
    assert refused.value.text.endswith(".")


def test_options_may_be_combined() -> None:
    rules = rules_of("pagat", must_trump="always", early_trump="yes", loss_limit=6)
    assert (rules.order, rules.must_trump, rules.early_trump) == ("pagat", "always", "yes")
    assert rules.loss_limit == 6


def test_the_target_is_the_options() -> None:
    assert TWENTYEIGHT.target(rules_of(target=7)) == 7


def test_the_pack_is_32_cards_in_the_order_of_the_fair_shuffle() -> None:
    assert pack32()[:9] == ("7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", "7D")
    assert pack32()[-1] == "AS"
    assert len(set(pack32())) == 32
    assert PIQUET.sort(reversed(pack32())) == pack32()


def test_people_may_write_ten_and_run_cards_together() -> None:
    assert PIQUET.read(["10h", "jh9c", "q"]) == ("TH", "JH", "9C", "Q")


def test_the_game_is_in_the_registry() -> None:
    assert TWENTYEIGHT in BUILT_IN
    assert TWENTYEIGHT.key == "twentyeight"
