"""High Pairs as a game: the laws of High Card, for four."""

from __future__ import annotations

from tests.fifth_game.site.highcard.laws import HighCard
from tests.fifth_game.site.highcard.rules import HighCardRules
from tests.fifth_game.site.highcard.search import SEARCH
from tests.fifth_game.site.highcard.vocabulary import PAIRS


class HighPairs(HighCard):
    """The game, with a search."""

    key = PAIRS.key
    title = PAIRS.title
    search = SEARCH

    def players(self, rules: HighCardRules) -> range:
        """Four."""
        return range(4, 5)


HIGHPAIRS = HighPairs()
