"""Describes errors of the system, of a file or of a connection, for a person."""

from __future__ import annotations

import errno
import os
import re
import ssl

_OF_KIND = {
    "ConnectionRefusedError": "nobody listens there",
    "gaierror": "there is no such host",
    "DNSLookupError": "there is no such host",
    "UnknownHostError": "there is no such host",
    "TimeoutError": "no answer",
    "UnicodeDecodeError": "that is no text",
}
"""Descriptions of errors by class name, in Python or in Twisted."""

_OF_SYSTEM = {
    errno.EACCES: "you may not do that",
    errno.EPERM: "you may not do that",
    errno.EADDRINUSE: "another program listens there",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.ECONNREFUSED: "nobody listens there",
    errno.EHOSTUNREACH: "there is no way to that host",
    errno.EISDIR: "that is a folder",
    errno.ENETUNREACH: "there is no way to that host",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOSPC: "the disk is full",
    errno.ENOTDIR: "there is no such file or folder",
    errno.EROFS: "nothing can be written there",
}
"""Descriptions of errors by number. The system describes the others."""

_UNSIGNED = (18, 19, 20, 21)
"""OpenSSL's errors for a certificate that is self-signed or signed by an unknown authority."""


def trouble(error: Exception) -> str:
    """A description of an error in a few words, without a full stop or an error number."""
    why: str = getattr(error, "verify_message", "")
    if why:
        unsigned = getattr(error, "verify_code", 0) in _UNSIGNED
        why = "nobody who is trusted here has signed it" if unsigned else why.rstrip(".")
        return f"its certificate will not do: {why}"
    if isinstance(error, ssl.SSLError):  # an SSLError's numbers are not the system's
        return "it does not speak TLS there"
    name = type(error).__name__
    number = _number(error)
    if name in _OF_KIND or number is None:
        return _OF_KIND.get(name) or str(error).rstrip(".") or name
    return _OF_SYSTEM.get(number) or os.strerror(number)


def file_trouble(path: str, error: Exception) -> str:
    """A description of an error with a file: its name, and the reason."""
    return f"{getattr(error, 'filename', None) or path}: {trouble(error)}"


def _number(error: Exception) -> int | None:
    """The system's error number: of Python, of Twisted, or of the first in a group of errors."""
    number = getattr(error, "errno", None) or getattr(error, "osError", None)
    told = re.search(r"\[Errno (\d+)\]", str(error))
    return number if isinstance(number, int) else int(told[1]) if told else None
