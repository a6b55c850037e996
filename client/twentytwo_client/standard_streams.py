"""Standard streams that were closed when the process started, such as by `>&-` in a shell."""

from __future__ import annotations

import os
import sys


def open_closed_streams() -> None:
    """Opens the closed ones on the null device.

    Otherwise the next opened file would get their number and be written to.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:  # open() has returned the lowest free number, which is this one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # it stays
            setattr(sys, name, stream)
