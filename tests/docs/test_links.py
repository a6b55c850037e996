"""The links between the pages lead somewhere: to a file, and to a heading of it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from tests.kit.cases import together
from tests.walls.source import ROOT

PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    + [page for folder in ("client", "protocol", "server") for page in (ROOT / folder).glob("*.md")]
)
_CODE = re.compile(r"^```.*?^```|^(?: {4}[^\n]*\n)+|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def prose(text: str) -> str:
    """A page without its code, in which a bracket is no link."""
    return _CODE.sub("", text)


@lru_cache
def anchors(page: Path) -> frozenset[str]:
    """The names by which the headings of a page are linked."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(text))
    return frozenset(each.replace(" ", "-") for each in words)


def broken(page: Path, text: str) -> list[str]:
    """The links of a page's text that lead nowhere."""
    found = []
    for link in _LINK.findall(prose(text)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if ":" in path:
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


@together("page", PAGES)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert broken(page, page.read_text(encoding="utf-8")) == []


def test_every_page_of_the_book_is_in_its_index() -> None:
    book = ROOT / "docs" / "operating"
    index = (book / "index.md").read_text(encoding="utf-8")
    assert {page.name for page in book.glob("*.md")} - set(_LINK.findall(index)) == {"index.md"}


def test_a_link_to_nowhere_is_found() -> None:
    text = "[a](no.md) [b](README.md) [c](#licence) [d](#no-such) `[e](no.md)` [f](http://h/no)"
    assert broken(ROOT / "README.md", text) == ["no.md", "#no-such"]
