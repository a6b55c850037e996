"""Ends the program when its terminal is gone, even if the program hangs.

The event loop may be blocked in a call, or a thread may never end. So the system ends the process a
little later than the program should have ended by itself.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import cache

WITHIN = 10
"""The seconds for a regular end: a farewell to the server, and the stop of our own server."""
EVERY = 1.0
"""The interval in seconds between two checks of the terminal."""


@cache
def watch(handle: int = 0) -> None:
    """Ends the program once the terminal with this handle is gone. Other handles are ignored.

    A second call does nothing: one thread is enough.
    """
    if os.isatty(handle):
        threading.Thread(target=_watch, args=(handle,), daemon=True).start()


def _watch(handle: int) -> None:
    while os.isatty(handle):
        time.sleep(EVERY)
    hang_up()


def hang_up() -> None:
    """Ends the program like SIGHUP."""
    end_soon()
    os.kill(os.getpid(), signal.SIGHUP)


def end_soon() -> None:
    """Lets the system end the process after a few more seconds."""
    signal.alarm(WITHIN)
