"""The password of an account that is named on the command line."""

from __future__ import annotations

import os
import sys
import warnings
from getpass import GetPassWarning, getpass

from twentytwo_protocol.framing import unmarked

INPUT = 0
"""The standard input."""


def password_of(name: str) -> str:
    """Asks for it in the terminal without showing it; where there is none, reads a line.

    Raises `EOFError` if there is no password to be had.
    """
    question = f"Password of {name}: "
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", GetPassWarning)
            typed = getpass(question)
    except GetPassWarning:  # nobody sees what is typed
        typed = _first_line()
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)
        raise
    if not typed:
        raise EOFError
    return typed


def _first_line() -> str:
    """The first line of the input, of which the rest is left for others to read."""
    line = b""
    while (byte := os.read(INPUT, 1)) not in (b"", b"\n"):
        line += byte
    return unmarked(line.decode("utf-8", "replace")).removesuffix("\r")
