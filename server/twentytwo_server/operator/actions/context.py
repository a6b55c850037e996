"""The context of admin commands: arguments, answers, and the objects they work on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from twentytwo_protocol.framing import clean, visible
from twentytwo_protocol.value import Value

from ...answers import keep
from ...facts import AdminAction, Fact
from ...host.cluster.homes import Homes
from ...host.cluster.other_servers import OtherServers
from ...host.host import Host
from ...store import Refused

LONGEST = 300
"""Maximum length of an announcement, a reason or an answer, in characters."""

Row = Mapping[str, str | int | bool]


class AdminAnswer(Value):
    """The answer to an admin command: a text, and rows that all have the same keys."""

    text: str = ""
    rows: Sequence[Row] = ()


class Stops(Protocol):
    """The interface for stopping a server (`stopping.Stopping`)."""

    def drain(self, limit: int | None) -> int:
        """Starts a drain: stops when no game runs, or after `limit` ms. Returns the limit."""

    def go_on(self) -> None:
        """Cancels a drain."""


class Given(Value):
    """An admin command: the ID of the operating-system user who sent it, and its arguments.

    `relayed`: it was given at another server. `noted`: the journal has it already.
    """

    uid: int
    command: str
    arguments: Mapping[str, str]
    relayed: bool = False
    noted: bool = False

    def get(self, name: str, *, most: int = LONGEST) -> str:
        """An argument on one line; empty if it is missing. Raises `Refused`."""
        found = " ".join(visible(clean(self.arguments.get(name, ""))).split())
        if len(found) > most:
            raise Refused(f"{name} takes {most} characters")
        return found

    def wanted(self, name: str) -> str:
        """A required argument. Raises `Refused`."""
        if found := self.get(name):
            return found
        raise Refused(f"{self.command} needs {name}")

    def number(self, name: str, usual: int | None = None) -> int:
        """An argument that is a non-negative number. Raises `Refused`."""
        found = self.get(name)
        if not found and usual is not None:
            return usual
        if not found.isdecimal():
            raise Refused(f"{name} takes a number")
        return int(found)


class AdminContext:
    """The objects that admin commands work on: a host and its journal.

    `backup` copies the database, if it is a file. `reload` reloads the settings and returns a
    report.
    """

    def __init__(
        self,
        host: Host,
        stops: Stops,
        backup: Callable[[Path], Awaitable[None]] | None = None,
        reload: Callable[[], str] | None = None,
    ) -> None:
        self.host = host
        self.stops = stops
        self.backup = backup
        self.reload = reload

    async def keep(self, given: Given, *facts: Fact) -> None:
        """Stores facts together with the journal entry; returns when they are safe."""
        await keep(self.host.store, [self.line(given), *facts])

    def note(self, given: Given) -> None:
        """Stores the journal entry as soon as the store can write again.

        For commands that must work even during a storage fault.
        """
        if not given.noted:
            self.host.store.keep([self.line(given)], lambda: None)

    async def at(self, node: str, given: Given) -> AdminAnswer:
        """The answer of another server to a command. Raises `Refused` as that one does."""
        others = self.host.parts.make(OtherServers)
        reply = await others.ask(node, given.uid, given.command, given.arguments, noted=False)
        if not reply.ok:
            raise Refused(f"{node}: {reply.text}")
        return AdminAnswer(reply.text, reply.rows)

    async def at_home(self, given: Given, name: str) -> AdminAnswer | None:
        """The answer of the server that keeps a person; None if that is this one, or none."""
        if given.relayed:
            return None
        elsewhere = await self.host.parts.make(Homes).find(name)
        return None if elsewhere is None else await self.at(elsewhere.node, given)

    async def at_all_others(self, given: Given) -> str:
        """The answers of all other servers, as the end of a sentence; empty if there are none.

        This server notes the command in the journal.
        """
        if given.relayed:
            return ""
        others = self.host.parts.make(OtherServers)
        replies = await others.ask_all(given.uid, given.command, given.arguments)
        return "".join(f"; {node}: {reply.text}" for node, reply in replies.items())

    def line(self, given: Given) -> AdminAction:
        """The journal entry of a command."""
        said = {key: value for key, value in given.arguments.items() if key != "why" and value}
        about = " ".join(_told(key, value) for key, value in said.items())
        wall = self.host.clock.wall()
        return AdminAction(given.uid, given.command, about, given.get("why"), wall)


def _told(key: str, value: str) -> str:
    """An argument as the journal shows it."""
    if key == "ms" and value.isdecimal():
        return f"for {int(value) // 1000} s"
    return value if key in MAIN else f"{key}={value}"


MAIN = ("target", "name", "table", "text", "id", "file")
"""Arguments that the journal shows without their names."""


Actions = Mapping[str, Callable[[AdminContext, Given], Coroutine[Any, Any, AdminAnswer]]]
"""Functions that carry out admin commands, by name."""
