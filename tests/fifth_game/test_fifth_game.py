"""A game of another distribution is played like the built-in ones, and nothing else is touched."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SITE = Path(__file__).parent / "site"
SERVER = (sys.executable, "-m", "twentytwo_server", "run")


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    """A server process that finds the game by its entry point."""
    path = os.pathsep.join([str(SITE), *sys.path])
    server = subprocess.Popen(
        [*SERVER, "--memory", "--port", "0", "--bot-pause", "0", "--think", "50"],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    found = re.match(r"listening on (.*):(\d+)", server.stdout.readline())
    assert found
    yield found[1], int(found[2])
    server.terminate()
    server.communicate(timeout=100)


def played_by_the_rule_blind_bot(address: tuple[str, int], opening: str) -> list[str]:
    """All lines of a game played by sending the first legal move back."""
    lines = []
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall(f"hello 1 client=blind bot=1\nguest py\n{opening}\n".encode())
        for line in peer.makefile(encoding="utf-8", newline="\r\n"):
            lines.append(line.strip())
            fields = dict(re.findall(r"(\w+)=(\S+)", line))
            if line.startswith("TURN") and "default" in fields:
                peer.sendall(f"move {fields['legal'].split(',')[0]}\n".encode())
            if line.startswith(("GAMEOVER", "@* ERR")):
                break
    return lines


def test_the_same_rule_blind_bot_finishes_the_fifth_game(address: tuple[str, int]) -> None:
    lines = played_by_the_rule_blind_bot(address, "practice highcard bots=2 seed=1")
    assert lines[-1].startswith("GAMEOVER"), lines[-3:]


def test_its_own_event_and_its_own_option_travel(address: tuple[str, int]) -> None:
    lines = played_by_the_rule_blind_bot(address, "practice highcard bots=1 seed=2 options=cards:1")
    assert any(line.startswith("AHEAD on=t") for line in lines)
    assert any("key=cards value=1" in line for line in lines)


def test_an_option_it_does_not_have_is_refused(address: tuple[str, int]) -> None:
    lines = played_by_the_rule_blind_bot(address, "practice highcard options=limit:30")
    assert "code=NO_SUCH_OPTION" in lines[-1]


def test_people_are_asked_in_its_own_words(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall(b"ann\npractice highcard bots=1 seed=3\n")
        text = ""
        while "Your card:" not in text:
            text += peer.recv(4096).decode()
    assert "*** A game of High Card begins" in text


def test_the_games_row_and_describe_know_it(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall(b"hello 1 client=x\n@1 games\n@2 describe events AHEAD\n@3 ping end\n")
        text = ""
        while "pong=end" not in text:
            text += peer.recv(4096).decode()
    assert "@1 GAME game=highcard min=2 max=4 presets=" in text
    assert "@2 FIELD of=AHEAD name=points type=int" in text


def test_it_is_a_folder_with_its_vocabulary_and_one_line_for_each_game() -> None:
    paths = (path for path in SITE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    files = {str(path.relative_to(SITE)) for path in paths}
    own = {
        f"highcard/{name}.py"
        for name in ("__init__", "bots", "lab", "laws", "pairs", "rules", "search", "vocabulary")
    }
    about = {f"highcard-1.0.dist-info{name}" for name in ("/METADATA", "/entry_points.txt")}
    assert files == own | about
    entered = (SITE / "highcard-1.0.dist-info" / "entry_points.txt").read_text()
    assert entered.splitlines() == [
        "[twentytwo.games]",
        "highcard = highcard:HIGHCARD",
        "highpairs = highcard:HIGHPAIRS",
    ]


def told(address: tuple[str, int], *said: str) -> str:
    """What a person is told who says this."""
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall("\n".join([*said, "quit", ""]).encode())
        return " ".join(peer.makefile(encoding="utf-8").read().split())


def test_the_manual_speaks_of_it(address: tuple[str, int]) -> None:
    text = told(address, "bob", "help", "help cards", "practice highcard bots=1", "help play")
    assert "The games: twentytwo, twentysix, whist22, twentyeight, highcard, highpairs." in text
    assert "In High Card suits do not matter." in text
    assert "Whoever is the first to have 5 wins." in text


def test_what_it_cannot_do_is_refused_in_words(address: tuple[str, int]) -> None:
    text = told(address, "cat", "practice highcard level=hard")
    assert "Bots are easy." in text
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall(b"dan\npractice highcard bots=1\n")
        text = ""
        while "Your card:" not in text:
            text += peer.recv(4096).decode()
        peer.sendall(b"hint\nquit\n")
        text = peer.makefile(encoding="utf-8").read()
    assert "There are no hints for High Card yet." in text
