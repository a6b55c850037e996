"""The practice games that were finished with this client, in a file of its own; no lessons.

It has a line of JSON for each game: when it ended, who had which place, and the counts that
statistics need. A line is written at once when a game is over; at most `MOST` are kept.
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

LAST = "last"
"""What the practice game that was finished last is called on the command line."""
MOST = 10_000
"""How many games are kept, the last ones: years of evenings, and a few megabytes."""
TURNED_OFF = "TWENTYTWO_NO_HISTORY"
"""The variable of the environment that has nothing kept, whatever it is set to."""


def data_dir(env: Mapping[str, str]) -> Path:
    """The folder of this client's data, by the XDG rules."""
    base = env.get("XDG_DATA_HOME", "")
    home = Path(base) if os.path.isabs(base) else Path(env.get("HOME", "/")) / ".local" / "share"
    return home / "twentytwo"


def last_game(folder: Path) -> Path:
    """The record of the practice game that was finished last, in a folder of data."""
    return folder / "last-game.txt"


def named(what: str, env: Mapping[str, str]) -> str:
    """The file that `last` means, if there is one and no other goes by that name."""
    file = last_game(data_dir(env))
    return str(file) if what == LAST and file.exists() and not Path(what).exists() else what


class PracticeHistory:
    """The files in a folder: the games, and the last one's record. All raise `OSError`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "practice.jsonl"

    def add(self, game: Mapping[str, Any]) -> None:
        """Appends a game; drops the oldest beyond `MOST` once there are a tenth too many."""
        line = json.dumps(game, separators=(",", ":")) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(self.path.with_suffix(".lock"), "a", opener=_private) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with open(self.path, "a", encoding="utf-8", opener=_private) as file:
                file.write(line)
            if self.path.stat().st_size > MOST * len(line):
                self._cut()

    def keep_last(self, record: str) -> None:
        """Keeps the record of the last game, in place of the one before."""
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
        """All games, the oldest first; lines that cannot be read are left out."""
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
    """Hears all updates of a conversation, and calls `add` with each game that is over.

    `now` is the time in seconds since 1970. A game that was not seen from its beginning has its
    place, and no counts of cards and bids.
    """

    def __init__(self, add: Callable[[Mapping[str, Any]], None], now: Callable[[], float]) -> None:
        self._add = add
        self._now = now
        self._summaries: dict[str, GameSummary] = {}

    def hear(self, update: Update) -> None:
        """Takes in the next update."""
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
