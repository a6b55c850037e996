"""What is told for longer: replays, paced, and long answers, as fast as is fair to the others.

An export, the events of a table that was played at for long: each may be some megabytes and take a
second, too much to be done at once. So it is done in slices, as fast as the peer reads, and all who
are being told something take turns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import CancelledError, Deferred

from ..ports import Clock, Link, Timer
from ..session.session import Session
from ..session.streams import Entry

SLICE = 4
"""Milliseconds of work at once. Times are cut to whole milliseconds, so that it is less than 5."""

ReplayStep = list[Entry]
"""The events that a replay shows together: up to the next question."""


@dataclass(slots=True)
class _Playback:
    """The replays of a connection: how many there were, and what is still to come of the last."""

    count: int = 0
    steps: Iterator[ReplayStep] | None = None
    timer: Timer | None = None
    shown: Callable[[], None] = lambda: None


class Replays:
    """The replays and long answers of all connections. `on_error` notes
    an exception in showing one, in its except block.
    """

    def __init__(self, clock: Clock, on_error: Callable[[str], object]) -> None:
        self._clock = clock
        self._on_error = on_error
        self._playbacks: dict[int, _Playback] = {}
        self._running: dict[int, Deferred[None]] = {}
        self._turns: deque[Deferred[None]] = deque()
        self._next: Timer | None = None

    # ------------------------------------------------------------------------- replays

    def next(self, session: Session) -> str:
        """The stream of the next replay on this connection: r1, r2..."""
        playback = self._playbacks.get(id(session))
        return f"r{playback.count + 1 if playback else 1}"

    def start(
        self, session: Session, steps: Iterable[ReplayStep], pause: int, shown: Callable[[], None]
    ) -> None:
        """Shows the steps one by one, `pause` milliseconds between them, in place of another.

        `shown` is called when all were shown.
        """
        self.stop(session)
        playback = self._playbacks.setdefault(id(session), _Playback())
        playback.count += 1
        playback.steps, playback.shown = iter(steps), shown
        self._show_next(session, playback, pause)

    def _show_next(self, session: Session, playback: _Playback, pause: int) -> None:
        assert playback.steps is not None
        playback.timer = None
        try:
            step = next(playback.steps, None)
            for entry in step or ():
                session.show(entry, None)
            if step is None:
                playback.shown()
        except Exception:
            step = None
            self._on_error(f"the replay r{playback.count}")
        if step is None:
            playback.steps = None
        else:
            playback.timer = self._clock.later(
                pause, lambda: self._show_next(session, playback, pause)
            )

    def running(self, session: Session) -> str | None:
        """The stream of the replay that is being shown, if one is."""
        playback = self._playbacks.get(id(session))
        return f"r{playback.count}" if playback and playback.timer is not None else None

    def stop(self, session: Session) -> None:
        """Shows no more of a replay, if there is one."""
        playback = self._playbacks.get(id(session))
        if playback is not None and playback.timer is not None:
            playback.timer.cancel()
            playback.timer = playback.steps = None

    # -------------------------------------------------------------------- long answers

    def run(self, session: Session, work: Coroutine[Deferred[Any], Any, None]) -> None:
        """Does the rest of a command, now as far as it goes; it ends with its connection."""
        task = Deferred.fromCoroutine(work)
        if not task.called:
            self._running[id(session)] = task

        def done(result: object) -> object:
            self._running.pop(id(session), None)
            return result

        task.addBoth(done)
        task.addErrback(lambda failure: failure.trap(CancelledError) and None)

    async def send_in_slices(self, session: Session, link: Link, steps: Iterable[object]) -> int:
        """Takes all steps, each of which sends a little, in slices; returns how many there were.

        Between two slices it waits until the peer has read, and until all others who are being
        told something had their turn. Raises `CancelledError` when the connection ends.
        """
        count, began = 0, self._clock.now()
        for _ in steps:
            count += 1
            if not link.writable or self._clock.now() - began >= SLICE:
                await self._turn(link)
                if session.closing:
                    raise CancelledError
                began = self._clock.now()
        return count

    async def _turn(self, link: Link) -> None:
        if not link.writable:
            read: Deferred[None] = Deferred()
            link.when_writable(lambda: read.callback(None))
            await read
        mine: Deferred[None] = Deferred()
        self._turns.append(mine)
        if self._next is None:
            self._next = self._clock.later(0, self._next_turn)
        await mine

    def _next_turn(self) -> None:
        self._next = self._clock.later(0, self._next_turn) if len(self._turns) > 1 else None
        self._turns.popleft().callback(None)

    # --------------------------------------------------------------------------- the end

    def connection_lost(self, session: Session) -> None:
        """The connection is gone."""
        self.stop(session)
        self._playbacks.pop(id(session), None)
        task = self._running.pop(id(session), None)
        if task is not None:
            task.cancel()
