"""The registry: the built-in games, and those of other distributions."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from twentytwo_server.games import registry
from twentytwo_server.games.twentytwo import TWENTYTWO


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    registry.games.cache_clear()
    yield
    registry.games.cache_clear()


def brought(*plugins: Any) -> Any:
    return lambda group: [
        SimpleNamespace(load=lambda game=game: game)
        for game in plugins
        if group == "twentytwo.games"
    ]


def test_the_built_in_games_are_there_by_their_keys() -> None:
    found = registry.games()
    assert list(found)[:2] == ["twentytwo", "twentysix"]
    assert all(game.key == key for key, game in found.items())


def test_a_game_of_another_distribution_is_found_by_its_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = replace(TWENTYTWO, key="kille")
    monkeypatch.setattr(registry, "entry_points", brought(other))
    assert registry.games()["kille"] is other


def test_the_games_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = registry.games()
    monkeypatch.setattr(registry, "entry_points", brought(replace(TWENTYTWO, key="kille")))
    assert registry.games() is before


def test_two_games_of_one_key_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", brought(TWENTYTWO))
    with pytest.raises(ValueError, match="two games have the key twentytwo"):
        registry.games()
