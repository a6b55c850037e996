"""The exit statuses of all commands."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit status of `twentytwo`."""

    OK = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4
    MISMATCH = 5
    TRY_AGAIN = 75
    INTERRUPTED = 130


MEANINGS = {
    Exit.OK: "all is well, or you left",
    Exit.FAILED: "it did not work",
    Exit.USAGE: "the command line makes no sense",
    Exit.UNREACHABLE: "no connection",
    Exit.REFUSED: "the server would not have you, or not do it",
    Exit.MISMATCH: "a record or a server is not as it should be",
    Exit.TRY_AGAIN: "not now: the server is full, or about to stop; try again",
    Exit.INTERRUPTED: "Ctrl-C",
}
"""The meaning of each exit status."""

EXIT_STATUS_HELP = "\n".join(
    ["\b", "exit status:", *(f"  {code.value:<4} {means}" for code, means in MEANINGS.items())]
)
"""The exit statuses for the help."""
