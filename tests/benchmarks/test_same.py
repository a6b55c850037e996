"""The comparison of two versions: the same game twice, and a difference that is planted."""

from __future__ import annotations

import pytest

from twentytwo_server.host.tables import input_log

from .same import difference
from .same_games import played

GAME = 4
"""A game with people, programs, watchers and mistakes."""


async def test_a_game_played_again_says_the_same_bytes_and_keeps_the_same_rows() -> None:
    first, again = [await played(GAME) for _ in range(2)]
    assert first.log == again.log
    assert first.rows == again.rows
    heard = "\n".join(first.log)
    assert all(kind in heard for kind in (' < {"ev":"PLAYED"', " < PLAYED ", " plays ", " < ! "))
    assert " ERR code=" in heard and " is cut off" in heard


async def test_a_checksum_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    first = await played(GAME)
    monkeypatch.setattr(input_log, "crc32", lambda data, before: len(data) ^ before)
    again = await played(GAME)
    assert first.log == again.log
    assert difference(first.rows, again.rows)[-1].startswith("now:    inputs ('t1', 1, ")


def test_the_first_difference_is_told_with_the_line_before_it() -> None:
    before = ["ann > b'4\\n'", "ann < You play 4.", "cat < ~ann plays 4."]
    assert difference(before, before) == []
    now = [*before[:2], "cat < ~ann plays 4!"]
    told = ["ann > b'4\\n'", "before: cat < ~ann plays 4.", "now:    cat < ~ann plays 4!"]
    assert difference(before, now) == told
    assert difference(before, before[:2])[1:] == [told[1], "now:    nothing more"]
