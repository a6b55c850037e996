"""TLS to a server, with Python's `ssl`."""

from __future__ import annotations

import ssl

from .address import Address


def context_of(server: Address) -> ssl.SSLContext | None:
    """The TLS settings for a server; None without TLS.

    Raises `OSError` if the file of its authority cannot be read or contains no certificate.
    """
    return ssl.create_default_context(cafile=server.ca or None) if server.tls else None
