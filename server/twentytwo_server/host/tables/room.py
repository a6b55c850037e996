"""A running table: its stream, audience, bots and timers.

Orders are carried out one at a time. Each is decided, then stored; only when it is safely stored
the new table becomes the current one, then the order is answered, then its events are sent to
everybody. An error inside one table ends its game, or closes it, and affects no other table.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol
from weakref import ref

from twentytwo_protocol.frozen import frozen
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Command, Deed, Event, Refused, stream_as_of
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Clock,
    Game_,
    Gameover,
    Hand_,
    Handover,
    Move,
    Paused,
    Turn,
    Unpaused,
)
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.fairness import Calledoff
from twentytwo_protocol.words.seating import Left
from twentytwo_protocol.words.seating import Renamed as Renamed_

from ...facts import (
    CommandDone,
    DailyEnded,
    Fact,
    GameEnded,
    Input,
    TableClosed,
    TableOpened,
    Unrated,
)
from ...failpoints import failpoint
from ...games.game import AnyGame
from ...metrics import Metrics
from ...ports import Store
from ...session.streams import Burst, Entry, ModelFor, Stream
from ...table import journal
from ...table.decision import Actor, Moment
from ...table.effects import (
    Close,
    Effect,
    Fault,
    GraceOver,
    Inner,
    Renamed,
    Restarted,
    Tell,
    Think,
    TurnOver,
    Wake,
)
from ...table.opening import Opening, bare_table, open_table
from ...table.orders import decide
from ...table.table import Phase, Table
from ..dailies import result
from ..people.people import Person
from ..ratings import due, unrated
from .bots import BotContext, Bots
from .deals import Deals, ReplayedDeals
from .game_log import GameLog
from .hand_over import decided as what_decided
from .input_log import InputLog, ReplayMismatch
from .sittings import SITTING, SeatThen, Sittings, no_seat
from .timers import Timers

log = logging.getLogger("twentytwo.host")

KEPT_KIBITZ = 200
"""How many lines of the watchers' talk are kept in memory."""
MOVES = (Move, Deed)
"""The orders that are moves of a game, in their common form and in a game's own."""
RECHECK = 100
"""Milliseconds until the end of a grace period is tried again if its owner is just coming back."""


@dataclass(slots=True)
class Answer:
    """How an order ended: by a `refusal`, or else `seq` is the number of its first event.

    `table` is the table after the order, None where it is refused.
    """

    seq: int = 0
    refusal: Refused | None = None
    table: Table | None = None

    def seat(self, name: str) -> int | None:
        """The number of the seat that somebody has after the order, or None."""
        seat = self.table.seat_of(name) if self.table is not None else None
        return seat.number if seat is not None else None


Answered = Callable[[Answer], None]
"""Called with how an order ended, before any of its events is sent."""

Kept = Callable[[Answer], Sequence[Fact]]
"""What is to be stored in one transaction with an order, given how it is about to be answered."""

SERVER = Actor("")


@frozen
class QueuedOrder:
    """An order in the queue of a room.

    `answered` is called when it has ended; what `kept` returns is stored with it. It is dropped
    without an answer if `wanted()` is false when it reaches the front.
    """

    who: Actor
    order: Command | Inner | Opening
    answered: Answered
    kept: Kept = lambda answer: ()
    wanted: Callable[[], bool] = lambda: True


@frozen
class Hold:
    """A place in the queue of a room at which it stands still: `held` is called then.

    `answered` is called instead if the room is closed before.
    """

    held: Callable[[], None]
    answered: Answered


class RoomContext(BotContext, Protocol):
    """What a room needs from the host."""

    @property
    def store(self) -> Store:
        """The store for orders."""

    def moment(self, room: Room) -> Moment:
        """The time, deals and grace period for deciding one order."""

    @property
    def metrics(self) -> Metrics:
        """What the server counts."""

    @property
    def deals(self) -> Deals:
        """The promises for the games of all tables."""

    def show(self, name: str, entry: Entry, seat: int | None) -> None:
        """Shows an entry to a person, if connected, as seen from `seat` (None: a watcher)."""

    def show_burst(self, name: str, burst: Burst, seat: int | None) -> None:
        """Shows the events of an order to a person, if connected, as seen from `seat`."""

    def say_again(self, name: str, standing: Iterable[Event | str], voice: Voice, on: str) -> None:
        """Tells somebody who types how things stand at a table."""

    def leave_out(self, name: str, entry: Entry) -> None:
        """Notes that an entry is not shown to a person, on purpose."""

    def tell_clock(self, name: str, clock: Clock) -> None:
        """Tells a program, if connected, how the clock stands."""

    def remark(self, name: str, note: Note) -> None:
        """Tells a person, if connected, something about their game that is no event of it."""

    def is_arriving(self, name: str) -> bool:
        """True if somebody has come back, but the store has not confirmed it yet."""

    def table_changed(self, room: Room, before: Table) -> None:
        """Called when the room has a new table; `before` is the old one."""

    def room_closed(self, room: Room) -> None:
        """Called when a room is closed."""

    def rate(self, game: Unrated) -> None:
        """Called with a rated game that is over, once its end is stored."""

    def daily_finished(self, ended: DailyEnded) -> None:
        """Called with the end of a daily deal, once it is stored."""


class Room:
    """A table with its order queue, stream, bots and timers. Its first order must be its opening.

    `grace` is how long a seat is kept for somebody who is away, in milliseconds. `place` is whence
    it was opened (`Link.place`), or its id where that is not known any more.
    """

    def __init__(
        self,
        host: RoomContext,
        id: str,
        game: AnyGame,
        opening: Opening,
        who: Actor,
        place: str = "",
    ) -> None:
        self.host = host
        self.place = place or id
        self.table = bare_table(id, game, opening, who)
        self.stream = Stream(id)
        self.kibitz = Stream("k" + id[1:], keep=KEPT_KIBITZ)
        self.grace = opening.grace
        self.closed = False
        self._gone: Refused | None = None
        self.ended: GameEnded | None = None
        """The last game of a table of a pair, until it is compared."""
        self.bots = Bots(self)
        self._input_log = InputLog(id, opening.edition)
        self._game_log = GameLog()
        self._orders: list[QueuedOrder | Hold] = []
        self._busy = False
        self._working = False
        self._names = self.table.names
        self._audience = self.audience(self.table)
        self._sittings = Sittings()
        self._models: dict[str | None, TableModel] = {}
        # A weak reference: entries must not keep a closed room alive. If one is shown after that,
        # its text is made without the model of the table.
        room = ref(self)
        self._model_for: ModelFor = lambda who, seq: (
            there.model_of(who, seq) if (there := room()) else None
        )
        self._hand_for = lambda who: there.hand_so_far(who) if (there := room()) else ()
        self._timers = Timers(host.clock)

    @property
    def id(self) -> str:
        """The id of the table, `t7`."""
        return self.table.id

    # ------------------------------------------------------------------------- orders

    def play(self, who: Actor, move: Move, wanted: Callable[[], bool]) -> None:
        """Queues a bot's move; it is dropped if `wanted()` is false when it reaches the front."""
        self._queue(QueuedOrder(who, move, _ignore_answer, wanted=wanted))

    def order(
        self,
        who: Actor,
        order: Command | Inner | Opening,
        answered: Answered | None = None,
        kept: Kept = lambda answer: (),
    ) -> None:
        """Queues an order; `answered` is called with how it ended, possibly before this returns.

        What `kept` returns is stored in one transaction with the order, if it changes anything.
        """
        self._queue(QueuedOrder(who, order, answered or _ignore_answer, kept))

    def hold(self, held: Callable[[], None], closed: Callable[[], None]) -> None:
        """Calls `held` once the orders before are done; none is taken after that until `release`.

        `closed` is called instead if the room is closed before.
        """
        self._queue(Hold(held, lambda _: closed()))

    def release(self) -> None:
        """Takes orders again, where `held` has led to none."""
        self._busy = False
        self._next()

    def prepared(self, queued: QueuedOrder, now: Moment) -> tuple[list[Fact], Callable[[], None]]:
        """What is to be stored for an order, and what to call once it is. Only while held.

        It may be refused only if nothing was prepared since: another order could not be stored
        before it.
        """
        after, effects = self._decide(queued.who, queued.order, now)
        burst = self._burst(after, effects, self.host.clock.wall())
        facts = self._facts(queued, after, effects, burst, now)
        return facts, lambda: self._kept(queued, after, effects, burst)

    def try_out(self, who: Actor, order: Command | Inner | Opening, now: Moment) -> None:
        """Raises `Refused` if an order would be refused now."""
        self._decide(who, order, now)

    def _queue(self, queued: QueuedOrder | Hold) -> None:
        if self._gone is not None:
            queued.answered(Answer(refusal=self._gone))
            return
        self._orders.append(queued)
        self._next()

    def _next(self) -> None:
        if self._working:  # called from within an order: the loop below takes the next one
            return
        self._working = True
        try:
            while self._orders and not self._busy and not self.closed:
                first = self._orders.pop(0)
                if isinstance(first, Hold):
                    self._busy = True
                    first.held()
                else:
                    self._take(first)
        finally:
            self._working = False

    def _take(self, queued: QueuedOrder) -> None:
        if not queued.wanted():
            return
        now = self.host.moment(self)
        try:
            after, effects = self._decide(queued.who, queued.order, now)
        except Refused as wrong:
            self._answer(queued, Answer(refusal=wrong))
        except Exception:
            self._handle_error(queued)
        else:
            self._try_to_commit(queued, after, effects, now)

    def _try_to_commit(
        self, queued: QueuedOrder, after: Table, effects: Sequence[Effect], now: Moment
    ) -> None:
        try:
            self._commit(queued, after, effects, now)
        except Exception:
            self._end_after_error(queued)

    def _answer(self, queued: QueuedOrder, answer: Answer) -> None:
        """Answers an order. An error in that is logged; the table goes on."""
        try:
            queued.answered(answer)
        except Exception:
            self.host.fault(f"{self.id}: the answer to {type(queued.order).__name__}")

    def _decide(
        self, who: Actor, order: Command | Inner | Opening, now: Moment
    ) -> tuple[Table, tuple[Effect, ...]]:
        if isinstance(order, Opening):
            return open_table(self.table, order, who, now)
        return decide(self.table, who, order, now)

    def _commit(
        self, queued: QueuedOrder, after: Table, effects: Sequence[Effect], now: Moment
    ) -> None:
        """Stores an order with what it caused. The table changes once that is confirmed.

        Until then `_busy` holds back the next order.
        """
        failpoint("decided")
        burst = self._burst(after, effects, self.host.clock.wall())
        if after is self.table and not burst.entries:
            self._kept(queued, after, effects, burst)
            return
        facts = self._facts(queued, after, effects, burst, now)

        def kept() -> None:
            self._kept(queued, after, effects, burst)
            if Gameover in burst.kinds or Aborted in burst.kinds:
                self.host.metrics.games[after.game.key] += 1
                log.debug("%s: a game of %s is over", self.id, after.game.key)
                failpoint("game over")
                for game in unrated(facts):
                    self.host.rate(game)
                for fact in facts:
                    if isinstance(fact, DailyEnded):
                        self.host.daily_finished(fact)

        self._busy = True
        self.host.store.keep(facts, kept)

    def _burst(self, after: Table, effects: Sequence[Effect], wall: int) -> Burst:
        # What is on the stream of the talk is numbered only when it is told.
        events = [
            effect.event
            for effect in effects
            if isinstance(effect, Tell) and stream_as_of(after.edition, effect.event) == "table"
        ]
        names = self._names
        if after.seats is not self.table.seats:
            # Before and after: the event that somebody left still needs their name.
            names = names | after.names
        entries = self.stream.plan(
            events, at=wall, names=names, game=after.game.key, model_for=self._model_for
        )
        return Burst(entries, after.settings.lesson)

    def _facts(
        self,
        queued: QueuedOrder,
        after: Table,
        effects: Sequence[Effect],
        burst: Burst,
        now: Moment,
    ) -> list[Fact]:
        wall = self.host.clock.wall()
        # These two are first because they may raise: then no input has got a number yet.
        kept = queued.kept(Answer(self.stream.last + 1, table=after))
        key = next((fact.key for fact in kept if isinstance(fact, CommandDone)), "") if kept else ""
        over = self._game_log.follow(after, effects, burst, now.at)
        self._note_end(after, over)
        if after.kind.taught:
            over = None  # a lesson is no game that anybody would look up, or that counts
        entered = self._input_log.append(
            queued.who, queued.order, key, now.at, effects, burst, self.stream.last, wall
        )
        facts: list[Fact] = []
        if isinstance(queued.order, Opening):
            facts.append(TableOpened(self.id, after.game.key, wall))
        facts += [*self.host.deals.commit(), entered]
        facts += kept
        if over is not None:
            facts += [over, *due(over, self._game_log.programs), *result(after.settings, over)]
        if any(isinstance(effect, Close) for effect in effects):
            facts.append(TableClosed(self.id, wall))
        return facts

    def _note_end(self, after: Table, over: GameEnded | None) -> None:
        if after.kind.paired and over is not None:
            self.ended = over

    def _kept(
        self, queued: QueuedOrder, after: Table, effects: Sequence[Effect], burst: Burst
    ) -> None:
        """Makes the new table the current one, now that the order is stored.

        An error in this is logged and must not block the queue: the order cannot be taken back.
        """
        failpoint("kept")
        before = self.table
        try:
            self._carry_out(queued, after, effects, burst)
            self.host.table_changed(self, before)
        except Exception:
            self.host.fault(f"{self.id}: what came of {type(queued.order).__name__}")
        self.bots.changed()
        self._busy = False
        failpoint("told")
        self._next()

    def _carry_out(
        self, queued: QueuedOrder, after: Table, effects: Sequence[Effect], burst: Burst
    ) -> None:
        # Who leaves is not at the new table, but still gets the events up to their own LEFT.
        audience = self._audience
        self._change_to(after)
        staying = self._audience
        if staying is not audience:
            audience = audience | staying
        if isinstance(queued.order, Renamed):
            old = queued.order.old
            audience = {name: seat for name, seat in audience.items() if name != old}
        if isinstance(queued.order, MOVES):
            self.host.metrics.moves[after.game.key] += 1
        self._answer(queued, Answer(self.stream.last + 1, table=after))
        failpoint("answered")
        self._append(burst)
        self.bots.observe(burst)
        if Calledoff in burst.kinds:
            self._log_call_off(burst)
        if Left in burst.kinds:
            self._tell_leaving(burst, audience, staying)
        elif self.table.kind.practice and burst.ends_hand:
            self._tell_hand_over(burst, audience)
        else:
            self._tell(burst, audience)
        for effect in effects:
            if not isinstance(effect, Tell):
                self._do(effect)
            elif stream_as_of(after.edition, effect.event) == "talk":
                self.talk(effect.event)
        if not burst.kinds.isdisjoint((Paused, Unpaused)):
            for name in staying:
                for clock in self.clocks():
                    self.host.tell_clock(name, clock)
        if Unpaused in burst.kinds:
            self._ask_again()

    def _ask_again(self) -> None:
        match = self.table.match
        for name, seat in self._audience.items() if match and match.question else ():
            asked = [e for e in self.model(seat).standing if isinstance(e, Turn) and e.seat == seat]
            self.host.say_again(name, asked, self.voice(seat), self.id)

    def _change_to(self, after: Table) -> None:
        before, self.table = self.table, after
        if after.seats is not before.seats or after.watchers is not before.watchers:
            self._names = after.names
            self._audience = self.audience(after)

    def _handle_error(self, queued: QueuedOrder) -> None:
        """Handles an exception in deciding an order. Nothing has changed yet.

        A person's command is refused, with a reference to the log. If the server or a bot gave the
        order, the game cannot go on, and is ended.
        """
        seat = self.table.seat_of(queued.who.name)
        alone = queued.who.standin or (seat is not None and seat.level)
        if isinstance(queued.order, Command) and not alone:
            self._answer_error(queued)
        else:
            self._end_after_error(queued)

    def _answer_error(self, queued: QueuedOrder) -> str:
        ref = self.host.fault(f"{self.id}: {type(queued.order).__name__}")
        wrong = Refused("INTERNAL", f"The server stumbled; quote {ref}.", ref=ref)
        self._answer(queued, Answer(refusal=wrong))
        return ref

    def _end_after_error(self, queued: QueuedOrder) -> None:
        ref = self._answer_error(queued)
        # Busy: the input got its number but is not stored. What follows could not be replayed.
        if self._busy or isinstance(queued.order, Fault | Opening):
            self.close()
        else:
            self._orders.insert(0, QueuedOrder(SERVER, Fault(ref), _ignore_answer))

    # ------------------------------------------------------------------------- recovery

    def replay(self, inputs: Sequence[Input], deals: ReplayedDeals) -> None:
        """Rebuilds the table by deciding its stored inputs again.

        Call it once, on a new room, before any order; then `restarted`. Raises `ReplayMismatch` if
        an input cannot be read or leads to other events than it did; discard the room then.
        """
        for kept in inputs:
            after, effects = self._decide_again(kept, deals)
            burst = self._burst(after, effects, kept.wall)
            self._input_log.check(kept, burst, self.stream.last)
            self._note_end(after, self._game_log.follow(after, effects, burst, kept.at))
            self._append(burst)
            self._change_to(after)
            failpoint("replayed one")

    def _decide_again(self, kept: Input, deals: ReplayedDeals) -> tuple[Table, tuple[Effect, ...]]:
        who = Actor(kept.who, kept.program, kept.standin)
        try:
            order = journal.read(kept.order)
            assert not isinstance(order, Opening) or kept.seq == 1
            return self._decide(who, order, Moment(kept.at, deals, self.grace))
        except Exception as wrong:
            what = wrong if isinstance(wrong, ReplayMismatch | journal.Unreadable) else repr(wrong)
            raise ReplayMismatch(f"input {kept.seq} is not what it was: {what}") from wrong

    def restarted(self, backup: bool = False) -> None:
        """Tells a rebuilt table that the server has restarted: everybody is away.

        `backup`: the data folder is a backup that is opened for the first time.
        """
        self.order(SERVER, Restarted(backup))

    # ------------------------------------------------------------------------ effects

    def _do(self, effect: Effect) -> None:
        match effect:
            case Wake(after, TurnOver() as why):
                self._timers.at_end_of_turn(after, lambda: self._wake(why))
            case Wake(after, why):
                self.later(after, lambda: self._wake(why))
            case Think():
                self.bots.think()
            case Close():
                self.close()

    def _wake(self, why: Inner) -> None:
        if isinstance(why, GraceOver) and self.host.is_arriving(why.name):
            # They came back in time, but the store has not confirmed it yet.
            self.later(RECHECK, lambda: self._wake(why))
        else:
            self.order(SERVER, why)

    def _log_call_off(self, burst: Burst) -> None:
        for entry in burst.entries:
            if isinstance(entry.event, Calledoff):
                names = ", ".join(entry.names[seat] for seat in entry.event.unopened) or "nobody"
                log.warning("%s: start called off; %s did not open a word", self.id, names)

    def _tell(self, burst: Burst, audience: dict[str, int | None]) -> None:
        for name, viewer in audience.items():
            self.host.show_burst(name, burst, viewer)
            failpoint("told one")

    def _tell_leaving(
        self, burst: Burst, audience: dict[str, int | None], staying: Collection[str]
    ) -> None:
        """Tells the events of an order by which somebody leaves: up to their own LEFT."""
        audience = dict(audience)
        for entry in burst.entries:
            self._tell(Burst([entry]), audience)
            if isinstance(entry.event, Left) and entry.event.name not in staying:
                audience.pop(entry.event.name, None)

    def _tell_hand_over(self, burst: Burst, audience: dict[str, int | None]) -> None:
        """Tells the end of a hand, what decided it if one person plays here, and then the rest."""
        kinds = [type(entry.event) for entry in burst.entries]
        end = kinds.index(Handover) + 1
        self._tell(Burst(burst.entries[:end]), audience)
        match self.table.people:
            case (seat,) if not seat.program:
                text = what_decided(self.table, self.stream.backwards(), seat.number)
                if text:
                    self.host.remark(seat.name, Note("HAND", self.id, text))
        if burst.entries[end:]:
            self._tell(Burst(burst.entries[end:]), audience)

    def _append(self, burst: Burst) -> None:
        self.stream.extend(burst)
        if burst.kinds.isdisjoint(SITTING):
            return
        for entry in burst.entries:
            self._sittings.follow(entry)
            match entry.event:
                case Left(name=gone) | Renamed_(was=gone):
                    self._models.pop(gone, None)

    def audience(self, table: Table) -> dict[str, int | None]:
        """The names of all who see the table, each with their seat number; None for a watcher."""
        found: dict[str, int | None] = dict.fromkeys(table.watchers)
        found.update((seat.name, seat.number) for seat in table.people)
        return found

    def talk(self, event: Event) -> None:
        """Tells what a watcher says or does to all watchers, and to players while no game runs."""
        entry = self.kibitz.append(event, at=self.host.clock.wall())
        playing = self.table.phase is Phase.PLAYING
        for name, seat in self._audience.items():
            if seat is None or not playing:
                self.host.show(name, entry, seat)
            else:
                self.host.leave_out(name, entry)

    def later(self, ms: int, call: Callable[[], None]) -> None:
        """Calls after `ms` milliseconds, unless the room is closed by then."""
        self._timers.later(ms, call)

    def halt(self) -> None:
        """Stops timers, bots and the queue. An order that is being stored still ends."""
        self.closed = True
        self.bots.stop()
        self._timers.stop()

    def close(self) -> None:
        """Closes the room; queued orders are refused."""
        failpoint("table gone")
        self.halt()
        self._gone = Refused("NO_SUCH_TABLE", f"{self.id} is closed.", arg="table")
        self.host.room_closed(self)
        while self._orders:
            self._orders.pop(0).answered(Answer(refusal=self._gone))

    # ----------------------------------------------------------------------- questions

    def game_entries(self) -> list[Entry]:
        """The stream entries of the running game, or of the last one."""
        found: list[Entry] = []
        for entry in self.stream.backwards():
            found.append(entry)
            if isinstance(entry.event, Game_):
                break
        return found[::-1]

    def model(self, seat: int | None) -> TableModel:
        """What whoever has that seat now (None: a watcher) knows of the table."""
        return self.model_of(self.table.names[seat] if seat is not None else None)

    def model_of(self, name: str | None, seq: int | None = None) -> TableModel:
        """What somebody knows of the table: all events as they were shown to them, folded.

        With `seq` only those up to this number, unless later ones have been folded already: models
        are kept and extended, so that a second call folds only new events. Whoever has no seat
        knows what a watcher does.
        """
        seated = name if name in self._sittings else None
        model = self._model_kept(seated)
        seat_then = self.seat_then(seated)
        for entry in self.stream.after(model.seq):
            if seq is not None and entry.seq > seq:
                break
            model.me = seat_then(entry.seq)
            model.see(entry.seen_by(model.me), entry.seq)
        return model

    def _model_kept(self, name: str | None) -> TableModel:
        found = self._models.get(name)
        if found is None:
            so_far = partial(self._hand_for, name)
            found = self._models[name] = TableModel(self.id, so_far=so_far)
        return found

    def voice(self, seat: int | None) -> Voice:
        """Tells whoever has that seat now (None: a watcher) how things stand at this moment."""
        left = next((clock.ms or clock.bank for clock in self.clocks()), None)
        known = self.model(seat)
        return Voice(self.table.names, seat, self.table.game.key, known=known, left=left)

    def hand_so_far(self, name: str | None) -> list[Event]:
        """The events of this hand, as they were shown to somebody (None: to watchers).

        There are none while their model is of a moment that is over: nobody plays by it any more.
        """
        model = self._models.get(name)
        if model is not None and model.seq != self.stream.last:
            return []
        seat_then, found = self.seat_then(name), list[Event]()
        for entry in self.stream.backwards():
            if isinstance(entry.event, Hand_ | Game_):
                break
            found.append(entry.seen_by(seat_then(entry.seq)))
        return found[::-1]

    def unfolded(self, seat: int | None) -> int:
        """How many events `model` would have to fold first."""
        found = self._models.get(self._knower(seat))
        return self.stream.last - (found.seq if found is not None else 0)

    def folding(self, seat: int | None) -> Iterator[None]:
        """Folds them one by one, for a table with a long past; `model` is quick then."""
        name = self._knower(seat)
        model = self._model_kept(name)
        seat_then = self.seat_then(name)
        for entry in self.stream.after(model.seq):
            if entry.seq > model.seq:  # nobody else has folded it meanwhile
                model.me = seat_then(entry.seq)
                model.see(entry.seen_by(model.me), entry.seq)
            yield

    def _knower(self, seat: int | None) -> str | None:
        """Whose model is that of a seat; None is that of all watchers."""
        name = self.table.names[seat] if seat is not None else None
        return name if name in self._sittings else None

    def seat_then(self, name: str | None) -> SeatThen:
        """From which seat somebody saw each event; what was before they sat down, as a watcher.

        It holds for those who have a seat when it is called, also when they get up after that.
        """
        return self._sittings.seat_then(name) if name is not None else no_seat

    def may_include(self, name: str) -> bool:
        """True if that person is at the table, or may be once the queued orders are done."""
        return self._busy or bool(self._orders) or name in self._audience

    def seat_number(self, person: Person | None) -> int | None:
        """The number of the person's seat here, or None."""
        seat = self.table.seat_of(person.name) if person else None
        return seat.number if seat else None

    def clocks(self) -> list[Clock]:
        """The time left, as of now, to each open question that has a clock."""
        match = self.table.match
        if match is None or match.question is None or match.clock is None:
            return []
        asked, used = match.question, match.used(self.host.clock.now())
        bank = None if asked.bank is None else match.clock.left(asked.bank, used)
        left = max(0, match.clock.move - used)
        return [Clock(self.id, asked.turn, asked.seat, left, bank, match.stopped is None)]


def _ignore_answer(_: Answer) -> None:
    """For orders of the server itself and of bots."""
