"""Playing on from a point of a game that is over, against bots, in a practice game."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ..display.look import Look, LookOptions
from ..exit_status import Exit
from ..options import Practice, WhatIf
from .playback import NoSuchPlace, Perspective, Playback
from .sources import NoGame, of_text, record_of

GAME = "g0"
"""The number that the practice server gives to the game of a record."""


def practice_of(options: WhatIf) -> Practice:
    """The practice game that begins where the record stood. Raises `NoGame`."""
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
    """The practice game from a hand, and a trick of it, on; as somebody who sat there."""
    hand, trick = at
    named: Mapping[str, object] = {
        "at": f"{max(1, hand)}.{trick}" if trick else f"{max(1, hand)}",
        "seat": seat or "",
        "level": level,
    }
    words = [f"{key}={value}" for key, value in named.items() if value]
    return Practice(" ".join(["whatif", GAME, *words]), look, kept=False, record=record)


def main(options: WhatIf) -> Practice | int:
    """`twentytwo whatif`: the practice game, or the exit code where there is no record."""
    try:
        return practice_of(options)
    except NoGame as wrong:
        print(f"twentytwo whatif: {wrong}", file=sys.stderr)
        return wrong.status
