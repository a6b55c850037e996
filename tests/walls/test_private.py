"""What is private in the product: tests see it from outside, as everybody does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.walls.source import PACKAGES, ROOT, modules

EXCEPTIONS: frozenset[str] = frozenset()
"""Uses of private names of the product, `tests/x/test_y.py: name`. The list only gets shorter."""

PRIVATE = re.compile(r"\b_\w+")


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name != "_"


def names_made(tree: ast.Module) -> set[str]:
    """Every private name that a file gives to something of its own."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
    return {name for name in found if is_private(name)}


def names_used(tree: ast.Module) -> Iterator[str]:
    """Every private name that is taken from something: by a dot, an import, `setattr`, `patch`.

    In the programs too that a test has another process run.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(names=names):
                yield from (each.name for each in names)
            case ast.Call(args=args):
                texts = [each.value for each in args if isinstance(each, ast.Constant)]
                yield from (text.rpartition(".")[2] for text in texts if isinstance(text, str))
            case ast.Constant(value=str(text)) if "import " in text:
                try:
                    yield from names_used(ast.parse(text))
                except SyntaxError:
                    continue


def found() -> set[str]:
    """Private names of the product that tests use, where they have none of their own so named."""
    private = {
        name for package in PACKAGES for _, tree in modules(package) for name in names_made(tree)
    }
    uses = set()
    for file in sorted((ROOT / "tests").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if private.isdisjoint(PRIVATE.findall(text)):
            continue  # most files, which need not be parsed
        tree = ast.parse(text)
        taken = (set(names_used(tree)) & private) - names_made(tree)
        uses |= {f"{file.relative_to(ROOT)}: {name}" for name in taken}
    return uses


def test_no_test_uses_a_private_name_of_the_product_but_those_that_still_do() -> None:
    assert found() == EXCEPTIONS


def test_a_private_name_is_found_however_it_is_taken() -> None:
    program = "import x\nx._e\n"
    tree = ast.parse(
        "from x import _a\nx._b\npatch.object(x, '_c')\nsetattr(x, 'y._d', 1)\n"
        f"p = {program!r}\nself._own = 1\n"
    )
    assert {name for name in names_used(tree) if is_private(name)} == {
        *["_a", "_b", "_c", "_d", "_e", "_own"]
    }
    assert names_made(tree) == {"_own"}
