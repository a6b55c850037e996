"""Whist 22: bid the number of tricks you will take, and take no more and no fewer."""

from .engine import WHIST22
from .rules import Whist22Rules

__all__ = ["WHIST22", "Whist22Rules"]
