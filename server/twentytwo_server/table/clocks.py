"""Turn clocks: so long a move, and a reserve for the whole game."""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_protocol.schema import Refused

LENIENCE = 1000
"""Milliseconds after the displayed limit in which a move is still taken."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """`move` ms for every turn, then out of `bank` ms for the game."""

    move: int
    bank: int

    @property
    def spelled(self) -> str:
        """As options write it: `60+120`, in seconds."""
        seconds = f"{self.move // 1000}"
        return f"{seconds}+{self.bank // 1000}" if self.bank else seconds

    def left(self, bank: int, used: int) -> int:
        """What remains of the bank after a turn that took so long."""
        return max(0, bank - max(0, used - self.move))


USUAL = TurnClock(60_000, 120_000)
"""The clock of a table with several people, unless they choose another."""


def read_clock(word: str) -> TurnClock | None:
    """The clock that `clock=` asks for; None for `0`. Raises `Refused`."""
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
