"""The pages that name code: every name exists, and the tour's machine is the table's."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

from tests.kit.cases import together
from twentytwo_server.table.orders import ORDERS
from twentytwo_server.table.table import Phase

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    *(DOCS / name for name in ("tour.md", "glossary.md")),
    *(
        page
        for folder in ("contributing", "decisions", "rules")
        for page in DOCS.glob(f"{folder}/*.md")
    ),
]
_NAME = re.compile(r"`((?:protocol|server|client)(?:\.\w+)+)`")
_ROW = re.compile(
    r"^\| `(\w+)` \| ([a-z ]+) \| (yes)? ?\| (yes)? ?\| (yes)? ?\| (yes)? ?\|$", re.MULTILINE
)


def found(name: str) -> object:
    """The module, or what it defines."""
    words = f"twentytwo_{name}".split(".")
    for end in range(len(words), 0, -1):
        try:
            module = importlib.import_module(".".join(words[:end]))
        except ModuleNotFoundError:
            continue
        return reduce(getattr, words[end:], module)
    raise AttributeError(name)


@together("page", PAGES)
def test_every_name_of_code_exists(page: Path) -> None:
    for name in _NAME.findall(page.read_text(encoding="utf-8")):
        found(name)


def test_the_machine_in_the_tour_is_the_table_of_orders() -> None:
    page = (DOCS / "tour.md").read_text(encoding="utf-8")
    told = {name: (by, [bool(yes) for yes in rest]) for name, by, *rest in _ROW.findall(page)}
    assert told == {
        kind.__name__: (order.role.value, [phase in order.phases for phase in Phase])
        for kind, order in ORDERS.items()
    }
