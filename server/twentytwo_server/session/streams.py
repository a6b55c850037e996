"""Streams: the events of a table, numbered from 1 without gaps, alike for every viewer.

Every viewer gets every event, under the same number; only fields hidden from the viewer are left
out. So a client that reconnects can ask for all events after a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from operator import attrgetter
from pickle import HIGHEST_PROTOCOL, dumps, loads
from zlib import compress, decompress

from msgspec import Struct

from twentytwo_protocol import wire
from twentytwo_protocol.framing import MAX_SERVER_LINE, visible
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import (
    Event,
    hidden,
    redact,
    set_apart,
)
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import (
    UNDONE,
    Aborted,
    Continued,
    Dealt,
    Drew,
    Game_,
    Gameover,
    Hand_,
    Handover,
    Took,
    Trick,
    Turn,
)
from twentytwo_protocol.words.fairness import Committed, Revealed, Seeded
from twentytwo_protocol.words.seating import Host_, Joined, Ready_


def rfc3339(wall: int) -> str:
    """A wall time, in milliseconds since 1970, as text: `2026-11-20T02:03:12.165Z`."""
    moment = datetime.fromtimestamp(wall / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Form(Value):
    """A program's line format, as set by its `caps`: JSON, with a text, with the time."""

    json: bool = False
    text: bool = False
    time: bool = False


PLAIN = Form()
"""The format of a program that asked for nothing."""

ModelFor = Callable[[str | None, int], TableModel | None]
"""A function that returns the model of the table for a name after the event of a number. If later
events were shown, it returns the current model; if the table is gone, None.
"""

TOLD_WITH_KNOWLEDGE: frozenset[type[Event]] = frozenset(
    (Turn, Game_, Continued, Hand_, Dealt, Gameover, Committed, Revealed, Seeded)
)
"""The events whose sentences depend on the viewer's other knowledge of the table."""


class Entry(Value):
    """An event with its number on a stream.

    `on` is the stream's name, `seq` the number, `at` the wall time in ms. `whole` is the event with
    all fields, even hidden cards, as a line without text; never send it. `names` (by seat) and
    `game` are those of the table at that moment, if the stream belongs to a table. `model_for`
    gives a viewer's knowledge of the table. `told` caches sentences by seat, if they depend on the
    viewer's knowledge at the time; otherwise it is None.
    """

    on: str
    seq: int
    event: Event
    whole: str
    names: Mapping[int, str]
    at: int = 0
    game: str = ""
    model_for: ModelFor | None = None
    told: dict[int | None, str] | None = None

    def seen_by(self, seat: int | None) -> Event:
        """The event, redacted for the viewer at that seat."""
        return redact(self.event, seat)

    def voice(self, seat: int | None) -> Voice:
        """The voice that turns this event into sentences for the viewer at that seat."""
        model_for = self.model_for if type(self.event) in TOLD_WITH_KNOWLEDGE else None
        # By name, because the knowledge of the seat's later owner must not go into an old question.
        name = self.names.get(seat) if seat is not None else None
        known = model_for(name, self.seq) if model_for else None
        return Voice(self.names, seat, self.game, known=known)

    def whole_as_of(self, edition: int) -> str:
        """`whole` in an older edition of the words, so that the digest of an old table stays the
        same.
        """
        write = wire.writer_as_of(edition, type(self.event))
        return write(self.event, f" on={self.on} seq={self.seq}")

    def line(self, seat: int | None, form: Form) -> str:
        """The event as a line for a program at that seat (None: a spectator)."""
        seen = self.seen_by(seat)
        # An event with a text field of its own gets no sentence, even if the field is hidden.
        text = self._text(seat, seen) if form.text and seen.word.text is None else ""
        write = wire.write_json if form.json else wire.write
        at = rfc3339(self.at) if form.time else ""
        line = write(seen, on=self.on, seq=self.seq, text=text, at=at)
        if text and len(line.encode()) + RESERVED_BYTES > MAX_SERVER_LINE:
            # Without the text, because a long list of moves and its text together exceed the limit.
            return write(seen, on=self.on, seq=self.seq, at=at)
        return line

    def _text(self, seat: int | None, seen: Event) -> str:
        """The sentence for the viewer at that seat, the same in every form and at any time."""
        text = self.told.get(seat) if self.told is not None else None
        if text is None:
            text = self.voice(seat).sentence(seen).replace("\n", "  ")
            if self.told is not None:
                self.told[seat] = text
        return text


RESERVED_BYTES = 32
"""Bytes of a line reserved for its end and for grease."""

CHUNK = 32
"""Number of entries that are pickled together."""
PACK = 2
"""Number of chunks that are compressed together: one alone takes a sixth more bytes and a third
more time. More chunks would stay uncompressed for longer.
"""
RECENT = 16
"""Number of the latest entries that are never packed, because reconnecting clients ask for them."""

_SEATED_AND_SEALED = (Joined, Host_, Committed)

THE_REST = 0
"""The key of all viewers who see the events of a burst like most others."""


class Burst(Struct, eq=False):
    """The entries that one order adds to a stream, sent together.

    Viewers with the same view and form get the same bytes, which are encoded once. Only a seat with
    fields of its own, visible or hidden, has a view of its own.

    `kinds` are the classes of its events; `lesson` is the table's lesson, 0 for none.
    """

    entries: Sequence[Entry]
    kinds: set[type[Event]]
    lesson: int = 0
    _private: list[tuple[int, Entry]] = []
    _apart: set[int | None] | None = None
    _written: dict[tuple[int | None, Form], bytes] = {}

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Burst:
        """A burst of these entries."""
        return cls(entries, {type(entry.event) for entry in entries})

    @property
    def news(self) -> Sequence[Entry]:
        """The entries to show to a person.

        These are all entries, with some exceptions. At the beginning of a game the first hand names
        the dealer, `fair` lists the draws, and nobody needs to read who was ready. If the game
        begins together with its table, its beginning also names the players and the seal. A game
        that is taken back is not shown. If a game continues from another one, or for a lesson, only
        the current hand is shown, with a summary of its tricks. Answered questions are not shown.
        """
        entries = self.entries
        if any(isinstance(e.event, Aborted) and e.event.why == UNDONE for e in entries):
            return ()
        if Continued in self.kinds:
            return _hand_that_goes_on(entries)
        if Game_ in self.kinds:
            told_else: tuple[type[Event], ...] = (Drew, Ready_)
            if Aborted in self.kinds:  # `rematch` during a game
                told_else += (Revealed,)
            if Joined in self.kinds:
                told_else += _SEATED_AND_SEALED
            if self.lesson > 1:  # the first lesson has named the game
                told_else += (Game_,)
            entries = [entry for entry in entries if not isinstance(entry.event, told_else)]
            if self.lesson:
                return _hand_that_goes_on(entries, in_short=True)
        asked = [entry for entry in entries if isinstance(entry.event, Turn)]
        return [e for e in entries if e not in asked[:-1]] if len(asked) > 1 else entries

    def news_for(self, seat: int | None) -> Sequence[Entry]:
        """`news` without the cards just dealt to a seat, if its question shows them."""
        news = list(self.news)
        asked = news[-1].event if news else None
        if not isinstance(asked, Turn) or asked.seat != seat or not asked.hand:
            return news
        at = len(news) - 2
        while at >= 0 and isinstance(before := news[at].event, Dealt | Trick):
            if isinstance(before, Dealt) and before.seat == seat:
                del news[at]
            at -= 1
        return news

    @property
    def ends_hand(self) -> bool:
        """True if a hand ends in this burst, not counting events copied from another game."""
        return Handover in self.kinds and Continued not in self.kinds

    def lines(self, seat: int | None, form: Form) -> bytes:
        """All entries as lines with their ends, for a program at that seat (None: a spectator)."""
        if self._apart is None:  # not earlier: a table that is being rebuilt has no viewers
            self._apart = set()
            for index, entry in enumerate(self.entries):
                if entry.event.by_owner:
                    self._private.append((index, entry))
                    self._apart |= set_apart(entry.event)
        # A text calls the viewer's own seat "you", so every seat has its own text.
        key = (seat if form.text or seat in self._apart else THE_REST, form)
        found = self._written.get(key)
        if found is None:
            found = self._written[key] = in_bytes(self._lines(seat, form))
        return found

    def _lines(self, seat: int | None, form: Form) -> list[str]:
        if form != PLAIN:
            return [entry.line(seat, form) for entry in self.entries]
        lines = [entry.whole for entry in self.entries]
        for index, entry in self._private:
            if secret := hidden(entry.event, seat):
                write = wire.writer_without(secret, type(entry.event))
                lines[index] = write(entry.event, f" on={entry.on} seq={entry.seq}")
        return lines


def _hand_that_goes_on(entries: Sequence[Entry], *, in_short: bool = False) -> Sequence[Entry]:
    """The events needed to show the current hand: the beginning of the game; the hand's deal, bids,
    winners of tricks and current trick; the question. `in_short`: only the trick, if any has been
    taken.
    """
    kinds = [type(entry.event) for entry in entries]
    begun = max((n for n, kind in enumerate(kinds) if kind is Hand_), default=0)
    taken = max((n for n, kind in enumerate(kinds) if kind is Took), default=0)
    heads = (Continued,) if Continued in kinds else (Game_, Hand_)

    def tells(n: int) -> bool:
        if in_short and taken:
            return n > taken
        return kinds[n].scope != "trick" or kinds[n] is Took or n > taken

    told = [
        entry
        for n, entry in enumerate(entries[begun:-1], begun)
        if tells(n) and kinds[n] not in (Turn, *heads)
    ]
    return [*(e for e in entries[:-1] if isinstance(e.event, heads)), *told, entries[-1]]


def in_bytes(lines: Sequence[str]) -> bytes:
    """Lines as bytes with line ends; non-printable characters are removed."""
    if not lines:
        return b""
    text = "\r\n".join(lines) + "\r\n"
    return (text if text.isascii() else visible(text, gap="")).encode()


class Stream:
    """The log of events of a table, the lobby or a replay, kept in memory.

    `keep`: the number of entries kept; for streams that grow by `append`. `after`: the number
    before the first event. `last` is the number of the last event, 0 if there is none.

    All but the last `RECENT` are kept as lines, oldest first, and most of these compressed, which
    takes a tenth of the memory. `after` and `backwards` unpack the chunks they need. Streams that
    grow by `append` are not packed. The numbers kept are

        _dropped + 1 ... _before     in chunks of CHUNK entries, compressed in `_packed`, the last
                                     few not yet, in `_chunks`
        _before + 1 ... last         in `_entries`
    """

    def __init__(self, name: str, *, keep: int | None = None, after: int = 0) -> None:
        self.name = name
        self._keep = keep
        self._packed: list[bytes] = []
        self._chunks: list[bytes] = []
        self._entries: list[Entry] = []
        self._dropped = after
        self._before = after
        self.last = after

    @property
    def oldest(self) -> int:
        """The number of the oldest event that is still kept."""
        return self._dropped + 1

    def plan(
        self,
        events: Iterable[Event],
        *,
        at: int,
        names: Mapping[int, str],
        game: str,
        model_for: ModelFor | None = None,
        after: int | None = None,
    ) -> list[Entry]:
        """The entries of these events with the next numbers; the stream does not change.

        `after` is the number of the last planned entry, if any. Pass the entries to `extend` when
        their order is stored.
        """
        on, seq = self.name, self.last if after is None else after
        entries: list[Entry] = []
        for event in events:
            seq += 1
            kind = type(event)
            whole = wire.writer(kind)(event, f" on={on} seq={seq}")
            told: dict[int | None, str] | None = {} if kind in TOLD_WITH_KNOWLEDGE else None
            entries.append(Entry(on, seq, event, whole, names, at, game, model_for, told))
        return entries

    def extend(self, burst: Burst) -> None:
        """Appends planned entries. No others may have been appended since the plan."""
        entries = burst.entries
        if not entries:
            return
        assert entries[0].seq == self.last + 1
        self._entries += entries
        self.last += len(entries)
        # At most one chunk for each call: packing a long game at once would block the server.
        if len(self._entries) >= RECENT + CHUNK:
            self._chunks.append(_chunk(self._entries[:CHUNK]))
            del self._entries[:CHUNK]
            self._before += CHUNK
            if len(self._chunks) == PACK:
                self._packed.append(compress(dumps(self._chunks, HIGHEST_PROTOCOL), 1))
                self._chunks.clear()

    def append(
        self, event: Event, *, at: int = 0, names: Mapping[int, str] | None = None, game: str = ""
    ) -> Entry:
        """Appends an event under the next number; drops the oldest of more than `keep`."""
        self.last += 1
        whole = wire.write(event, on=self.name, seq=self.last)
        entry = Entry(self.name, self.last, event, whole, names or {}, at, game)
        self._entries.append(entry)
        if self._keep is not None and len(self._entries) > self._keep:
            del self._entries[0]
            self._dropped += 1
            self._before += 1
        return entry

    def after(self, seq: int) -> Iterator[Entry]:
        """The kept entries with numbers above `seq`, in order, without later additions."""
        chunk, first = divmod(max(0, seq - self._dropped), CHUNK)
        rest = self._entries[max(0, seq - self._before) :]
        if chunk >= self._packed_chunks:
            return iter(rest)
        chunks = range(chunk, self._packed_chunks)
        return chain(islice(chain.from_iterable(map(self._unpacked, chunks)), first, None), rest)

    def backwards(self) -> Iterator[Entry]:
        """All kept entries, the latest first."""
        chunks = (reversed(self._unpacked(chunk)) for chunk in reversed(range(self._packed_chunks)))
        return chain(reversed(self._entries), chain.from_iterable(chunks))

    @property
    def _packed_chunks(self) -> int:
        return PACK * len(self._packed) + len(self._chunks)

    def _unpacked(self, chunk: int) -> list[Entry]:
        first = self._dropped + CHUNK * chunk + 1
        pack, at = divmod(chunk, PACK)
        packed = pack < len(self._packed)
        chunks = loads(decompress(self._packed[pack])) if packed else self._chunks
        return [
            Entry(self.name, seq, _event(whole), whole, names, wall, game, None, told)
            for seq, (whole, names, wall, game, told) in enumerate(loads(chunks[at]), first)
        ]


def _chunk(entries: Sequence[Entry]) -> bytes:
    """Entries as bytes, without their numbers and their stream."""
    return dumps([*map(_KEPT, entries)], HIGHEST_PROTOCOL)


_KEPT = attrgetter("whole", "names", "at", "game", "told")


def _event(line: str) -> Event:
    """The event in a line with all its fields."""
    record = wire.parse(line)
    assert record is not None
    found = wire.decode(record)
    assert isinstance(found, Event)
    return found
