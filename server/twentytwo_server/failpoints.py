"""Failpoints: named places in the code where tests stop or kill a server.

In production they do nothing. A test sets `at` to be called at each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

Failpoint = Literal[
    # a start
    "file made",
    "schema checked",
    "schema step made",
    "schema ready",
    "store opened",
    "all remembered",
    "people restored",
    "listening",
    "replayed one",
    "table restored",
    "restored",
    # a line
    "line read",
    "decided",
    "batch taken",
    "transaction begun",
    "rows inserted",
    "all inserted",
    "committed",
    "kept",
    "answered",
    "told one",
    "told",
    "game over",
    "table gone",
    "to be written",
    "written",
    # now and then
    "token made",
    "token kept",
    "log to be moved",
    "log moved",
]
"""All failpoints, in the order in which a server usually reaches them."""

FAILPOINTS: tuple[str, ...] = get_args(Failpoint)

at: Callable[[str], None] | None = None
"""Called with the name of every failpoint reached, if not None."""


def failpoint(name: Failpoint) -> None:
    """Marks that the server has reached this failpoint.

    Code that runs once for each viewer of a table asks for `at` first, because a call costs more
    than the work around it.
    """
    if at is not None:
        at(name)
