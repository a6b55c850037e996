"""The number of repetitions in tests: few in `make test`, many in `make test-long`.

Every test runs in both. Only the number of seeds, games, kills or examples differs, never the kinds
of cases.
"""

from __future__ import annotations

import os

LONG = bool(os.environ.get("TEST_LONG"))
"""True in `make test-long`."""


def times(few: int, *, long: int) -> int:
    """The number of repetitions in this run."""
    return long if LONG else few
