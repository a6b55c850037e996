"""Replaces missing standard streams, for a process started by a shell with `>&-`."""

from __future__ import annotations

import os
import sys


def open_closed_streams() -> None:
    """Opens all closed standard streams: input is empty, and output is discarded.

    Otherwise the next opened file would get the number of a standard stream, and output would go
    into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is this one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # it stays
            setattr(sys, name, stream)
