"""A practice server of one's own, and that nothing of it is left."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import pytest

from twentytwo_client.terminal import practice_server

STUB = """\
import os, socket, sys
path = sys.argv[sys.argv.index("--listen") + 1].removeprefix("unix:")
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
print("listening on unix:" + path, flush=True)
sys.stdin.read()
os.unlink(path)
"""
"""As much of a server as is needed: it says where it listens, and stops with its input."""


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for temporary folders, short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="tt-", dir="/tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _stub(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    usual = practice_server.command

    def command(path: Path) -> list[str]:
        return [sys.executable, "-c", code, *usual(path)[4:]]

    monkeypatch.setattr(practice_server, "command", command)


def test_the_command_line_of_the_server() -> None:
    words = practice_server.command(Path("/tmp/x/twentytwo.sock"))
    assert words[:4] == [sys.executable, "-m", "twentytwo_server", "run"]
    assert words[4:6] == ["--listen", "unix:/tmp/x/twentytwo.sock"]
    assert "--while-stdin" in words


async def test_it_runs_while_it_is_needed(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stub(monkeypatch, STUB)
    async with practice_server.practice_server() as server:
        path = server.path
        assert stat.S_ISSOCK(path.stat().st_mode)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert len(os.fsencode(path)) <= practice_server.LONGEST_PATH
        practice_server.sweep(str(temporary))
        assert path.exists()
    assert list(temporary.iterdir()) == []
    temporary.rmdir()


async def test_another_client_that_starts_at_the_same_moment_sweeps_nothing_away(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stub(monkeypatch, STUB)
    usual = fcntl.flock

    def flock(file: IO[bytes], how: int) -> None:
        if how == fcntl.LOCK_EX:
            practice_server.sweep(str(temporary))
        usual(file, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    async with practice_server.practice_server() as server:
        path = server.path
        assert path.exists()
    temporary.rmdir()


async def test_an_error_inside_leaves_nothing_either(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stub(monkeypatch, STUB)
    with pytest.raises(ZeroDivisionError):
        async with practice_server.practice_server():
            raise ZeroDivisionError
    assert list(temporary.iterdir()) == []
    temporary.rmdir()


async def test_a_server_that_does_not_start_says_why(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stub(monkeypatch, "import sys; sys.exit('twentytwo-server: no such thing')")
    with pytest.raises(practice_server.NoServer, match="no such thing"):
        async with practice_server.practice_server():
            pass
    assert list(temporary.iterdir()) == []
    temporary.rmdir()


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stub(monkeypatch, "import sys; sys.stdin.read()")
    monkeypatch.setattr(practice_server, "STARTS_WITHIN", 0.2)
    with pytest.raises(practice_server.NoServer, match="in time"):
        async with practice_server.practice_server():
            pass
    assert list(temporary.iterdir()) == []
    temporary.rmdir()


async def test_a_server_that_does_not_stop_is_stopped(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = STUB.replace("sys.stdin.read()", "import time; time.sleep(60)")
    _stub(monkeypatch, deaf)
    monkeypatch.setattr(practice_server, "STOPS_WITHIN", 0.2)
    async with practice_server.practice_server():
        pass
    assert list(temporary.iterdir()) == []
    temporary.rmdir()


# ------------------------------------------------------------------------------ sweeping


def _folder(temporary: Path, name: str) -> Path:
    folder = temporary / f"{practice_server.PREFIX}{name}"
    (folder / "data").mkdir(parents=True)
    (folder / practice_server.LOG_FILE).write_text("")
    return folder


def test_folders_of_servers_that_are_gone_are_swept_away(tmp_path: Path) -> None:
    left, used = _folder(tmp_path, "aaaaaaaa"), _folder(tmp_path, "bbbbbbbb")
    other = tmp_path / "twentytwo-notours"
    other.mkdir()
    longer = _folder(tmp_path, "not-by-that-name")
    with open(used / practice_server.LOG_FILE) as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        practice_server.sweep(str(tmp_path))
    assert not left.exists()
    assert used.exists() and other.exists() and longer.exists()


def test_the_folder_of_a_running_server_is_kept_even_if_its_client_is_gone(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "aaaaaaaa")
    with open(folder / practice_server.LOG_FILE, "w") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        server = subprocess.Popen(["sleep", "60"], stderr=log)
    practice_server.sweep(str(tmp_path))
    assert folder.exists()
    server.send_signal(signal.SIGKILL)
    server.wait()
    practice_server.sweep(str(tmp_path))
    assert not folder.exists()
