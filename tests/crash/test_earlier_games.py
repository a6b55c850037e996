"""Games from before summaries were stored are counted, even if the server is killed meanwhile."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.kit.processes import Plain, Server, plain
from twentytwo_protocol.wire import parse

COPIES = 12
COPY = (
    "INSERT INTO games SELECT 'g' || :no, :no, table_id, key, rules, digest, why, rated, public, "
    "began, ended, first, last, at, undone FROM games WHERE id = 'g1'",
    "INSERT INTO records SELECT 'g' || :no, record FROM records WHERE game = 'g1'",
    "INSERT INTO seats SELECT 'g' || :no, seat, name, version, place, total FROM seats "
    "WHERE game = 'g1'",
    "INSERT INTO players SELECT who, 'g' || :no, key, ended, :no FROM players WHERE game = 'g1'",
)


def options(folder: Path) -> tuple[str, ...]:
    return ("--data", str(folder), "--port", "0", "--bot-pause", "0", "--dev")


def played(client: Plain) -> None:
    """Registers, and plays a game with default moves."""
    client.send("hello 1 client=test\nregister ann :three blind mice\npractice whist22 seed=5\n")
    while (line := client.line()) and "GAMEOVER" not in line:
        record = parse(line)
        if record is not None and record.word == "TURN" and "default" in record.fields:
            client.send(f"move {record.fields['default']} {record.on}\n")
    client.send("@z ping\n")
    client.until("@z ")


def before_summaries(folder: Path) -> str:
    """Copies the played game many times without summaries; returns the summary of the original."""
    with closing(sqlite3.connect(folder / "twentytwo.db")) as db, db:
        ((summary,),) = db.execute("SELECT summary FROM summaries WHERE game = 'g1'")
        for no in range(2, COPIES + 1):
            for statement in COPY:
                db.execute(statement, {"no": no})
        db.execute("DELETE FROM summaries")
    return str(summary)


def summaries(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "twentytwo.db")) as db:
        return [summary for (summary,) in db.execute("SELECT summary FROM summaries")]


def bids(client: Plain) -> int:
    """The number of bids in the statistics of one's games."""
    client.send("@s stats game=whist22\n")
    times = 0
    while not (line := client.until("@s ")).startswith("@s OK"):
        record = parse(line)
        assert record is not None
        if record.word == "BIDS":
            times += int(record.fields["times"])
    return times


def counted(client: Plain, least: int) -> int:
    """Logs in, and asks until at least `least` bids are counted; returns their number."""
    client.send("hello 1 client=test\nlogin ann :three blind mice\n")
    while (found := bids(client)) < least:
        pass
    return found


def test_games_without_summaries_are_counted_even_after_a_kill(tmp_path: Path) -> None:
    with Server(*options(tmp_path)) as server, plain(server.address()) as client:
        played(client)
        of_one = bids(client)
    assert of_one
    summary = before_summaries(tmp_path)

    with Server(*options(tmp_path)) as server, plain(server.address()) as client:
        counted(client, 2 * of_one)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    assert 2 <= len(summaries(tmp_path)) < COPIES

    with Server(*options(tmp_path)) as server, plain(server.address()) as client:
        assert counted(client, COPIES * of_one) == COPIES * of_one
    assert summaries(tmp_path) == [summary] * COPIES
