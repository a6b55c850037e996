"""The search for the hard bot of Twenty-Eight."""

from .search import SEARCH

__all__ = ["SEARCH"]
