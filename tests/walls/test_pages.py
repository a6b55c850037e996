"""The pages that comments and docstrings send their readers to are there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.walls.source import PACKAGES, ROOT

_PAGE = re.compile(r"[\w/.-]*\w\.md\b")


@cache
def pages() -> frozenset[str]:
    """The names of all pages: the last part, and the path from the root."""
    folders = (ROOT, ROOT / "docs", *(path.parent for path in PACKAGES.values()))
    found = [page for folder in folders for page in folder.glob("*.md")]
    found += (ROOT / "docs").rglob("*.md")
    return frozenset(
        {page.name for page in found} | {str(page.relative_to(ROOT)) for page in found}
    )


def missing(text: str) -> set[str]:
    """The pages that a text names and that do not exist."""
    return set(_PAGE.findall(text)) - pages() if ".md" in text else set()


@pytest.mark.parametrize("package", PACKAGES.values(), ids=lambda path: path.name)
def test_every_page_that_the_code_names_exists(package: Path) -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in package.rglob("*.py")
        for name in missing(path.read_text(encoding="utf-8"))
    }
    assert not found


def test_a_page_that_is_not_there_is_noticed() -> None:
    assert missing("as in fairness.md 3.4, see docs/fair.md and SPEC.md") == {"fairness.md"}
