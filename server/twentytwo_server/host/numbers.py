"""Numbers for new tables, games and reports."""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.schema import Refused

from ..ports import Numbered


class NewNumbers:
    """The numbers of new tables, games or reports.

    They are from blocks that the store reserves for this server. The only server of
    a store has one block, which never ends.
    """

    def __init__(self, kind: Numbered, reserve: Callable[[Numbered, int], range]) -> None:
        self._kind = kind
        self._reserve = reserve
        self._last = 0
        self._blocks: list[range] = []

    def resume(self, last: int) -> None:
        """Continues the numbers of an earlier run, whose highest one this was."""
        self._last = last
        self._blocks.clear()

    def upcoming(self, nth: int = 1) -> int:
        """The number that comes next, or another one after it. Raises `Refused` (BUSY) if none is
        reserved.
        """
        for block in self._blocks:
            if nth <= len(block):
                return block[nth - 1]
            nth -= len(block)
        block = self._reserve(self._kind, self._last)
        if not block:
            raise Refused("BUSY", "Nothing can be stored at present; try again soon.", wait=5_000)
        self._blocks.append(block)
        return block[nth - 1]

    def take(self) -> int:
        """Uses the number that comes next."""
        number = self.upcoming()
        block = self._blocks.pop(0)[1:]
        if block:
            self._blocks.insert(0, block)
        return number
