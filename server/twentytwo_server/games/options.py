"""Options as data: each is a field of a frozen dataclass of rules, declared with a `Knob`.

Reading options from the protocol, describing them to people and hashing them all use these fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import TypeVar

R = TypeVar("R")

KNOB = "knob"
"""The key of a field's `Knob` in its metadata."""


class BadOption(ValueError):
    """An unknown option, a value out of range, or options that contradict each other."""

    def __init__(self, option: str, text: str) -> None:
        super().__init__(text)
        self.option = option
        self.text = text


@dataclass(frozen=True, slots=True)
class Option:
    """An option for display: its `value` in the current rules, and the values `allowed`.

    `words` are the allowed words, and `span` the allowed numbers, or None for words only.
    """

    name: str
    type: str
    value: str
    allowed: str
    help: str
    source: str
    words: tuple[str, ...] = ()
    span: range | None = None


@dataclass(frozen=True, slots=True)
class Knob:
    """The possible values of a field of the rules: words, or integers (`none`: or 0)."""

    allowed: tuple[str, ...] | range
    help: str
    source: str
    none: bool = False

    def read(self, word: str) -> str | int | None:
        """The value of a word of the protocol; None if it is not allowed."""
        if not isinstance(self.allowed, range):
            return word if word in self.allowed else None
        if word.isascii() and word.isdigit() and len(word) <= 6:
            value = int(word)
            if value in self.allowed or (self.none and value == 0):
                return value
        return None

    @property
    def takes(self) -> tuple[tuple[str, ...], range | None]:
        """The allowed words (including 0 for none), and the allowed numbers, if any."""
        if isinstance(self.allowed, range):
            return ("0",) if self.none else (), self.allowed
        return self.allowed, None

    @property
    def spelled(self) -> str:
        """The allowed values as text: `on or off`, `1 to 13`, `2 to 13, or 0 for none`."""
        if isinstance(self.allowed, range):
            span = f"{self.allowed.start} to {self.allowed.stop - 1}"
            return f"{span}, or 0 for none" if self.none else span
        *most, last = self.allowed
        return f"{', '.join(most)} or {last}"


def choice(default: str, *allowed: str, help: str, source: str) -> str:
    """A knob that takes one of a few words."""
    return field(default=default, metadata={KNOB: Knob(allowed, help, source)})


def number(default: int, low: int, high: int, *, help: str, source: str, none: bool = False) -> int:
    """A knob that takes an integer; 0 means none if `none` is true."""
    knob = Knob(range(low, high + 1), help, source, none)
    return field(default=default, metadata={KNOB: knob})


def knobs(rules: object) -> dict[str, Knob]:
    """The knob of every field of the rules, in order."""
    return {each.name: each.metadata[KNOB] for each in fields(rules)}  # type: ignore[arg-type]  # a dataclass


def no_such_option(name: str, known: Iterable[str], where: str) -> str:
    """The refusal of an unknown option; `where` names the command that lists the options."""
    near = get_close_matches(name, [*known], 1)
    more = f"; did you mean {near[0]}?" if near else f". {where} lists them."
    return f"There is no option {name}{more}"


def read(rules: R, changes: Mapping[str, str]) -> R:
    """The rules with the changes. Raises `BadOption` with the allowed values."""
    known, values = knobs(rules), {}
    for name, word in changes.items():
        if name not in known:
            raise BadOption(name, f"There is no option {name}. There are: {', '.join(known)}.")
        value = known[name].read(word.lower())
        if value is None:
            raise BadOption(name, f"{name} takes {known[name].spelled}, not {word.lower()}.")
        values[name] = value
    return replace(rules, **values)  # type: ignore[type-var]  # R is a dataclass


def named_preset(presets: Mapping[str, R], name: str) -> R:
    """The preset of that name. Raises `BadOption` with the names of all presets."""
    if name not in presets:
        raise BadOption("rules", f"There are no rules {name}. There are: {', '.join(presets)}.")
    return presets[name]


@lru_cache(maxsize=256)
def described(rules: Hashable) -> tuple[Option, ...]:
    """Every knob with its value."""
    return tuple(
        Option(
            name,
            "int" if isinstance(knob.allowed, range) else "token",
            str(getattr(rules, name)),
            knob.spelled,
            knob.help,
            knob.source,
            *knob.takes,
        )
        for name, knob in knobs(rules).items()
    )


def told_of(
    options: Iterable[Option], usual: Iterable[Option], known: Container[str]
) -> list[Option]:
    """The options to announce for a table or record: the `known` ones, and others with unusual
    values.

    So an old table or record is announced unchanged, although there are more options now.
    """
    values = {option.name: option.value for option in usual}
    return [o for o in options if o.name in known or o.value != values[o.name]]


def digest(game: str, version: int, options: Iterable[Option]) -> str:
    """A digest of 32 hex digits, equal for equal rules: the value of `GAME ruleshash=`."""
    text = "|".join([game, str(version), *(f"{o.name}={o.value}" for o in options)])
    return hashlib.sha256(text.encode()).hexdigest()[:32]
