"""Whist 22: bid the number of your tricks, and take exactly this number."""

from .engine import WHIST22
from .rules import Whist22Rules

__all__ = ["WHIST22", "Whist22Rules"]
