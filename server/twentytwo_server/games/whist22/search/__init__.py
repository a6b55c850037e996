"""The search for the hard bot of Whist 22."""

from .search import SEARCH

__all__ = ["SEARCH"]
