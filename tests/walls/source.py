"""The packages as text: their modules, parsed."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = {
    f"twentytwo_{name}": ROOT / folder / f"twentytwo_{name}"
    for folder, name in (
        ("protocol", "protocol"),
        ("server", "server"),
        ("client", "client"),
        ("client", "conform"),
    )
}


def contract(id: str) -> dict[str, Any]:
    """A contract of import-linter in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    (found,) = (each for each in contracts if each["id"] == id)
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """A module's tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def modules(name: str) -> Iterator[tuple[str, ast.Module]]:
    """A module or a package and all below it, by dotted names. Raises `LookupError` for none."""
    top, *rest = name.split(".")
    start = PACKAGES[top].joinpath(*rest)
    paths = sorted(start.rglob("*.py")) or [start.with_suffix(".py")]
    for path in paths:
        if not path.exists():
            raise LookupError(f"there is no {name}")
        words = [top, *path.relative_to(PACKAGES[top]).with_suffix("").parts]
        yield ".".join(words).removesuffix(".__init__"), parsed(path)
