"""Whatever fails a command beside a server, it is told in one line, and never by a traceback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest
from click.testing import CliRunner

from tests.kit.cases import together
from tests.kit.forked import Forked
from twentytwo_server.cli import main
from twentytwo_server.operator.admin import tell
from twentytwo_server.store import Refused

RECORD = Path(__file__).parents[2] / "docs" / "games" / "three.txt"
PRINTING = (
    ("config", "--default"),
    ("config", "--check"),
    ("record", "view", str(RECORD)),
    ("record", "check", str(RECORD)),
    ("match", "-n", "1", "--seats", "easy,easy", "--processes", "1"),
)
"""Commands that print more and less than what a pipe, or Python, holds back."""


def run(words: tuple[str, ...], out: int) -> tuple[int, str]:
    """The exit status, and what was said of errors; Python holds back what it prints."""
    env = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with Forked("-m", "twentytwo_server", *words, stdout=out, stderr=PIPE, env=env) as process:
        _, errors = process.communicate()
    return process.wait(), errors


@pytest.mark.parametrize("words", PRINTING)
def test_who_has_read_enough_is_told_nothing(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run(words, writing) == (1, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("twentytwo_server", ("record", "check", str(RECORD))),
        ("twentytwo_client", ("replay", str(RECORD))),
    ],
)
@pytest.mark.parametrize("closed", [(1,), (0, 1, 2)], ids=str)
def test_a_standard_stream_that_is_closed_is_no_error(
    program: str, words: tuple[str, ...], closed: tuple[int, ...], tmp_path: Path
) -> None:
    inside = (
        f"import os, sys; [os.close(each) for each in {closed}]; "
        f"os.execv(sys.executable, [sys.executable, '-m', {program!r}, *{words!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", inside],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) is (1 not in closed)


@pytest.mark.parametrize("words", PRINTING)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_what_cannot_be_printed_is_told_in_one_line(words: tuple[str, ...]) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        assert run(words, full) == (1, "twentytwo-server: No space left on device\n")
    finally:
        os.close(full)


def said(*words: str) -> tuple[int, str]:
    """The exit status of a command, and what it says."""
    done = CliRunner().invoke(main, words, prog_name="twentytwo-server")
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def test_records_go_where_they_can_or_nothing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    where = str(file / "records")
    expected = f"twentytwo-server: {where}: Not a directory\n"
    assert said("match", "-n", "1", "--seats", "easy,easy", "--records", where) == (1, expected)


@together("option", ["--processes", "--worlds"])
@together("number", ["0", "-3"])
def test_a_number_that_makes_no_match_is_refused(option: str, number: str) -> None:
    code, told = said("match", "-n", "1", "--seats", "easy,easy", option, number)
    assert (code, f"'{option}'" in told) == (2, True)


@together("words", [("view",), ("events",)])
@together("seat", ["-1", "5"])
def test_a_seat_that_no_game_has_sees_nothing(words: tuple[str, ...], seat: str) -> None:
    code, told = said("record", *words, str(RECORD), "--seat", seat)
    assert code == 1
    assert told.endswith(f"{RECORD}: --seat takes 1 to 3 here, or 0 for a spectator\n")


def test_what_is_no_record_is_told_in_words(tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(b"abc\xff\xfe")
    for words in (("record", "show"), ("record", "link"), ("review",)):
        assert said(*words, str(noise))[1].endswith(f"{noise}: that is no text\n")
        assert said(*words, str(tmp_path))[1].endswith(f"{tmp_path}: that is a folder\n")
    assert said("record", "check", str(noise)) == (5, f"{noise}: that is no text\n")


def test_what_is_no_database_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "twentytwo.db").mkdir()
    why = f"the data in {tmp_path} cannot be opened: the data cannot be opened"
    copy = str(tmp_path / "copy")
    assert said("backup", "--data", str(tmp_path), copy) == (1, f"twentytwo-server: {why}\n")


def test_who_may_not_command_a_server_is_told_who_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: socket.socket, where: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("twentytwo_server.operator.admin.socket.socket.connect", refuse)
    with pytest.raises(Refused, match="may only be used by the user that runs the server"):
        tell(tmp_path / "admin.sock", "who")


@pytest.mark.parametrize(
    "words",
    [("run",), ("check",), ("migrate",), ("table", "t1"), ("backup", "b"), ("admin", "who")],
)
def test_a_user_without_a_home_folder_is_told_of_data(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def nobody(number: int) -> None:
        raise KeyError(number)

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    said = "this user has no home folder: --data FOLDER names one for the data"
    assert done.stderr.splitlines() == [f"main: {said}"]
