"""`twentytwo match` has the server's bots play."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.kit import forked
from tests.kit.forked import Forked

COMMAND = ("-m", "twentytwo_client", "match")


def match(*words: str) -> subprocess.CompletedProcess[str]:
    return forked.run(*COMMAND, *words)


def test_bots_play_from_every_seat_and_the_table_says_how_it_went(tmp_path: Path) -> None:
    played = match("--seats", "steady,easy,easy", "-n", "2", "--records", str(tmp_path / "one"))
    assert played.returncode == 0, played.stderr
    assert "2 deals from every seat, 6 games" in played.stdout
    assert len(list((tmp_path / "one").iterdir())) == 6


def test_the_same_seed_gives_the_same_records_byte_for_byte(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        words = ("--seats", "hard,easy", "-n", "1", "--worlds", "4", "--seed", "5")
        assert match(*words, "--records", str(tmp_path / folder)).returncode == 0
    one, two = ({f.name: f.read_bytes() for f in (tmp_path / n).iterdir()} for n in ("one", "two"))
    assert one == two
    assert one


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        match("--seats", "easy,easy", "-n", "1", "--seed", seed, "--records", str(tmp_path / seed))
    one, two = (next((tmp_path / seed).iterdir()).read_text() for seed in ("1", "2"))
    assert one.partition("\n\n")[2] != two.partition("\n\n")[2]


def test_an_unknown_bot_is_one_clear_line() -> None:
    refused = match("--seats", "genius,easy")
    assert refused.returncode == 2
    assert refused.stderr == (
        "twentytwo match: there is no bot genius; there are easy, steady, hard\n"
    )


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_ends_a_match_with_the_table_so_far(tmp_path: Path, processes: str) -> None:
    fourth = tmp_path / "deal000001-2.txt"
    os.mkfifo(fourth)  # a record that is written only when somebody reads it
    reading = os.open(fourth, os.O_RDONLY | os.O_NONBLOCK)
    words = ("--seats", "steady,easy", "-n", "100000", "--records", str(tmp_path))
    playing = Forked(
        *(*COMMAND, *words, "--processes", processes),
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    )
    try:
        assert select.select([reading], [], [], 60)[0], "the fourth record was never written"
        os.killpg(playing.pid, signal.SIGINT)
        out, err = playing.communicate(timeout=100)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(playing.pid, signal.SIGKILL)
        os.close(reading)
    assert (playing.returncode, err) == (130, "")
    assert out.startswith("\nStopped early.\n")
    assert re.search(r"^steady +1 +[0-9.]+ \+- ", out, re.MULTILINE)
