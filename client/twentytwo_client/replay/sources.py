"""Reads a finished game from a file, from a server, or from a socket that serves its log."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from twentytwo_protocol import event_link, logs, record_link
from twentytwo_protocol.framing import Flaw, LineBuffer, unmarked
from twentytwo_protocol.record import FORMAT
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.records import RecordLine

from ..address import Address
from ..core.conversation import LONGEST_LINE
from ..encryption import context_of
from ..exit_status import Exit
from ..sdk.connecting import connect
from ..sdk.errors import Dismissed, Refused
from ..sdk.server import Server
from ..trouble import file_trouble, trouble

T = TypeVar("T")

NUMBER = re.compile("g[0-9]{1,12}", re.IGNORECASE)
"""The id of a game."""
CONNECTS_WITHIN = 10.0
"""The timeout for a connection, in seconds."""


class NoGame(Exception):
    """There is no game to show. The message says why; `status` is the exit status."""

    def __init__(self, text: str, status: Exit = Exit.FAILED) -> None:
        super().__init__(text)
        self.status = status


def of_file(path: str) -> list[Event]:
    """The events in a file with a record, a link or a log. Raises `NoGame`."""
    return of_text(contents(path))


def contents(path: str) -> str:
    """The text of a file, or of standard input for `-`. Raises `NoGame`."""
    try:
        return unmarked(sys.stdin.read() if path == "-" else Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as wrong:
        raise NoGame(file_trouble(path, wrong)) from None


def is_link(text: str) -> bool:
    """True if a text begins like a link to a game, of either kind."""
    return record_link.is_link(text) or event_link.is_link(text)


def record_of(what: str) -> str:
    """The record in a file, in a link in a file, or in a link. Raises `NoGame`."""
    text = _unpacked(what if is_link(what) else contents(what))
    if not _is_record(text):
        raise NoGame("a game can go on from a record or its link; this has no moves")
    return text


def _unpacked(text: str) -> str:
    """The record or the log in a link; another text as it is. Raises `NoGame`."""
    try:
        if record_link.is_link(text):
            return record_link.unpack(text)
        if event_link.is_link(text):
            return "\n".join(_numbered(line) for line, _ in event_link.unpack(text))
    except record_link.BrokenLink as wrong:
        raise NoGame(str(wrong)) from None
    return text


def _numbered(line: str) -> str:
    """A line of a link as one of a log, where every event is on the stream of its game."""
    word, space, rest = line.partition(" ")
    return f"{word} on=g0 seq=1{space}{rest}"


def _is_record(text: str) -> bool:
    return next(_lines_of(text), "").startswith(FORMAT)


def _lines_of(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if not line.startswith("#"))


def of_text(text: str) -> list[Event]:
    """The events in a text with a record, a link or a log. Raises `NoGame`."""
    text = _unpacked(text)
    if _is_record(text):
        text = _told(text)
    return _read(text.splitlines())


def _told(record: str) -> str:
    """The log of a record. The server's program makes it, because it has the rules."""
    command = [sys.executable, "-m", "twentytwo_server", "record", "events", "-"]
    done = subprocess.run(command, input=record, capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2].partition(": ")[2]
        raise NoGame(f"that record will not do; {why.removeprefix('-: ')}")
    return done.stdout


def _read(lines: Iterable[str]) -> list[Event]:
    try:
        return list(logs.read(lines))
    except logs.NotALog as wrong:
        raise NoGame(f"this is neither a record nor a log of a game; {wrong}") from None


class ServerLogin(Value):
    """A server and a session there; the session's token gives access to private games."""

    server: Address
    name: str
    token: str = ""


def of_server(login: ServerLogin, game: str) -> list[Event]:
    """The events of a game on a server. Raises `NoGame`."""
    return _fetched(login, lambda here: here.export(game))


def record_of_server(login: ServerLogin, game: str) -> str:
    """The record of a game on a server. Raises `NoGame`."""
    rows = _fetched(login, lambda here: here.listing(RecordLine, f"export {game} form=record"))
    return "".join(f"{row.text or ''}\n" for row in rows)


def _fetched(login: ServerLogin, ask: Callable[[Server], Coroutine[Any, Any, T]]) -> T:
    server = login.server

    async def fetch() -> T:
        async with connect(
            str(server), name=login.name, bot=False, token=login.token, ca=server.ca
        ) as here:
            return await ask(here)

    try:
        return asyncio.run(fetch())
    except Refused as refused:
        raise NoGame(refused.text or refused.code, Exit.REFUSED) from None
    except (OSError, TimeoutError, Dismissed) as wrong:
        raise NoGame(f"{server}: {trouble(wrong)}", Exit.UNREACHABLE) from None


def of_socket(where: Address) -> Iterator[Event]:
    """The events of a log that an address serves, as they arrive. Raises `NoGame`."""
    try:
        yield from logs.read(_lines(where))
    except logs.NotALog as wrong:
        raise NoGame(str(wrong)) from None
    except OSError as wrong:
        raise NoGame(f"{where}: {trouble(wrong)}", Exit.UNREACHABLE) from None


def _lines(where: Address) -> Iterator[str]:
    """The lines that an address sends. Nothing is sent to it."""
    buffer = LineBuffer(LONGEST_LINE)
    with _connected(where) as wire:
        while data := wire.recv(1 << 16):
            for line in buffer.feed(data):
                yield "" if isinstance(line, Flaw) else line


def _connected(where: Address) -> socket.socket:
    if where.path:
        wire = socket.socket(socket.AF_UNIX)
        wire.settimeout(CONNECTS_WITHIN)
        wire.connect(where.path)
    else:
        wire = socket.create_connection((where.lookup, where.port), CONNECTS_WITHIN)
        context = context_of(where)
        if context is not None:
            wire = context.wrap_socket(wire, server_hostname=where.certified)
    wire.settimeout(None)
    return wire
