"""A terminal that is gone ends the program, whatever else would keep it.

A loop may be stuck in a call, and a thread be waited for. So the system is told as well: it ends
the process a little later than the program itself should have done.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import cache

WITHIN = 10
"""Seconds that an end in good order may take: a goodbye, and the stop of a server of our own."""
EVERY = 1.0
"""Seconds between two looks at the terminal."""


@cache
def watch(handle: int = 0) -> None:
    """Hangs up once the terminal with this handle is gone, if it is a terminal.

    A second call does nothing: one thread watches.
    """
    if os.isatty(handle):
        threading.Thread(target=_watch, args=(handle,), daemon=True).start()


def _watch(handle: int) -> None:
    while os.isatty(handle):
        time.sleep(EVERY)
    hang_up()


def hang_up() -> None:
    """Ends the program as a hangup does: there is no terminal any more."""
    end_soon()
    os.kill(os.getpid(), signal.SIGHUP)


def end_soon() -> None:
    """Gives the process a few more seconds, after which the system ends it."""
    signal.alarm(WITHIN)
