"""Frozen dataclasses that are quick to declare and quick to make.

The dataclasses of the standard library compile six methods for each class, one by one, which with
all words and states takes a good part of the time in which a server or a client starts; here
those that differ are compiled together, when the first instance is made, and the rest is shared.
A process needs few of the classes that it declares.

They also set every field of a frozen instance by a call of `object.__setattr__`. Events and
states are made at every move, so here an instance is of a twin class while it is filled, one
with the same slots that is not frozen, and then becomes what it is for good. With ten fields
that takes a third of the time. Where even that is too long there is `maker`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, ParamSpec, TypeVar, dataclass_transform

P = ParamSpec("P")

T = TypeVar("T")

FEW = 2
"""With no more fields than this a twin does not pay."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """The class as a frozen dataclass with slots, whose instances are quick to make.

    All fields are given to `__init__` (those that are `kw_only` by name), compared and shown;
    defaults are values. What the class inherits from is frozen by this, too, or no dataclass.
    """
    made: type[Any] = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name, method in {**_SHARED, **_later(made, cls.__dict__)}.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made


def _later(cls: type[Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What stands for the methods of `_compiled` until the first of them is called."""

    def standing_for(name: str) -> Callable[..., Any]:
        def first(self: object, *given: Any, **by_name: Any) -> Any:
            for each, method in _compiled(cls).items():
                if each not in own:
                    setattr(cls, each, method)
            return getattr(cls, name)(self, *given, **by_name)

        return first

    return {name: standing_for(name) for name in ("__init__", "__eq__", "__hash__", "__reduce__")}


def _no_setting(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deleting(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _shown(self: Any) -> str:
    values = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
    return f"{self.__class__.__qualname__}({', '.join(values)})"


_SHARED: dict[str, Any] = {
    "__setattr__": _no_setting,
    "__delattr__": _no_deleting,
    "__repr__": _shown,
}


def _compiled(cls: type[Any]) -> dict[str, Any]:
    """How an instance is filled, compared, hashed and taken apart for a copy or a pickle."""
    declared = fields(cls)
    names = [field.name for field in declared]
    known: dict[str, Any] = {"_set": object.__setattr__, "_cls": cls}
    if len(names) > FEW:
        known["_twin"] = _twin(cls)
        fill = [
            "_set(self, '__class__', _twin)",
            *(f"self.{name} = {name}" for name in names),
            "self.__class__ = _cls",
        ]
    else:
        fill = [f"_set(self, {name!r}, {name})" for name in names]
    if hasattr(cls, "__post_init__"):
        fill.append("self.__post_init__()")
    by_name = [field for field in declared if field.kw_only]
    by_place = [field for field in declared if not field.kw_only]
    parts = ("".join(f"self.{field.name}, " for field in each) for each in (by_place, by_name))
    placed, named = parts
    known["_remade"] = _remade
    apart = (
        f"_remade, (self.__class__, ({placed}), ({named}))"
        if by_name
        else f"self.__class__, ({placed})"
    )
    mine, others = ("".join(f"{this}.{name}, " for name in names) for this in ("self", "other"))
    source = [
        f"def __init__(self, {_taken(cls)}): {'; '.join(fill) or 'pass'}",
        "def __eq__(self, other):",
        "    if other.__class__ is not self.__class__: return NotImplemented",
        f"    return ({mine}) == ({others})",
        f"def __hash__(self): return hash(({mine}))",
        f"def __reduce__(self): return {apart}",
    ]
    methods: dict[str, Any] = {}
    exec("\n".join(source), known, methods)
    for name, method in methods.items():
        method.__qualname__ = f"{cls.__qualname__}.{name}"
    init = methods["__init__"]
    _set_defaults(init, cls)
    init.__annotations__ = {field.name: field.type for field in declared} | {"return": None}
    return methods


def _taken(cls: type[Any]) -> str:
    """The arguments of what makes an instance."""
    by_name = [field.name for field in fields(cls) if field.kw_only]
    by_place = [field.name for field in fields(cls) if not field.kw_only]
    return ", ".join([*by_place, *(["*", *by_name] if by_name else [])])


def _set_defaults(function: Any, cls: type[Any]) -> None:
    """Gives a function that takes the fields their defaults."""
    declared = [field for field in fields(cls) if field.default is not MISSING]
    function.__defaults__ = tuple(field.default for field in declared if not field.kw_only)
    function.__kwdefaults__ = {field.name: field.default for field in declared if field.kw_only}


def _twin(cls: type[Any]) -> type[Any]:
    """A class with the same slots whose instances may be changed."""
    of_object = ("__init__", "__new__", "__setattr__", "__delattr__")
    free = {name: getattr(object, name) for name in of_object}
    return type(cls.__name__, cls.__bases__, {"__slots__": cls.__slots__, **free})


def maker(cls: Callable[P, T]) -> Callable[P, T]:
    """A function that makes instances of a frozen class, as a call of the class does.

    It takes half the time: Python calls a function more quickly than it finds and calls what
    makes an instance.
    """
    known: Any = cls  # a dataclass
    if "__slots__" not in known.__dict__:  # a class below one with slots has more than its fields
        return cls
    made: Any = _MAKERS.get(known)
    if made is None:
        fill = "".join(f"self.{field.name} = {field.name}; " for field in fields(known))
        done = "self.__post_init__(); " if hasattr(known, "__post_init__") else ""
        names: dict[str, Any] = {"_twin": _twin(known), "_cls": known}
        made_of = f"self = _twin(); {fill}self.__class__ = _cls; {done}return self"
        exec(f"def made({_taken(known)}): {made_of}", names)
        made = _MAKERS[known] = names["made"]
        _set_defaults(made, known)
    return made  # type: ignore[no-any-return]  # as `cls` makes one


_MAKERS: dict[Any, Any] = {}


def _remade(cls: type[T], placed: tuple[Any, ...], named: tuple[Any, ...]) -> T:
    """An instance of a class with `kw_only` fields, from the values of all of them in order."""
    keys = [each.name for each in fields(cls) if each.kw_only]  # type: ignore[arg-type]  # a dataclass
    return cls(*placed, **dict(zip(keys, named, strict=True)))


class _Same:
    """What a field is replaced by where it stays as it is."""


_SAME = _Same()
_REPLACERS: dict[type[Any], Any] = {}


def replace(this: T, /, **changes: Any) -> T:
    """A copy with other values for some fields, as `dataclasses.replace` makes one, but quickly.

    `this` may be a named tuple too. Raises `TypeError` for a field that there is not, or what a
    named tuple raises.
    """
    cls = this.__class__
    found = _REPLACERS.get(cls) or _replacer(cls)
    made: T = found(this, **changes)
    return made


def _replacer(cls: type[Any]) -> Any:
    if issubclass(cls, tuple):
        return cls._replace  # type: ignore[attr-defined]  # a named tuple
    names = [field.name for field in fields(cls)]
    asked = ", ".join(f"{name}=same" for name in names)
    by_name = {field.name for field in fields(cls) if field.kw_only}
    given = ", ".join(
        f"{f'{name}=' if name in by_name else ''}this.{name} if {name} is same else {name}"
        for name in sorted(names, key=by_name.__contains__)
    )
    known: dict[str, Any] = {"made": maker(cls), "same": _SAME}
    exec(f"def replaced(this, /, *, {asked}):\n    return made({given})", known)
    found = _REPLACERS[cls] = known["replaced"]
    return found
