"""The base class of immutable values: words of the protocol, states of games, facts of the store.

A value is a `msgspec.Struct`: msgspec makes, compares, hashes and copies it in C. At every move
some dozens are made. `msgspec.structs.replace` returns a copy with other values for some fields.
"""

from __future__ import annotations

from typing import dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True):
    """A value whose fields never change. Setting one raises `AttributeError`."""
