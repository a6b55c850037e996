"""Practice tables at which rare events of Whist 22 happen soon."""

from __future__ import annotations

from collections.abc import Mapping

from ..lab import LabTable

LAB: Mapping[str, LabTable] = {
    "bids": LabTable(
        "Bids for tricks, and what they come to.",
        ("TURN act=bid bids tricks", "BID", "TURN act=play bid won", "SCORED bid won", "TOOK"),
        seed=12,
    ),
    "fool": LabTable(
        "The Fool counts 0 or 22, as its player says: F0 or F22.",
        ("TURN legal~F0", "TURN legal~F22", "PLAYED cards~F0", "PLAYED cards~F22"),
        seed=12,
    ),
    "blind": LabTable(
        "A hand of one card, which everybody sees but its owner.",
        ("DEALT n=1 seen",),
        rules="bga",
        bots=6,
    ),
    "zero": LabTable(
        "Somebody has no points left: the game is over.",
        ("HANDOVER", "RESULT", "GAMEOVER why=zero"),
        options={"start_score": "1"},
    ),
}
"""The tables, by name."""
