"""The standard streams of a process that was started without some of them: `>&-`, by a shell."""

from __future__ import annotations

import os
import sys


def open_closed_streams() -> None:
    """Opens those that are closed: nothing comes in, and what goes out goes nowhere.

    Otherwise the next file that is opened would have the number, and would be written into.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:  # the lowest number that is free is this one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # it stays
            setattr(sys, name, stream)
