"""Killed servers and faulty disks: no acknowledged command is lost.

These runs are short; `make crash` makes long ones. Each is a process of its own, because it forks.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.crash import planted, vfs
from tests.crash.power import Drive, torn
from tests.crash.vfs import Op
from tests.kit import forked
from tests.kit.length import times
from twentytwo_server.failpoints import FAILPOINTS

SEEDS = ("11", "12", "13", "14")
"""Seeds of the runs of kills: one for each core that runs tests."""

KILLS = times(25, long=500)
CUTS = times(15, long=300)
FAULTS = times(30, long=200)

disk = pytest.mark.skipif(not vfs.available(), reason="SQLite is built into this Python")


Ran = Callable[..., tuple[int, str]]


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    """Runs `python -m tests.crash`, perhaps with a planted bug: exit status and output."""
    return partial(_ran, tmp_path)


def _ran(folder: Path, *words: str, plant: str = "") -> tuple[int, str]:
    env = os.environ | {"TMPDIR": str(folder), planted.NAME: plant}
    words = ("-m", "tests.crash", *words, "--processes", "1")
    done = forked.run(*words, env=env, timeout=900)
    return done.returncode, done.stdout + done.stderr


# -------------------------------------------------------------------------------------- kills


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", SEEDS)
def test_killed_servers_lose_nothing_and_do_nothing_twice(ran: Ran, seed: str) -> None:
    status, said = ran("kills", "--kills", str(KILLS), "--seed", seed)
    assert status == 0, said
    found = re.search(r"^(\d+) kills, (\d+) of them during a recovery", said, re.MULTILINE)
    assert found is not None, said
    assert int(found[1]) == KILLS
    assert int(found[2]) > KILLS // 8


@pytest.mark.timeout(300)
def test_a_server_can_be_killed_at_every_named_point(ran: Ran) -> None:
    status, said = ran("points", "--seed", "1")
    assert status == 0, said
    assert f"{len(FAILPOINTS)} of {len(FAILPOINTS)} named points hit" in said


@pytest.mark.timeout(300)
@pytest.mark.parametrize("plant", ["early", "twice", "repeated"])
def test_the_kills_find_a_server_that_does_not_keep_its_promises(ran: Ran, plant: str) -> None:
    status, said = ran("kills", "--kills", "75", "--seed", "1", plant=plant)
    assert status == 1
    assert "FAIL seed=" in said
    assert "again: python -m tests.crash kills --kills" in said


# --------------------------------------------------------------------------------- power cuts


@disk
@pytest.mark.timeout(600)
def test_a_power_cut_takes_nothing_that_anybody_was_told(ran: Ran) -> None:
    status, said = ran("power", "--cuts", str(CUTS), "--seed", "21")
    assert status == 0, said
    assert f"{CUTS} power cuts" in said


@disk
@pytest.mark.timeout(300)
@pytest.mark.parametrize("plant", ["unsynced", "early"])
def test_the_power_cuts_find_a_server_that_does_not_sync(ran: Ran, plant: str) -> None:
    status, said = ran("power", "--cuts", "30", "--seed", "21", plant=plant)
    assert status == 1
    assert "FAIL seed=" in said


def test_synced_writes_survive_and_unsynced_writes_may_be_lost() -> None:
    drive = Drive()
    for op in (
        Op("open", "a-wal", 1),
        Op("write", "a-wal", 0, b"safe"),
        Op("sync", "a-wal"),
        Op("write", "a-wal", 4, b"lost"),
    ):
        drive.take(op)
    left = {bytes(drive.after_failure(random.Random(seed))["a-wal"]) for seed in range(50)}
    assert left == {b"safe", b"safelost"}


def test_a_file_that_was_made_may_be_missing_until_its_folder_is_synced() -> None:
    drive = Drive()
    drive.take(Op("open", "a-journal", 1))
    drive.take(Op("write", "a-journal", 0, b"x"))
    assert any("a-journal" not in drive.after_failure(random.Random(n)) for n in range(50))
    drive.take(Op("sync", "a-journal"))
    drive.take(Op("delete", "a-journal", fast=True))
    assert any("a-journal" in drive.after_failure(random.Random(n)) for n in range(50))


def test_a_write_is_torn_at_the_sectors_of_the_disk() -> None:
    data = bytes(range(256)) * 5
    for seed in range(20):
        for part in torn(Op("write", "a", 500, data), random.Random(seed)):
            assert part.at == 500 or part.at % 512 == 0
            assert part.data == data[part.at - 500 : part.at - 500 + len(part.data)]


# ------------------------------------------------------------------------------------- faults


@disk
@pytest.mark.timeout(600)
def test_a_disk_that_refuses_is_waited_for_or_ends_the_server_with_nothing_lost(ran: Ran) -> None:
    status, said = ran("faults", "--faults", str(FAULTS), "--seed", "31")
    assert status == 0, said
    for kind in ("full", "locked", "read", "sync", "write"):
        assert re.search(rf"\d+ {kind}\b", said), said
