"""The two checks on the page about the fair shuffle, on a real game."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kit.hosts import Peer, World
from twentytwo_protocol import wire
from twentytwo_protocol.fair import FairShuffle, entropy
from twentytwo_server.play.table import Phase

PAGE = (Path(__file__).parents[2] / "docs" / "fair.md").read_text(encoding="utf-8")
CODE = dict(re.findall(r"^```\w+ (fair\.\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
"""The programs on the page, by file name."""
NAMES = ("ann", "bob", "cat")


@pytest.fixture(scope="module")
def transcript() -> list[str]:
    """All events of a table as cat saw them: a game with words, to its end."""
    world, chance = World(), random.Random(3)
    peers = [world.program(name) for name in NAMES]
    peers[0].ok("open twentytwo seats=3 clock=0")
    for peer in peers[1:]:
        peer.ok("join t1")
    peers[0].ok("seed kitten")
    peers[2].ok("seed 7f3a9c")
    for peer in peers[1:]:
        peer.ok("ready t1")
    peers[0].ok("start t1")
    while world.room().table.phase is Phase.PLAYING:
        _move(world, chance)
    return _said(peers[2])


def _move(world: World, chance: random.Random) -> None:
    match = world.room().table.match
    assert match is not None
    world.on_turn().ok(f"move {match.moves().any(chance.randrange).token}")


def _said(peer: Peer) -> list[str]:
    peer.take()
    peer.hear("@s sync t1 from=0")
    return [line for line in peer.take() if not line.startswith("@")]


def python(lines: list[str]) -> str:
    """What the Python on the page says of a transcript."""
    done = subprocess.run(
        [sys.executable, "-c", CODE["fair.py"]],
        input="\r\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def shell(lines: list[str], n: int, folder: Path) -> list[str]:
    """What the shell on the page says of a shuffle."""
    (folder / "game.txt").write_text("\r\n".join([*lines, ""]), encoding="ascii", newline="")
    done = subprocess.run(
        ["sh", "-euc", f"N={n}\n{CODE['fair.sh']}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def packs(lines: list[str]) -> dict[int, list[str]]:
    """The packs after each shuffle, by the server's own reckoning."""
    records = [record for record in map(wire.parse, lines) if record is not None]
    revealed = next(record.fields for record in records if record.word == "REVEALED")
    fair = FairShuffle(revealed["seed"], revealed["game"], entropy(["kitten", None, "7f3a9c"]))
    return {
        n: list(fair.house(n, record.fields["cards"].split(",")))
        for n, record in enumerate((r for r in records if r.word == "SHUFFLED"), 1)
    }


def test_the_python_has_at_most_20_lines_and_needs_nothing_installed() -> None:
    lines = [line for line in CODE["fair.py"].splitlines() if line]
    assert len(lines) <= 20
    assert lines[0] == "import hashlib, hmac, sys"
    assert "import" not in "\n".join(lines[1:])


def test_the_python_on_the_page_computes_every_pack_again(transcript: list[str]) -> None:
    said = python(transcript).splitlines()
    assert said[0] == "sealed before: True"
    found = [line.split(" gives ")[1].split() for line in said if line.startswith("shuffle ")]
    assert found == list(packs(transcript).values())
    assert len(found) > 3


def test_it_finds_the_players_cards_at_equal_distances(transcript: list[str]) -> None:
    hands = [line for line in python(transcript).splitlines() if line.startswith("your cards")]
    assert len(hands) > 2
    for hand in hands:
        places = [int(word) for word in hand.split()[3:]]
        assert len({after - before for before, after in pairwise(places)}) <= 1
        assert places[0] <= len(NAMES)


def test_the_shell_on_the_page_computes_the_same(transcript: list[str], tmp_path: Path) -> None:
    for n, pack in packs(transcript).items():
        sealed, seeds, order = shell(transcript, n, tmp_path)
        assert sealed.split()[0] == seeds.split()[0]
        assert order.split() == pack


def test_another_seed_is_noticed_by_both(transcript: list[str], tmp_path: Path) -> None:
    changed = [re.sub(r"(REVEALED .*)[0-9a-f]$", r"\1x", line) for line in transcript]
    assert python(changed).startswith("sealed before: False\n")
    sealed, seeds, _ = shell(changed, 1, tmp_path)
    assert sealed.split()[0] != seeds.split()[0]


def test_another_word_is_another_pack(transcript: list[str], tmp_path: Path) -> None:
    changed = [line.replace("words=kitten", "words=kittem") for line in transcript]
    assert python(changed).splitlines()[1] != python(transcript).splitlines()[1]
    assert shell(changed, 1, tmp_path)[2] != shell(transcript, 1, tmp_path)[2]
