"""The command `twentytwo-server status`: asks a server for its state, and prints it in one line."""

from __future__ import annotations

import socket
import ssl
import sys
from contextlib import ExitStack, closing

import click

from twentytwo_protocol.wire import decode, parse
from twentytwo_protocol.words.session import InfoRow

from .one_line import FAILED, why

PATIENCE = 5.0
"""Seconds to wait for an answer."""
ASK = b"@s hello 1 client=status\n@i info\nquit\n"
MOST = 1 << 16
"""Maximum length of an answer in bytes: real answers are shorter."""


@click.command()
@click.argument("where", metavar="[HOST:PORT]", default="127.0.0.1:2222")
@click.option(
    "--ca",
    type=click.Path(exists=True, dir_okay=False),
    help="The PEM file of a trusted authority, for tls:.",
)
def status(where: str, ca: str | None) -> None:
    """Print the state of a server, requested by its own protocol. The exit status is 0 if it is
    ready, else 1.

    The default is the server on this machine, port 2222. tls:HOST:PORT and unix:PATH are allowed
    too.
    """
    try:
        facts = fetch_info(where, ca)
    except (OSError, ValueError) as error:
        print(f"no answer from {where}: {_why(error)}")
        sys.exit(FAILED)
    state = facts.get("state", "ready")
    shown = [f"{key} {facts.get(key, '?')}" for key in ("players", "connections", "tables")]
    named = [facts.get("codebase", "?"), *([facts["node"]] if "node" in facts else [])]
    print("  ".join([*named, f"up {facts.get('uptime', '?')} s", *shown, state]))
    sys.exit(0 if state == "ready" else 1)


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate will not do: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return "it does not speak TLS there"
    return "there is no such host" if isinstance(error, UnicodeError) else why(error)


def fetch_info(where: str, ca: str | None = None) -> dict[str, str]:
    """The server's facts about itself, from its `info` rows.

    Raises `OSError` if the server is unreachable or slow to answer, and `ValueError` if the peer
    does not speak the protocol.
    """
    with closing(_connected(where, ca)) as connection:
        connection.settimeout(PATIENCE)
        connection.sendall(ASK)
        said = b""
        while len(said) < MOST and (more := connection.recv(4096)):
            said += more
    records = [parse(line) for line in said.decode(errors="replace").splitlines()]
    rows = [decode(record) for record in records if record is not None]
    facts = {row.key: row.value for row in rows if isinstance(row, InfoRow)}
    if not facts:
        raise ValueError("it does not speak cardline/1")
    return facts


def _connected(where: str, ca: str | None) -> socket.socket:
    with ExitStack() as opened:  # closes the socket if the connection fails
        if where.startswith("unix:"):
            connection = opened.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(PATIENCE)
            connection.connect(where.removeprefix("unix:"))
        else:
            host, port = _host_and_port(where.removeprefix("tls:"))
            connection = opened.enter_context(socket.create_connection((host, port), PATIENCE))
            if where.startswith("tls:"):
                trusting = ssl.create_default_context(cafile=ca)
                connection = trusting.wrap_socket(connection, server_hostname=host)
        opened.pop_all()
    return connection


def _host_and_port(where: str) -> tuple[str, int]:
    host, colon, port = where.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise ValueError("it must be HOST:PORT, tls:HOST:PORT or unix:PATH")
    return host.strip("[]"), int(port)
