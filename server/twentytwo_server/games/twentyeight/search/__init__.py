"""What the searching bot needs of Twenty-Eight."""

from .search import SEARCH

__all__ = ["SEARCH"]
