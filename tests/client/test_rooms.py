"""The modules of the client: names tell things apart."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import twentytwo_client

PACKAGE = Path(twentytwo_client.__file__).parent
MODULES = [path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]


def test_no_two_public_classes_have_one_name() -> None:
    names = Counter(
        node.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []
