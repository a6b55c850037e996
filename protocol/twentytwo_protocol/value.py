"""The base class of immutable values: messages, states of games, stored facts.

A value is a `msgspec.Struct`, which msgspec creates, compares, hashes and copies in C. Each move
creates dozens of values. `msgspec.structs.replace` returns a changed copy.

Code that runs for every move asks `type(value) is Class`: where the answer is no, `isinstance` with
a class of values takes five times as long.
"""

from __future__ import annotations

from typing import dataclass_transform

from msgspec import Struct, field

__all__ = ["Value"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True):
    """An immutable value. Assigning to a field raises `AttributeError`."""
