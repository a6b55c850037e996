"""The limit of open files, and the resulting limit of connections."""

from __future__ import annotations

import resource
from contextlib import suppress

RESERVED = 128
"""Open files reserved for the store, the workers and the operator."""
FEWEST_FILES = 256
"""With a lower limit of open files the server does not start."""


class TooFewFiles(Exception):
    """The limit of open files is too low; the text says how to raise it."""


def raise_limit(wanted: int) -> int:
    """Raises the limit of open files for `wanted` connections, if allowed; returns the limit.

    Raises `TooFewFiles` where fewer than `FEWEST_FILES` are left.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted + RESERVED
    if soft < wanted + RESERVED:
        enough = wanted + RESERVED if hard == resource.RLIM_INFINITY else hard
        with suppress(ValueError, OSError):  # macOS has a bound of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(enough, wanted + RESERVED), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < FEWEST_FILES:
        raise TooFewFiles(
            f"this process may have only {soft} files open, and needs {FEWEST_FILES} or more: "
            "`ulimit -n 4096` before the start raises it, LimitNOFILE= in a unit of systemd"
        )
    return soft


def connections(wanted: int, files: int) -> int:
    """The maximum number of connections with this limit of open files."""
    return min(wanted, files - RESERVED)
