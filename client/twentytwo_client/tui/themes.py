"""The colours of the table, dark and light, and the choice that is remembered."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

from ..saved_sessions import private_file

EVENING = Theme(
    name="evening",
    primary="#7fb59a",
    accent="#e0b868",
    foreground="#d8dcd6",
    background="#15191a",
    surface="#15191a",
    panel="#1b2122",
    dark=True,
    variables={
        "felt": "#143128",
        "mat": "#1c4236",
        "best": "#f0cf7e",
        "back": "#7d9fd0",
        "quiet": "#8fa39a",
        "strong": "#f2efe6",
        "card": "#ece7da",
        "ink": "#1d2120",
        "red-suit": "#b0271f",
        "green-suit": "#1f6b34",
        "blue-suit": "#22509c",
        "shaded": "#4c5f58",
        "shaded-ink": "#b9c4be",
    },
)
DAYLIGHT = Theme(
    name="daylight",
    primary="#2f6f56",
    accent="#8a5a00",
    foreground="#26302c",
    background="#f6f4ee",
    surface="#f6f4ee",
    panel="#ebe8df",
    dark=False,
    variables={
        "felt": "#d5e3da",
        "mat": "#c3d8cb",
        "best": "#ffdf8a",
        "back": "#3c66a8",
        "quiet": "#566a61",
        "strong": "#0f1f18",
        "card": "#fffdf7",
        "ink": "#1d2120",
        "red-suit": "#b0271f",
        "green-suit": "#1f6b34",
        "blue-suit": "#22509c",
        "shaded": "#b4c6bb",
        "shaded-ink": "#42544b",
    },
)


EVENING_TEXT = TerminalTheme(
    (27, 33, 34),
    (216, 220, 214),
    [
        *((125, 138, 134), (242, 120, 109), (127, 192, 138), (224, 184, 104)),
        *((130, 174, 240), (214, 154, 224), (127, 198, 198), (216, 220, 214)),
    ],
)
DAYLIGHT_TEXT = TerminalTheme(
    (235, 232, 223),
    (38, 48, 44),
    [
        *((86, 106, 97), (176, 39, 31), (31, 107, 52), (138, 90, 0)),
        *((34, 80, 156), (126, 54, 140), (24, 104, 104), (38, 48, 44)),
    ],
)
"""The colours in the light theme for text with the terminal's named colours."""


class ThemeFile:
    """The chosen theme, in a file of the client's state folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "theme"

    def chosen(self, env: Mapping[str, str]) -> Theme:
        """The chosen theme, or, without a choice, the one that fits the terminal."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            name = self._path.read_text("utf-8-sig").strip()
            for theme in (EVENING, DAYLIGHT):
                if theme.name == name:
                    return theme
        return fitting(env)

    def keep(self, name: str) -> None:
        """Saves the choice of a theme. A full disk is no reason to stop playing."""
        with contextlib.suppress(OSError):
            private_file(self._path).write_text(f"{name}\n", "utf-8")


def fitting(env: Mapping[str, str]) -> Theme:
    """The light theme if COLORFGBG reports a light terminal; otherwise the dark one."""
    back = env.get("COLORFGBG", "").rpartition(";")[2]
    return DAYLIGHT if back in ("7", "15") else EVENING
