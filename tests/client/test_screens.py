"""Every game as a person sees it, in windows of several sizes: the screens in `golden/screens`."""

from __future__ import annotations

import difflib
import re

import pytest

from tests.client.screen import Terminal
from tests.client.screens import SCENES, Scene, played, screens, written

COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7]|4[0-7])(?:;\d+)*m")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.game}{scene.variant}")
def test_what_is_on_the_screen_at_each_question(scene: Scene) -> None:
    def look(terminal: Terminal, size: tuple[int, int], number: int) -> None:
        golden = screens(scene, size)[number]
        try:
            terminal.until(lambda lines: written(lines).splitlines() == golden)
        except AssertionError:
            found = written(terminal.look()).splitlines()
            pytest.fail("\n".join(difflib.unified_diff(golden, found, "kept", "seen")))

    terminal = played(scene, look)
    assert not terminal.wrapped
    if scene.variant:
        assert not COLOUR.search(terminal.bytes)
    elif scene.game == "twentyeight":  # so the search for colours finds some
        assert COLOUR.search(terminal.bytes)
