"""The options of Twenty-Eight: their values and sources, the presets, what is refused."""

from __future__ import annotations

import pytest

from tests.games.twentyeight.setting import rules_of
from tests.records.corpus import FOLDER as RECORDS
from twentytwo_protocol import record as records
from twentytwo_protocol.cards import PIQUET, pack32
from twentytwo_protocol.words.seating import Option_
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.registry import BUILT_IN, games
from twentytwo_server.games.twentyeight import TWENTYEIGHT, TwentyEightRules
from twentytwo_server.records import telling
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.opening import Opening, bare_table
from twentytwo_server.table.table import Settings

TABLE = """
order             seed       pagat
call              mandatory  optional
must_trump        always     caller
early_trump       no         no
pass_out          no         no
target            5          5
loss_limit        5          5
redeal_no_points  no         yes
"""
"""Every option with its value by denexa and by pagat."""


@pytest.mark.parametrize(("preset", "column"), [("denexa", 1), ("pagat", 2)])
def test_the_presets_are_the_table_of_the_sources(preset: str, column: int) -> None:
    rows = [line.split() for line in TABLE.strip().splitlines()]
    found = {option.name: option.value for option in TWENTYEIGHT.options(rules_of(preset))}
    assert found == {row[0]: row[column] for row in rows}


def test_denexa_is_what_is_played_unless_told_otherwise() -> None:
    assert [*TWENTYEIGHT.presets] == ["denexa", "pagat"]
    assert TWENTYEIGHT.presets["denexa"] == TwentyEightRules()


def test_every_option_says_what_it_is_and_where_it_comes_from() -> None:
    for option in TWENTYEIGHT.options(rules_of()):
        assert len(option.help) > 10
        assert option.source.startswith(("denexa", "pagat", "programs", "here"))


@pytest.mark.parametrize(
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


def test_a_table_that_was_opened_when_games_had_no_floor_keeps_its_numbers() -> None:
    options = {option.name: option.value for option in TWENTYEIGHT.options(rules_of())}
    options |= {"target": "10", "loss_limit": "0"}
    before = Opening(Settings(seats=4, preset="seed"), options)
    table = bare_table("t1", TWENTYEIGHT, before, Actor("ann"))
    assert (table.rules.target, table.rules.loss_limit) == (10, 0)


def test_a_record_of_that_time_is_told_with_them() -> None:
    kept = records.read((RECORDS / "v1" / "twentyeight-seed-1.txt").read_text())
    told = [event for event in telling.table(kept, games()) if isinstance(event, Option_)]
    shown = {event.key: event.value for event in told}
    assert (shown["target"], shown["loss_limit"]) == ("10", "0")


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
