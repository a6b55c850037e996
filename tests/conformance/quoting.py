"""What checks and tests quote of the specification, sentence and ids."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from twentytwo_conform.check import quotes
from twentytwo_conform.checks import all_cases

__all__ = ["quotes"]

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "protocol" / "SPEC.md"
QUOTING = ("protocol", "docs")
"""The folders below tests/ whose tests quote, besides the checks of `twentytwo conform`."""

_ID = re.compile(r"\[([A-Z][0-9]{1,2})\]")


@dataclass(frozen=True)
class Quoted:
    """A sentence as a check or a test quotes it, and where."""

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


def all_quotes() -> Iterator[Quoted]:
    """Every quote of every check, and of every test that is none: those are not imported."""
    for case in {case.check: case for case in all_cases()}.values():
        for quote in case.quoted:
            yield Quoted(quote.sentence, quote.ids, case.name.partition("[")[0])
    for folder in QUOTING:
        for path in sorted((ROOT / "tests" / folder).glob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from _quotes_of(node, f"{folder}/{path.name}::{node.name}")


def _quotes_of(test: ast.FunctionDef | ast.AsyncFunctionDef, where: str) -> Iterator[Quoted]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "quotes":
            sentence, *ids = (ast.literal_eval(argument) for argument in mark.args)
            yield Quoted(sentence, tuple(ids), where)
