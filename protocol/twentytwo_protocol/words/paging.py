"""The arguments of every long list, which is sent in pages."""

from __future__ import annotations

from typing import Annotated

from ..schema import KEY, Int, Token

AtMost = Annotated[Int | None, "how many rows at most, 1 to 500; 100 if you say nothing", KEY]
"""The maximum number of rows in a page."""
AtMostTen = Annotated[Int | None, "how many rows at most, 1 to 500; 10 if you say nothing", KEY]
"""The maximum number of rows in a page, for a list of which most people want only the first
rows.
"""
After = Annotated[Token | None, "the next= of the page before: go on from there", KEY]
"""The start of a page."""
