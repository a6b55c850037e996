"""Practice tables at which rare events of Twenty-Eight happen soon."""

from __future__ import annotations

from collections.abc import Mapping

from ..lab import LabTable

LAB: Mapping[str, LabTable] = {
    "trump": LabTable(
        "An auction, the trump face down, and turned up; partners score together.",
        (
            "CONTRACT side",
            "TURN act=trump",
            "TRUMP shown=0 card",
            "TURN down",
            "TRUMP shown=1 suit",
            "TURN trump",
            "TURN holder",
            "SCORED side",
        ),
        seed=27,
    ),
    "declare": LabTable(
        "Whoever cannot follow suit says whether the hidden trump is called for.",
        ("TURN act=declare", "DECLARED what=no", "DECLARED what=call"),
        rules="pagat",
        seed=118,
    ),
    "redeal": LabTable(
        "No card that counts, and the first to speak: you may ask for a new deal.",
        ("TURN legal~redeal", "REDEALT", "DEALT"),
        rules="pagat",
        seed=139,
        say=("redeal",),
    ),
    "target": LabTable(
        "A side has the points that it takes to win.",
        ("SCORED side", "RESULT place=3", "GAMEOVER why=target"),
        options={"target": "1"},
    ),
    "loss": LabTable(
        "A side has lost as much as it may lose.",
        ("SCORED side", "GAMEOVER why=loss"),
        options={"loss_limit": "1"},
        seed=2,
    ),
}
"""The tables, by name."""
