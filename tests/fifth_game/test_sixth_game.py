"""What a game may have besides its laws, a game of another distribution may have, too."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys

from tests.fifth_game.test_fifth_game import SITE, address

__all__ = ["address"]

PATH = os.pathsep.join([str(SITE), *sys.path])


def test_its_search_gives_it_hard_bots_and_hints(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall(b"hello 1 client=x bot=1\nguest py\n")
        peer.sendall(b"practice highpairs bots=3 level=hard seed=1 options=target:2\n")
        hints: list[str] = []
        last = ""
        for line in peer.makefile(encoding="utf-8", newline="\r\n"):
            last = line.strip()
            fields = dict(re.findall(r"(\w+)=(\S+)", line))
            if line.startswith("TURN") and "default" in fields:
                if not hints:
                    peer.sendall(b"@h hint\n")
                peer.sendall(f"move {fields['default']}\n".encode())
            if "HINT" in line:
                hints.append(line)
            if line.startswith("GAMEOVER") or re.match(r"@\S+ ERR", line):
                break
    assert last.startswith("GAMEOVER"), last
    assert hints


def test_a_person_is_told_what_is_at_stake(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=100) as peer:
        peer.sendall(b"ann\npractice highpairs bots=3 seed=1\n")
        lines = peer.makefile(encoding="utf-8", newline="\r\n")
        for line in lines:
            if "Your card:" in line:
                break
        peer.sendall(b"hint\n")
        hint = next(line for line in lines if "I would" in line)
        assert "your side falls behind" in hint


def test_its_partners_are_rated_as_one_side() -> None:
    asked = """
import twentytwo_server.games.registry as registry
from twentytwo_server.accounts import ratings
from tests.accounts.test_ratings import after, game
registry.games()
found = after(game(1, 2, 1, 2, key="highpairs"))
print(found["ann"].mu == found["cat"].mu > ratings.MEAN > found["bob"].mu == found["dan"].mu)
"""
    found = subprocess.run(
        [sys.executable, "-c", asked],
        env=os.environ | {"PYTHONPATH": PATH},
        cwd=SITE.parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == "True\n", found.stderr
