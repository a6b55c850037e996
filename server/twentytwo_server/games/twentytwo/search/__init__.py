"""What the searching bot needs of Twenty-Two."""

from .search import SEARCH

__all__ = ["SEARCH"]
