"""The commands of the first pages stand one on a line, each with what it does."""

from __future__ import annotations

import re

from tests.conformance.quoting import ROOT

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXPLAINED = re.compile(r"(make \w+|nc|\.venv/bin/twentytwo)\b[^#]* # \S[^#]*")


def test_an_explained_command_has_a_line_of_its_own() -> None:
    found = 0
    for page in ("README.md", "docs/playing.md"):
        for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
            lines = block.splitlines()
            if any(" # " in line for line in lines):
                found += len(lines)
                assert [line for line in lines if not EXPLAINED.fullmatch(line)] == [], page
    assert found > 8


def test_the_readme_begins_with_two_targets_of_make() -> None:
    (first, *_) = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    made = re.findall(r"^make (\w+)", first, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert made == ["serve", "test"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in made)
