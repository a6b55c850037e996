"""Every test of the specification quotes the sentence that it checks, and names its ids."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "protocol" / "SPEC.md"
QUOTING = ("conformance", "protocol", "docs")
"""The folders below tests/ whose tests quote."""

_ID = re.compile(r"\[([A-Z][0-9]{1,2})\]")

Test = TypeVar("Test", bound=Callable[..., Any])


def quotes(sentence: str, *ids: str) -> Callable[[Test], Test]:
    """Marks a test with the sentence of SPEC.md that it checks, and the ids of its MUSTs."""

    def mark(test: Test) -> Test:
        test.__dict__.setdefault("quoted", []).append((sentence, ids))
        return test

    return mark


@dataclass(frozen=True)
class Quote:
    """A sentence as a test quotes it, and where."""

    sentence: str
    ids: tuple[str, ...]
    where: str


def plain(text: str) -> str:
    """Text without the marks of Markdown and with single spaces, so that quotes can be found."""
    return " ".join(re.sub(r"[`*]|\[[A-Z][0-9]{1,2}\] ?", "", text).split())


def specification() -> str:
    """SPEC.md as it is written."""
    return SPEC.read_text(encoding="utf-8")


def spec_ids() -> set[str]:
    """The ids that SPEC.md gives."""
    return set(_ID.findall(specification()))


def all_quotes() -> Iterator[Quote]:
    """Every quote of every test, found without importing them."""
    for folder in QUOTING:
        for path in sorted((ROOT / "tests" / folder).glob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from _quotes_of(node, f"{folder}/{path.name}::{node.name}")


def _quotes_of(test: ast.FunctionDef | ast.AsyncFunctionDef, where: str) -> Iterator[Quote]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "quotes":
            sentence, *ids = (ast.literal_eval(argument) for argument in mark.args)
            yield Quote(sentence, tuple(ids), where)
