"""Ports for programs that must be told which one to listen on."""

from __future__ import annotations

import random
import socket

BELOW_EPHEMERAL = range(20_000, 32_768)
"""The kernel gives none of these to a connection, so nobody takes one before the program does."""


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens."""
    while True:
        port = random.choice(BELOW_EPHEMERAL)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
