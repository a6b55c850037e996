"""The events that a connection does not get as they happen: held events, and skipped events."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from twentytwo_protocol.words.connection import Gap


class HeldBack:
    """New events, as encoded lines, that wait while past events are sent.

    `last` has for each stream with a held event the number of its last one. `count` is called with
    the size of each held event. They count as unread output, or a peer that does not read could
    make the server hold any amount.
    """

    __slots__ = ("_count", "_waiting", "last")

    def __init__(self, count: Callable[[int], None]) -> None:
        self.last: dict[str, int] = {}
        self._count = count
        self._waiting: list[tuple[str, bytes]] = []

    def add(self, on: str, data: bytes) -> None:
        """Holds the lines of an event of that stream."""
        self._waiting.append((on, data))
        self._count(len(data))

    def drop(self, on: str) -> None:
        """Drops the held events of a stream, because they are sent as past events."""
        self._waiting = [each for each in self._waiting if each[0] != on]

    def released(self) -> bytes:
        """All held lines in order."""
        return b"".join(data for _, data in self._waiting)


class LeftOut:
    """The events that are skipped on purpose, until a GAP event reports them.

    `seqs` has for each stream the number up to which events are skipped.
    """

    __slots__ = ("_paused", "seqs")

    def __init__(self) -> None:
        self.seqs: dict[str, int] = {}
        self._paused: frozenset[str] = frozenset()

    def add(self, on: str, seq: int) -> None:
        """Records that the events of a stream up to this number are skipped."""
        self.seqs[on] = seq

    def take(self, on: str) -> Gap | None:
        """The GAP to send before the next event of a stream, if any; removes it."""
        seq = self.seqs.pop(on, 0)
        return Gap(on, seq) if seq else None

    def pause(self, streams: Iterable[str]) -> None:
        """Pauses these streams until they are resumed."""
        self._paused |= {*streams}

    def resume(self, on: str, last: int) -> None:
        """Resumes a stream with the last number `last`; events of the pause are skipped."""
        if on in self._paused:
            self._paused -= {on}
            self.add(on, last)
