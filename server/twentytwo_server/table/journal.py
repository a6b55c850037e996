"""How the orders of a table are written down, and read again when it is built anew.

An order is one line of JSON: its kind, then its fields as they are declared. A deed is written
by its verb, what the server itself tells a table by a name of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from twentytwo_protocol.schema import COMMANDS, Command

from . import effects
from .clocks import TurnClock
from .effects import Inner
from .opening import Opening
from .table import Settings

Entry = Command | Inner | Opening
"""What a journal holds."""

INNER: Mapping[str, type[Any]] = {
    f"!{kind.__name__.lower()}": kind for kind in effects.Inner.__args__
}
OPENING = "!opening"


class Unreadable(ValueError):
    """A line that is no order of this version."""


def written(entry: Entry) -> str:
    """The order as a line."""
    if isinstance(entry, Opening):
        return _line(OPENING, _opening(entry))
    name = entry.word.word if isinstance(entry, Command) else f"!{type(entry).__name__.lower()}"
    values = {f.name: getattr(entry, f.name) for f in fields(entry)}
    return _line(name, {key: value for key, value in values.items() if value is not None})


def _line(name: str, values: Mapping[str, Any]) -> str:
    return json.dumps([name, values], ensure_ascii=False, separators=(",", ":"))


def read(line: str) -> Entry:
    """The order that a line holds. Raises `Unreadable`."""
    try:
        name, values = json.loads(line)
        if name == OPENING:
            return _read_opening(values)
        kind = INNER[name] if name in INNER else COMMANDS[name]
        made: Entry = kind(**{key: _value(value) for key, value in values.items()})
        return made
    except (KeyError, TypeError, ValueError) as wrong:
        raise Unreadable(f"{line[:60]}: {wrong!r}") from None


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _opening(entry: Opening) -> dict[str, Any]:
    settings = entry.settings
    values = {f.name: getattr(settings, f.name) for f in fields(settings)}
    clock = settings.clock and [settings.clock.move, settings.clock.bank]
    return {
        "settings": values | {"clock": clock},
        "options": dict(entry.options),
        "bots": entry.bots,
        "start": entry.start,
        "grace": entry.grace,
        "edition": entry.edition,
        "most_hands": entry.most_hands,
        "sought": entry.sought,
    }


def _read_opening(values: Mapping[str, Any]) -> Opening:
    settings = dict(values["settings"])
    if settings["clock"] is not None:
        settings["clock"] = TurnClock(*settings["clock"])
    return Opening(
        Settings(**settings),
        values["options"],
        values["bots"],
        values["start"],
        values["grace"],
        values.get("edition", 1),
        values.get("most_hands", 0),
        values.get("sought", False),
    )
