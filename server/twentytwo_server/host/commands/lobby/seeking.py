"""Seeks: a seek is open until enough people seek the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lobby as words

from ....answers import ask, run
from ....facts import Fact, Seek, SeekEnded, SeeksFreed, SeeksSeated
from ....games.game import Games
from ....ports import Store
from ....table.clocks import USUAL_CLOCK
from ....table.decision import Actor
from ....table.table import Settings
from ...access import Access
from ...cluster.homes import Homes
from ...config import LiveConfig
from ...faults import Faults
from ...holdings import Holdings
from ...lobby.seeks import Seeks, Wish, found
from ...new_table import NewTable, NewTables
from ...people.people import People, Person
from ...tables.auto_start import AutoStart
from ...tables.order_queue import Answered, FurtherFacts, OrderResult
from ...tables.pausable_clock import PausableClock
from ...tables.room import Room
from ..call import Call, Handlers, PendingOrder
from ..games import (
    game_of,
    preset_of,
    rules_of,
)
from ..paging import page, position, texts

BeginOrder = Callable[[Answered, FurtherFacts], None]
"""Gives an order: takes the callback for its answer, and the function for the facts to store."""
GiveOrder = Callable[..., PendingOrder]
"""Gives the order of a `BeginOrder`, and stores the facts with it."""


LOST = 10_000
"""Milliseconds after which a table that was opened for a seek must be known to all servers."""


class FoundMatch(Value):
    """The number of a person's seek, and the people who are to play with them, if any.

    `tag` is that of the match in the store, empty at a server that is alone. `new`: the person had
    no seek for the same. `found_already` tells the person of tables to which the seek has led
    meanwhile.
    """

    number: int
    others: Sequence[Actor] = ()
    tag: str = ""
    new: bool = False
    found_already: Sequence[Callable[[], None]] = ()


class SoughtTable(Value):
    """A table that was opened for these people."""

    room: Room
    people: Sequence[Actor]


@dataclass(slots=True)
class SeekMatching:
    """Brings people together who seek the same, at whichever servers they are."""

    _games: Games
    _people: People
    _access: Access
    _seeks: Seeks
    _holdings: Holdings
    _new_tables: NewTables
    _homes: Homes
    _store: Store
    _clock: PausableClock
    _config: LiveConfig
    _faults: Faults
    _matching: set[int] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._seeks.match_again = self._match_again

    async def join(self, call: Call, number: int) -> None:
        """Seeks the same as the seek of that number."""
        wish = self._seeks.wish(number)
        if wish is None:
            raise Refused("NO_SUCH_SEEK", "There is no seek with that number (any more).")
        if wish.name == call.me.name:
            raise Refused("BAD_ARG", "That is your own seek; unseek ends it.", arg="seek")
        await self.look_for(call, replace(wish, name=call.me.name))

    async def look_for(self, call: Call, wanted: Wish) -> None:
        """Opens a table for those who seek the same if they are enough, else opens a seek."""
        self._holdings.check_seek(call.me)
        match = await self._match(call.me, wanted)
        if match.others:
            # The note that follows tells people more.
            fields = {"seek": match.number, "text": None if call.people else "Found!"}
            table = await self._seat(
                call.me,
                wanted,
                match,
                lambda begin, *facts: call.answer(begin, _same(fields), *facts),
            )
            call.ok(**fields)
            self._tell(table)
        elif self._people.session_of(wanted.name) is not None:
            title, players = self._games[wanted.game].title, wanted.players
            more = "one more player" if players == 2 else f"{players - 1} more players"
            before = " instead of your earlier search" if self._seeks.seeking(wanted.name) else ""
            looking = f"Looking for {more} for {title}{before}; `unseek` stops."
            call.ok(seek=match.number, text=looking)
            self._seeks.add(match.number, wanted)
            for tell in match.found_already:
                tell()
        else:  # the connection was lost meanwhile
            self._store.keep([SeekEnded(match.number)], _nothing)

    async def end(self, name: str) -> bool:
        """Ends the seek of a person in the store; False if there is none (any more).

        Then call `Seeks.close`.
        """
        number = self._seeks.number_here(name)
        if number is None or not self._homes.shared:
            return number is not None
        return await ask(self._store.unseek, number)

    # -------------------------------------------------------------------------- matching

    async def _match(self, me: Person, wanted: Wish, again: int = 0) -> FoundMatch:
        """The people who are to play with this one; nobody if they are too few.

        `again` is the number of a seek that is open already. Raises `Refused` (BUSY) while a table
        is opened for the person.
        """
        like = self._seeks.like(wanted)
        if not self._homes.shared:
            free = [self._actor(name) for name in like if self._is_free(name)]
            enough = len(free) + 1 >= wanted.players
            return FoundMatch(self._seeks.next(), free[: wanted.players - 1] if enough else ())
        if me.name in self._seeks.asking:
            raise _just_opened()
        tag = self._homes.new_tag()
        seek = Seek(again, me.name, me.program, *wanted.terms)
        busy = [name for name in like if not self._is_free(name)]
        found_already = self._seeks.asking[seek.name] = []
        me.pending += 1  # the person must not move to another server now
        try:
            match = await ask(self._store.seek, seek, tag, busy)
        finally:
            me.pending -= 1
            del self._seeks.asking[seek.name]
        if match.seated or not match.number:
            for tell in found_already:
                tell()
            if match.seated:  # the table may have been closed before this server has seen it
                self._clock.later(LOST, partial(self._give_up, me.name, match.number))
            raise _just_opened()
        others = [Actor(each.name, each.program) for each in match.others]
        return FoundMatch(match.number, others, tag, match.new, found_already)

    def _give_up(self, name: str, number: int) -> None:
        """Ends a seek whose table this server has not found."""
        if self._seeks.number_here(name) == number:
            self._seeks.close(name)
        self._store.keep([SeekEnded(number)], _nothing)

    def _is_free(self, name: str) -> bool:
        """True if the person is connected, as far as is known, and may sit at one more table."""
        person = self._people.exact(name)
        if person is not None and person.session is None:
            return False
        seats = person.tables if person is not None else self._access.seats_by_name(name, None)
        return len(seats) < self._config.now.tables_each

    def _actor(self, name: str) -> Actor:
        person = self._people.exact(name)
        return Actor(name, person is not None and person.program)

    async def _seat(
        self, me: Person, wanted: Wish, match: FoundMatch, order: GiveOrder
    ) -> SoughtTable:
        """Opens a table for the people of a match. Raises `Refused`."""
        game, preset = self._games[wanted.game], wanted.preset
        everybody = first, *beside = *match.others, Actor(me.name, me.program)
        settings = Settings(wanted.players, preset, clock=USUAL_CLOCK)
        made = rules_of(game, preset, dict(wanted.options))
        together = NewTable(game, made, settings, sought=True, others=tuple(beside))
        try:
            opened = self._new_tables.prepare(first, together)
            opened.room.elsewhere |= {p.name for p in everybody if not self._people.exact(p.name)}

            def begin(answered: Answered, kept: FurtherFacts) -> None:
                opened.begin(answered, kept)
                if not match.tag:
                    self._end_all(everybody)

            await order(begin, *self._seated(match))
        except Refused:
            if match.tag:
                mine = [SeekEnded(match.number)] if match.new else []
                self._store.keep([SeeksFreed(match.tag), *mine], _nothing)
            raise
        return SoughtTable(opened.room, everybody)

    def _end_all(self, people: Sequence[Actor]) -> None:
        for each in people:
            if each.name in self._seeks.asking:
                self._seeks.asking[each.name].append(partial(self._seeks.withdraw, each.name))
            else:
                self._seeks.withdraw(each.name)

    def _seated(self, match: FoundMatch) -> Sequence[Fact]:
        return [SeeksSeated(match.tag), SeekEnded(match.number)] if match.tag else []

    def _tell(self, table: SoughtTable) -> None:
        """Tells the people of this server, and starts the game."""
        room = table.room
        people = [self._people.exact(each.name) or each for each in table.people]
        for person in people:
            if isinstance(person, Person) and person.session is not None:
                person.session.current = room.id
                person.session.notice(found(room.id, room.table.game.title))
        AutoStart(room, people).check()
        self._end_all(table.people)

    # ---------------------------------------------------------------- matching once more

    def _match_again(self) -> None:
        """Matches seeks whose match was given up by a server that died, or that were overlooked."""
        for number, wish in self._seeks.own().items():
            me = self._people.exact(wish.name)
            free = [name for name in self._seeks.like(wish) if self._is_free(name)]
            if me is not None and len(free) + 1 >= wish.players and number not in self._matching:
                self._matching.add(number)
                run(self._match_one(me, number, wish), self._failed)

    async def _match_one(self, me: Person, number: int, wish: Wish) -> None:
        try:
            match = await self._match(me, wish, again=number)
            if match.others:
                self._tell(await self._seat(me, wish, match, _without_answer))
            for tell in match.found_already:
                tell()
        finally:
            self._matching.discard(number)

    def _failed(self, wrong: Exception) -> None:
        if not isinstance(wrong, Refused):
            self._faults.log("matching seeks")


def _same(fields: Mapping[str, Any]) -> Callable[[OrderResult], Mapping[str, Any]]:
    return lambda _: fields


def _without_answer(begin: BeginOrder, *facts: Fact) -> PendingOrder:
    return PendingOrder(begin, lambda _: facts)


def _just_opened() -> Refused:
    return Refused("BUSY", "A table is just being opened for you.", wait=1_000)


def _nothing() -> None:
    """Nobody waits for it."""


async def seek(call: Call, command: words.Seek, games: Games, matching: SeekMatching) -> None:
    """Opens a seek; if enough people now look for the same, opens a table for them instead."""
    game = game_of(games, command.game)
    options = dict(command.options or {})
    preset = preset_of(game, command.rules)
    made = rules_of(game, preset, options)
    span = game.players(made)
    players = command.players or max(2, span.start)
    if players not in span:
        most = span.stop - 1
        takes = f"{span.start} to {most}" if most > span.start else f"{most}"
        raise Refused("BAD_ARG", f"{game.title} takes {takes} players.", arg="players")
    usual = {option.name: option.value for option in game.options(game.presets[preset])}
    changed = [(o.name, o.value) for o in game.options(made) if o.value != usual[o.name]]
    await matching.look_for(call, Wish(call.me.name, game.key, players, preset, tuple(changed)))


async def unseek(call: Call, _: words.Unseek, seeks: Seeks, matching: SeekMatching) -> None:
    """Ends the person's seek."""
    name = call.me.name
    if not await matching.end(name):
        raise Refused("NO_SUCH_SEEK", "You are not looking for players.")
    call.ok(text="You no longer look for players.")
    seeks.close(name)


def list_seeks(call: Call, command: words.Seeks, seeks: Seeks) -> None:
    """Lists the open seeks."""
    all_ = seeks.rows()
    found = page(all_, lambda row: row.seek, command.n, position(command.after))
    none = None if all_ else f"Nobody looks for players; seek {DEFAULT_GAME} does."
    text = texts(none, found.more("seeks")) if call.in_words else None
    call.ok(*found.items, n=len(found.items), next=found.next, text=text)


HANDLERS: Handlers = {
    words.Seek: seek,
    words.Unseek: unseek,
    words.Seeks: list_seeks,
}
