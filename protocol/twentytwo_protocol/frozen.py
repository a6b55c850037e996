"""Frozen dataclasses that are quick to make.

The dataclasses of the standard library set every field of a frozen instance by a call of
`object.__setattr__`. Events and states are made at every move, so here an instance is of a
twin class while it is filled, one with the same slots that is not frozen, and then becomes what
it is for good. With ten fields that takes a third of the time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")

FEW = 2
"""With no more fields than this it does not pay."""


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """The class as a frozen dataclass with slots, whose instances are quick to make."""
    made = dataclass(frozen=True, slots=True)(cls)
    found = fields(made)  # type: ignore[arg-type]  # it is one
    if len(found) > FEW and not any(field.kw_only for field in found):
        _fill_quickly(made, [field.name for field in found])
    return made


def _fill_quickly(cls: type[Any], names: list[str]) -> None:
    usual = cls.__init__
    # A base may be frozen, too.
    free = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    twin = type(cls.__name__, cls.__bases__, {"__slots__": names, **free})
    source = [
        f"def __init__({', '.join(['self', *names])}):",
        "    become(self, '__class__', twin)",
        *(f"    self.{name} = {name}" for name in names),
        "    self.__class__ = cls",
    ]
    known: dict[str, Any] = {"become": object.__setattr__, "twin": twin, "cls": cls}
    exec("\n".join(source), known)
    quick = known["__init__"]
    quick.__defaults__, quick.__annotations__ = usual.__defaults__, usual.__annotations__
    quick.__qualname__ = usual.__qualname__
    cls.__init__ = quick


class _Same:
    """What a field is replaced by where it stays as it is."""


_SAME = _Same()
_REPLACERS: dict[type[Any], Any] = {}


def replace(this: T, /, **changes: Any) -> T:
    """A copy with other values for some fields, as `dataclasses.replace` makes one, but quickly.

    Raises `TypeError` for a field that there is not.
    """
    cls = this.__class__
    found = _REPLACERS.get(cls) or _replacer(cls)
    made: T = found(this, **changes)
    return made


def _replacer(cls: type[Any]) -> Any:
    names = [field.name for field in fields(cls)]
    asked = ", ".join(f"{name}=same" for name in names)
    by_name = {field.name for field in fields(cls) if field.kw_only}
    given = ", ".join(
        f"{f'{name}=' if name in by_name else ''}this.{name} if {name} is same else {name}"
        for name in sorted(names, key=by_name.__contains__)
    )
    known: dict[str, Any] = {"cls": cls, "same": _SAME}
    exec(f"def replaced(this, /, *, {asked}):\n    return cls({given})", known)
    found = _REPLACERS[cls] = known["replaced"]
    return found
