"""High Card and High Pairs, games of another distribution: all of them is in this folder."""

from tests.fifth_game.site.highcard.laws import HIGHCARD
from tests.fifth_game.site.highcard.pairs import HIGHPAIRS

__all__ = ["HIGHCARD", "HIGHPAIRS"]
