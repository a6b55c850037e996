"""Idempotent commands: the last commands of each person, by their `once=` keys.

A key stands for one command, on all connections of the person and across restarts. The effects of a
command and its `CommandDone` are stored in one transaction: after a crash both are there, or
neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace
from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Refused

from ...facts import KEYED, CommandDone


class KeyedCommands:
    """The last commands with a key of one person, oldest first: finished and running ones."""

    def __init__(self, done: Iterable[CommandDone] = ()) -> None:
        self._done = {each.key: each for each in sorted(done, key=lambda each: each.no)}
        self._last = max((each.no for each in self._done.values()), default=0)
        self._under_way: dict[str, list[Deferred[None]]] = {}

    def answer(self, key: str, said: str) -> Mapping[str, Any] | None:
        """The fields of the command's OK, or None if it was not carried out.

        Raises `Refused` (ONCE_USED) if the key is that of another command.
        """
        found = self._done.get(key)
        if found is None:
            return None
        if found.said != said:
            raise Refused("ONCE_USED", f"Another command has the key {key}.", arg="once")
        fields: dict[str, Any] = json.loads(found.answer)
        return fields

    def wait(self, key: str) -> Deferred[None] | None:
        """Fires when the running command with that key has ended; None if none is running."""
        waiting = self._under_way.get(key)
        if waiting is None:
            return None
        ended: Deferred[None] = Deferred()
        waiting.append(ended)
        return ended

    @property
    def running(self) -> bool:
        """True if a command with a key is running."""
        return bool(self._under_way)

    def begin(self, key: str) -> None:
        """Notes that a command is running. Call `end` when it has ended in any way."""
        self._under_way[key] = []

    def end(self, key: str) -> None:
        """Releases all that wait for the command."""
        for waiting in self._under_way.pop(key, ()):
            waiting.callback(None)

    def made(self, name: str, key: str, said: str, fields: Mapping[str, Any]) -> CommandDone:
        """The fact that a command was carried out, to store with its effect."""
        self._last += 1
        answer = json.dumps({k: v for k, v in fields.items() if v is not None})
        return CommandDone(name, self._last, key, said, answer)

    def add(self, done: CommandDone) -> None:
        """Remembers a command that was carried out, and forgets the oldest if there are many."""
        self._done.setdefault(done.key, done)
        while len(self._done) > KEYED:
            del self._done[next(iter(self._done))]

    def take(self, name: str, others: KeyedCommands) -> None:
        """Adds the commands of a guest who has become this person."""
        for each in others._done.values():
            self._last += 1
            self.add(replace(each, name=name, no=self._last))
        self._under_way |= others._under_way

    def facts(self) -> list[CommandDone]:
        """The facts of all commands, to store."""
        return list(self._done.values())
