"""Servers exchange the lists of their people, seeks and tables, and the talk of the lobby.

Each server numbers the events of its own people and tables, and broadcasts them. A server that
misses a number asks for the events since the last one that it knows. Only the last event about each
person or table is kept, so all events together are a snapshot. An idle server broadcasts its last
number once a second. The people of a server that is silent for `SILENCE` count as gone, and the
store knows what became of its tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial

from msgspec import DecodeError, json

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.lobby import Offline, Online, Sought, Unsought
from twentytwo_protocol.words.talk import Shouted

from ...ports import Bus, Clock
from ...subjects import DIRECTORY, directory
from ..friends import FriendLists
from ..lobby.lobby import Lobby
from ..lobby.seeks import Seeks, unsought
from ..lobby.table_list import ListedTable, Listing, TableList, UnlistedTable
from ..parts import Parts
from ..people.elsewhere import Elsewhere, PersonElsewhere
from ..room_services import RoomServices
from .event_lines import read_event

BEAT = 1_000
"""Milliseconds between two messages of an idle server."""
SILENCE = 10 * BEAT
"""Milliseconds after which the people of a silent server count as gone."""
ANSWER_TIME = 1_000
"""Milliseconds to wait for an answer."""
PAGE = 1_000
"""The most events in an answer."""
MEMORY = 10_000
"""Number of departures and lines of talk that a server remembers for servers that missed them."""


class DirectoryPage(Value):
    """Events of the server `node` in its run `run`, each with its number: lines and tables.

    These are all events with numbers above `after` and up to `no`, except outdated ones. `more` is
    true if there are further events, and `newest` is the number of the last one. `tables` is the
    number of open tables of the server.
    """

    node: str
    run: str
    after: int
    no: int
    events: tuple[tuple[int, str | Listing], ...] = ()
    more: bool = False
    newest: int = 0
    tables: int = 0


class DirectoryQuestion(Value):
    """Asks a server for its events after a number in a run.

    `began` is the `newest` of the first page: departures before it do not matter to the asker.
    """

    run: str
    after: int
    began: int


_PAGE = json.Decoder(DirectoryPage)
_QUESTION = json.Decoder(DirectoryQuestion)


class OwnEvents:
    """The events of the people and tables of this server, without outdated ones.

    `tables` returns the number of its open tables.
    """

    def __init__(self, node: str, run: str, tables: Callable[[], int]) -> None:
        self._node = node
        self._run = run
        self._tables = tables
        self._last = 0
        self._events: dict[object, tuple[int, Event | Listing]] = {}
        self._passing: dict[object, None] = {}
        self._forgotten = 0

    def add(self, event: Event | Listing) -> None:
        """Adds an event, which replaces the earlier ones about the same subject."""
        self._last += 1
        key = _subject_of(event) or self._last
        self._events.pop(key, None)
        self._passing.pop(key, None)
        self._events[key] = self._last, event
        if not isinstance(event, Online | Sought | ListedTable):
            self._passing[key] = None
            if len(self._passing) > MEMORY:
                oldest = next(iter(self._passing))
                del self._passing[oldest]
                self._forgotten, _ = self._events.pop(oldest)

    def answer(self, asked: DirectoryQuestion) -> DirectoryPage:
        """The events after a number. All events, if some are forgotten or the run differs."""
        known = asked.run == self._run and max(asked.after, asked.began) >= self._forgotten
        return self.page(asked.after if known else 0)

    def page(self, after: int) -> DirectoryPage:
        """The events after a number."""
        newer = itertools.takewhile(lambda each: each[0] > after, reversed(self._events.values()))
        found = [*newer][::-1]
        more = len(found) > PAGE
        last = found[PAGE - 1][0] if more else self._last
        told = tuple([(no, _written(event)) for no, event in found[:PAGE]])
        tables = self._tables()
        return DirectoryPage(self._node, self._run, after, last, told, more, self._last, tables)


def _written(event: Event | Listing) -> str | Listing:
    return wire.write(event) if isinstance(event, Event) else event


def _subject_of(event: object) -> object:
    """The key by which a later event replaces this one; None for talk."""
    match event:
        case Online() | Offline():
            return event.name.lower()
        case Sought() | Unsought():
            return event.seek
        case ListedTable():
            return "table", event.row.on
        case UnlistedTable():
            return "table", event.table
    return None


@dataclass(slots=True)
class _Other:
    """Another server: its run, the number of its last known event, and when it was heard.

    `open` are its people, seeks and tables. `doubtful` are those of them that a new snapshot has
    not named yet. `began` is the number of the newest event when this server began to hear the
    other one.
    """

    run: str = ""
    last: int = 0
    heard: int = 0
    began: int = 0
    open: dict[object, Online | Sought | ListedTable] = field(default_factory=dict)
    doubtful: set[object] = field(default_factory=set)


class Directory:
    """Broadcasts the events of this server's people and tables, and shows those of the others.

    `node` is the name of this server, `run` that of its run. `clock` must never stand still.
    """

    def __init__(self, parts: Parts, bus: Bus, clock: Clock, node: str, run: str) -> None:
        self._lobby = parts[Lobby]
        self._seeks = parts[Seeks]
        self._tables = parts[TableList]
        self._friends = parts[FriendLists]
        self._elsewhere = parts[Elsewhere]
        self._bus = bus
        self._clock = clock
        self._node = node
        self._run = run
        services = parts[RoomServices]
        self._own = OwnEvents(node, run, lambda: services.count)
        self._told = 0
        self._telling = False
        self._others: dict[str, _Other] = {}
        self._asked: set[str] = set()
        self._stopped = False
        self._lobby.tell_others = self._happened
        self._tables.tell_others = self._add
        for listed in self._tables.own():
            self._own.add(listed)
        self._ends = (
            bus.listen(DIRECTORY, self._heard),
            bus.serve(directory(node), self._answer),
        )
        self._beat()

    def stop(self) -> None:
        """Stops broadcasting and showing events."""
        self._stopped = True
        self._lobby.tell_others = self._tables.tell_others = None
        for end in self._ends:
            end()

    def servers(self) -> Collection[str]:
        """The other servers that are there."""
        return self._others.keys()

    # ---------------------------------------------------------------------------- telling

    def _happened(self, event: Event) -> None:
        if isinstance(event, Online | Offline | Sought | Unsought | Shouted):
            self._add(event)

    def _add(self, event: Event | Listing) -> None:
        self._own.add(event)
        if not self._telling:
            self._telling = True
            self._clock.later(0, self._tell)

    def _tell(self) -> None:
        self._telling = False
        if self._stopped:
            return
        page = self._own.page(self._told)
        self._told = page.no
        self._bus.tell(DIRECTORY, json.encode(page))
        if page.more:
            self._tell()

    def _answer(self, data: bytes, reply: Callable[[bytes], None]) -> None:
        try:
            asked = _QUESTION.decode(data)
        except DecodeError:
            return
        reply(json.encode(self._own.answer(asked)))

    def _beat(self) -> None:
        if self._stopped:
            return
        self._tell()
        silent = self._clock.now() - SILENCE
        for node in [node for node, other in self._others.items() if other.heard <= silent]:
            self._forget(node)
        for name in self._elsewhere.gone():
            self._lobby.show(Offline(name))
            self._friends.left(name)
        self._clock.later(BEAT, self._beat)

    # ---------------------------------------------------------------------------- hearing

    def _heard(self, data: bytes) -> None:
        page = _page(data)
        if page is None or page.node == self._node:
            return
        other = self._others.get(page.node)
        if other is None or other.run != page.run or page.after > other.last:
            self._ask(page.node)  # a message of an earlier run may come late, an answer does not
        else:
            self._take_in(other, page)

    def _ask(self, node: str) -> None:
        if node in self._asked:
            return
        self._asked.add(node)
        other = self._others.get(node) or _Other()
        question = json.encode(DirectoryQuestion(other.run, other.last, other.began))
        answered = partial(self._answered, node, other.last)
        self._bus.ask(directory(node), question, ANSWER_TIME, answered)

    def _answered(self, node: str, after: int, data: bytes | None) -> None:
        self._asked.discard(node)
        page = _page(data) if data is not None else None
        if page is None or page.node != node or self._stopped:
            return  # the next message asks again
        other = self._others.get(node)
        if other is None or other.run != page.run:
            self._forget(node)
            other = self._others[node] = _Other(page.run, began=page.newest)
        elif page.after < after:
            other.last, other.began = 0, page.newest
            other.doubtful = {*other.open}
        self._take_in(other, page)
        if page.more:
            self._ask(node)
            return
        for key in other.doubtful:
            self._end(node, other, key)
        other.doubtful.clear()

    def _take_in(self, other: _Other, page: DirectoryPage) -> None:
        other.heard = self._clock.now()
        self._tables.counts[page.node] = page.tables
        news = [each for each in page.events if each[0] > other.last]
        other.last = max(other.last, page.no)
        for no, told in news:
            event = read_event(told) if isinstance(told, str) else told
            key = _subject_of(event)
            other.doubtful.discard(key)
            if isinstance(event, Online | Sought | ListedTable):
                other.open[key] = event
                self._begin(page.node, event)
            elif isinstance(event, UnlistedTable):
                other.open.pop(key, None)
                self._tables.heard(page.node, event)
            elif isinstance(event, Offline | Unsought):
                self._end(page.node, other, key)
            elif isinstance(event, Shouted) and no > other.began:
                self._lobby.show(event)

    def _begin(self, node: str, event: Online | Sought | ListedTable) -> None:
        if isinstance(event, Sought):
            self._seeks.heard(event)
        elif isinstance(event, ListedTable):
            self._tables.heard(node, event)
        elif self._elsewhere.came(node, PersonElsewhere(event.name, event.bot)):
            self._lobby.show(event)
            self._friends.came(event.name)

    def _end(self, node: str, other: _Other, key: object) -> None:
        event = other.open.pop(key, None)
        if isinstance(event, Sought):
            self._seeks.heard(unsought(event))
        elif isinstance(event, ListedTable):
            self._tables.lost(node, event.row.on)
        elif event is not None:
            self._elsewhere.left(node, event.name)

    def _forget(self, node: str) -> None:
        self._tables.counts.pop(node, None)
        if (other := self._others.pop(node, None)) is not None:
            for key in [*other.open]:
                self._end(node, other, key)


def _page(data: bytes) -> DirectoryPage | None:
    try:
        return _PAGE.decode(data)
    except DecodeError:
        return None
