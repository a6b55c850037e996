"""Named points on the way of a line: where tests stop a server in its tracks.

In production nothing hangs on them. `at` is set by whoever wants to know, or to kill.
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
"""Where a server can be stopped, in the order in which it usually comes there."""

FAILPOINTS: tuple[str, ...] = get_args(Failpoint)

at: Callable[[str], None] | None = None
"""Called with the name of every point that is reached."""


def failpoint(name: Failpoint) -> None:
    """The server has come to this point."""
    if at is not None:
        at(name)
