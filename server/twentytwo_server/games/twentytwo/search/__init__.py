"""The search for the hard bot of Twenty-Two."""

from .search import SEARCH

__all__ = ["SEARCH"]
