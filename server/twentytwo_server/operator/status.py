"""The command `twentytwo-server status`: asks a server over the protocol how it is, in one line."""

from __future__ import annotations

import socket
import ssl
import sys
from contextlib import closing

import click

from twentytwo_protocol.wire import decode, parse
from twentytwo_protocol.words.session import InfoRow

PATIENCE = 5.0
"""Seconds that an answer may take."""
ASK = b"@s hello 1 client=status\n@i info\nquit\n"
MOST = 1 << 16
"""Bytes of an answer at most: what answers without an end is no server of ours."""


@click.command()
@click.argument("where", metavar="[HOST:PORT]", default="127.0.0.1:2222")
@click.option("--ca", type=click.Path(exists=True), help="Whom to trust for tls:, a PEM file.")
def status(where: str, ca: str | None) -> None:
    """Ask a server how it is, by its own protocol. The exit status is 0 if it is ready, else 1.

    Without HOST:PORT it is the server on this machine, port 2222. tls:HOST:PORT and unix:PATH work
    too.
    """
    try:
        facts = asked(where, ca)
    except (OSError, ValueError) as error:
        print(f"no answer from {where}: {error or type(error).__name__}")
        sys.exit(1)
    state = facts.get("state", "ready")
    shown = [f"{key} {facts.get(key, '?')}" for key in ("players", "connections", "tables")]
    print(
        "  ".join([facts.get("codebase", "?"), f"up {facts.get('uptime', '?')} s", *shown, state])
    )
    sys.exit(0 if state == "ready" else 1)


def asked(where: str, ca: str | None = None) -> dict[str, str]:
    """The facts that a server tells of itself.

    Raises `OSError` if it cannot be reached or does not answer in time, `ValueError` if what
    answers is no such server.
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
    if where.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(where.removeprefix("unix:"))
        return connection
    host, colon, port = where.removeprefix("tls:").rpartition(":")
    if not colon or not port.isdigit():
        raise ValueError("it must be HOST:PORT")
    host = host.strip("[]")
    connection = socket.create_connection((host, int(port)), PATIENCE)
    if not where.startswith("tls:"):
        return connection
    return ssl.create_default_context(cafile=ca).wrap_socket(connection, server_hostname=host)
