"""The events that a connection is not sent as they happen: those held back, and those left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from twentytwo_protocol.words.connection import Gap


class HeldBack:
    """New events that wait while past ones are sent, as the bytes that tell them.

    `last` is for each stream with an event meanwhile the number of the last one. `count` is called
    with the size of each that is held: they count as unread, or a peer that does not read could
    make the server hold any amount.
    """

    __slots__ = ("_count", "_waiting", "last")

    def __init__(self, count: Callable[[int], None]) -> None:
        self.last: dict[str, int] = {}
        self._count = count
        self._waiting: list[tuple[str, bytes]] = []

    def add(self, on: str, data: bytes) -> None:
        """Holds what tells an event of that stream."""
        self._waiting.append((on, data))
        self._count(len(data))

    def drop(self, on: str) -> None:
        """Drops the events of a stream, because they are sent as past ones."""
        self._waiting = [each for each in self._waiting if each[0] != on]

    def released(self) -> bytes:
        """All that waits, in its order."""
        return b"".join(data for _, data in self._waiting)


class LeftOut:
    """The events that are left out on purpose, until a GAP has told of them.

    `seqs` are for each stream the numbers up to which that is so.
    """

    __slots__ = ("_paused", "seqs")

    def __init__(self) -> None:
        self.seqs: dict[str, int] = {}
        self._paused: frozenset[str] = frozenset()

    def add(self, on: str, seq: int) -> None:
        """Notes that the event of that number, and those before it, are left out."""
        self.seqs[on] = seq

    def take(self, on: str) -> Gap | None:
        """What has to be told before the next event of a stream, once; None if there is nothing."""
        seq = self.seqs.pop(on, 0)
        return Gap(on, seq) if seq else None

    def pause(self, streams: Iterable[str]) -> None:
        """From now on nothing is sent of these streams, until they are resumed."""
        self._paused |= {*streams}

    def resume(self, on: str, last: int) -> None:
        """A stream is sent again, whose last number is `last`; what it paused for is left out."""
        if on in self._paused:
            self._paused -= {on}
            self.add(on, last)
