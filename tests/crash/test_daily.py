"""The state of a daily deal survives kill -9: its seal, its beginning, and its result."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.kit.processes import Plain, Server, plain
from twentytwo_protocol.wire import ParsedLine, parse

T = TypeVar("T")


def killed(folder: Path, doing: Callable[[Plain], T]) -> T:
    """Runs a function against a server, and kills the server as soon as the function returns."""
    options = ("--data", str(folder), "--port", "0", "--bot-pause", "0")
    with Server(*options) as server, plain(server.address()) as client:
        client.send("hello 1 client=test\n")
        found = doing(client)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    return found


def asked(client: Plain, line: str) -> list[ParsedLine]:
    """The rows of a reply and its final line."""
    client.send(f"@a {line}\n")
    rows: list[ParsedLine] = []
    while not rows or rows[-1].word not in ("OK", "ERR"):
        found = parse(client.until("@a "))
        assert found is not None
        rows.append(found)
    return rows


def hashes(client: Plain) -> list[tuple[str, str]]:
    return [(r.fields["hash"], r.fields["tomorrow"]) for r in asked(client, "daily")[:-1]]


def played(client: Plain) -> str:
    """Plays the current deal with default moves; returns its table."""
    while (line := client.line()) and "FINISHED on=me" not in line:
        record = parse(line)
        if record is not None and record.word == "TURN" and "default" in record.fields:
            client.send(f"move {record.fields['default']} {record.on}\n")
    return line


def test_the_seal_beginning_and_result_of_a_daily_deal_survive_a_kill(tmp_path: Path) -> None:
    def first(client: Plain) -> list[tuple[str, str]]:
        assert asked(client, "register ann :three blind mice")[-1].word == "OK"
        return hashes(client)

    def second(client: Plain) -> tuple[list[tuple[str, str]], str]:
        asked(client, "login ann :three blind mice")
        told = hashes(client)
        return told, asked(client, "daily whist22")[-1].fields["on"]

    def third(client: Plain) -> tuple[str, str]:
        client.send("@a login ann :three blind mice\n")
        refused = asked_later(client, "daily whist22")
        client.send("@t sync t1 from=0\n")
        return refused, played(client)

    def fourth(client: Plain) -> ParsedLine:
        asked(client, "login ann :three blind mice")
        return next(r for r in asked(client, "daily") if r.fields.get("game") == "whist22")

    sealed = killed(tmp_path, first)
    again, table = killed(tmp_path, second)
    assert again == sealed
    assert table == "t1"
    refused, finished = killed(tmp_path, third)
    assert refused == "FORBIDDEN"
    result = killed(tmp_path, fourth).fields
    assert f"place={result['place']} " in finished
    assert (result["rank"], result["played"], result["streak"]) == ("1", "1", "1")


def asked_later(client: Plain, line: str) -> str:
    """The error code of a command, after the answer to the one before."""
    client.until("@a OK")
    client.send(f"@b {line}\n")
    found = parse(client.until("@b "))
    assert found is not None
    return found.fields["code"]
