"""The context of a person's line: their game, the open question, an awaited answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from twentytwo_protocol.awaiting import awaited
from twentytwo_protocol.cards import STANDARD, Deck
from twentytwo_protocol.completion import completions
from twentytwo_protocol.words.cardplay import Turn

from ...session.session import Session
from ...table import teaching
from ..people.people import People
from ..tables.pausable_clock import PausableClock
from ..tables.rooms import Rooms
from .confirmations import asked_again


@dataclass(slots=True)
class LineContext:
    """The context in which the lines of a connection are read."""

    _people: People
    _rooms: Rooms
    _clock: PausableClock

    def read_in(self, session: Session) -> tuple[Deck | None, Turn | None, str, str]:
        """The context in which a person's line is read: the deck, the question, two texts.

        The deck is that of the game that runs at their table, and the question is the open one if
        it is theirs; both are None if no game runs. The first text is the line that continues a
        lesson, the second the words that answer another open request to them. Either may be empty.
        """
        room = self._rooms.meant(session)
        answer = asked_again(session, self._clock.now())
        if room is None:
            return None, None, "", answer
        go_on = teaching.next_line(room.table)
        seat = room.seat_number(self._people.on(session))
        answer = answer or awaited(room.model(seat))
        if seat is None or room.table.match is None or room.table.match.over:
            return None, None, go_on, answer
        question = room.table.match.question
        mine = question if question is not None and question.seat == seat else None
        return room.table.game.deck, mine, go_on, answer

    def completions(self, session: Session, text: str) -> Iterator[tuple[str, str]]:
        """The completions of a half-typed line: the end to replace, and its replacement.

        They depend on the phase of the table and the question to this person, and on nothing else.
        """
        room = self._rooms.meant(session)
        deck, asked, _, _ = self.read_in(session)
        phase = room.table.phase.value if room is not None else ""
        return completions(text, phase, asked, deck or STANDARD)
