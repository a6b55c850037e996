"""The log of a running game: collects its moves, and makes the record at its end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.summary import COUNTED_EVENTS, GameSummary
from twentytwo_protocol.words.cardplay import Aborted, Game_, Gameover

from ...facts import GameEnded
from ...games import players
from ...records.recording import Beginning, ended
from ...session.streams import Burst, Entry
from ...table.decision import Decision
from ...table.table import Table

_FOLLOWED = COUNTED_EVENTS | {Game_, Gameover, Aborted}
"""The events by which the log learns more than moves."""


class GameLog:
    """Collects the moves of the running game of one table. Call `follow` for every order."""

    def __init__(self) -> None:
        self._made: list[RecordedMove] = []
        self._began = Beginning()
        self._summary = GameSummary()

    @property
    def programs(self) -> frozenset[int]:
        """The seats of people that were played by their programs when the game began."""
        return frozenset(seat.number for seat in self._began.seats if seat.program)

    def follow(self, decision: Decision, burst: Burst) -> GameEnded | None:
        """Takes in an order; returns the game if the order ended it. `burst` has its events."""
        if burst.kinds.isdisjoint(_FOLLOWED):  # most orders
            self._made += decision.moves
            return None
        after, over = decision.table, None
        for entry in burst.entries if Game_ in burst.kinds else ():
            if isinstance(entry.event, Game_):
                self._made.clear()
                no = after.promised.no if after.promised else 0
                self._began = Beginning(after.seats, entry.at, entry.seq, no)
        if not burst.kinds.isdisjoint(COUNTED_EVENTS):
            self._summary.see_all(decision.told)
        if not burst.kinds.isdisjoint((Gameover, Aborted)):
            over = self._ended(after, [*self._made, *decision.moves], burst.entries)
        self._made += decision.moves
        return over

    def _ended(
        self, after: Table, made: Sequence[RecordedMove], entries: Sequence[Entry]
    ) -> GameEnded:
        levels = {seat.level for seat in self._began.seats if seat.level}
        versions = {level: players.version(after.game, level) for level in levels}
        over = ended(after, self._began, made, entries, versions)
        return replace(over, summary=self._summary.written())
