"""The arguments that every long list takes: it is told a page at a time."""

from __future__ import annotations

from typing import Annotated

from ..schema import KEY, Int, Token

AtMost = Annotated[Int | None, "how many rows at most, 1 to 500; 100 if you say nothing", KEY]
"""How long a page is."""
AtMostTen = Annotated[Int | None, "how many rows at most, 1 to 500; 10 if you say nothing", KEY]
"""The same of a list of which most people want the first few only."""
After = Annotated[Token | None, "the next= of the page before: go on from there", KEY]
"""Where a page begins."""
