"""TLS to a server, as the standard library has it."""

from __future__ import annotations

import ssl

from .address import Address


def context_of(server: Address) -> ssl.SSLContext | None:
    """How the server at an address is to prove itself; None without TLS.

    Raises `OSError` if the file of its authority cannot be read, or has no certificate in it.
    """
    return ssl.create_default_context(cafile=server.ca or None) if server.tls else None
