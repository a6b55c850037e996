"""The calls of a move do not creep up: they are counted, so that no clock is needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .counted import WORK, Calls, counted
from .instructions import TITLES, by_stage, figures, table

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
MORE = 1.05
"""By this factor the calls may rise before the page has to say so."""


@pytest.fixture(scope="module")
def found() -> dict[str, Calls]:
    return {kind: counted(kind) for kind in WORK}


@pytest.mark.parametrize("kind", WORK)
def test_the_calls_are_no_more_than_the_page_says(kind: str, found: dict[str, Calls]) -> None:
    row = re.search(rf"^\| {TITLES[kind]} \| (\d+) \| \d+ k \|$", PAGE.read_text(), re.M)
    assert row is not None, f"the page has no row for {TITLES[kind]}"
    assert found[kind].each <= int(row[1]) * MORE, "see make bench ARGS=instructions"


def test_every_call_has_a_stage(found: dict[str, Calls]) -> None:
    for kind in WORK:
        assert by_stage(found[kind]).total() == found[kind].functions.total()
    head, *rows, together = table({"now": found})
    assert head.split() == ["calls", "move", "now", "say", "now", *head.split()[5:]]
    columns = [[float(each) for each in row.split()[-len(WORK) :]] for row in (*rows, together)]
    for *stages, whole in zip(*columns, strict=True):
        assert sum(stages) == pytest.approx(whole, abs=1)


def test_without_valgrind_only_calls_are_told(found: dict[str, Calls]) -> None:
    assert [*figures(found, {})][1] == f"| a line of talk | {found['say'].each:.0f} | ? |"
