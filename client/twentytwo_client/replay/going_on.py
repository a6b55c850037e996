"""Continues a finished game from any point, against bots, in a practice game."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ..display.look import Look, LookOptions
from ..exit_status import Exit
from ..options import Practice, WhatIf
from .playback import NoSuchPlace, Perspective, Playback
from .sources import NoGame, of_text, record_of

GAME = "g0"
"""The id of the record's game on the practice server."""


def practice_of(options: WhatIf) -> Practice:
    """The practice game that continues a record. Raises `NoGame`."""
    record = record_of(options.what)
    viewing = Playback(of_text(record), Perspective(Look(), lambda: None, None, opened=False))
    try:
        viewing.go_to(*options.at)
    except NoSuchPlace as wrong:
        raise NoGame(str(wrong), Exit.USAGE) from None
    return going_on(record, options.at, options.seat, options.look, level=options.level)


def going_on(
    record: str, at: tuple[int, int], seat: int | None, look: LookOptions, *, level: str = ""
) -> Practice:
    """The practice game that continues a record from a hand and a trick, in the given seat."""
    hand, trick = at
    named: Mapping[str, object] = {
        "at": f"{max(1, hand)}.{trick}" if trick else f"{max(1, hand)}",
        "seat": seat or "",
        "level": level,
    }
    words = [f"{key}={value}" for key, value in named.items() if value]
    return Practice(" ".join(["whatif", GAME, *words]), look, history=False, record=record)


def main(options: WhatIf) -> Practice | int:
    """`twentytwo whatif`. Returns the practice game, or the exit status if there is no record."""
    try:
        return practice_of(options)
    except NoGame as wrong:
        print(f"twentytwo whatif: {wrong}", file=sys.stderr)
        return wrong.status
