"""The colours of the table, in the dark and in the light."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

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
        "felt": "#17302a",
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


def fitting(env: Mapping[str, str]) -> Theme:
    """The theme for a terminal that says in COLORFGBG that it is light, or dark if it does not."""
    back = env.get("COLORFGBG", "").rpartition(";")[2]
    return DAYLIGHT if back in ("7", "15") else EVENING
