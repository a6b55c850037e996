"""News: a server broadcasts which rows of the store have changed, and the others reread them.

News carries no rows, and no server relies on it. All rows are read again every `SPAN` milliseconds,
and when the bus is connected again. So lost, duplicated or late news changes only when the rows are
read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeVar

from msgspec import DecodeError, json

from twentytwo_protocol.value import Value

from ...facts import (
    Account,
    Fact,
    InviteCode,
    InviteCodeUsed,
    Report,
    Sanction,
    SanctionLifted,
)
from ...ports import Bus, Store
from ...subjects import NEWS
from ..tables.pausable_clock import PausableClock

SPAN = 30_000
"""Milliseconds after which all rows are read again, in case news was lost."""

T = TypeVar("T")


class NewsKind(Enum):
    """Rows of the store that all servers have in memory."""

    MODERATION = "moderation"
    ACCOUNTS = "accounts"


CHANGES: Mapping[type[Fact], NewsKind] = {
    Sanction: NewsKind.MODERATION,
    SanctionLifted: NewsKind.MODERATION,
    Report: NewsKind.MODERATION,
    InviteCode: NewsKind.MODERATION,
    InviteCodeUsed: NewsKind.MODERATION,
    Account: NewsKind.ACCOUNTS,
}
"""The facts that change such rows."""


class NewsMessage(Value):
    """Rows of these kinds have changed. Another version of the server may know other kinds."""

    kinds: tuple[str, ...]


_DECODER = json.Decoder(NewsMessage)


Question = Callable[[Callable[[T], None]], None]
"""A question to the store, which calls its argument with the answer."""


class _Reader(Generic[T]):
    """Asks one question at a time: no answer is older than the one before."""

    def __init__(self, question: Question[T], found: Callable[[T], None]) -> None:
        self._question = question
        self._found = found
        self._asking = False
        self._again = False

    def read(self) -> None:
        """Asks now, or once more after the open question."""
        self._again = self._asking
        if not self._asking:
            self._asking = True
            self._question(self._answered)

    def _answered(self, found: T) -> None:
        self._asking = False
        self._found(found)
        if self._again:
            self.read()


@dataclass(slots=True)
class News:
    """Broadcasts and hears news. It does nothing before `join`: a lone server never joins."""

    _store: Store
    _clock: PausableClock
    _bus: Bus | None = field(init=False, default=None)
    _readers: dict[NewsKind, list[_Reader[Any]]] = field(init=False, default_factory=dict)
    _changed: set[NewsKind] = field(init=False, default_factory=set)

    def join(self, bus: Bus) -> None:
        """Begins to broadcast which rows this server stores, and to hear the other servers."""
        self._bus = bus
        bus.listen(NEWS, self._heard)
        bus.watch(lambda connected: self._read(*NewsKind) if connected else None)
        self._store.after_commit(self._committed)
        self._clock.later(SPAN, self._look)

    def watch(self, kind: NewsKind, question: Question[T], found: Callable[[T], None]) -> None:
        """Asks the store this question whenever such rows may have changed."""
        self._readers.setdefault(kind, []).append(_Reader(question, found))

    def tell(self, kind: NewsKind) -> None:
        """Tells all servers, this one too, that rows have changed. Call it after the commit."""
        if self._bus is None:
            return
        if not self._changed:
            self._clock.later(0, self._tell)  # one message for each turn of the loop
        self._changed.add(kind)

    def _committed(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            kind = CHANGES.get(type(fact))
            if kind is not None:
                self.tell(kind)

    def _tell(self) -> None:
        assert self._bus is not None
        changed, self._changed = self._changed, set()
        self._read(*changed)  # at once: the message to this server may be lost, too
        kinds = tuple(sorted(kind.value for kind in changed))
        self._bus.tell(NEWS, json.encode(NewsMessage(kinds)))

    def _heard(self, data: bytes) -> None:
        try:
            heard = _DECODER.decode(data)
        except DecodeError:
            return
        self._read(*(kind for kind in NewsKind if kind.value in heard.kinds))

    def _look(self) -> None:
        self._read(*NewsKind)
        self._clock.later(SPAN, self._look)

    def _read(self, *kinds: NewsKind) -> None:
        for kind in kinds:
            for reader in self._readers.get(kind, ()):
                reader.read()


class RereadRows(Generic[T]):
    """Rows of the store as this server has last read them. Only differences to them are reported.

    So older rows do not undo a change by this server that is not stored yet.
    """

    def __init__(self, key: Callable[[T], Hashable], known: Iterable[T] = ()) -> None:
        self._key = key
        self._known = {key(row): row for row in known}

    def replace(
        self, rows: Iterable[T], changed: Callable[[T], None], gone: Callable[[T], None]
    ) -> None:
        """Calls `changed` for each new or changed row, and `gone` for each lost one."""
        before, self._known = self._known, {self._key(row): row for row in rows}
        for key, row in self._known.items():
            if before.get(key) != row:
                changed(row)
        for key, row in before.items():
            if key not in self._known:
                gone(row)
