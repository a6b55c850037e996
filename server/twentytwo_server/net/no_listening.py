"""Why there is no listening at an address, in words."""

from __future__ import annotations

import errno
import os
import socket

from twisted.internet.error import CannotListenError

_OF_SYSTEM = {
    errno.EADDRINUSE: "another program listens there",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.EACCES: "you may not listen there",
    errno.EPERM: "you may not listen there",
    errno.ENOENT: "there is no such folder",
    errno.ENOTDIR: "there is no such folder",
}


def no_listening(where: str, error: OSError | CannotListenError) -> ValueError:
    """The error to raise for one of the system: where, as it was written, and why, in a line."""
    cause = error.socketError if isinstance(error, CannotListenError) else error
    if isinstance(cause, socket.gaierror):
        return ValueError(f"{where}: there is no such host")
    number: int = getattr(cause, "errno", None) or 0
    why = _OF_SYSTEM.get(number) or (os.strerror(number) if number else str(cause))
    if number == errno.EADDRINUSE and "unix:" not in where:
        why += "; choose another port, or 0 for any free one"
    return ValueError(f"{where}: {why}")
