"""The arguments of every long list, which is sent in pages."""

from __future__ import annotations

from typing import Annotated

from ..schema import KEY, Int, Token

AtMost = Annotated[Int | None, "maximum number of rows, 1 to 500; default: 100", KEY]
"""The maximum number of rows in a page."""
AtMostTen = Annotated[Int | None, "maximum number of rows, 1 to 500; default: 10", KEY]
"""The maximum number of rows in a page, for a list of which most people want only the first
rows.
"""
After = Annotated[Token | None, "the next= of the previous page, to continue there", KEY]
"""The start of a page."""
