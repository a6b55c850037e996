"""`__all__` names exactly the public names of a module that other programs import.

These are the modules of `twentytwo_protocol` and of the SDK. The modules of `words` and `games`
need no list: everything public in them is a declared word or belongs to one. The modules of the
server, of the terminal client and of the checks have no other users, so that a list would only
repeat the names without an underscore.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.walls.source import modules


def published() -> Iterator[tuple[str, ast.Module]]:
    """The modules that other programs import."""
    for package in ("twentytwo_protocol", "twentytwo_client.sdk"):
        for module, tree in modules(package):
            owner, _, name = module.rpartition(".")
            if owner == package and name not in ("__main__", "words", "games"):
                yield module, tree


def defined(tree: ast.Module) -> set[str]:
    """The public names that a module defines; without type variables."""
    found = set[str]()
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Assign(value=ast.Call(func=ast.Name("TypeVar" | "TypeVarTuple"))):
                pass
            case ast.Assign(targets=targets):
                parts = (part for target in targets for part in ast.walk(target))
                found |= {
                    part.id
                    for part in parts
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
                }
            case ast.AnnAssign(target=ast.Name(name)):
                found.add(name)
    return {name for name in found if not name.startswith("_")}


def imported(tree: ast.Module) -> set[str]:
    """The names that a module imports from others, and may offer as its own."""
    nodes = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in nodes for alias in node.names}


def wrong(tree: ast.Module) -> set[str]:
    """The names that `__all__` lacks, and those that it has without a meaning in the module."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("__all__")], value=value):
                offered: set[str] = set(ast.literal_eval(value))
                return (defined(tree) - offered) | (offered - defined(tree) - imported(tree))
    return defined(tree)


def test_all_names_exactly_the_public_names() -> None:
    found = {module: wrong(tree) for module, tree in published()}
    assert len(found) > 20
    assert {module: names for module, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def a(): ...\n_B = 1", {"a"}),
        ("__all__ = ['a']\ndef a(): ...\nclass C: ...\nD: int = 1", {"C", "D"}),
        ("from x import e\n__all__ = ['a', 'e', 'gone']\ndef a(): ...", {"gone"}),
        ("__all__ = ['a']\nT = TypeVar('T')\ndef a(): ...", set()),
    ],
)
def test_a_wrong_list_would_be_noticed(source: str, found: set[str]) -> None:
    assert wrong(ast.parse(source)) == found
