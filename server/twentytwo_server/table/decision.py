"""A decision in the making: the table as it changes, and the effects, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from twentytwo_protocol.frozen import replace
from twentytwo_protocol.schema import Deed, Event, Refused
from twentytwo_protocol.words.cardplay import Aborted, Shuffle
from twentytwo_protocol.words.fairness import Calledoff, Committed, Revealed
from twentytwo_protocol.words.seating import Host_, Joined, Left, Presence, Ready_

from ..games import players
from .deals import DealSource
from .effects import Abandoned, Close, Effect, GraceOver, Keep, Tell, Think, TurnOver, Wake
from .table import Phase, Seat, Table

GRACE = 120_000
"""Milliseconds for which a seat is kept for somebody whose connection is lost."""
KEPT = 24 * 3600 * 1000
"""Milliseconds for which a game waits when nobody is left at the table."""
KEPT_PRACTICE = 30 * 60 * 1000
"""The same for a practice table, where nobody else waits for the end."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who gives an order: their name, and whether nobody types there.

    `standin`: it is not they who give it but a bot of the server's, in their stead.
    """

    name: str
    program: bool = False
    standin: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """What a table cannot know by itself: the time, and where its deals come from."""

    at: int
    deals: DealSource
    grace: int = GRACE


@dataclass(slots=True)
class Decision:
    """Collects what follows from one order. `table` is the table so far."""

    table: Table
    who: Actor
    now: Moment
    effects: list[Effect] = field(default_factory=list)

    # ------------------------------------------------------------------------- changes

    def change(self, **fields: Any) -> None:
        """The table is different in these fields."""
        self.table = replace(self.table, **fields)

    def tell(self, *events: Event) -> None:
        """These things happen, in this order."""
        self.effects += map(Tell, events)

    def keep(self, seat: int, deed: Deed | Shuffle, *, auto: bool = False) -> None:
        """This move belongs into the record; seat 0 is the house."""
        self.effects.append(Keep(seat, deed.act, deed.token, auto))

    def wake(self, after: int, why: Any) -> None:
        """Come back after so long."""
        self.effects.append(Wake(after, why))

    def seat(self, seat: Seat) -> None:
        """The seat of that number is now this one."""
        others = [s for s in self.table.seats if s.number != seat.number]
        self.change(seats=tuple(sorted([*others, seat], key=lambda s: s.number)))

    def empty(self, seat: Seat) -> None:
        """The seat is nobody's."""
        self.change(seats=tuple(s for s in self.table.seats if s.number != seat.number))

    # ------------------------------------------------------------------------ questions

    def mine(self) -> Seat:
        """The seat of whoever gives the order. Raises `Refused`."""
        seat = self.table.seat_of(self.who.name)
        if seat is None:
            raise Refused("NOT_SEATED", f"You have no seat at {self.table.id}.")
        return seat

    # ------------------------------------------------------------- what several orders do

    def sit(self, number: int, name: str, *, level: str = "", program: bool = False) -> None:
        """Somebody takes a seat; bots are always ready."""
        self.seat(Seat(number, name, level=level, program=program, ready=bool(level)))
        self.tell(Joined(number, name, bool(level) or program))

    def unready(self) -> None:
        """Something has changed: people must say again that they are ready."""
        for seat in self.table.people:
            if seat.ready:
                self.seat(replace(seat, ready=False))
                self.tell(Ready_(seat.number, False))

    def get_up(self, seat: Seat, why: str) -> None:
        """Somebody gives up a seat; in a running game a bot takes it for good."""
        if self.table.phase is Phase.STARTING:
            self.call_off(*([seat] if seat.sealed else []))
        self.empty(seat)
        self.tell(Left(seat.number, seat.name, why))
        self.change(votes=frozenset(vote for vote in self.table.votes if vote[1] != seat.name))
        if not self.table.people:
            if self.table.phase is Phase.PLAYING:
                self.void("abandoned")
            self.effects.append(Close())
            return
        if self.table.phase is Phase.PLAYING:
            level = self.table.settings.level or players.usual(self.table.game)
            self.sit(seat.number, self.table.bot_name(level), level=level)
            asked = self.table.on_turn
            if asked and (asked.number == seat.number or self.table.deserted):
                self.ask()
        if self.table.host == seat.name:
            self.hand_over_to(self.table.people[0].name)

    def hand_over_to(self, name: str) -> None:
        """Somebody else is the host."""
        self.change(host=name)
        self.tell(Host_(name))

    def ask(self) -> None:
        """The open question finds somebody to answer it: a bot, or a person with a clock.

        While the game is paused or deserted nobody is asked, and the clock stands still.
        """
        table, match = self.table, self.table.match
        seat = table.on_turn
        if match is None or seat is None:
            return
        if table.paused or table.deserted:
            self.change(match=match.stop(self.now.at))
            if table.deserted:
                self.wake(max(0, self.patience()), Abandoned())
            return
        match = match.resume(self.now.at)
        self.change(match=match)
        if seat.played_by_bot:
            self.effects.append(Think(seat.number, match.turn))
        elif match.clock:
            self.wake(max(0, match.left(self.now.at)), TurnOver(match.turn))

    def patience(self) -> int:
        """Milliseconds for which a game that nobody is left at still waits."""
        assert self.table.match is not None
        kept = KEPT_PRACTICE if self.table.settings.practice else KEPT
        since = max([self.table.match.stopped or 0, *(seat.since for seat in self.table.people)])
        return since + kept - self.now.at

    def stand_in(self, seat: Seat, *, playing: bool) -> None:
        """A bot plays for a seat's owner from now on, or no longer."""
        self.seat(replace(seat, standin=playing, late=0))
        self.tell(Presence(seat.number, seat.here, bot=True if playing else None))

    def void(self, why: str, ref: str | None = None) -> None:
        """The running game ends without a result."""
        self.reveal()
        self.tell(Aborted(why, ref))
        self.finish(again=why != "abandoned")

    def promise(self) -> None:
        """The next game is promised, before anybody can be ready for it."""
        promised = self.now.deals.promise()
        self.change(promised=promised)
        self._forget_words()
        self.tell(Committed(promised.game, promised.no, promised.alg, promised.digest))

    def reveal(self) -> None:
        """The secret of the game that ends."""
        assert self.table.match is not None
        game = self.table.match.id
        self.tell(Revealed(game, self.now.deals.seed(game)))

    def call_off(self, *refused: Seat) -> None:
        """The start does not come about, perhaps because these did not open their words.

        All words go: those that were opened are known, and others could be chosen by them.
        """
        self.change(phase=Phase.OVER if self.table.match else Phase.OPEN)
        self._forget_words()
        self.tell(Calledoff(tuple(seat.number for seat in refused)))
        self.unready()

    def _forget_words(self) -> None:
        seats = (replace(seat, word="", sealed="", given=0) for seat in self.table.seats)
        self.change(seats=tuple(seats))

    def finish(self, *, again: bool = True) -> None:
        """The game is over. Whoever is away has the time of grace to come back to the table.

        `again`: there may be another one.
        """
        assert self.table.match is not None
        over = replace(self.table.match, question=None)
        self.change(phase=Phase.OVER, match=over, votes=frozenset(), paused=False)
        if again:
            self.promise()
        for seat in self.table.people:
            if not seat.here:
                self.wake(self.now.grace, GraceOver(seat.name))
