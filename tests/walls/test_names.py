"""One meaning a word: no two public classes of one package have the same name."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.walls.source import PACKAGES, modules

TWICE: dict[str, dict[str, int]] = {
    "twentytwo_protocol": {},
    "twentytwo_server": {
        "Bidding": 2,
        "Bids": 2,
        "CardCount": 2,
        "Dealing": 3,
        "Drawing": 3,
        "Easy": 3,
        "Knowledge": 3,
        "Over": 3,
        "Playing": 3,
        "Plays": 3,
        "Rollout": 3,
        "Standing": 4,
        "Steady": 3,
    },
    "twentytwo_client": {},
}
"""Names that are still declared more than once, and how often: this list only shrinks."""


def classes(module: ast.Module) -> list[str]:
    """The public classes that a module declares."""
    return [
        node.name
        for node in module.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]


def twice(modules: list[ast.Module]) -> dict[str, int]:
    """The names that more than one of these modules' classes has."""
    count = Counter(name for module in modules for name in classes(module))
    return {name: times for name, times in sorted(count.items()) if times > 1}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_two_classes_of_a_package_have_the_same_name(package: str) -> None:
    found = {name: module for name, module in modules(package)}
    left = twice(list(found.values()))
    where = "\n".join(
        f"{name} ({times} times): "
        + ", ".join(m for m, tree in found.items() if name in classes(tree))
        for name, times in left.items()
        if times != TWICE[package].get(name)
    )
    assert left == TWICE[package], (
        f"rename these, or correct `TWICE` where they are fewer:\n{where}"
    )


def test_a_name_that_is_taken_is_found() -> None:
    one = ast.parse("class Table: ...\nclass _Own: ...\nclass Seat: ...")
    other = ast.parse("class _Own: ...\nclass Table: ...\ndef Seat(): ...")
    assert twice([one, other]) == {"Table": 2}
