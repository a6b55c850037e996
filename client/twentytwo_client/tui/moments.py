"""Past scenes that stay visible for a moment: a full trick with its winner, the end of a hand.

The model of the table is not delayed, only its display.
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
"""The seconds that a trick and a hand stay visible; the seconds that they may delay a question with
a clock.
"""
HURRIED = "TWENTYTWO_NO_PAUSE"
"""The environment variable that turns the delays off, whatever its value."""
MOST = 2
"""The maximum number of waiting scenes: the last trick of a hand, and its end."""


class Moments:
    """The scenes that wait to be shown. `seconds` is a monotonic clock."""

    def __init__(self, seconds: Callable[[], float], *, hurried: bool = False) -> None:
        self._seconds = seconds
        self._stays = (0.0, 0.0) if hurried else (TRICK_STAYS, HAND_STAYS)
        self._waiting: deque[tuple[Scene, float]] = deque()
        self._began = self._end = 0.0
        self._seen: tuple[str, int | None, Event] | None = None

    def see(self, table: TableModel, show: Callable[[Iterable[Card]], str]) -> None:
        """Processes the state of a table. `show` formats cards."""
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
        """The scene to show now; None for the current table."""
        if self._end <= self._seconds():
            self._waiting.clear()
        while self._waiting and self._began + self._waiting[0][1] <= self._seconds():
            self._began += self._waiting.popleft()[1]
        return self._waiting[0][0] if self._waiting else None

    @property
    def left(self) -> float:
        """The seconds until the scene changes; 0 for the current table."""
        if self.now() is None:
            return 0.0
        return min(self._end, self._began + self._waiting[0][1]) - self._seconds()

    def pass_on(self) -> bool:
        """Ends all scenes. False if there were none."""
        there = self.now() is not None
        self._waiting.clear()
        return there


def _scene(table: TableModel, event: Event | None, show: Callable[[Iterable[Card]], str]) -> Scene:
    """The table at the end of a trick or of a hand."""
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
