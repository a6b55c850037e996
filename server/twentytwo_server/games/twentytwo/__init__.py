"""Twenty-Two and Twenty-Six: avoid taking the last trick."""

from .engine import TWENTYSIX, TWENTYTWO
from .rules import TwentyTwoRules

__all__ = ["TWENTYSIX", "TWENTYTWO", "TwentyTwoRules"]
