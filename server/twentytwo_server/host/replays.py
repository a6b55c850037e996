"""Games that are being told again: replays, paced, and exports, as fast as is fair to the others.

To tell a game it is played again by its laws. A long one takes some hundred milliseconds, too long
to be done at once; so it is done in slices, and all exports take turns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from ..ports import Clock, Timer
from ..session.session import Session
from ..session.streams import Entry

SLICE = 200
"""How many events of an export are told at once."""
TURN = 20
"""Milliseconds between two slices, whosever they are."""

Act = list[Entry]
"""What a replay shows at once."""
Poured = Callable[[int, Exception | None], None]
"""Told how many events an export had, and what went wrong with it."""


@dataclass(slots=True)
class _Stage:
    """The replays of a connection: how many there were, and what is still to come of the last."""

    count: int = 0
    acts: Iterator[Act] | None = None
    timer: Timer | None = None
    shown: Callable[[], None] = lambda: None


@dataclass(slots=True)
class _Pour:
    """An export under way."""

    session: Session
    entries: Iterator[Entry]
    poured: Poured
    count: int = 0


class Replays:
    """The replays and exports of all connections. `broken` notes an error in showing one."""

    def __init__(self, clock: Clock, broken: Callable[[str], object]) -> None:
        self._clock = clock
        self._broken = broken
        self._stages: dict[int, _Stage] = {}
        self._pours: deque[_Pour] = deque()
        self._pouring: Timer | None = None

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

    # ------------------------------------------------------------------------- exports

    def pour(self, session: Session, entries: Iterator[Entry], poured: Poured) -> None:
        """Shows all entries in slices, in turn with other exports; then says so."""
        self._pours.append(_Pour(session, entries, poured))
        if self._pouring is None:
            self._slice()

    def _slice(self) -> None:
        self._pouring = None
        if not self._pours:
            return
        pour = self._pours.popleft()
        self._pouring = self._clock.later(TURN, self._slice)
        try:
            before = pour.count
            for entry in islice(pour.entries, SLICE):
                pour.session.show(entry, None)
                pour.count += 1
        except Exception as wrong:
            pour.poured(pour.count, wrong)
        else:
            if pour.count < before + SLICE:
                pour.poured(pour.count, None)
            else:
                self._pours.append(pour)

    # --------------------------------------------------------------------------- the end

    def forget(self, session: Session) -> None:
        """The connection is gone."""
        self.stop(session)
        self._stages.pop(id(session), None)
        self._pours = deque(pour for pour in self._pours if pour.session is not session)
