"""The invitation that the host of a table sends to friends: one line for each way to connect."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator

import segno

from ..address import Address

PORTS = {"": 2222, "ws:": 80}
"""The default ports, which are omitted."""
EVERYWHERE = ("0.0.0.0", "[::]", "::")


def own_address() -> str:
    """The address of this machine in its network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a reserved address: only the route is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def reached(listener: str, at: str) -> tuple[str, int]:
    """The host and port for others, from the server's listen address. `at` replaces a
    wildcard.
    """
    host, _, port = listener.removeprefix("ws:").rpartition(":")
    return (at if host in EVERYWHERE else host.strip("[]")), int(port)


def invitation(listener: str, web: str, word: str, at: str) -> Iterator[str]:
    """The lines to send.

    `listener` is the server's listen address. `web` is that of its web page, if it has one.
    """
    host, port = reached(listener, at)
    public = listener.rpartition(":")[0] in EVERYWHERE
    where = host if port == PORTS[""] else Address(host, port)
    yield "Your server runs as long as you play. Send this to your friends:"
    yield ""
    if web:
        yield f"  {link(web, word, at)}"
        yield ""
        yield "It opens in the browser of every phone and computer. In a terminal:"
    yield f"  twentytwo play {where} --table {word}"
    yield f"  nc {host} {port}, then a name, then: join {word}"
    yield ""
    if not public:
        yield f"Only {host} itself is listened on."
    yield "Whoever knows the word can sit down. table tells it to you again."


def link(web: str, word: str, at: str) -> str:
    """The URL at which a friend sits down."""
    where = str(Address(*reached(web, at)))
    usual = f":{PORTS['ws:']}"
    return f"http://{where.removesuffix(usual)}/#join={word}"


def picture(text: str, columns: int | None) -> str:
    """A text as a QR code of block characters; empty if it is wider than the window."""
    code = segno.make(text, error="l", micro=False)
    if columns is None or code.symbol_size(border=2)[0] > columns:
        return ""
    drawn = io.StringIO()
    code.terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
