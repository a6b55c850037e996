"""Handlers get the parts that they declare, and nobody hands them the whole host."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from inspect import signature
from typing import Any, get_type_hints

from tests.kit.hosts import World
from tests.walls.source import modules
from twentytwo_server.host.commands.call import Call
from twentytwo_server.host.commands.handlers import HANDLERS


def test_only_the_start_knows_the_host() -> None:
    package = "twentytwo_server.host"
    found = {
        name.removeprefix(f"{package}.")
        for name, tree in modules(package)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "Host" in [each.name for each in node.names]
    }
    assert found == {"start"}
    assert "host" not in get_type_hints(Call)


def test_no_part_is_reached_through_another() -> None:
    """The dataclasses that are made as parts of handlers have no public fields."""
    ready, made = World().host.parts, set[Any]()

    def note(*declared: Any) -> None:
        for kind in declared:
            if is_dataclass(kind) and kind not in ready and kind not in made:
                made.add(kind)
                note(*get_type_hints(kind).values())

    for handler in HANDLERS.values():
        types = get_type_hints(handler)
        note(*(types[name] for name in [*signature(handler).parameters][2:] if name != "more"))
    assert len(made) > 20
    named = [(kind.__name__, field.name) for kind in made for field in fields(kind)]
    assert [(kind, name) for kind, name in named if not name.startswith("_")] == []
