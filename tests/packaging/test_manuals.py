"""The manual pages are those of the commands as they are, and shells complete them."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from click.shell_completion import BashComplete

from tests.packaging.manuals import FOLDER, PROGRAMS, outermost, page
from twentytwo_server.host.config import Registration


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_manual_page_is_that_of_the_command(name: str) -> None:
    kept = (FOLDER / f"{name}.1").read_text(encoding="utf-8")
    assert kept == page(name, PROGRAMS[name]), "python -m tests.packaging.manuals"


@pytest.mark.parametrize("name", PROGRAMS)
def test_man_reads_it_without_a_complaint(name: str) -> None:
    if shutil.which("man") is None:
        pytest.skip("no man here")
    words = ["man", "--warnings", "--encoding=UTF-8", "--local-file", str(FOLDER / f"{name}.1")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    commands = PROGRAMS[name].list_commands(outermost(PROGRAMS[name], name))
    assert all(f"{name} {command}".upper() in done.stdout for command in commands)


@pytest.mark.parametrize(
    ("name", "typed", "meant"),
    [("twentytwo-server", "backu", "backup"), ("twentytwo", "prac", "practice")],
)
def test_a_shell_completes_a_command(name: str, typed: str, meant: str) -> None:
    shell = BashComplete(PROGRAMS[name], {}, name, f"_{name.upper().replace('-', '_')}_COMPLETE")
    assert [each.value for each in shell.get_completions([], typed)] == [meant]
    assert name in shell.source()


@pytest.mark.parametrize(
    ("flag", "typed", "meant"),
    [
        ("--log-level", "w", ["warning"]),
        ("--registration", "", [each.value for each in Registration]),
    ],
)
def test_a_shell_completes_the_value_of_a_flag(flag: str, typed: str, meant: list[str]) -> None:
    shell = BashComplete(
        PROGRAMS["twentytwo-server"], {}, "twentytwo-server", "_TWENTYTWO_SERVER_COMPLETE"
    )
    assert [each.value for each in shell.get_completions(["run", flag], typed)] == meant
