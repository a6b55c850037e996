"""The clocks at all tables, which run on between two messages of the server."""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Clock, Turn


class _Reading(Value):
    """A clock message: the milliseconds of the move and of the reserve, and its time of arrival."""

    turn: int
    ms: int
    bank: int
    at: float
    runs: bool = True


class Clocks:
    """The time left for each question. `seconds` is a monotonic clock."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._readings: dict[tuple[str, int], _Reading] = {}

    def start(self, on: str, turn: Turn) -> None:
        """Starts the clock of a question at table `on`, if it has one."""
        if turn.ms is None:
            self._readings.pop((on, turn.seat), None)
        else:
            self._note(on, _Reading(turn.turn, turn.ms, turn.bank or 0, self._seconds()), turn.seat)

    def told(self, clock: Clock) -> None:
        """Sets the clock to the time that the server reports."""
        reading = _Reading(clock.turn, clock.ms, clock.bank or 0, self._seconds(), clock.run)
        self._note(clock.on, reading, clock.seat)

    def _note(self, on: str, reading: _Reading, seat: int) -> None:
        self._readings[on, seat] = reading

    def left(self, on: str, turn: Turn) -> tuple[float, float] | None:
        """The seconds left of the move and of the reserve; None without a clock."""
        found = self._readings.get((on, turn.seat))
        if found is None or found.turn != turn.turn:
            return None
        passed = (self._seconds() - found.at) * 1000 if found.runs else 0
        move = found.ms - passed
        return max(0, move) / 1000, max(0, found.bank + min(0, move)) / 1000

    def shown(self, on: str, turn: Turn) -> str:
        """The time left as `0:42`, with a reserve `0:42+2:00`; empty without a clock."""
        left = self.left(on, turn)
        if left is None:
            return ""
        move, bank = map(minutes, left)
        return f"{move}+{bank}" if left[1] else move


def minutes(seconds: float) -> str:
    """Seconds in the form `0:42`."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
