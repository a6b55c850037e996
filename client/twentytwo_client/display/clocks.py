"""The clocks of everybody at a table, as they run on between two messages of the server."""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Clock, Turn


class _Reading(Value):
    """What was said of a question: the ms of the move and of the reserve, and when."""

    turn: int
    ms: int
    bank: int
    at: float
    runs: bool = True


class Clocks:
    """What is left to whom. `seconds` is a clock that never goes back."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._readings: dict[tuple[str, int], _Reading] = {}

    def asked(self, on: str, turn: Turn) -> None:
        """A seat at table `on` is asked; a clock runs if the question has one."""
        if turn.ms is None:
            self._readings.pop((on, turn.seat), None)
        else:
            self._note(on, _Reading(turn.turn, turn.ms, turn.bank or 0, self._seconds()), turn.seat)

    def told(self, clock: Clock) -> None:
        """The server says what is left."""
        reading = _Reading(clock.turn, clock.ms, clock.bank or 0, self._seconds(), clock.run)
        self._note(clock.on, reading, clock.seat)

    def _note(self, on: str, reading: _Reading, seat: int) -> None:
        self._readings[on, seat] = reading

    def left(self, on: str, turn: Turn) -> tuple[float, float] | None:
        """Seconds left of the move and of the reserve for a question; None without a clock."""
        found = self._readings.get((on, turn.seat))
        if found is None or found.turn != turn.turn:
            return None
        passed = (self._seconds() - found.at) * 1000 if found.runs else 0
        move = found.ms - passed
        return max(0, move) / 1000, max(0, found.bank + min(0, move)) / 1000

    def shown(self, on: str, turn: Turn) -> str:
        """The same as `0:42`, with a reserve `0:42+2:00`; empty without a clock."""
        left = self.left(on, turn)
        if left is None:
            return ""
        move, bank = map(minutes, left)
        return f"{move}+{bank}" if left[1] else move


def minutes(seconds: float) -> str:
    """Seconds as `0:42`."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
