"""Turn clocks: a time for each move, and a reserve (the bank) for the whole game."""

from __future__ import annotations

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value

LENIENCE = 1000
"""Milliseconds after the shown end of a turn during which a move is still accepted."""


class TurnClock(Value):
    """The clock of a game: `move` ms for every turn, and `bank` ms for the whole game."""

    move: int
    bank: int

    @property
    def spelled(self) -> str:
        """The clock as the value of an option, in seconds: `60+120`, or `60` without a bank."""
        seconds = f"{self.move // 1000}"
        return f"{seconds}+{self.bank // 1000}" if self.bank else seconds

    @property
    def said(self) -> str:
        """The clock in words: `60 s for each move, and 120 s in reserve`."""
        reserve = f", and {self.bank // 1000} s in reserve" if self.bank else ""
        return f"{self.move // 1000} s for each move{reserve}"

    def left(self, bank: int, used: int) -> int:
        """The remaining ms of a bank after a turn of `used` ms."""
        return max(0, bank - max(0, used - self.move))


USUAL_CLOCK = TurnClock(60_000, 120_000)
"""The default clock of a table for several people."""


def read_clock(word: str) -> TurnClock | None:
    """Parses the value of `clock=`; None for `0`, no clock. Raises `Refused`."""
    move, plus, bank = word.partition("+")
    numbers = [n for n in (move, bank if plus else "0") if n.isascii() and n.isdigit()]
    if len(numbers) == 2 and all(len(n) <= 5 for n in numbers):
        seconds, reserve = map(int, numbers)
        if seconds == 0 and not plus:
            return None
        if 5 <= seconds <= 86_400 and reserve <= 86_400:
            return TurnClock(seconds * 1000, reserve * 1000)
    raise Refused(
        "BAD_ARG",
        "clock takes seconds a move, 5 to 86400, perhaps with a reserve: 60, 60+120; 0 for none.",
        arg="clock",
    )
