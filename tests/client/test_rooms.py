"""The modules of the client: each has its place in the README, and names tell things apart."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import twentytwo_client

PACKAGE = Path(twentytwo_client.__file__).parent
MODULES = [path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]


def test_the_readme_has_the_room_of_every_module() -> None:
    readme = (PACKAGE.parent / "README.md").read_text("utf-8")
    table = readme[readme.index("| room | module |") :]
    found: list[str] = []
    room = ""
    for rooms, modules in re.findall(r"^\| (.*?) ?\| (`.*?`) \|", table, re.MULTILINE):
        names = re.findall(r"`(\w+)`", modules)
        room = rooms.strip("`/ ") or room
        top = not rooms and all((PACKAGE / f"{name}.py").exists() for name in names)
        found += names if top else [f"{room}/{name}" for name in names]
    assert sorted(found) == sorted(
        path.relative_to(PACKAGE).with_suffix("").as_posix() for path in MODULES
    )


def test_no_two_public_classes_have_one_name() -> None:
    names = Counter(
        node.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []
