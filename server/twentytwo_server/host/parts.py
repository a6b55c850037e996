"""The parts of a server, found by their types for those who declare them.

A handler of a command declares the parts that it needs as parameters behind the call and the
command; a dataclass declares them as its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from functools import cache, partial
from inspect import Parameter, signature
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")


class NoSuchPart(TypeError):
    """A handler, or a part, needs a part that a server does not have."""


class Parts(dict[Any, Any]):
    """The parts of a server by their types.

    A dataclass whose fields are parts is a part as well, and is made for the first who needs it.
    """

    def bind(self, handler: Callable[..., T]) -> Callable[..., T]:
        """The handler of a command with its parts. Raises `NoSuchPart`."""
        return partial(handler, **self._needed(handler, given=2))

    def make(self, kind: type[T]) -> T:
        """The part of that type, made if there is none. Raises `NoSuchPart`."""
        if kind not in self:
            self[kind] = kind(**self._needed(kind))
        made: T = self[kind]
        return made

    def _needed(self, by: Callable[..., Any], given: int = 0) -> dict[str, Any]:
        """The parts that a handler or a dataclass declares behind its first parameters, by name."""
        needed = _declared(by)[given:]
        for _, kind in needed:
            if kind not in self and not is_dataclass(kind):
                who = f"{by.__module__}.{by.__qualname__}"
                raise NoSuchPart(f"{who} needs {kind}: no such part")
        return {name: self.make(kind) for name, kind in needed}


@cache
def _declared(by: Callable[..., Any]) -> Sequence[tuple[str, Any]]:
    """The parameters of a handler or the fields of a dataclass, with their types."""
    types = get_type_hints(by)
    return tuple(
        (each.name, types.get(each.name))
        for each in signature(by).parameters.values()
        if each.kind is not Parameter.VAR_KEYWORD
    )
