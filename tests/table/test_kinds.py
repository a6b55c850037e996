"""The kinds of tables: which one a table is follows from what is stored of it."""

from __future__ import annotations

from typing import Any

from tests.kit.cases import together
from twentytwo_server.table import kinds
from twentytwo_server.table.table import Settings

STORED: dict[str, tuple[dict[str, Any], kinds.TableKind]] = {
    "usual": ({}, kinds.USUAL_KIND),
    "rated": ({"rated": True}, kinds.RATED_KIND),
    "practice": ({"practice": True, "seed": 7}, kinds.PRACTICE_KIND),
    "lesson": ({"practice": True, "seed": 7, "lesson": 2}, kinds.LESSON_KIND),
    "daily": ({"day": "2026-11-23", "entrant": "ann"}, kinds.DAILY_KIND),
    "pair": ({"twin": "t8"}, kinds.PAIR_KIND),
}


@together("name", STORED)
def test_the_kind_of_a_table_follows_from_its_settings(name: str) -> None:
    stored, kind = STORED[name]
    assert _settings(stored).kind is kind


@together("name", STORED)
def test_a_secret_word_makes_a_table_of_any_kind_hard_to_find(name: str) -> None:
    stored, kind = STORED[name]
    assert _settings(stored).secluded == kind.secluded
    assert _settings(stored).public == (not kind.secluded)
    assert _settings({**stored, "word": "plum"}).secluded
    assert not _settings({**stored, "word": "plum"}).public


def _settings(stored: dict[str, Any]) -> Settings:
    return Settings(4, "pagat", **stored)
