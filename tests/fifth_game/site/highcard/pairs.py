"""High Pairs as a game: the laws of High Card, for four."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fifth_game.site.highcard.laws import HighCard
from tests.fifth_game.site.highcard.rules import HighCardRules
from tests.fifth_game.site.highcard.search import SEARCH
from tests.fifth_game.site.highcard.vocabulary import PAIRS
from twentytwo_server.games.lab import LabTable


class HighPairs(HighCard):
    """The game, with a search."""

    key = PAIRS.key
    title = PAIRS.title
    search = SEARCH
    lab: Mapping[str, LabTable] = {}
    lesson: None = None

    def players(self, rules: HighCardRules) -> range:
        """Four."""
        return range(4, 5)


HIGHPAIRS = HighPairs()
