"""Every game on the table that fills the terminal: the screens in `golden/full-screens`."""

from __future__ import annotations

import difflib

import pytest

from tests.client.screen import Terminal
from tests.client.screens import written
from tests.client.tui.screens import GAMES_HERE, kept, played


@pytest.mark.parametrize("game", GAMES_HERE)
def test_what_is_on_the_full_screen_at_each_question(game: str) -> None:
    def look(terminal: Terminal, size: tuple[int, int], number: int) -> None:
        golden = kept(game, size)[number]
        try:
            terminal.until(lambda lines: written(lines).splitlines() == golden)
        except AssertionError:
            found = written(terminal.look()).splitlines()
            pytest.fail("\n".join(difflib.unified_diff(golden, found, "kept", "seen")))

    played(game, look)
