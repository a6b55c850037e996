"""Writes the orders of a table as text, and parses them when the table is rebuilt.

An order is one line of JSON: `[name, {field: value}]`. The name of a command is its verb. The name
of a server's order is its class with a `!` in front: `!turnover`. Fields that are None are left
out. Stored tables depend on these names and fields: after a change the old ones must still be
readable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import DecodeError
from msgspec.json import Decoder
from msgspec.structs import asdict

from twentytwo_protocol.schema import COMMANDS, Command

from . import effects
from .clocks import TurnClock
from .effects import Inner
from .opening import Opening, Taken
from .table import Settings

Entry = Command | Inner | Opening
"""An order of any kind in a journal."""

INNER: Mapping[str, type[Any]] = {
    f"!{kind.__name__.lower()}": kind for kind in effects.Inner.__args__
}
OPENING = "!opening"


class UnknownOrder(ValueError):
    """A line is not an order of this version."""


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_Plain = str | int | float | bool | None | tuple[Any, ...] | dict[str, Any]
_PARSE = Decoder(tuple[str, dict[str, _Plain]]).decode


class _Forms(dict[type[Any], tuple[str, tuple[tuple[str, str], ...]]]):
    """A cache of the written form of each kind of order: its name, and the names of its fields."""

    def __missing__(self, kind: type[Any]) -> tuple[str, tuple[tuple[str, str], ...]]:
        verb = kind.word.word if issubclass(kind, Command) else f"!{kind.__name__.lower()}"
        found = (
            f"[{_JSON(verb)},{{",
            tuple((f"{_JSON(name)}:", name) for name in kind.__struct_fields__),
        )
        self[kind] = found
        return found


_FORMS = _Forms()


def written(entry: Entry) -> str:
    """The order as a line of JSON."""
    if type(entry) is Opening:
        return _JSON([OPENING, _opening(entry)])
    head, known = _FORMS[type(entry)]
    values = []
    for key, name in known:
        value = getattr(entry, name)
        if value is not None:
            values.append(key + (str(value) if type(value) is int else _JSON(value)))
    return f"{head}{','.join(values)}}}]"


def read(line: str) -> Entry:
    """Parses a line written by `written`. Raises `UnknownOrder`."""
    try:
        name, values = _PARSE(line)
        if name == OPENING:
            return _read_opening(values)
        kind = COMMANDS.get(name) or INNER[name]
        made: Entry = kind(**values)
        return made
    except (AttributeError, DecodeError, KeyError, TypeError, ValueError) as wrong:
        raise UnknownOrder(f"{line[:60]}: {wrong!r}") from None


def _opening(entry: Opening) -> dict[str, Any]:
    settings = entry.settings
    values = asdict(settings)
    if settings.counting:
        del values["counting"]
    if not settings.twin:
        del values["twin"]
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
        "version": entry.version,
        "protected": entry.protected,
        **({"taken": asdict(entry.taken)} if entry.taken is not None else {}),
        "played": list(entry.played),
        **({"empty": True} if entry.empty else {}),
        **({"guided": entry.guided} if entry.guided else {}),
        **({"others": entry.others} if entry.others else {}),
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
        values["edition"],
        values["most_hands"],
        values["sought"],
        values["version"],
        values["protected"],
        _read_taken(values["taken"]) if "taken" in values else None,
        tuple(values["played"]),
        values.get("empty", False),
        values.get("guided", ""),
        tuple((name, program) for name, program in values.get("others", ())),
    )


def _read_taken(values: Mapping[str, Any]) -> Taken:
    moves = tuple((seat, act, token) for seat, act, token in values["moves"])
    return Taken(values["source"], values["hand"], values["seat"], moves)
