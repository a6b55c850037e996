"""Output that takes time: replays, which are paced, and long answers, which are sent in slices.

An export, or all events of a long-lived table, may be some megabytes and take a second of work.
That would hold up everybody else. So it is done in slices of a few milliseconds, only as fast as
the peer reads, and addresses take turns (`scheduler`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from twisted.internet.defer import CancelledError, Deferred

from ..ports import Clock, Link, Timer
from ..scheduler import SLICE, Scheduler
from ..session.session import Session
from ..session.streams import Entry
from .session_tasks import SessionTasks

ReplayStep = list[Entry]
"""The events that a replay shows at once: up to the next question."""


@dataclass(slots=True)
class _Playback:
    """The replays of a connection: their number, and the remaining steps of the last one."""

    network: str = ""
    count: int = 0
    steps: Iterator[ReplayStep] | None = None
    timer: Timer | None = None
    shown: Callable[[], None] = lambda: None


class Replays:
    """The replays and long answers of all connections; `tasks` are the latter.

    `on_error` is called in an except block, when showing a replay has raised.
    """

    def __init__(
        self, clock: Clock, scheduler: Scheduler, on_error: Callable[[str], object]
    ) -> None:
        self._clock = clock
        self._scheduler = scheduler
        self._on_error = on_error
        self._playbacks: dict[int, _Playback] = {}
        self.tasks = SessionTasks()

    # ------------------------------------------------------------------------- replays

    def next(self, session: Session) -> str:
        """The name of the next replay's stream on this connection: `r1`, `r2`..."""
        playback = self._playbacks.get(id(session))
        return f"r{playback.count + 1 if playback else 1}"

    def start(
        self,
        session: Session,
        network: str,
        steps: Iterable[ReplayStep],
        pause: int,
        shown: Callable[[], None],
    ) -> None:
        """Starts a replay, and stops the one that is running on this connection, if any.

        The steps are shown `pause` milliseconds apart, later if those of the same `network` take
        too long (`Link.network`); `shown` is called after the last.
        """
        self.stop(session)
        playback = self._playbacks.setdefault(id(session), _Playback(network))
        playback.count += 1
        playback.steps, playback.shown = iter(steps), shown
        self._show_next(session, playback, pause)

    def _next_due(self, session: Session, playback: _Playback, pause: int) -> None:
        steps = playback.steps

        def show() -> None:
            if playback.steps is steps is not None:  # it was not stopped meanwhile
                self._show_next(session, playback, pause)

        self._scheduler.later(playback.network, show)

    def _show_next(self, session: Session, playback: _Playback, pause: int) -> None:
        assert playback.steps is not None
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
            playback.steps = playback.timer = None
        else:
            playback.timer = self._clock.later(
                pause, lambda: self._next_due(session, playback, pause)
            )

    def running(self, session: Session) -> str | None:
        """The name of the running replay's stream; None if there is none."""
        playback = self._playbacks.get(id(session))
        return f"r{playback.count}" if playback and playback.steps is not None else None

    def stop(self, session: Session) -> None:
        """Stops the running replay, if there is one."""
        playback = self._playbacks.get(id(session))
        if playback is not None and playback.steps is not None:
            if playback.timer is not None and playback.timer.active():
                playback.timer.cancel()
            playback.timer = playback.steps = None

    # -------------------------------------------------------------------- long answers

    async def send_in_slices(self, session: Session, link: Link, steps: Iterable[object]) -> int:
        """Iterates over `steps`, each of which sends a little; returns how many there were.

        After each slice it waits until the peer has read, and for its address's turn. Raises
        `CancelledError` when the connection ends.
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
        await self._scheduler.turn(link.network)

    # --------------------------------------------------------------------------- the end

    def connection_lost(self, session: Session) -> None:
        """Stops the replay of a connection that is gone, and cancels its long answer."""
        self.stop(session)
        self._playbacks.pop(id(session), None)
        self.tasks.connection_lost(session)
