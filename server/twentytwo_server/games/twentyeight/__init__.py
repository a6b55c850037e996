"""Twenty-Eight: bid for the trump with four cards, then make the bid with eight."""

from .engine import TWENTYEIGHT
from .rules import TwentyEightRules

__all__ = ["TWENTYEIGHT", "TwentyEightRules"]
