"""The password of an account that is named on the command line."""

from __future__ import annotations

import os
import sys
import warnings
from getpass import GetPassWarning, getpass

from twentytwo_protocol.framing import unmarked

INPUT = 0
"""The file descriptor of standard input."""


def password_of(name: str) -> str:
    """The password, typed without echo; without a terminal, a line of standard input.

    Raises `EOFError` if the input ends.
    """
    question = f"Password of {name}: "
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", GetPassWarning)
            typed = getpass(question)
    except GetPassWarning:  # the terminal cannot turn the echo off
        typed = _first_line()
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)
        raise
    if not typed:
        raise EOFError
    return typed


def _first_line() -> str:
    """The first line of the input. The rest stays unread, for other readers."""
    line = b""
    while (byte := os.read(INPUT, 1)) not in (b"", b"\n"):
        line += byte
    return unmarked(line.decode("utf-8", "replace")).removesuffix("\r")
