"""The history of practice games, in a file. Lessons are not included.

The file has a line of JSON for each game: its end, the ranks, and the counts for statistics. The
line is written when the game ends. At most `MOST` lines are kept.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from twentytwo_protocol import summary
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.statistics import PlayedGame
from twentytwo_protocol.summary import GameSummary, SeatSummary
from twentytwo_protocol.words.cardplay import Gameover

from .core.updates import EventReceived, Snapshot, Update

LAST_GAME = "last"
"""The name on the command line for the practice game that was finished last."""
MOST = 10_000
"""The maximum number of games: years of evenings, in a few megabytes."""
TURNED_OFF = "TWENTYTWO_NO_HISTORY"
"""The environment variable that turns the history off, whatever its value."""


def data_dir(env: Mapping[str, str]) -> Path:
    """The folder for the client's data, by the XDG specification."""
    base = env.get("XDG_DATA_HOME", "")
    home = Path(base) if os.path.isabs(base) else Path(env.get("HOME", "/")) / ".local" / "share"
    return home / "twentytwo"


def last_game(folder: Path) -> Path:
    """The record of the practice game that was finished last, in the data folder."""
    return folder / "last-game.txt"


def named(what: str, env: Mapping[str, str]) -> str:
    """The file that `last` means; other names, and an existing file named `last`, stand for
    themselves.
    """
    file = last_game(data_dir(env))
    return str(file) if what == LAST_GAME and file.exists() and not Path(what).exists() else what


class PracticeHistory:
    """The files in a folder: the games, and the last game's record. All methods raise `OSError`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "practice.jsonl"

    def add(self, game: Mapping[str, Any]) -> None:
        """Appends a game. Drops the oldest games once there are a tenth more than `MOST`."""
        line = json.dumps(game, separators=(",", ":")) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(self.path.with_suffix(".lock"), "a", opener=_private) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with open(self.path, "a", encoding="utf-8", opener=_private) as file:
                file.write(line)
            if self.path.stat().st_size > MOST * len(line):
                self._cut()

    def keep_last(self, record: str) -> None:
        """Replaces the record of the last game."""
        self._put(last_game(self.path.parent), [record])

    def _cut(self) -> None:
        lines = self.path.read_text("utf-8").splitlines(keepends=True)
        if len(lines) <= MOST + MOST // 10:
            return
        self._put(self.path, lines[-MOST:])

    def _put(self, path: Path, lines: Sequence[str]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="practice.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.writelines(lines)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    def read(self) -> list[PlayedGame]:
        """All games, the oldest first. Unreadable lines are skipped."""
        try:
            with open(self.path, encoding="utf-8-sig", errors="replace") as file:
                return list(_games(file))
        except FileNotFoundError:
            return []


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _games(lines: Iterator[str]) -> Iterator[PlayedGame]:
    for line in lines:
        with contextlib.suppress(KeyError, TypeError, ValueError, IndexError, AttributeError):
            yield _game(json.loads(line))


def _game(found: Mapping[str, Any]) -> PlayedGame:
    seat, places = int(found["seat"]), _ints(found["places"])
    totals = _ints(found["totals"])
    if not (1 <= seat <= len(places) == len(totals)):
        raise ValueError("these are no seats")
    own = summary.read(str(found["summary"])).get(seat, SeatSummary())
    return PlayedGame(str(found["ended"]), str(found["game"]), seat, places, totals, own)


def _ints(found: Sequence[Any]) -> list[int]:
    return [int(each) for each in found]


class Recorder:
    """Watches all updates of a conversation, and calls `add` with each finished game.

    `now` returns the seconds since 1970. A game that was not seen from its beginning is added
    without counts of cards and bids.
    """

    def __init__(self, add: Callable[[Mapping[str, Any]], None], now: Callable[[], float]) -> None:
        self._add = add
        self._now = now
        self._summaries: dict[str, GameSummary] = {}

    def hear(self, update: Update) -> None:
        """Processes the next update."""
        if isinstance(update, Snapshot):
            self._summaries.pop(update.table.on, None)
        if not isinstance(update, EventReceived) or update.table is None:
            return
        counted = self._summaries.setdefault(update.on, GameSummary())
        counted.see(update.event)
        if isinstance(update.event, Gameover):
            self._over(update.table, counted)

    def _over(self, table: TableModel, counted: GameSummary) -> None:
        if table.me is None or table.game is None or table.lesson:
            return
        seats = [table.seats[number] for number in sorted(table.seats)]
        ended = datetime.fromtimestamp(self._now(), UTC)
        self._add(
            {
                "ended": ended.isoformat(timespec="seconds").replace("+00:00", "Z"),
                "game": table.game.game,
                "rules": table.options.get("preset", ""),
                "seat": table.me,
                "names": [seat.name for seat in seats],
                "places": [seat.place or 0 for seat in seats],
                "totals": [seat.total for seat in seats],
                "summary": counted.written(),
            }
        )
