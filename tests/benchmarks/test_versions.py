"""The match of two versions, with this checkout as the other: equals play the same games."""

from __future__ import annotations

from pathlib import Path

import pytest

from twentytwo_server.operator.bot_matches import MatchPlan, play_deal

from .versions import BEFORE, NOW, Cost, bots_of, levels, matched, report

HERE = Path(__file__).parents[2]


@pytest.mark.parametrize("level", ["steady", "hard"])
def test_the_other_versions_bots_decide_as_they_do_at_home(level: str) -> None:
    plan = MatchPlan("twentytwo", "pagat", {"limit": "10"}, levels("twentytwo"), 5, 1)
    ours = Cost()
    with bots_of(HERE) as before:
        (played,) = matched(plan, level, before, ours, range(3, 4))
        theirs = before.cost()
    alone = play_deal(MatchPlan("twentytwo", "pagat", {"limit": "10"}, (level,) * 4, 5, 1), 3)
    assert [alone[0].record.moves] == [played[0].record.moves]
    assert len(played) == 4
    assert theirs.moves > ours.moves > 0
    assert theirs.seconds > 0


def test_a_bot_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises((EOFError, BrokenPipeError)), bots_of(tmp_path) as before:
        before.ask("ask 1 nothing")


def test_the_table_names_both_versions() -> None:
    lines: list[str] = []
    given = f"--before {HERE} --deals 1 --worlds 1 --level steady --option limit=10 --seed 3"
    report(given.split(), lines.append)
    assert lines[0] == f"twentytwo (pagat), {NOW},{BEFORE},{BEFORE},{BEFORE}, seed 3:"
    assert "4 games" in lines[1]
    assert lines[-1].startswith("steady, 1 worlds; CPU of now: ")


def test_pairs_play_pairs() -> None:
    assert levels("twentyeight") == (NOW, BEFORE, NOW, BEFORE)
