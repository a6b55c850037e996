"""How many files the process may have open, and so how many connections."""

from __future__ import annotations

import resource
from contextlib import suppress

RESERVED = 128
"""Open files that connections leave to the store, to the workers and to those who look after it."""
LEAST = 256
"""Fewer open files than these are a mistake of whoever starts the server."""


class TooFewFiles(Exception):
    """The process may have too few files open to serve people; its text says what to do."""


def raise_limit(wanted: int) -> int:
    """Raises the limit as far as this process may, up to `wanted` connections; returns what it is.

    Raises `TooFewFiles` where fewer than `LEAST` are left.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted + RESERVED
    if soft < wanted + RESERVED:
        enough = wanted + RESERVED if hard == resource.RLIM_INFINITY else hard
        with suppress(ValueError, OSError):  # macOS has a bound of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(enough, wanted + RESERVED), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < LEAST:
        raise TooFewFiles(
            f"this process may have only {soft} files open, and needs {LEAST} or more: "
            "`ulimit -n 4096` before the start raises it, LimitNOFILE= in a unit of systemd"
        )
    return soft


def connections(wanted: int, files: int) -> int:
    """How many connections there may be where so many files may be open."""
    return min(wanted, files - RESERVED)
