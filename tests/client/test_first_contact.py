"""Somebody's first minutes, by script, with nothing on the machine that is theirs yet."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.client.screen import Terminal


@pytest.mark.skipif(not shutil.which("nc"), reason="there is no nc here")
def test_by_netcat_from_the_connection_to_the_first_card(server: str) -> None:
    host, _, port = server.rpartition(":")
    with subprocess.Popen(
        ["nc", host, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as netcat:
        assert netcat.stdin is not None and netcat.stdout is not None
        netcat.stdin.write(b"newcomer\npractice\n")
        netcat.stdin.flush()
        heard: list[bytes] = []
        while not heard or not heard[-1].startswith(b"Your cards: "):
            heard.append(netcat.stdout.readline())
            assert heard[-1], heard
        netcat.kill()
    text = b"".join(heard)
    assert all(byte in b"\r\n\t" or 32 <= byte < 127 for byte in text)
    assert max(map(len, text.split(b"\r\n"))) <= 79


def test_by_the_client_to_the_first_decision_and_nothing_is_left_outside(tmp_path: Path) -> None:
    home, xdg = tmp_path / "home", ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    home.mkdir()
    env = {"HOME": str(home), **dict.fromkeys(xdg, "")}
    with Terminal(state=tmp_path, env=env) as t:
        t.see("(Enter = learn)>")
        t.enter()
        t.see("Which game?")
        t.enter()
        t.see("YOUR TURN")
        t.enter("quit")
        assert t.ended() == 0
    found = {path.relative_to(home).parts[:2] for path in home.rglob("*") if path.is_file()}
    assert found <= {(".local", "state"), (".local", "share")}


def in_view(screen: list[str]) -> list[str]:
    """The end of the screen, without the cards that have gone before one was there."""
    lines = [re.sub(" +", " ", line) for line in screen if not line.startswith(" gone: ")]
    return lines[-3:]


def test_killed_in_the_middle_of_a_trick_and_back_on_the_same_seat(
    server: str, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    with Terminal("play", server, "--name", "pia", state=state) as t:
        t.see("practice plays")
        t.enter("practice seed=22")
        t.see("Your turn: exchange")
        t.enter("keep")
        before = t.until(
            lambda lines: any("to beat" in line for line in lines[-4:]) and all(in_view(lines))
        )
        t.signal(signal.SIGKILL)
    with Terminal("play", server, state=state) as t:
        t.see("Welcome back.")
        # The trick so far, the hand with what is legal of it, and who is on turn: as they were.
        t.until(lambda lines: in_view(lines) == in_view(before))
        t.enter("leave")
        t.enter("leave")
        t.see("You leave")
        t.enter("quit")
        assert t.ended() == 0
