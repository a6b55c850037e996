"""The README of every package has the place of every module."""

from __future__ import annotations

import re
from pathlib import Path

from tests.kit.cases import together
from tests.walls.source import PACKAGES

OWN = {
    "twentytwo_server": r"games/(?!search/)\w+/|store/migrations/versions/",
}
"""What is spoken of as a whole: the folder of each game, the migrations."""

_ROW = re.compile(r"^\| (?:`([\w/]+)/` |(top level) |)\| (`.*?`) \|", re.MULTILINE)


def told(package: Path) -> list[str]:
    """The modules in the table of a README, by their path.

    A row without a folder has the folder of the row above.
    """
    own = package / "README.md"
    page = own if own.exists() else package.parent / "README.md"
    readme = page.read_text(encoding="utf-8")
    readme = readme[readme.index("| module |") :]
    found: list[str] = []
    folder = ""
    for folders, top, modules in _ROW.findall(readme):
        names = re.findall(r"`(\w+)`", modules)
        folder = folders or folder
        found += names if top else [f"{folder}/{name}" for name in names]
    return sorted(found)


def there(package: Path, own: str) -> list[str]:
    """The modules that there are."""
    paths = (path.relative_to(package).with_suffix("") for path in package.rglob("*.py"))
    modules = [path.as_posix() for path in paths if path.name != "__init__"]
    return sorted(module for module in modules if not (own and re.match(own, module)))


@together("package", PACKAGES)
def test_the_readme_has_the_place_of_every_module(package: str) -> None:
    where = PACKAGES[package]
    assert told(where) == there(where, OWN.get(package, ""))
