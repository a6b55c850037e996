"""The page in a real browser: games, lost connections, small screens, strange names.

Without chromium all of this is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.browser import BROWSER, MISSING
from tests.kit.processes import Server
from tests.web.browser import browsing
from tests.web.playing import Hand, House, keys, play, tap

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason=MISSING),
    pytest.mark.deadline(300),
]
DOORS = ("--listen", "127.0.0.1:0", "--listen", "ws:127.0.0.1:0")
SHORT = {
    "twentytwo": "bots=2 options=limit:10 seed=5",
    "twentysix": "bots=2 options=limit:10 seed=5",
    "whist22": "bots=2 seed=5",
    "twentyeight": "options=target:1,loss_limit:1 seed=5",
}
"""Options for a short game of each kind."""


@pytest.fixture(scope="module")
def built() -> Iterator[House]:
    with Server("--dev", *DOORS, "--bot-pause", "0") as server, browsing() as browser:
        yield House.of(server, browser)


@pytest.fixture
def house(built: House) -> Iterator[House]:
    yield built
    built.browser.close_pages()


@pytest.mark.parametrize("hand", [tap, keys])
@pytest.mark.parametrize("game", SHORT)
def test_a_game_is_played_to_its_end(house: House, game: str, hand: Hand) -> None:
    page = house.seated("ann", f"practice {game} {SHORT[game]}")
    assert play(page, hand) > 10
    assert "The game is over." in page.text()
    assert page.errors == []
