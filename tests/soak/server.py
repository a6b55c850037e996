"""The server, which tells on SIGUSR1 what it holds: a line of JSON in the file of $SOAK_TELLS."""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import Counter

KINDS = (
    "Channel",
    "Session",
    "Connection",
    "Person",
    "Room",
    "Table",
    "Stream",
    "Bots",
    "Deferred",
)


def tell(*_: object) -> None:
    """Counts what is alive after a search for garbage."""
    gc.collect()
    objects = gc.get_objects()
    counted = Counter(type(each).__name__ for each in objects)
    told = {kind: counted[kind] for kind in KINDS} | {"all": len(objects)}
    with open(os.environ["SOAK_TELLS"], "a") as file:
        file.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, tell)
    from twentytwo_server.cli import main

    main()
