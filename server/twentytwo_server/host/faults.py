"""Faults: errors of the server itself, logged with a reference that people can quote."""

from __future__ import annotations

import logging

log = logging.getLogger("twentytwo.host")


class Faults:
    """The faults of this run of the server. `count` is their number."""

    def __init__(self, boot: str) -> None:
        self.count = 0
        self._boot = boot

    def log(self, where: str) -> str:
        """Logs the current exception; returns a reference to it. Only in an except block."""
        self.count += 1
        ref = f"{self._boot}-{self.count}"
        log.exception("fault %s in %s", ref, where)
        return ref
