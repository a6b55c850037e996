"""One order: the table as changed so far, and what the host is to do about it.

The function for an order gets a `Decision` and calls its methods. If the order is not allowed, the
function raises `Refused`, at any point: the decision is dropped, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Aborted, Shuffle
from twentytwo_protocol.words.fairness import Calledoff, Committed, Revealed
from twentytwo_protocol.words.seating import (
    Host_,
    Joined,
    Left,
    Presence,
    Ready_,
    Rematch,
    Shut,
    Swapped,
)

from ..games import players
from .deals import DealSource, Pack
from .effects import Abandoned, Close, Effect, GoOn, GraceOver, Talk, Then, Think, TurnOver, Wake
from .match import Step
from .table import Phase, Seat, Table

GRACE = 120_000
"""Milliseconds for which a seat is kept after its owner's connection is lost."""
ABANDONED_AFTER = 24 * 3600 * 1000
"""Milliseconds after which a game with nobody connected is aborted."""
ABANDONED_AFTER_PRACTICE = 30 * 60 * 1000
"""Milliseconds after which a practice game with nobody connected is aborted: no other person waits
for its end.
"""


class Actor(Value):
    """The giver of an order. `name` is empty for the server itself.

    `program`: a client that declared itself a bot. `standin`: a bot of the server gives the order
    in place of the seat's owner.
    """

    name: str
    program: bool = False
    standin: bool = False


class Moment(Value):
    """The circumstances of an order: the time `at`, the deals, the `grace` period.

    `at` is on the timeline of the tables, which stands still while the server is down; `wall` is
    the same time since 1970. All are in milliseconds.
    """

    at: int
    deals: DealSource
    grace: int = GRACE
    wall: int = 0


class Decision(Struct, eq=False):
    """The changes of one order: the current `table`, and so far in order the events `told` on its
    stream, the `moves` of the game, and the `effects`.

    `seat` is the seat that the actor had when the order came; None for none.
    """

    table: Table
    who: Actor
    now: Moment
    seat: Seat | None = None
    told: list[Event] = []
    moves: list[RecordedMove] = []
    effects: list[Effect] = []

    # ------------------------------------------------------------------------- changes

    def change(self, **fields: Any) -> None:
        """Changes fields of the table."""
        self.table = replace(self.table, **fields)

    def tell(self, *events: Event) -> None:
        """Appends events to the table's stream."""
        self.told += events

    def talk(self, event: Event) -> None:
        """Appends an event to the watchers' talk."""
        self.effects.append(Talk(event))

    def keep(self, seat: int, deed: Deed | Shuffle, *, auto: bool = False) -> None:
        """Appends a move to the record of the game; the arguments are as in `RecordedMove`."""
        self.moves.append(RecordedMove(seat, deed.act, deed.token, auto))

    def house(self, n: int, pack: Sequence[Card]) -> Pack:
        """Makes a shuffle of the running game; a `House`."""
        assert self.table.match is not None
        terms = self.table.match.terms
        return self.now.deals.house(terms.id, terms.words)(n, pack)

    def remember(self, step: Step) -> None:
        """Remembers a move of a practice game, so that it can be taken back."""
        self.change(played=(*self.table.played, step))

    def wake(self, after: int, why: Any) -> None:
        """Makes the server give the order `why` after `after` milliseconds."""
        self.effects.append(Wake(after, why))

    def then(self, order: GoOn | Rematch) -> None:
        """Makes the server give this order immediately, with nothing in between (`Then`)."""
        self.effects.append(Then(order))

    def drop_wakes(self, since: int = 0) -> None:
        """Drops the wakes and bot turns from index `since` on: their moves are made."""
        self.effects[since:] = [each for each in self.effects[since:] if isinstance(each, Talk)]

    def put_seat(self, seat: Seat) -> None:
        """Adds a seat, or replaces the seat with the same number."""
        others = [s for s in self.table.seats if s.number != seat.number]
        self.change(seats=tuple(sorted([*others, seat], key=lambda s: s.number)))

    def remove_seat(self, seat: Seat) -> None:
        """Removes a seat."""
        self.change(seats=tuple(s for s in self.table.seats if s.number != seat.number))

    # ------------------------------------------------------------------------ questions

    def own_seat(self) -> Seat:
        """`seat`, for an order that only somebody with a seat may give."""
        assert self.seat is not None
        return self.seat

    # ------------------------------------------------------------- what several orders do

    def sit(
        self,
        number: int,
        name: str,
        *,
        level: str = "",
        program: bool = False,
        left: tuple[str, ...] = (),
    ) -> None:
        """Seats a person, or a bot if `level` is given; bots are always ready.

        `left` has the names of players who left this seat during the running game.
        """
        seat = Seat(number, name, level=level, program=program, ready=bool(level), left=left)
        self.put_seat(seat)
        self.tell(Joined(number, name, seat.automatic))

    def move_to(self, seat: Seat, number: int) -> None:
        """Gives a person another seat. The caller must remove or reassign their old seat."""
        self.put_seat(replace(seat, number=number))
        self.tell(Swapped(number, seat.name, seat.number, seat.automatic))

    def unready(self) -> None:
        """Makes everybody unready, because something they agreed to has changed."""
        for seat in self.table.people:
            if seat.ready:
                self.put_seat(replace(seat, ready=False))
                self.tell(Ready_(seat.number, False))

    def get_up(self, seat: Seat, why: str) -> None:
        """Frees a seat; `why` is the reason in the event LEFT.

        In a running game a bot takes the seat. If it was the last person's seat, the game ends and
        the table closes. The role of host passes to another person.
        """
        if self.table.phase is Phase.STARTING:
            self.call_off(*([seat] if seat.sealed else []))
        self.remove_seat(seat)
        self.tell(Left(seat.number, seat.name, why))
        self.change(votes=frozenset(vote for vote in self.table.votes if vote[1] != seat.name))
        if not self.table.people:
            if self.table.phase is Phase.PLAYING:
                self.end_without_result("abandoned")
            if self.table.kind.paired:
                self.change(host="")  # a pair stays open until both tables are empty
            else:
                self.shut()
            return
        if self.table.phase is Phase.PLAYING:
            level = self.table.settings.level or players.usual(self.table.game)
            gone = (*seat.left, seat.name)
            self.sit(seat.number, self.table.bot_name(level), level=level, left=gone)
            asked = self.table.on_turn
            if asked and (asked.number == seat.number or self.table.deserted):
                self.ask()
        if self.table.host == seat.name:
            self.hand_over_to(self.table.people[0].name)

    def shut(self) -> None:
        """Closes the table. No events follow."""
        self.tell(Shut())
        self.effects.append(Close())

    def hand_over_to(self, name: str) -> None:
        """Makes another person the host."""
        self.change(host=name)
        self.tell(Host_(name))

    def ask(self) -> None:
        """Gets the open question answered: asks the bot on turn, or runs the person's clock.

        Call it after every change of the player on turn, of pausing, and of whether anybody is
        connected. While the game is paused or nobody is connected, the clock stands still and no
        bot is asked.
        """
        table, match = self.table, self.table.match
        if match is None or match.question is None:
            return
        seat = table.at(match.question.seat)
        if seat is None:
            return
        deserted = table.deserted
        if table.paused or deserted:
            self.change(match=match.stop(self.now.at))
            if deserted:
                self.wake(max(0, self.time_to_wait()), Abandoned())
            return
        if match.stopped is not None:
            match = match.resume(self.now.at)
            self.change(match=match)
        if seat.level or seat.standin:  # `played_by_bot`, without a call for every move
            self.effects.append(Think(seat.number, match.turn))
        elif match.terms.clock:
            self.wake(max(0, match.left(self.now.at)), TurnOver(match.turn))

    def time_to_wait(self) -> int:
        """Milliseconds until a game with nobody connected is aborted; may be negative."""
        assert self.table.match is not None
        grace = ABANDONED_AFTER_PRACTICE if self.table.kind.practice else ABANDONED_AFTER
        since = max([self.table.match.stopped or 0, *(seat.since for seat in self.table.people)])
        return since + grace - self.now.at

    def stand_in(self, seat: Seat) -> None:
        """Makes a bot play for the seat's owner."""
        self.put_seat(replace(seat, standin=True))
        self.tell(Presence(seat.number, seat.here, bot=True))

    def end_without_result(self, why: str, ref: str | None = None) -> None:
        """Ends the game without a result for the reason `why`; `ref` identifies an error."""
        self.reveal()
        self.tell(Aborted(why, ref))
        self.finish(again=why not in ("abandoned", "operator"))

    def promise(self, *, taken: bool = False) -> None:
        """Commits to the deals of the next game; call it before anybody can be ready for that game.

        `taken`: the next game continues another game, with its deals.
        """
        promised = self.now.deals.promise(taken=taken)
        self.change(promised=promised)
        self._forget_words()
        self.tell(Committed(promised.game, promised.no, promised.alg, promised.digest))

    def reveal(self) -> None:
        """Reveals the seed of the running game, and thereby all its cards. Call it only at the end.

        The seed of a daily deal is revealed when its day is over, because other players still have
        the deal before them. The seed of a pair of tables is revealed when both games are over.
        """
        if not self.table.kind.own_deals:
            return
        assert self.table.match is not None
        game = self.table.match.terms.id
        self.tell(Revealed(game, self.now.deals.seed(game)))

    def call_off(self, *refused: Seat) -> None:
        """Cancels the start of a game, because the seats in `refused` did not open their words, or
        one left.

        All words are dropped: some have been opened, and the other players could now choose theirs
        to suit.
        """
        self.change(phase=Phase.OVER if self.table.match else Phase.OPEN)
        self._forget_words()
        self.tell(Calledoff(tuple(seat.number for seat in refused)))
        self.unready()

    def _forget_words(self) -> None:
        seats = (replace(seat, word="", sealed="", given=0) for seat in self.table.seats)
        self.change(seats=tuple(seats))

    def finish(self, *, again: bool = True) -> None:
        """Ends the game at the table. Absent people get a new grace period.

        `again`: another game may follow, and is promised at once.
        """
        assert self.table.match is not None
        over = replace(self.table.match, question=None)
        self.change(phase=Phase.OVER, match=over, votes=frozenset(), paused=False)
        if again and self.table.kind.own_deals:
            self.promise()
        for seat in self.table.people:
            if not seat.here:
                self.wake(self.now.grace, GraceOver(seat.name))
