"""The unit of systemd and what belongs to it: checked by systemd's own tools, where they are."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.manuals import outermost
from tests.walls.source import ROOT
from twentytwo_server import cli
from twentytwo_server.config.paths import data_of

DEPLOY = ROOT / "server" / "deploy" / "systemd"
UNIT = DEPLOY / "twentytwo.service"
EXPOSED = 15
"""Tenths of the exposure, as `systemd-analyze security` counts it, that the unit may have."""


def lines(name: str) -> list[str]:
    """The settings of a unit."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] not in "#["]


def tool(name: str) -> str:
    """Where a program of systemd is; skips the test where it is not."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here")
    return found


def exposed(unit: Path) -> bool:
    """Whether a unit lets the server do more than it may."""
    words = [tool("systemd-analyze"), "security", "--offline=yes", f"--threshold={EXPOSED}"]
    done = subprocess.run([*words, "--no-pager", str(unit)], capture_output=True, text=True)
    assert "Overall exposure level" in done.stdout, done.stderr
    return done.returncode != 0


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    program = Path(sys.executable).with_name("twentytwo-server")
    (tmp_path / UNIT.name).write_text(
        text.replace("/opt/twentytwo/bin/twentytwo-server", str(program))
    )
    for name in ("twentytwo-backup.service", "twentytwo-backup.timer", "twentytwo.socket"):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(
            text.replace("/opt/twentytwo/bin/twentytwo-server", str(program))
        )
    words = [tool("systemd-analyze"), "verify", "--man=no"]
    done = subprocess.run(
        [*words, *map(str, sorted(tmp_path.iterdir()))], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_lets_the_server_do_little(tmp_path: Path) -> None:
    assert not exposed(UNIT)
    wider = tmp_path / UNIT.name
    wider.write_text(UNIT.read_text(encoding="utf-8").replace("CapabilityBoundingSet=\n", ""))
    assert exposed(wider)


def test_the_unit_starts_the_server_with_words_that_it_takes(tmp_path: Path) -> None:
    (start,) = (line for line in lines(UNIT.name) if line.startswith("ExecStart="))
    program, *words = start.removeprefix("ExecStart=").split()
    assert program.endswith("/twentytwo-server")
    outer = outermost(cli.main, "twentytwo-server")
    command = cli.main.get_command(outer, words[0])
    assert command is not None
    file = tmp_path / "twentytwo.toml"
    file.touch()
    there = [str(file) if word == "/etc/twentytwo/twentytwo.toml" else word for word in words[1:]]
    assert there != words[1:]
    command.make_context("run", there, parent=outer)


def test_the_nightly_backup_goes_where_the_unit_lets_it_write() -> None:
    found = lines("twentytwo-backup.service")
    (start,) = (line for line in found if line.startswith("ExecStart="))
    program, name, *words = start.removeprefix("ExecStart=").split()
    assert program.endswith("/twentytwo-server")
    outer = outermost(cli.main, "twentytwo-server")
    command = cli.main.get_command(outer, name)
    assert command is not None
    given = command.make_context(name, words, parent=outer).params
    (writes,) = (line for line in found if line.startswith("ReadWritePaths="))
    assert given["keep"] == 14 and str(given["file"].parent) == writes.partition("=")[2]
    assert set(found) >= {"User=twentytwo", "Environment=XDG_STATE_HOME=/var/lib"}


def test_the_server_that_the_unit_starts_tells_systemd_how_it_is() -> None:
    found = set(lines(UNIT.name))
    assert {"Type=notify", "WatchdogSec=30", "ExecReload=/bin/kill -HUP $MAINPID"} <= found


def test_data_is_where_the_unit_lets_the_server_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = set(lines(UNIT.name))
    assert {"Environment=XDG_STATE_HOME=/var/lib", "StateDirectory=twentytwo"} <= found
    assert data_of("", {"XDG_STATE_HOME": "/var/lib"}) == "/var/lib/twentytwo"


def test_the_user_and_the_folders_are_made(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root makes users and folders of others, in a system of its own too")
    (tmp_path / "etc").mkdir()
    for program, name in (("systemd-sysusers", "sysusers"), ("systemd-tmpfiles", "tmpfiles")):
        words = [tool(program), f"--root={tmp_path}", *(["--create"] if name == "tmpfiles" else [])]
        text = (DEPLOY / f"{name}.conf").read_text(encoding="utf-8")
        subprocess.run([*words, "-"], input=text, text=True, check=True, capture_output=True)
    kept, settings_ = tmp_path / "var/lib/twentytwo", tmp_path / "etc/twentytwo"
    assert re.search(
        r"^twentytwo:.*:/usr/sbin/nologin$", (tmp_path / "etc/passwd").read_text(), re.M
    )
    assert kept.stat().st_mode & 0o777 == 0o700 and kept.stat().st_uid == kept.stat().st_gid != 0
    assert settings_.stat().st_mode & 0o777 == 0o750 and settings_.stat().st_uid == 0


def test_the_example_of_a_socket_has_the_name_that_its_comment_says() -> None:
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    text = (DEPLOY / "twentytwo.socket").read_text(encoding="utf-8")
    unit.read_string(text)
    name = unit["Socket"]["FileDescriptorName"]
    assert f'endpoints = ["systemd:{name}"]' in text
