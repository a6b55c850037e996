"""Lessons as they are learned over netcat: a real server, a real socket, and kill -9."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.processes import Plain, Server, plain
from twentytwo_server.games.registry import games

TAUGHT = [key for key, game in games().items() if game.lesson is not None]
OVER = ("Lesson done", "Type: ")


@contextmanager
def running(folder: Path) -> Iterator[tuple[Server, tuple[str, int]]]:
    where = ("--listen", "127.0.0.1:0", "--data", str(folder), "--bot-pause", "0")
    with Server(*where) as server:
        yield server, server.address()


def told(peer: Plain) -> list[str]:
    """What is said up to the next suggestion, or to the end of the lesson."""
    heard = [peer.line()]
    while not heard[-1].startswith(OVER):
        heard.append(peer.line())
    return heard


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_is_finished_by_the_suggested_words_over_a_socket(
    game: str, tmp_path: Path
) -> None:
    with running(tmp_path) as (server, address):
        with plain(address) as peer:
            peer.send(f"ann\ntutorial {game}\n")
            word = peer.until("If the line drops, resume ").split()[5]
            heard = told(peer)
            for _ in range(3):
                peer.send(f"{heard[-1].removeprefix('Type: ').split(' or ')[0]}\n")
                heard = told(peer)
        server.process.kill()
        server.process.wait()
    with running(tmp_path) as (_, address), plain(address) as peer:
        peer.send(f"resume {word}\n")
        assert told(peer)[-1] == heard[-1]
        for _ in range(60):
            if heard[-1].startswith("Lesson done"):
                break
            peer.send(f"{heard[-1].removeprefix('Type: ').split(' or ')[0]}\n")
            heard = told(peer)
            assert not any(line.startswith("! ") or len(line) > 79 for line in heard), heard
        assert re.fullmatch(r"Lesson done\. .*practice \w+.*", heard[-1])
