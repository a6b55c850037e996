"""High Card, a game of another distribution: all of it is in this folder."""

from tests.fifth_game.site.highcard.laws import HIGHCARD

__all__ = ["HIGHCARD"]
