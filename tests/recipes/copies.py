"""A copy of the project on which a page of docs/contributing is carried out.

A page is carried out as it stands. A heading names the files of a step in `code`. Under it

- a `diff` block changes the file: its lines with a space or a minus stand there, once, and those
  with a space or a plus take their place; after a line `@@ TEXT` that is the first place below
  a line with that text;
- a `sh` block is run in the copy;
- any other block is the text of a new file.

Under the heading `Checks` stands what is run at the end: it passes, or the recipe is wrong.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tests.kit.processes import Server

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "contributing"
PACKAGES = ("protocol", "server", "client")

CHECKS = "Checks"
IGNORED = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", "build", "data", "dist", "node_modules"
)
COMPILED = "__pycache__"
"""The folders of compiled modules. A copy has them, because compiling takes longer than most
recipes. They do not count as files that a recipe touches."""
_PART = re.compile(
    r"^#{2,} (?P<heading>[^\n]*)$|^``` ?(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_FILE = re.compile(r"`([\w./-]+\.\w+)`")


class WrongRecipe(Exception):
    """A page cannot be carried out as it stands."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page: of which kind it is, under which heading, and the files named there."""

    heading: str
    files: tuple[str, ...]
    kind: str
    text: str


@lru_cache
def blocks(page: str) -> tuple[Block, ...]:
    """The blocks of `docs/contributing/PAGE.md` under a heading that names files, or Checks."""
    found: list[Block] = []
    heading = ""
    files: tuple[str, ...] = ()
    for part in _PART.finditer((PAGES / f"{page}.md").read_text(encoding="utf-8")):
        if part["heading"] is not None:
            heading, files = part["heading"], tuple(_FILE.findall(part["heading"]))
        elif files or heading == CHECKS:
            found.append(Block(heading, files, part["kind"], part["text"]))
    return tuple(found)


def listed(page: str) -> set[str]:
    """The files that the page says are touched."""
    return {file for block in blocks(page) for file in block.files}


def changed(text: str, diff: str) -> str:
    """The text after a diff without line numbers. Raises `WrongRecipe` where it does not fit."""
    above = re.match(r"@@ (.*\n)", diff)
    first = text.index(above[1]) if above else 0
    lines = diff.removeprefix(above[0] if above else "").splitlines(keepends=True)
    before = "".join(line[1:] or "\n" for line in lines if line[0] in " -\n")
    after = "".join(line[1:] or "\n" for line in lines if line[0] in " +\n")
    times = text.count(before, first)
    if not before or times == 0 or (times > 1 and not above):
        raise WrongRecipe(f"this stands there {times} times:\n{before}")
    return text[:first] + text[first:].replace(before, after, 1)


class Copy:
    """The project in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=IGNORED)
        self._before = dict(self._files())

    @property
    def env(self) -> Mapping[str, str]:
        """The environment in which Python finds the packages of the copy."""
        path = [str(self.folder / package) for package in PACKAGES]
        kept = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
        return kept | {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join([*path, str(self.folder)]),
        }

    def run(self, command: str) -> str:
        """What a command of the shell says, in the copy. Raises `WrongRecipe` where it fails."""
        done = subprocess.run(
            ["sh", "-ec", command],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise WrongRecipe(f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def carry_out(self, page: str, but: str = "") -> None:
        """Does what the page says, all but the steps with the file `but`."""
        for block in blocks(page):
            if block.heading != CHECKS and but not in block.files:
                self._carry_out(block)

    def _carry_out(self, block: Block) -> None:
        path = self.folder / block.files[0]
        if block.kind == "sh":
            self.run(block.text)
        elif block.kind == "diff":
            text = path.read_text(encoding="utf-8")
            try:
                path.write_text(changed(text, block.text), encoding="utf-8")
            except WrongRecipe as wrong:
                wrong.add_note(f"in {block.files[0]}")
                raise
        elif path.exists():
            raise WrongRecipe(f"{block.files[0]} is there already")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")

    def touched(self) -> set[str]:
        """The files that are not as they were: what `git status` would list."""
        now = dict(self._files())
        paths = self._before.keys() | now.keys()
        return {path for path in paths if self._before.get(path) != now.get(path)}

    def check(self, page: str) -> None:
        """Runs the checks of the page. Raises `WrongRecipe` where one fails."""
        for block in blocks(page):
            if block.heading == CHECKS:
                self.run(block.text)

    def server(self, *options: str) -> Server:
        """A server of the copy."""
        return Server(
            "--bot-pause", "0", "--port", "0", *options, env=self.env, python=sys.executable
        )

    def _files(self) -> Iterator[tuple[str, bytes]]:
        for top, folders, files in os.walk(self.folder):
            folders[:] = set(folders) - IGNORED(top, folders) - {COMPILED}
            for file in files:
                path = Path(top, file)
                yield path.relative_to(self.folder).as_posix(), path.read_bytes()
