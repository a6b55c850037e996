"""The same seed gives the same games, and the same record the same review, with every Python.

The digests change when the bots play otherwise: the figures of docs/bots.md are then to be measured
anew, and the digests here with `python -m tests.games.test_same_everywhere`.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.review.games import short
from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.review.review import hand_review, hands_of

GAMES = 10
WORLDS = 4
DIGESTS = {
    "twentytwo": ("67f5d4aa1f2d", "b4525229d717"),
    "twentysix": ("b35969974727", "9ec36259f776"),
    "whist22": ("d6c796f3dc92", "9198c1df94fe"),
    "twentyeight": ("d2cd2eba5569", "a884731ed4d1"),
}


def of_games(key: str) -> str:
    """The digest of games between steady bots, and of one in which hard ones play."""
    game = games()[key]
    preset, found = next(iter(game.presets)), sha256()
    for levels, many in (("steady",) * 4, GAMES), (("hard", "steady") * 2, 1):
        plan = MatchPlan(key, preset, {}, levels, 5, WORLDS)
        for deal in range(many):
            found.update(repr(play_game(plan, deal, 0).record.moves).encode())
    return found.hexdigest()[:12]


def of_review(key: str) -> str:
    """The digest of what is found of the first hand of a short game."""
    played = short(key)
    found = hand_review(played, hands_of(played)[0], (1,))
    return sha256(repr(found).encode()).hexdigest()[:12]


@pytest.mark.parametrize("key", DIGESTS)
def test_bots_play_the_same_games_and_find_the_same_everywhere(key: str) -> None:
    assert (of_games(key), of_review(key)) == DIGESTS[key]


if __name__ == "__main__":
    for key in games():
        print(f'    "{key}": ("{of_games(key)}", "{of_review(key)}"),')
