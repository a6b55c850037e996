"""The reasons why listening at an address fails, in words, and the stale sockets in its way."""

from __future__ import annotations

import errno
import os
import socket
import stat
from pathlib import Path

from twisted.internet.error import CannotListenError

_OF_SYSTEM = {
    errno.EADDRINUSE: "another program listens there",
    errno.EEXIST: "there is a file of that name",
    errno.EISDIR: "there is a folder of that name",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.EACCES: "you may not listen there",
    errno.EPERM: "you may not listen there",
    errno.ENOENT: "there is no such folder",
    errno.ENOTDIR: "there is no such folder",
}


def no_listening(where: str, error: OSError | CannotListenError) -> ValueError:
    """The error to raise for a system error: the endpoint and the reason in one line."""
    cause = error.socketError if isinstance(error, CannotListenError) else error
    if isinstance(cause, socket.gaierror):
        return ValueError(f"{where}: there is no such host")
    number: int = getattr(cause, "errno", None) or 0
    why = _OF_SYSTEM.get(number) or (os.strerror(number) if number else str(cause))
    if number == errno.EADDRINUSE and "unix:" not in where:
        why += "; choose another port, or 0 for any free one"
    return ValueError(f"{where}: {why}")


def make_way(path: Path) -> None:
    """Removes a stale Unix socket that a killed server has left.

    Raises `OSError` if anything else is there.
    """
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, "", str(path))
    if not stat.S_ISSOCK(kind):
        raise FileExistsError(errno.EEXIST, "", str(path))
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except BlockingIOError:  # a busy program is listening
            pass
    raise OSError(errno.EADDRINUSE, "", str(path))
