"""The frequency with which a last card loses, counted in games of bots.

docs/rules/twentytwo.md and twentysix.md, "How to play it well", have the tables and the command.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RANKED = "23456789TJQKAX"
PLAIN: Mapping[str, int] = MappingProxyType(
    dict(zip(RANKED, (9, 18, 27, 38, 47, 54, 59, 66, 73, 79, 83, 91, 100), strict=False))
)
JOKERED: Mapping[str, int] = MappingProxyType(
    dict(zip(RANKED, (10, 17, 28, 37, 43, 45, 50, 53, 60, 62, 65, 76, 92, 100), strict=False))
)
"""The percentage of hands that a last card of the rank loses: without jokers in the pack, as in
Twenty-Two, and with them, as in Twenty-Six.
"""


def how_often(rank: str, *, jokers: bool = False) -> str:
    """The chance of losing with a last card of the rank, in words: `loses about 6 hands of 10`.

    The highest card of all always loses, by the rules.
    """
    loses = (JOKERED if jokers else PLAIN)[rank]
    return "always loses" if loses == 100 else f"loses about {round(loses / 10)} hands of 10"
