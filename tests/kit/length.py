"""How often tests repeat themselves: a little in `make test`, at length in `make test-long`.

Every test runs in both: what differs is the number of seeds, games, kills or examples, never the
kinds of things that are tried.
"""

from __future__ import annotations

import os

LONG = bool(os.environ.get("TEST_LONG"))
"""Whether this is `make test-long`."""


def times(few: int, *, long: int) -> int:
    """The number that holds in this run."""
    return long if LONG else few
