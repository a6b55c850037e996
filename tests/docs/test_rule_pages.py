"""The tables of options on the pages of the rules are the presets as they are played.

A preset that is named after a source plays that source: its page says of every option what the
source has, or that the source is silent (†).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.kit.cases import together
from twentytwo_server.games.registry import BUILT_IN, games

PAGES = Path(__file__).parents[2] / "docs" / "rules"
KEYS = [game.key for game in BUILT_IN]
OURS = {("twentyeight", "evening")}
"""Presets that follow no source alone."""
SILENT = " †"


def page(key: str) -> str:
    return (PAGES / f"{key}.md").read_text(encoding="utf-8").split("## Options\n")[1]


def table(key: str) -> dict[str, dict[str, str]]:
    """The values on the page of a game, by preset and option."""
    lines = iter(page(key).splitlines())
    head = next(line for line in lines if line.startswith("| option |"))
    presets = cells(head)[2:]
    next(lines)
    found: dict[str, dict[str, str]] = {preset: {} for preset in presets}
    for line in lines:
        if not line.startswith("|"):
            break
        option, _, *values = cells(line)
        for preset, value in zip(presets, values, strict=True):
            found[preset][option.strip("`")] = value
    return found


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def origins(key: str) -> dict[str, str]:
    """The source that the page names for each option."""
    text = page(key).split("What the sources say of each option:\n")[1]
    entry = re.compile(r"^- `(\w+)`: (.*(?:\n  .*)*)", re.MULTILINE)
    return {option: " ".join(said.split()) for option, said in entry.findall(text)}


def played(key: str) -> dict[str, dict[str, str]]:
    """The values that are played, by preset and option; of Twenty-Six those that are its own."""
    game = games()[key]
    found = {
        preset: {option.name: option.value for option in game.options(rules)}
        for preset, rules in game.presets.items()
    }
    if key == "twentysix":
        usual = played("twentytwo")["pagat"].items()
        found = {preset: dict(values.items() - usual) for preset, values in found.items()}
    return found


@together("key", KEYS)
def test_the_table_of_a_page_is_what_its_presets_play(key: str) -> None:
    shown = {
        preset: {option: value.removesuffix(SILENT) for option, value in values.items()}
        for preset, values in table(key).items()
    }
    assert shown == played(key)
    assert [*shown] == [*games()[key].presets]


@together("key", KEYS)
def test_a_page_says_of_every_option_where_it_comes_from(key: str) -> None:
    assert [*origins(key)] == [*next(iter(table(key).values()))]


def silences(key: str) -> Iterator[tuple[str, str]]:
    """Presets and options where the source of the preset is silent."""
    for preset, values in table(key).items():
        if (key, preset) not in OURS:
            yield from ((preset, option) for option, v in values.items() if v.endswith(SILENT))


@together("key", KEYS)
def test_a_page_names_the_sources_that_are_silent_on_an_option(key: str) -> None:
    for preset, option in silences(key):
        said = origins(key)[option]
        assert "silent" in said, option
        # rasmussen is silent where pagat is, as the page says above the table.
        assert preset in said or "all are silent" in said or preset == "rasmussen", (preset, option)
    for option, said in origins(key).items():
        assert ("silent" in said) == (option in {name for _, name in silences(key)}), option
