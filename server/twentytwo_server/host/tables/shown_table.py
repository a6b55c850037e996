"""A table as a server shows it: its state, its stream, its viewers and the knowledge of each.

`Room` is a table whose orders this server carries out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Command, Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Clock, Game_, Paused, Turn, Unpaused

from ... import failpoints, ports
from ...facts import GameEnded, Input, OpenTable
from ...failpoints import failpoint
from ...games.game import AnyGame, Games
from ...session.streams import Burst, Entry, Stream
from ...table import journal
from ...table.decision import Actor, Decision, Moment
from ...table.effects import Inner, Renamed
from ...table.opening import Opening, bare_table
from ...table.orders import decide
from ...table.table import Table
from ..people.people import Person
from ..people.viewers import Seats, Viewers
from .audience import Audience
from .deals import Deals, ReplayedDeals
from .input_log import ReplayMismatch
from .models import TableModels
from .order_facts import OrderFacts

KIBITZ_SIZE = 200
"""Number of lines of the watchers' talk that are kept in memory."""


class ShownTableContext(Protocol):
    """The services of the host for showing a table."""

    @property
    def clock(self) -> ports.Clock:
        """The clock of all tables; it can be paused."""

    @property
    def viewers(self) -> Viewers:
        """Shows events to people."""

    @property
    def deals(self) -> Deals:
        """The promises for the games of all tables."""

    @property
    def clustered(self) -> bool:
        """True if other servers follow the tables of this one."""


class ShownTable:
    """A table with its stream and its viewers. Its first input must be its opening.

    `id` is that of the table, `t7`. `grace` is how long the seat of an absent person is kept, in
    milliseconds. `beginning` has its game, its opening, and the person who opened it. `ahead` is
    how far the timeline of the table is ahead of that of this server, in milliseconds.
    """

    def __init__(
        self, host: ShownTableContext, id: str, game: AnyGame, opening: Opening, who: Actor
    ) -> None:
        self.id = id
        self.beginning = game, opening, who
        self.table = bare_table(id, game, opening, who)
        self.stream = Stream(id)
        self.kibitz = Stream("k" + id[1:], keep=KIBITZ_SIZE)
        self.grace = opening.grace
        self.models = TableModels(self.stream)
        self.audience = Audience(host.viewers, self.table)
        self._facts = OrderFacts(id, opening.edition, host.deals, host.clustered)
        self._clock = host.clock
        self._viewers = host.viewers
        self.ahead = 0

    def take_from(self, other: ShownTable) -> None:
        """Takes the state of the same table, which `other` must not use any more."""
        self.table, self.stream, self.kibitz = other.table, other.stream, other.kibitz
        self.models, self.audience, self._facts = other.models, other.audience, other._facts

    def go_on_from(self, at: int) -> None:
        """Makes `at` the current time on the timeline of the table."""
        self.ahead = at - self._clock.now()

    # ------------------------------------------------------------------------- events

    def _burst(self, decision: Decision, wall: int, last: int) -> Burst:
        after, names = decision.table, self.audience.names
        if after.seats is not self.table.seats:
            # Names before and after the order: a LEFT event still needs the name of its person.
            names = names | after.names
        entries = self.stream.plan(
            decision.told,
            at=wall,
            names=names,
            game=after.game.key,
            model_for=self.models.model_for,
            after=last,
        )
        return Burst(entries, set(map(type, decision.told)), after.settings.lesson)

    def _leaving(self, order: Command | Inner | Opening) -> Seats:
        """The viewers before an order: those who leave by it get the events up to their LEFT."""
        seats = self.audience.seats
        if type(order) is Renamed:
            return {name: at for name, at in seats.items() if name != order.old}
        return seats

    def _tell_clocks(self, burst: Burst) -> None:
        """Shows the clocks and the question again when the game was stopped or goes on."""
        if burst.kinds.isdisjoint((Paused, Unpaused)):
            return
        self.audience.tell_clocks(self.clocks())
        if Unpaused in burst.kinds:
            self._ask_again()

    def _ask_again(self) -> None:
        match = self.table.match
        for name, seat in self.audience.seats.items() if match and match.question else ():
            asked = [e for e in self.model(seat).standing if isinstance(e, Turn) and e.seat == seat]
            self._viewers.say_again(name, asked, self.voice(seat), self.id)

    def _change_to(self, after: Table) -> None:
        before, self.table = self.table, after
        if after.seats is not before.seats or after.watchers is not before.watchers:
            self.audience.change(after)

    def _append(self, burst: Burst) -> None:
        self.stream.extend(burst)
        self.models.follow(burst)

    def talk(self, event: Event) -> None:
        """Sends a watcher's event to all watchers, and to players while no game runs."""
        self.audience.tell_talk(self.kibitz.append(event, at=self._clock.wall()), self.table)

    # ------------------------------------------------------------------ stored inputs

    def replay(self, inputs: Sequence[Input], deals: ReplayedDeals) -> None:
        """Rebuilds the table by deciding its stored inputs again, and shows nothing.

        Raises `ReplayMismatch` if an input cannot be read or leads to other events than it did;
        discard it then.
        """
        for stored in inputs:
            decision = self._decide_again(stored, read_order(stored), deals)
            burst = self._burst(decision, stored.wall, self.stream.last)
            self._facts.check(stored, decision, burst, self.stream.last)
            self._append(burst)
            self._change_to(decision.table)
            if failpoints.at is not None:
                failpoint("replayed one")

    def _decide_again(self, stored: Input, order: journal.Entry, deals: ReplayedDeals) -> Decision:
        who = Actor(stored.who, stored.program, stored.standin)
        try:
            assert type(order) is not Opening or stored.seq == 1
            now = Moment(stored.at, deals, self.grace, stored.wall)
            return decide(self.table, who, order, now)
        except Exception as wrong:
            what = wrong if isinstance(wrong, ReplayMismatch) else repr(wrong)
            raise ReplayMismatch(f"input {stored.seq} is not what it was: {what}") from wrong

    # ----------------------------------------------------------------------- questions

    @property
    def now(self) -> int:
        """The time on the timeline of the table, in milliseconds."""
        return self._clock.now() + self.ahead

    @property
    def ended(self) -> GameEnded | None:
        """The last game of a table of a pair, until it is compared; None at other tables.

        Players who have a new name since are in it under that name.
        """
        ended = self._facts.ended
        if ended is None:
            return None
        named = zip(ended.seats, self.table.players, strict=True)
        return replace(ended, seats=tuple(replace(seat, name=name) for seat, name in named))

    def game_entries(self) -> list[Entry]:
        """The stream entries of the running game, or of the last one."""
        found: list[Entry] = []
        for entry in self.stream.backwards():
            found.append(entry)
            if isinstance(entry.event, Game_):
                break
        return found[::-1]

    def model(self, seat: int | None) -> TableModel:
        """The knowledge of the person in a seat (None: of a watcher)."""
        return self.models.of(self.name_at(seat))

    def name_at(self, seat: int | None) -> str | None:
        """The name of the person in a seat; None for a watcher."""
        return self.table.names[seat] if seat is not None else None

    def voice(self, seat: int | None) -> Voice:
        """A voice for the person in a seat (None: a watcher), with the current knowledge."""
        left = next((clock.ms or clock.bank for clock in self.clocks()), None)
        known = self.model(seat)
        return Voice(self.table.names, seat, self.table.game.key, known=known, left=left)

    def seat_number(self, person: Person | None) -> int | None:
        """The number of the person's seat here, or None."""
        seat = self.table.seat_of(person.name) if person else None
        return seat.number if seat else None

    def clocks(self) -> list[Clock]:
        """The time left, as of now, to each open question that has a clock."""
        match = self.table.match
        if match is None or match.question is None or match.terms.clock is None:
            return []
        asked, used = match.question, match.used(self.now)
        bank = None if asked.bank is None else match.terms.clock.left(asked.bank, used)
        left = max(0, match.terms.clock.move - used)
        return [Clock(self.id, asked.turn, asked.seat, left, bank, match.stopped is None)]


def read_order(stored: Input) -> journal.Entry:
    """The order of a stored input. Raises `ReplayMismatch` if it cannot be read."""
    try:
        return journal.read(stored.order)
    except journal.UnknownOrder as wrong:
        raise ReplayMismatch(f"input {stored.seq} is not what it was: {wrong}") from wrong


def beginning(stored: OpenTable, games: Games) -> tuple[AnyGame, Opening, Actor]:
    """The game of a stored table, its opening, and who opened it.

    Raises `ReplayMismatch` if this server cannot rebuild the table.
    """
    if not stored.inputs:
        raise ReplayMismatch("none of its orders is kept")
    if stored.game not in games:
        raise ReplayMismatch(f"there is no game {stored.game} here")
    first, game = stored.inputs[0], games[stored.game]
    opening = read_order(first)
    if not isinstance(opening, Opening):
        raise ReplayMismatch(
            f"input {first.seq} is not what it was: {first.order[:60]} opens no table"
        )
    if opening.version != game.version:
        raise ReplayMismatch(
            f"it is played by version {opening.version} of the laws of {game.title}, "
            f"and this server has version {game.version}"
        )
    return game, opening, Actor(first.who, first.program, first.standin)
