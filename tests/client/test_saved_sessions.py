"""What is kept for the next time: where, for whose eyes, and for which client."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.kit import forked
from tests.kit.forked import Forked
from twentytwo_client.saved_sessions import SavedSession, SessionFile, private_file, state_dir

HOST = "localhost:2222"
ANN = SavedSession("~ann", "Zk81", {"me": 4, "t7": 0})
BOB = SavedSession("~bob", "Zk82")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_follows_xdg() -> None:
    assert state_dir({"HOME": "/home/ann"}) == Path("/home/ann/.local/state/twentytwo")
    assert state_dir({"HOME": "/h", "XDG_STATE_HOME": "/x"}) == Path("/x/twentytwo")
    # A relative path is to be ignored, says the specification.
    assert state_dir({"HOME": "/h", "XDG_STATE_HOME": "x"}) == Path("/h/.local/state/twentytwo")


def test_a_session_is_found_again(tmp_path: Path) -> None:
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) is None
        sessions.keep(HOST, ANN)
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) == ANN
        assert sessions.take("elsewhere:2222") is None


@pytest.mark.parametrize("name", ["ann", "~ann", "Ann"])
def test_a_session_is_found_by_its_name(tmp_path: Path, name: str) -> None:
    with SessionFile(tmp_path) as sessions:
        sessions.keep(HOST, ANN)
        sessions.keep(HOST, BOB)
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST, name) == ANN


def test_without_a_name_it_is_the_one_used_last(tmp_path: Path) -> None:
    for session in (ANN, BOB, ANN):
        with SessionFile(tmp_path) as sessions:
            sessions.keep(HOST, session)
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) == ANN


def test_one_with_a_seat_goes_before_a_later_one_without(tmp_path: Path) -> None:
    seated = [SavedSession(name, "Zk83", {"t7": 0}, seated=True) for name in ("~dan", "~eve")]
    with SessionFile(tmp_path) as sessions:
        for session in (*seated, ANN, BOB):
            sessions.keep(HOST, session)
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) == seated[1]
        assert sessions.take(HOST, "bob") == BOB


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_read_it(tmp_path: Path, mask: int) -> None:
    folder = tmp_path / "state" / "twentytwo"
    before = os.umask(mask)
    try:
        with SessionFile(folder) as sessions:
            sessions.keep(HOST, ANN)
            sessions.keep(HOST, BOB)
        private_file(folder / "history")
    finally:
        os.umask(before)
    assert {path.name: mode(path) for path in folder.iterdir()} == {
        "sessions.json": 0o600,
        "sessions.lock": 0o600,
        "history": 0o600,
    }
    assert mode(folder) == 0o700


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"localhost:2222": []}', '{"localhost:2222": {"ann": {"who": 1}}}', "\xff"],
)
def test_a_file_that_makes_no_sense_is_as_good_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "sessions.json").write_text(content, "latin-1")
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) is None
        sessions.keep(HOST, ANN)
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) == ANN


def test_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    with SessionFile(tmp_path) as sessions:
        sessions.keep(HOST, ANN)
        sessions.forget(HOST, "~ann")
        sessions.forget(HOST, "nobody")
    assert json.loads((tmp_path / "sessions.json").read_text()) == {HOST: {}}


def test_a_failed_write_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SessionFile(tmp_path) as sessions:
        sessions.keep(HOST, ANN)

        def full(*_: object) -> None:
            raise OSError("no space left on device")

        monkeypatch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="no space"):
            sessions.keep(HOST, BOB)
        monkeypatch.undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sessions.json", "sessions.lock"]
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) == ANN


HOLD = """
import sys, pathlib
from twentytwo_client.saved_sessions import SessionFile
with SessionFile(pathlib.Path(sys.argv[1])) as sessions:
    print(sessions.take("localhost:2222").name, flush=True)
    sys.stdin.read()
"""


def _other_client(folder: Path) -> Forked:
    return Forked("-c", HOLD, str(folder), stdin=PIPE, stdout=PIPE)


def test_a_second_client_does_not_take_the_seat_of_the_first(tmp_path: Path) -> None:
    with SessionFile(tmp_path) as sessions:
        sessions.keep(HOST, BOB)
        sessions.keep(HOST, ANN)
    first = _other_client(tmp_path)
    assert first.stdout is not None and first.stdout.readline() == "~ann\n"
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST, "ann") is None
        assert sessions.take(HOST) == BOB
    first.kill()
    first.communicate()
    with SessionFile(tmp_path) as sessions:
        assert sessions.take(HOST) == ANN


KEEP = """
import sys, pathlib
from twentytwo_client.saved_sessions import SavedSession, SessionFile
with SessionFile(pathlib.Path(sys.argv[1])) as sessions:
    for number in range(20):
        sessions.keep("localhost:2222", SavedSession(f"{sys.argv[2]}{number}"))
"""


def test_clients_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    def client(name: str) -> None:
        assert forked.run("-c", KEEP, str(tmp_path), name).returncode == 0

    threads = [threading.Thread(target=client, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(json.loads((tmp_path / "sessions.json").read_text())[HOST]) == 60
