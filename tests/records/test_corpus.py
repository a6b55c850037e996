"""Records that were written once are told for ever as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.records.corpus import DIGESTS, FOLDER, digest, kept
from twentytwo_protocol import record as records
from twentytwo_server.games.registry import BUILT_IN, games
from twentytwo_server.records import checking

KEPT = list(kept())


@pytest.mark.parametrize(("path", "found"), KEPT, ids=[path.stem for path, _ in KEPT])
def test_a_kept_record_is_told_as_it_always_was(path: Path, found: str) -> None:
    record = records.read(path.read_text())
    assert digest(record) == found
    assert checking.wrong(record, games()) is None


def test_no_kept_record_is_forgotten() -> None:
    texts = {path for path in FOLDER.glob("v*/*.txt") if path.name != DIGESTS}
    assert texts == {path for path, _ in KEPT}


def test_every_preset_has_a_record() -> None:
    found = [records.read(path.read_text()) for path, _ in KEPT]
    presets = {(game.key, preset) for game in BUILT_IN for preset in game.presets}
    assert {(r.game, r.rules) for r in found} >= presets


def test_games_that_ended_early_are_among_them() -> None:
    ends = {records.read(path.read_text()).end for path, _ in KEPT}
    assert {"resigned", "aborted agreed"} <= ends
    assert any(" auto\n" in path.read_text() for path, _ in KEPT)
