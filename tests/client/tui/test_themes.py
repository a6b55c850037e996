"""Light or dark: what is chosen is so the next time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.tui.tables import playing
from twentytwo_client.tui.themes import DAYLIGHT, EVENING, ThemeFile
from twentytwo_client.tui.widgets import TableView

LIGHT_TERMINAL = {"COLORFGBG": "0;15"}


async def test_the_light_is_remembered_and_so_is_the_dark(server: str, tmp_path: Path) -> None:
    for before, after in ((EVENING, DAYLIGHT), (DAYLIGHT, EVENING)):
        async with playing(server, tmp_path, name="tess") as seen:
            assert seen.app.theme == before.name
            await seen.press("f3")
            assert seen.app.theme == after.name
    async with playing(server, tmp_path, name="tess") as seen:
        assert seen.app.theme == EVENING.name


def test_a_choice_beats_the_terminal_and_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    themes = ThemeFile(tmp_path / "state")
    assert themes.chosen({}) is EVENING and themes.chosen(LIGHT_TERMINAL) is DAYLIGHT
    themes.keep(EVENING.name)
    assert themes.chosen(LIGHT_TERMINAL) is EVENING
    (tmp_path / "state" / "theme").write_bytes(b"\xff\n")
    assert themes.chosen(LIGHT_TERMINAL) is DAYLIGHT
    (tmp_path / "state" / "theme").unlink()
    (tmp_path / "state" / "theme").mkdir()
    themes.keep(EVENING.name)
    assert themes.chosen({}) is EVENING


async def test_without_colours_the_card_to_beat_is_as_bright_as_any(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(server, tmp_path, name="tess") as seen:
        table = seen.app.query_one(TableView)
        for _ in (EVENING, DAYLIGHT):
            best, card = (table.get_component_styles(f"cell--{r}") for r in ("best-card", "card"))
            assert best.background == card.background and best.text_style != card.text_style
            await seen.press("f3")
