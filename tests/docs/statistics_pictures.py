"""What `twentytwo stats --svg` draws, of games that bots have played against each other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.kit import forked
from twentytwo_client.core.updates import EventReceived
from twentytwo_client.practice_history import PracticeHistory, Recorder, data_dir
from twentytwo_protocol import record
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import redact
from twentytwo_server.games.registry import games
from twentytwo_server.records.telling import table, told

NAME = "stats.svg"
PLAYED = (("twentytwo", 60), ("whist22", 24))
"""Games, and how many of each."""
BEGAN = 1_793_000_000
"""When the first game ended, in seconds since 1970; the others ended a day later each."""


def draw() -> str:
    """The picture of the games of a steady bot against three others."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"XDG_DATA_HOME": folder}
        _keep(PracticeHistory(data_dir(env)), Path(folder))
        out = Path(folder) / "stats.svg"
        forked.run("-m", "twentytwo_client", "stats", "--svg", str(out), env=env)
        return out.read_text("utf-8")


def _keep(history: PracticeHistory, folder: Path) -> None:
    times = iter(range(BEGAN, BEGAN + 86_400 * 365, 86_400))
    for game, count in PLAYED:
        into = folder / game
        words = ["--seats", "steady,steady,steady,steady", "-n", str(count), "--seed", "22"]
        words += ["--processes", "1", "--records", str(into)]
        forked.run("-m", "twentytwo_server", "match", "--game", game, *words)
        for file in sorted(into.iterdir()):
            heard = Recorder(history.add, lambda: next(times)).hear
            for update in _heard(record.read(file.read_text("utf-8"))):
                heard(update)


def _heard(played: record.Record) -> Iterator[EventReceived]:
    """What the client of the steady bot would have heard."""
    me = next(seat for seat, name in played.names.items() if name == "bot:steady")
    model = TableModel("t1", me)
    for number, event in enumerate([*table(played, games()), *told(played, games())], 1):
        seen = redact(event, me)
        model.see(seen, number)
        yield EventReceived(seen, "t1", number, model)
