"""A start: everything that was remembered is there again, as if the server had only paused.

Every table that was not closed is built anew from its inputs. One that cannot be, or is not
what it was, is left out: it stays in the store, is named in the log, and harms no other.

That takes some milliseconds a table. Where there are many, people are let in meanwhile: whoever
comes back to a table has it at once, and what may concern any table waits until all are there.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from twentytwo_protocol.schema import Command, Deed
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.cardplay import Move

from ..facts import Boot, OpenTable, Remembered
from ..play import journal
from ..play.decision import Who
from ..play.effects import Renamed
from ..play.opening import Opening
from ..points import reach
from .becoming import finish_moves
from .deals import Deals
from .rating import rate
from .room import Room

if TYPE_CHECKING:
    from .host import Host

log = logging.getLogger("twentytwo.restoring")

STRETCH = 50
"""Orders that are carried out anew while others wait to be heard; a table at least."""

MEANWHILE: tuple[type[Command], ...] = (
    words.Hello,
    words.Guest,
    words.Resume,
    words.Whoami,
    words.Ping,
    words.Pong,
    words.Set,
    words.Help,
    words.Quit,
    Move,
    Deed,
)
"""Commands that are carried out while tables are missing: they need one's own at most."""


def restore(host: Host, remembered: Remembered, at_once: bool = True) -> None:
    """Brings back people, tables and numbers; then everybody is away until they come back.

    Tables come back one after the other while the server goes on, unless it is to be `at_once`.
    """
    host.resume_numbers(remembered)
    host.people.restore(remembered)
    reach("people restored")
    boot = Boot(host.config.boot, host.clock.now(), host.clock.wall())
    for game in remembered.unrated:
        rate(host, game)
    missing = Missing(host, remembered.tables, remembered.restored)
    host.missing = missing
    # Tables know a guest who was about to log in by another name than their token does. And a
    # backup is one until no table goes on with what was promised in it.
    if at_once or remembered.restored or host.people.halfway():
        missing.bring_all()
    else:
        missing.go_on()
    host.store.keep([boot], lambda: None)


class Missing:
    """The tables that are not there yet, and the commands that wait for them."""

    def __init__(self, host: Host, tables: Iterable[OpenTable], backup: bool = False) -> None:
        self._host = host
        self._backup = backup
        self._tables = {kept.table: kept for kept in tables}
        self._at: dict[str, list[str]] = {}
        for kept in self._tables.values():
            for name in _names(kept):
                self._at.setdefault(name, []).append(kept.table)
        self._waiting: list[Callable[[], None]] = []

    def __len__(self) -> int:
        return len(self._tables)

    def bring_all(self) -> None:
        """All tables, now."""
        with _all_stays():
            for table in list(self._tables):
                self._bring(table)
        self._all_there()

    def go_on(self) -> None:
        """Some tables now, and the others soon."""
        if self._host.halted:
            return
        left = STRETCH
        with _all_stays():
            while self._tables and left >= 0:
                kept = next(iter(self._tables.values()))
                left -= len(kept.inputs)
                self._bring(kept.table)
        if self._tables:
            self._host.clock.later(0, self.go_on)
        else:
            self._all_there()

    def waits(self, command: Command | None, carry_out: Callable[[], None]) -> bool:
        """Whether a command is to wait; otherwise the tables that it is about are there."""
        match command:
            case words.Resume(token=token, streams=streams):
                self._bring_those_of(token)
                for stream in streams:
                    self._bring("t" + stream.partition(":")[0][1:])
            case Move() | Deed():
                self._bring(str(getattr(command, "table", None) or "").lower())
            case None:
                pass
            case _ if not isinstance(command, MEANWHILE):
                self._waiting.append(carry_out)
                return True
        return False

    def _bring_those_of(self, token: str) -> None:
        name = self._host.people.name_by(token)
        for table in self._at.get(name, ()):
            self._bring(table)

    def _bring(self, table: str) -> None:
        kept = self._tables.pop(table, None)
        room = _restored(self._host, kept) if kept is not None else None
        if room is not None:
            room.go_on(self._backup)

    def _all_there(self) -> None:
        host = self._host
        host.missing = None
        for person in host.people:
            if person.session is None:
                host.expect(person)
        finish_moves(host)
        reach("restored")
        for carry_out in self._waiting:
            carry_out()


def _names(kept: OpenTable) -> set[str]:
    """Everybody who may be at a table."""
    found = {each.who for each in kept.inputs}
    for each in kept.inputs:
        if "!renamed" in each.order:
            with suppress(journal.Unreadable):  # the table is left out when its turn comes
                order = journal.read(each.order)
                found |= {order.new} if isinstance(order, Renamed) else set()
    return found


@contextmanager
def _all_stays() -> Iterator[None]:
    """What is built here stays: looking through it for garbage would cost a tenth of the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def _restored(host: Host, kept: OpenTable) -> Room | None:
    """The room of a table, its table built anew; None where that does not work."""
    try:
        room = _built(host, kept)
    except Exception:
        log.exception("table %s cannot be restored; it is left as it is", kept.table)
        return None
    host.reopen(room)
    reach("table restored")
    return room


def _built(host: Host, kept: OpenTable) -> Room:
    first = kept.inputs[0]
    opening = journal.read(first.order)
    if not isinstance(opening, Opening):
        raise journal.Unreadable(f"{kept.table} does not begin with an opening")
    who = Who(first.who, first.program, first.standin)
    room = Room(host, kept.table, host.games[kept.game], opening, who)
    packs = [pack for each in kept.inputs for pack in each.packs]
    room.replay(kept.inputs, Deals.of(kept.promises, packs))
    host.deals.restore(kept.promises)
    return room
