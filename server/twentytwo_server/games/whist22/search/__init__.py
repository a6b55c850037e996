"""What the searching bot needs of Whist 22."""

from .search import SEARCH

__all__ = ["SEARCH"]
