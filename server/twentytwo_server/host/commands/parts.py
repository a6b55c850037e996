"""The parts of the server that a handler needs: its parameters behind the call and the command.

They are found by the types of the parameters, once, when a server is put together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import partial
from inspect import Parameter, signature
from typing import Any, get_type_hints

from .call import Bound, Handler


class NoSuchPart(TypeError):
    """A handler, or a part, needs a part that a server does not have."""


class Parts:
    """The parts of a server by their types.

    A dataclass whose fields are parts is a part as well, and is made for the first who needs it.
    """

    def __init__(self, parts: Mapping[Any, Any]) -> None:
        self._parts = dict(parts)

    def bind(self, handler: Handler) -> Bound:
        """The handler with its parts. Raises `NoSuchPart`."""
        return partial(handler, **self._needed(handler, given=2))

    def _needed(self, by: Callable[..., Any], given: int = 0) -> dict[str, Any]:
        """What a handler or a dataclass declares behind the first parameters, by name."""
        types, declared = get_type_hints(by), list(signature(by).parameters.values())[given:]
        needed = [each.name for each in declared if each.kind is not Parameter.VAR_KEYWORD]
        return {name: self._part(types[name], by) for name in needed}

    def _part(self, kind: Any, by: Callable[..., Any]) -> Any:
        if kind not in self._parts:
            if not is_dataclass(kind):
                raise NoSuchPart(f"{by.__module__}.{by.__qualname__} needs {kind}: no such part")
            made: Any = kind
            self._parts[kind] = made(**self._needed(made))
        return self._parts[kind]
