"""The log: lines for people or JSON, and nothing in it that anybody may not know."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.kit.cases import together
from tests.kit.hosts import World
from tests.kit.processes import Server, plain
from tests.simulation.evening import run
from twentytwo_server.config.logs import Lines, Objects
from twentytwo_server.table.match import Match

SECRET = re.compile(
    r"token\d"  # of the tests' chance
    r"|[0-9a-fA-F]{32}|[\w-]{20,}"  # what is made by chance: seeds, seals, tokens
    r"|(?<![\w.])(?:[2-9]|10|[JQKA])[SHDC](?!\w)"  # cards
)
"""What no line of the log may have in it."""


class Recording(logging.Handler):
    """Everything that is logged, as the log would have it, in both forms."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += [Lines().format(record), Objects().format(record)]


@contextmanager
def recording() -> Iterator[Recording]:
    """Records all that the server logs, the least important too."""
    log, handler = logging.getLogger("twentytwo"), Recording()
    before = log.level, log.propagate, log.disabled
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    log.propagate = log.disabled = False
    try:
        yield handler
    finally:
        log.removeHandler(handler)
        log.level, log.propagate, log.disabled = before
        log.setLevel(before[0])


def leaked(lines: list[str]) -> list[str]:
    return [line for line in lines if SECRET.search(line)]


def test_no_card_seed_or_token_is_in_the_log_of_a_whole_evening() -> None:
    with recording() as log:
        for seed in (1, 2):
            run(seed)
    said = "\n".join(log.lines)
    assert ": move" in said
    assert "a game of" in said
    assert len(log.lines) > 500
    assert not leaked(log.lines)


@together("line", ["x token7 y", "QS KD", "10H", "f" * 32, "wX4SJ1UbvMAVACwAnSXD"])
def test_a_secret_in_the_log_would_be_noticed(line: str) -> None:
    record = logging.LogRecord("twentytwo", logging.INFO, "", 0, "%s", (line,), None)
    assert leaked([Lines().format(record)])
    assert leaked([Objects().format(record)])


def test_an_error_in_the_middle_of_a_game_is_logged_without_anybodys_cards() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("practice seed=1")
    assert any("7C" in line for line in ann.take())

    def stumble(self: Match, *args: object, **named: object) -> None:
        hands = [str(self), *map(str, args), str(named)]
        raise RuntimeError(f"planted, with {len(hands)} things")

    with recording() as log, patch.object(Match, "check", stumble):
        assert ann.err("move 7") == "INTERNAL"
    traceback = [line for line in log.lines if "planted, with" in line]
    assert len(traceback) == 2
    assert not leaked(log.lines)


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_word_that_only_its_owner_knows_is_in_the_log_of_a_real_server(
    form: str, tmp_path: Path
) -> None:
    words = ["three blind mice", "three green mice", "plumtree", "frank my dear wrong"]
    options = ("--port", "0", "--data", str(tmp_path), "--bot-pause", "0")
    with Server(*options, "--log-level", "debug", "--log-format", form) as server:
        where = server.address()
        with plain(where) as lou, plain(where) as program:
            lou.send(f"lou\nregister lou\n{words[0]}\n{words[0]}\nping\n")
            lou.until("pong")
            lou.send(f"password {words[0]}\nopen twentytwo private={words[2]}\nleave\n")
            lou.send(f"login lou {words[3]}\nping\n")
            lou.until("pong")
            program.send(f"hello 1 client=t\nlogin lou :{words[1]}\nlogin lou token={words[2]}\n")
            program.until("@* ERR code=BAD_LOGIN")
            program.until("@* ERR code=BAD_LOGIN")
            program.send(f"login lou :{words[0]}\n")
            token = program.until("@* OK name=lou").partition(" token=")[2].partition(" ")[0]
            program.send("token new\n")
            words += [token, program.until("@* OK").partition(" token=")[2].partition(" ")[0]]
            program.send("practice level=easy\n")
            cards = program.until("DEALT")
            program.send("quit\n")
            program.rest()
        status, _, err = server.stop()
    assert (status, "DEALT" in cards) == (0, True)
    lines = err.replace(str(tmp_path), "").splitlines()
    assert "a wrong password or token, from 127.0.0.1" in err
    assert ": register" in err
    assert "sqlite" not in err.lower()
    if form == "json":
        assert {"at", "level", "from", "text"} <= set.intersection(
            *(set(json.loads(line)) for line in lines)
        )
    assert not [word for word in words if len(word) > 3 and word in err]
    assert not leaked(lines)


def test_a_line_of_the_log_is_one_line_whatever_is_in_it() -> None:
    said = "a\nb\r\x1b[31m\u2028\x85é\tend"
    record = logging.LogRecord("twentytwo.x", logging.WARNING, "", 0, "%s", (said,), None)
    record.created, record.msecs = 0.25, 250.0
    assert Lines().format(record) == (
        r"1970-01-01T00:00:00.250Z warning twentytwo.x: a\nb\r\x1b[31m\u2028\x85é" + "\tend"
    )
    assert Objects().format(record).isascii()
    assert json.loads(Objects().format(record)) == {
        "at": "1970-01-01T00:00:00.250Z",
        "level": "warning",
        "from": "twentytwo.x",
        "text": said,
    }
