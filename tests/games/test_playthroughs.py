"""The golden games replay to the very events that are written behind their moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.golden import annotated, playthroughs
from twentytwo_protocol.record import Record
from twentytwo_protocol.words.cardplay import Gameover
from twentytwo_server.games.registry import BUILT_IN, games
from twentytwo_server.records.replay import replay

GOLDEN = list(playthroughs())


@pytest.mark.parametrize(("path", "record"), GOLDEN, ids=[path.stem for path, _ in GOLDEN])
def test_a_golden_game_replays(path: Path, record: Record) -> None:
    assert annotated(record) == path.read_text()
    found = replay(record, games())
    assert isinstance(found.events[-1], Gameover)


def test_there_is_a_golden_game_for_every_preset() -> None:
    golden = {(record.game, record.rules) for _, record in GOLDEN}
    assert golden >= {(game.key, preset) for game in BUILT_IN for preset in game.presets}
