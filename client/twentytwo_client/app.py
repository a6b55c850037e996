"""The client as a whole: the parts put together, and what becomes of them in the end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from twisted.internet.endpoints import HostnameEndpoint, UNIXClientEndpoint
from twisted.internet.interfaces import IStreamClientEndpoint

from .address import Address
from .cli import Play, Practice
from .console import Console
from .link import End, Link
from .local import NoServer, practice_server
from .look import look
from .render import Renderer
from .sessions import Session, Sessions, private_file, state_dir
from .talk import Talk
from .terminal import Interrupted, Keyboard, Lines, Output, Prompt, above_the_prompt, window_width

LEAVES_WITHIN = 3.0
"""Seconds that the server gets to say goodbye."""
PATIENCE = 8
"""Attempts to come back where nobody is there to be told: about a minute and a half."""
SPARE = "player"
"""A name that no server has reason to refuse."""


class Exit(IntEnum):
    """What the process ends with."""

    OK = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4
    INTERRUPTED = 130


@dataclass(slots=True)
class Surroundings:
    """What the client is started in."""

    reactor: Any
    env: Mapping[str, str]

    @property
    def typed(self) -> bool:
        """Whether a person types."""
        return os.isatty(0)

    @property
    def seen(self) -> bool:
        """Whether a person sees the output."""
        return os.isatty(1)

    @property
    def login(self) -> str:
        """The name that the person has on this machine, as a name at the table."""
        name = re.sub(r"[^A-Za-z0-9_-]", "", self.env.get("USER") or self.env.get("LOGNAME") or "")
        return name[:16] if re.match(r"[A-Za-z].", name) else SPARE


# ------------------------------------------------------------------------------- commands


async def play(options: Play, around: Surroundings) -> int:
    """`twentytwo play`."""
    where = str(options.address)
    with Sessions(state_dir(around.env)) as sessions:
        name = options.name or sessions.last(where)
        old = _take(sessions, where, name)
        if not name and not (around.typed and around.seen):
            name = around.login
        talk = Talk(
            name=old.name if old else name,
            token=old.token if old else "",
            streams=old.streams if old else None,
        )
        keeper = _Keeper(sessions, where)
        console = Client(talk, options, around, where)
        console.errands([f"join {options.table}"] if options.table else [])
        return await console.run(endpoint(options.address, around), keeper)


async def practice(options: Practice, around: Surroundings) -> int:
    """`twentytwo practice`."""
    try:
        async with practice_server() as path:
            client = Client(Talk(name=around.login), options, around, "practice")
            client.errands([options.line])
            client.patience = 0
            return await client.run(endpoint(Address(path=str(path)), around))
    except NoServer as wrong:
        print(f"The practice server did not start: {wrong}", file=sys.stderr)
        return Exit.FAILED
