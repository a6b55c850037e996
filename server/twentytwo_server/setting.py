"""How a setting of the operator is declared: once, as a field of the dataclass that uses it.

    rate: float = setting(10.0, "Commands per second.", unit=Unit.EACH_SECOND)

The package `config` makes from the declarations: the configuration file with its comments, the
environment variables, the flags, the checks of values, and the reload on SIGHUP.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, TypeVar, get_origin, get_type_hints

from twentytwo_protocol.value import Value

T = TypeVar("T")


class Unit(Enum):
    """The unit of a number: its name, and the factor from the written to the stored number."""

    NONE = "", 1
    EACH_SECOND = "a second", 1
    EACH_MINUTE = "a minute", 1
    MILLISECONDS = "milliseconds", 1
    SECONDS = "seconds", 1_000
    MINUTES = "minutes", 60_000
    BYTES = "bytes", 1
    KIB = "KiB", 1024


class Declared(Value):
    """The declaration of a setting. The bounds and the default are stored numbers."""

    reason: str
    unit: Unit
    least: float
    most: float
    flag: str | None
    metavar: str
    restart: bool
    check: Callable[[Any], None]


def setting(  # noqa: PLR0913  # a declaration, by name
    default: T,
    reason: str,
    *,
    unit: Unit = Unit.NONE,
    least: float | None = None,
    most: float = 1_000_000_000,
    flag: str | None = None,
    metavar: str = "TEXT",
    restart: bool = False,
    check: Callable[[Any], None] = lambda value: None,
) -> T:
    """A field of a dataclass that the operator may set.

    `reason` explains the setting and its default in a sentence or two. Numbers are stored as
    multiples of the unit: `setting(120_000, ..., unit=Unit.SECONDS)` is written as 120. The default
    of `least` is one unit, or 0.001 for fractions. `flag` is the flag of `run`, and `metavar` names
    its value in the help. `restart`: SIGHUP does not change the setting. `check` raises
    `ValueError` with a text that says what the value must be.
    """
    if least is None:
        least = 0.001 if isinstance(default, float) else unit.value[1]
    declared = Declared(reason, unit, least, most, flag, metavar, restart, check)
    found: T = dataclasses.field(default=default, metadata={"setting": declared})
    return found


class Setting(Value):
    """A setting: its path in the file (`limits.rate`), type, default and declaration."""

    path: str
    type: Any
    default: Any
    declared: Declared

    @property
    def variable(self) -> str:
        """The environment variable: `TWENTYTWO_LIMITS_RATE`."""
        return "TWENTYTWO_" + self.path.upper().replace(".", "_")

    @property
    def choices(self) -> tuple[Enum, ...]:
        """All values of a choice; empty for other types."""
        return tuple(self.type) if _is_choice(self.type) else ()

    @property
    def allowed(self) -> str:
        """A description of the allowed values: `a number of seconds, 1 to 86400`."""
        if self.type is bool:
            return "true or false"
        if self.type is str:
            return "a text"
        if _is_choice(self.type):
            return ", ".join(f'"{each.value}"' for each in self.type)
        if get_origin(self.type) is tuple:
            return "a text or a list of texts"
        unit, (name, factor) = self.declared.unit, self.declared.unit.value
        what = "a whole number" if self.type is int and factor == 1 else "a number"
        of = (
            f" {name}"
            if unit in (Unit.EACH_SECOND, Unit.EACH_MINUTE)
            else f" of {name}"
            if name
            else ""
        )
        least, most = (_short(each / factor) for each in (self.declared.least, self.declared.most))
        bound = f"{least} to {most}" if self.declared.most < 1_000_000_000 else f"at least {least}"
        return f"{what}{of}, {bound}"

    def read(self, written: object) -> Any:
        """The stored value for a TOML value. Raises `ValueError` with the allowed values."""
        value = self._read(written)
        self.declared.check(value)
        return value

    def _read(self, written: object) -> Any:
        kind = self.type
        if kind in (bool, str):
            if isinstance(written, kind):
                return written
        elif _is_choice(kind):
            for each in kind:
                if each.value == written:
                    return each
        elif get_origin(kind) is tuple:
            several = [written] if isinstance(written, str) and written else written or []
            if isinstance(several, list) and all(isinstance(each, str) for each in several):
                return tuple(several)
        elif isinstance(written, int | float) and not isinstance(written, bool):
            value = written * self.declared.unit.value[1]
            # The comparisons are false for nan.
            if self.declared.least <= value <= self.declared.most and (
                kind is float or value == int(value)
            ):
                return kind(value)
        raise ValueError(f"must be {self.allowed}, not {_shown(written)}")

    def read_text(self, text: str) -> Any:
        """The stored value for the text of a flag or variable. Commas separate list items."""
        written: object = text
        if self.type is bool:
            written = {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
        elif get_origin(self.type) is tuple:
            written = [each.strip() for each in text.split(",") if each.strip()]
        elif self.type in (int, float):
            try:
                written = float(text) if "." in text or self.type is float else int(text)
            except ValueError:
                written = text
        return self.read(written)

    def written(self, value: Any) -> str:
        """A stored value as TOML."""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, Enum):
            value = value.value
        if isinstance(value, tuple):
            return "[" + ", ".join(_quoted(each) for each in value) + "]"
        if isinstance(value, str):
            return _quoted(value)
        return _short(value / self.declared.unit.value[1])


def settings_of(section: str, kind: type[Any]) -> Iterator[Setting]:
    """The settings declared in a dataclass, in the order of its fields."""
    types = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        declared = field.metadata.get("setting")
        if declared is not None:
            yield Setting(f"{section}.{field.name}", types[field.name], field.default, declared)


def _is_choice(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _short(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def _shown(written: object) -> str:
    return _quoted(written) if isinstance(written, str) else str(written)


_ESCAPED = {ord("\\"): "\\\\", ord('"'): '\\"', ord("\n"): "\\n", ord("\t"): "\\t"}


def _quoted(text: str) -> str:
    named = text.translate(_ESCAPED)
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in named) + '"'
