"""The examples of the page about the SDK: they run, and their types are right."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.quoting import ROOT
from tests.conformance.servers import Server
from tests.kit import forked

PAGE = (ROOT / "docs" / "sdk.md").read_text(encoding="utf-8")
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
FRAME = """\
import asyncio
from twentytwo_client import Server, Table, connect

async def example(server: Server, table: Table) -> None:
{body}

async def main() -> None:
    async with connect("localhost:2222", name="robin") as server:
        await example(server, await server.practice(bots=2, seed=3, first_hand=5))

asyncio.run(main())
"""
"""What stands around an example that is no whole program."""


def examples() -> list[tuple[str, str]]:
    """The examples as programs, with the heading under which each stands."""
    found = []
    for match in re.finditer(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        heading = ["the beginning", *HEADING.findall(PAGE[: match.start()])][-1]
        code = match[1]
        whole = re.search(r"^asyncio\.run|^with ", code, re.MULTILINE)
        program = code if whole else FRAME.format(body=textwrap.indent(code, "    "))
        found.append((heading, program))
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    made = Server("--dev", "--bot-pause", "0")
    yield ":".join(map(str, made.address))
    made.stop()


@pytest.mark.parametrize(
    ("heading", "program"),
    [pytest.param(*each, id=f"{no} {each[0]}") for no, each in enumerate(examples())],
)
def test_an_example_runs(server: str, heading: str, program: str) -> None:
    strict = "import warnings; warnings.simplefilter('error')\n"
    done = forked.run("-c", strict + program.replace("localhost:2222", server))
    assert (done.returncode, done.stderr) == (0, ""), heading


def test_there_is_an_example_of_each_thing() -> None:
    without = {"Looking deeper", "In JavaScript"}
    assert {heading for heading, _ in examples()} - {"the beginning"} == set(
        HEADING.findall(PAGE)
    ) - without


@pytest.mark.deadline(300)
def test_the_types_of_the_examples_are_right(tmp_path: Path) -> None:
    for no, (_, program) in enumerate(examples()):
        (tmp_path / f"example{no}.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent"),
            *("--config-file", "", "--no-site-packages"),
            *("--cache-dir", str(ROOT / ".mypy_cache" / "sdk")),
            *map(str, sorted(tmp_path.iterdir())),
        ],
        cwd=tmp_path,
        env={"MYPYPATH": f"{ROOT / 'client'}:{ROOT / 'protocol'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
