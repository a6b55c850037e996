"""The container file and what compose makes of it, checked with what is here to check them with."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.manuals import outermost
from tests.walls.source import ROOT
from twentytwo_server import cli
from twentytwo_server.config.settings import settings

DEPLOY = ROOT / "server" / "deploy"
FILE = DEPLOY / "Containerfile"
COMPOSE = sorted(DEPLOY.glob("compose*.yaml"))


def steps(word: str) -> list[str]:
    """What follows a word of the container file, each time."""
    text = re.sub(r"\s*\\\n\s*", " ", FILE.read_text(encoding="utf-8"))
    return re.findall(rf"^{word} (.*)$", text, re.MULTILINE)


def checked(program: str, *words: str | Path) -> None:
    """Has a program check a file; skips the test where it is not installed."""
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_finds_nothing_wrong_with_the_container_file() -> None:
    checked("hadolint", FILE)


def test_the_compose_files_are_such() -> None:
    checked("check-jsonschema", "--builtin-schema", "vendor.compose-spec", *COMPOSE)


def test_what_is_copied_is_enough_to_build_the_wheel(tmp_path: Path) -> None:
    copied = [shlex.split(step) for step in steps("COPY") if not step.startswith("--from")]
    for *sources, to in copied:
        for source in sources:
            at = tmp_path / "src" / (to if to != "./" else source)
            at.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, at, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, at)
    words = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        str(tmp_path / "dist"),
    ]
    subprocess.run(words, cwd=tmp_path / "src", check=True, capture_output=True)
    assert list((tmp_path / "dist").glob("twentytwo-*.whl"))


def test_what_is_copied_is_not_kept_out() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    needed = {s.partition("/")[0] for step in steps("COPY") for s in step.split()[:-1]}
    assert "*" in lines and {n for n in needed if not n.startswith("-") and n} <= let_in


def test_nobody_is_root_in_it_and_the_data_is_where_the_server_looks() -> None:
    assert steps("USER") == ["10001:10001"]
    assert steps("VOLUME") == ["/var/lib/twentytwo"]
    assert any("XDG_STATE_HOME=/var/lib" in step for step in steps("ENV"))


def test_it_starts_and_is_asked_with_words_that_the_program_takes() -> None:
    (start,), (health,) = steps("CMD"), steps("HEALTHCHECK")
    assert steps("ENTRYPOINT") == ['["twentytwo-server"]']
    words = [re.findall(r'"([^"]+)"', each) for each in (start, health.partition("CMD ")[2])]
    program = outermost(cli.main, "twentytwo-server")
    for name, *rest in (words[0], words[1][1:]):
        command = cli.main.get_command(program, name)
        assert command is not None
        command.make_context(name, list(rest), parent=program)


def test_it_has_a_python_that_is_promised() -> None:
    pythons = {found for step in steps("FROM") for found in re.findall(r"python:(3\.\d+)", step)}
    promised = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert len(pythons) == 1 and all(f"Python :: {found}" in promised for found in pythons)


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: file.name)
def test_compose_sets_what_can_be_set(file: Path) -> None:
    found = set(re.findall(r"TWENTYTWO_\w+", file.read_text(encoding="utf-8")))
    assert found and found <= {each.variable for each in settings().values()}


def test_the_locked_versions_of_the_container_are_those_of_the_tests() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([\w-]+==[^\s;]+)", text, re.MULTILINE))

    assert pins("container.txt") <= pins("test.txt") and pins("serve.txt") < pins("test.txt")
