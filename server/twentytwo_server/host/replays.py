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

Act = list[Entry]
"""What a replay shows at once."""


@dataclass(slots=True)
class _Stage:
    """The replays of a connection: how many there were, and what is still to come of the last."""

    count: int = 0
    acts: Iterator[Act] | None = None
    timer: Timer | None = None
    shown: Callable[[], None] = lambda: None


class Replays:
    """The replays and long answers of all connections. `broken` notes an error in showing one."""

    def __init__(self, clock: Clock, broken: Callable[[str], object]) -> None:
        self._clock = clock
        self._broken = broken
        self._stages: dict[int, _Stage] = {}
        self._working: dict[int, Deferred[None]] = {}
        self._turns: deque[Deferred[None]] = deque()
        self._next: Timer | None = None

    # ------------------------------------------------------------------------- replays

    def next(self, session: Session) -> str:
        """The stream of the next replay on this connection: r1, r2..."""
        stage = self._stages.get(id(session))
        return f"r{stage.count + 1 if stage else 1}"

    def begin(
        self, session: Session, acts: Iterable[Act], pause: int, shown: Callable[[], None]
    ) -> None:
        """Shows the acts one by one, `pause` milliseconds between them, in place of another.

        `shown` is called when all were shown.
        """
        self.stop(session)
        stage = self._stages.setdefault(id(session), _Stage())
        stage.count += 1
        stage.acts, stage.shown = iter(acts), shown
        self._go_on(session, stage, pause)

    def _go_on(self, session: Session, stage: _Stage, pause: int) -> None:
        assert stage.acts is not None
        stage.timer = None
        try:
            act = next(stage.acts, None)
            for entry in act or ():
                session.show(entry, None)
            if act is None:
                stage.shown()
        except Exception:
            act = None
            self._broken(f"the replay r{stage.count}")
        if act is None:
            stage.acts = None
        else:
            stage.timer = self._clock.later(pause, lambda: self._go_on(session, stage, pause))

    def running(self, session: Session) -> str | None:
        """The stream of the replay that is being shown, if one is."""
        stage = self._stages.get(id(session))
        return f"r{stage.count}" if stage and stage.timer is not None else None

    def stop(self, session: Session) -> None:
        """Shows no more of a replay, if there is one."""
        stage = self._stages.get(id(session))
        if stage is not None and stage.timer is not None:
            stage.timer.cancel()
            stage.timer = stage.acts = None

    # -------------------------------------------------------------------- long answers

    def work(self, session: Session, work: Coroutine[Deferred[Any], Any, None]) -> None:
        """Does the rest of a command, now as far as it goes; it ends with its connection."""
        doing = Deferred.fromCoroutine(work)
        if not doing.called:
            self._working[id(session)] = doing

        def done(result: object) -> object:
            self._working.pop(id(session), None)
            return result

        doing.addBoth(done)
        doing.addErrback(lambda failure: failure.trap(CancelledError) and None)

    async def tell(self, session: Session, link: Link, steps: Iterable[object]) -> int:
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

    def forget(self, session: Session) -> None:
        """The connection is gone."""
        self.stop(session)
        self._stages.pop(id(session), None)
        doing = self._working.pop(id(session), None)
        if doing is not None:
            doing.cancel()
