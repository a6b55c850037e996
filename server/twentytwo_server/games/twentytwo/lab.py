"""Practice tables at which rare events of Twenty-Two and Twenty-Six happen soon."""

from __future__ import annotations

from collections.abc import Mapping

from ..lab import LabTable

SHORT = {"exchange": "off", "limit": "10", "first_hand": "3"}
"""Options that end a game after one hand."""

LAB: Mapping[str, LabTable] = {
    "truncated": LabTable(
        "Leads of straights: more moves than are listed. moves has the others.",
        ("TURN choose=one truncated=1 nlegal default", "TRICK", "GAMEOVER"),
        options={
            "exchange": "off",
            "first_hand": "13",
            "straights": "on",
            "straight_min": "2",
        },
        bots=1,
    ),
    "exchange": LabTable(
        "Any cards of a hand may be exchanged: the answer is a subset.",
        ("TURN act=exchange choose=subset min max cards", "EXCHANGED gave got", "DREW"),
        bots=2,
    ),
    "beat": LabTable(
        "A play to equal or beat, and the lowest cards instead; a hand of one trick and its end.",
        (
            "TURN act=play choose=one beat low legal hand",
            "PLAYED kind=lead",
            "PLAYED kind=beat",
            "PLAYED kind=low",
            "SHOWN",
            "SCORED card",
            "HANDOVER losers",
            "HAND",
        ),
        options={"exchange": "off"},
        bots=2,
        seed=23,
    ),
    "out": LabTable(
        "A game that is over after a hand: somebody is out, and the rest has won.",
        ("OUT", "REVEALED", "RESULT place=1", "GAMEOVER why=last", "COMMITTED"),
        options=SHORT,
        bots=2,
    ),
    "runoff": LabTable(
        "The last players go out together, and play on until one has won.",
        ("OUT", "GAMEOVER why=runoff"),
        rules="tvtropes",
        options=SHORT,
        bots=2,
        seed=33,
    ),
    "shared": LabTable(
        "The last players go out together, and have won together.",
        ("OUT", "GAMEOVER why=shared"),
        options={"exchange": "off", "limit": "10", "first_hand": "1"},
        bots=1,
        seed=89,
    ),
    "lowest": LabTable(
        "The last players go out together; the lowest score has won.",
        ("OUT", "GAMEOVER why=lowest"),
        rules="gamerules",
        options=SHORT,
        bots=2,
        seed=11,
    ),
}
"""The tables of Twenty-Two, by name."""

LAB_26: Mapping[str, LabTable] = {
    "joker": LabTable(
        "Jokers: X in a hand, XK where one counts as a king.",
        ("PLAYED cards~XK", "TURN hand~X"),
        options={"exchange": "off", "jokers": "8"},
        seed=72,
    ),
}
"""The tables of Twenty-Six, by name."""
