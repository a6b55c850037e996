"""Options as data: a knob is a field of a frozen dataclass, with its values and its source.

Rules are read from words on the wire, described to people, and hashed, all from the fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

R = TypeVar("R")


class BadOption(ValueError):
    """An option that does not exist, a value out of range, or options that do not go together."""

    def __init__(self, option: str, text: str) -> None:
        super().__init__(text)
        self.option = option
        self.text = text


@dataclass(frozen=True, slots=True)
class Option:
    """An option as people see it: `value` in the rules at hand, the values `allowed`."""

    name: str
    type: str
    value: str
    allowed: str
    help: str
    source: str


def choice(default: str, *allowed: str, help: str, source: str) -> Any:
    """A knob that takes one of a few words."""
    return field(default=default, metadata={"allowed": allowed, "help": help, "source": source})


def number(default: int, low: int, high: int, *, help: str, source: str, none: bool = False) -> Any:
    """A knob that takes a whole number; 0 for none where `none` is true."""
    span = range(low, high + 1)
    meta = {"allowed": span, "none": none, "help": help, "source": source}
    return field(default=default, metadata=meta)


def read(rules: R, changes: Mapping[str, str]) -> R:
    """The rules with the changes made. Raises `BadOption`, naming what would be allowed."""
    knobs = {knob.name: knob for knob in fields(rules)}  # type: ignore[arg-type]  # R is a dataclass
    values: dict[str, Any] = {}
    for name, word in changes.items():
        if name not in knobs:
            raise BadOption(name, f"There is no option {name}. There are: {', '.join(knobs)}.")
        values[name] = _value(name, knobs[name].metadata, word.lower())
    return replace(rules, **values)  # type: ignore[type-var]  # R is a dataclass


def named_preset(presets: Mapping[str, R], name: str) -> R:
    """The preset of that name. Raises `BadOption`, naming those there are."""
    if name not in presets:
        raise BadOption("rules", f"There are no rules {name}. There are: {', '.join(presets)}.")
    return presets[name]


def _value(name: str, meta: Mapping[str, Any], word: str) -> Any:
    allowed = meta["allowed"]
    if isinstance(allowed, range):
        if word.isascii() and word.isdigit() and len(word) <= 6:
            value = int(word)
            if value in allowed or (meta["none"] and value == 0):
                return value
    elif word in allowed:
        return word
    raise BadOption(name, f"{name} takes {spelled(meta)}, not {word}.")


def spelled(meta: Mapping[str, Any]) -> str:
    """What a knob takes, in words: `on or off`, `1 to 13`."""
    allowed = meta["allowed"]
    if isinstance(allowed, range):
        span = f"{allowed.start} to {allowed.stop - 1}"
        return f"{span}, or 0 for none" if meta["none"] else span
    *most, last = allowed
    return f"{', '.join(most)} or {last}"


def described(rules: object) -> list[Option]:
    """Every knob with its value."""
    return [
        Option(
            knob.name,
            "int" if isinstance(knob.metadata["allowed"], range) else "token",
            str(getattr(rules, knob.name)),
            spelled(knob.metadata),
            knob.metadata["help"],
            knob.metadata["source"],
        )
        for knob in fields(rules)  # type: ignore[arg-type]  # R is a dataclass
    ]


def digest(game: str, version: int, options: Iterable[Option]) -> str:
    """Eight hex digits that are equal for equal rules: what `GAME rules=` carries."""
    text = "|".join([game, str(version), *(f"{o.name}={o.value}" for o in options)])
    return hashlib.sha256(text.encode()).hexdigest()[:8]
