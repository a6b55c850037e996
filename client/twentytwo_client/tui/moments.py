"""What stays on the table for a moment: a full trick and who took it, and how a hand ended.

The table is told on meanwhile; only what is drawn waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from math import inf

from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Handover, Scored, Shown, Took

from ..core.streams import question
from ..display.overview import overview, short_names
from .painting import Scene

TRICK_STAYS, HAND_STAYS = 1.2, 3.0
"""Seconds; and those for which a question with a clock is kept from view at most."""
HURRIED = "TWENTYTWO_NO_PAUSE"
"""The variable of the environment with which nothing stays, whatever it is set to."""
MOST = 2
"""Moments that wait to be seen: the last trick of a hand, and its end."""


class Moments:
    """Those that are still to be seen. `seconds` is a clock that never goes back."""

    def __init__(self, seconds: Callable[[], float], *, hurried: bool = False) -> None:
        self._seconds = seconds
        self._stays = (0.0, 0.0) if hurried else (TRICK_STAYS, HAND_STAYS)
        self._waiting: deque[tuple[Scene, float]] = deque()
        self._began = self._end = 0.0
        self._seen: tuple[str, int | None, Event] | None = None

    def see(self, table: TableModel, show: Callable[[Iterable[Card]], str]) -> None:
        """Takes in how a table stands; `show` writes cards out."""
        event = next((e for e in reversed(table.standing) if isinstance(e, Took | Handover)), None)
        if event is not None:
            seen = (table.on, table.hand.no if table.hand else None, event)
            if seen != self._seen:
                self._keep(_scene(table, event, show), self._stays[isinstance(event, Handover)])
            self._seen = seen
        turn = question(table)
        if turn is not None and turn.ms is not None:
            self._end = min(self._end, self._seconds() + HAND_STAYS)

    def _keep(self, scene: Scene, stays: float) -> None:
        if not stays:
            return
        if self.now() is None:
            self._began, self._end = self._seconds(), inf
        elif len(self._waiting) == MOST:
            self._waiting.popleft()
            self._began = self._seconds()
        self._waiting.append((scene, stays))

    def now(self) -> Scene | None:
        """What is to be seen now, if not the table as it is."""
        if self._end <= self._seconds():
            self._waiting.clear()
        while self._waiting and self._began + self._waiting[0][1] <= self._seconds():
            self._began += self._waiting.popleft()[1]
        return self._waiting[0][0] if self._waiting else None

    @property
    def left(self) -> float:
        """Seconds until something else is to be seen; 0 where the table is seen as it is."""
        if self.now() is None:
            return 0.0
        return min(self._end, self._began + self._waiting[0][1]) - self._seconds()

    def pass_on(self) -> bool:
        """Ends them all; False if there was none."""
        there = self.now() is not None
        self._waiting.clear()
        return there


def _scene(table: TableModel, event: Event | None, show: Callable[[Iterable[Card]], str]) -> Scene:
    """The table at the end of a trick, or of a hand."""
    key = table.game.game if table.game else ""
    voice = Voice(short_names(table), table.me, key, show, table)
    whole = overview(table)
    if isinstance(event, Took):
        return Scene(whole, words=(voice.sentence(event),), took=event.seat)
    shown = {each.seat: (each.card,) for each in table.standing if isinstance(each, Shown)}
    players = tuple(replace(p, played=shown.get(p.seat, p.played)) for p in whole.players)
    whole = replace(whole, players=players)
    return Scene(whole, words=tuple(_scores(table, voice)), ended=True)


def _scores(table: TableModel, voice: Voice) -> Iterator[str]:
    yield from (voice.sentence(each) for each in table.standing if isinstance(each, Scored))
