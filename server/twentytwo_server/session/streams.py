"""Streams: the events of a table, numbered from 1 without gaps, alike for every viewer.

Everybody gets every event, under the same number; what a viewer may not see is left out of its
fields. So a client that comes back can ask for all events after a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from pickle import HIGHEST_PROTOCOL, dumps, loads
from zlib import compress, decompress

from twentytwo_protocol import wire
from twentytwo_protocol.framing import MAX_SERVER_LINE, visible
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, fields_as_of, redact, set_apart
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
    """How a program wants its lines, as its `caps` asked: JSON, with a text, with the time."""

    json: bool = False
    text: bool = False
    time: bool = False


PLAIN = Form()
"""The form of a program that asked for nothing."""

ModelFor = Callable[[str | None, int], TableModel | None]
"""Gives the table as somebody of that name knows it once they were shown the event of that number,
or as they know it now if they were shown later ones; None if the table is gone."""

TOLD_WITH_KNOWLEDGE = (Turn, Game_, Continued, Hand_, Dealt, Gameover, Committed, Revealed, Seeded)
"""The events whose sentences depend on what else the viewer knows of the table."""


class Entry(Value):
    """An event with its number on a stream.

    `on` is the stream's name, `seq` the number, `at` the wall time in ms. `names` (by seat) and
    `game` are those of the table at that moment, if it is of one; `model_for` gives what somebody
    knows of it. `told` keeps sentences that could not be made again, by seat: they depend on what
    the viewer knew then. It is None where they do not.
    """

    on: str
    seq: int
    event: Event
    names: Mapping[int, str]
    at: int = 0
    game: str = ""
    model_for: ModelFor | None = None
    told: dict[int | None, str] | None = None

    def seen_by(self, seat: int | None) -> Event:
        """The event without the fields that the viewer at that seat may not see."""
        return redact(self.event, seat)

    def voice(self, seat: int | None) -> Voice:
        """The voice that makes sentences of this event for the viewer at that seat."""
        model_for = self.model_for if isinstance(self.event, TOLD_WITH_KNOWLEDGE) else None
        # By name: whoever sits there by now must not lend what they know to an old question.
        name = self.names.get(seat) if seat is not None else None
        known = model_for(name, self.seq) if model_for else None
        return Voice(self.names, seat, self.game, known=known)

    def whole(self) -> str:
        """The event with all fields, hidden cards too, as a line without a text: never send it."""
        return wire.write(self.event, on=self.on, seq=self.seq)

    def whole_as_of(self, edition: int) -> str:
        """The same, written as in that edition: so the digest of an old table stays the same."""
        return wire.write_as_of(edition, self.event, on=self.on, seq=self.seq)

    def written(self, seen: Event) -> str:
        """What `seen_by` has returned, as a line without a text."""
        return wire.write(seen, on=self.on, seq=self.seq)

    def line(self, seat: int | None, form: Form) -> str:
        """The event as a line for a program at that seat (None: a spectator)."""
        seen = self.seen_by(seat)
        # Events with a text field of their own get no sentence, even if that field is hidden.
        text = self._text(seat, seen) if form.text and seen.word.text is None else ""
        write = wire.write_json if form.json else wire.write
        at = rfc3339(self.at) if form.time else ""
        line = write(seen, on=self.on, seq=self.seq, text=text, at=at)
        if text and len(line.encode()) + SPARE > MAX_SERVER_LINE:
            # A long list of moves, and all of them once more as people read them.
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


SPARE = 32
"""Bytes of a line that are left for its end and for grease."""

CHUNK = 32
"""How many entries are packed together."""
RECENT = 16
"""How many of the last entries are never packed: who comes back soon asks for these."""

_SEATED_AND_SEALED = (Joined, Host_, Committed)

THE_REST = 0
"""Stands for every viewer who sees the events of a burst as most do."""


class Burst:
    """The entries that one order adds to a stream, told together.

    Viewers who see them alike are sent the same bytes, which are written once: all that ask for the
    same form, except where an event has something that one seat alone may see, or may not.

    `kinds` are the classes of its events, `lesson` the lesson that the table plays, 0 for none.
    """

    __slots__ = ("_apart", "_whole", "_written", "entries", "kinds", "lesson")

    def __init__(self, entries: Sequence[Entry], lesson: int = 0) -> None:
        self.entries = entries
        self.lesson = lesson
        self.kinds = {type(entry.event) for entry in entries}
        self._apart: set[int | None] | None = None
        self._whole: list[str] = []
        self._written: dict[tuple[int | None, Form], bytes] = {}

    @property
    def news(self) -> Sequence[Entry]:
        """What a person is told of.

        That is all, but for these. Where a game begins its first hand names the dealer, and `fair`
        lists who has drawn what; nobody is told any more who was ready. Where it begins with the
        table its beginning names the players and the seal, too. Of a game that is taken back
        nothing is told; of one that goes on from another, or of a lesson, only the hand that goes
        on, its tricks in short. A question that has been answered is not told.
        """
        entries = self.entries
        if any(isinstance(e.event, Aborted) and e.event.why == UNDONE for e in entries):
            return ()
        if Continued in self.kinds:
            return _hand_that_goes_on(entries)
        if Game_ in self.kinds:
            told_else: tuple[type[Event], ...] = (Drew, Ready_)
            if Aborted in self.kinds:  # `rematch` in the middle of a game
                told_else += (Revealed,)
            if Joined in self.kinds:
                told_else += _SEATED_AND_SEALED
            if self.lesson > 1:  # the first has said what game it is
                told_else += (Game_,)
            entries = [entry for entry in entries if not isinstance(entry.event, told_else)]
            if self.lesson:
                return _hand_that_goes_on(entries, in_short=True)
        asked = [entry for entry in entries if isinstance(entry.event, Turn)]
        return [e for e in entries if e not in asked[:-1]] if len(asked) > 1 else entries

    def news_for(self, seat: int | None) -> Sequence[Entry]:
        """`news` without the cards that a seat was just dealt, if its question shows them."""
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
        """True if a hand has come to its end now, not in what is told of another game again."""
        return Handover in self.kinds and Continued not in self.kinds

    def lines(self, seat: int | None, form: Form) -> bytes:
        """All entries as lines, with their ends, for a program at that seat (None: a spectator)."""
        if self._apart is None:  # not before: while a table is rebuilt nobody sees it
            self._apart = set().union(*[set_apart(e.event) for e in self.entries])
        # A text calls the viewer's own seat "you", so every seat has a text of its own.
        key = (seat if form.text or seat in self._apart else THE_REST, form)
        found = self._written.get(key)
        if found is None:
            found = self._written[key] = in_bytes(self._lines(seat, form))
        return found

    def _lines(self, seat: int | None, form: Form) -> list[str]:
        if form != PLAIN:
            return [entry.line(seat, form) for entry in self.entries]
        return [
            whole if (seen := entry.seen_by(seat)) is entry.event else entry.written(seen)
            for entry, whole in zip(self.entries, self.whole(), strict=True)
        ]

    def whole(self) -> Sequence[str]:
        """Each event with all fields, hidden cards too, as a line without a text: never send it."""
        if not self._whole:
            self._whole = [entry.whole() for entry in self.entries]
        return self._whole

    def whole_as_of(self, edition: int) -> Sequence[str]:
        """The same, written as in that edition of the words."""
        return [
            line
            if fields_as_of(edition, entry.event.word) is entry.event.word.fields
            else entry.whole_as_of(edition)
            for entry, line in zip(self.entries, self.whole(), strict=True)
        ]


def _hand_that_goes_on(entries: Sequence[Entry], *, in_short: bool = False) -> Sequence[Entry]:
    """What game begins or goes on; of its hand the deal, the bids, who has taken which trick, and
    the trick that goes on; the question. `in_short`: only the trick, if any has been taken.
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
    """Lines as they are sent, each with its end; nothing unseen is in them, whatever was said."""
    return visible("\r\n".join(lines) + "\r\n", gap="").encode() if lines else b""


class Stream:
    """The log of events of a table, the lobby or a replay, kept in memory.

    `keep`: only the last so many entries are kept; for streams that grow by `append`. `after`: the
    number before the first event.

    All but the last `RECENT` are packed in chunks of `CHUNK`, oldest first: as the lines that tell
    them, compressed, which take a tenth of the memory. `after` and `backwards` unpack what they
    need. Streams that grow by `append` are not packed. The numbers kept are

        _dropped + 1 ... _before     packed, CHUNK entries in each piece of `_packed`
        _before + 1 ... last         not packed, in `_entries`, with their lines in `_lines`
    """

    def __init__(self, name: str, *, keep: int | None = None, after: int = 0) -> None:
        self.name = name
        self._keep = keep
        self._packed: list[bytes] = []
        self._entries: list[Entry] = []
        self._lines: list[str] = []
        self._dropped = after
        self._before = after

    @property
    def last(self) -> int:
        """The number of the last event; 0 if there has been none."""
        return self._before + len(self._entries)

    @property
    def oldest(self) -> int:
        """The number of the first event that is still kept."""
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

        `after` is the number of the last entry that is planned already, if one is. Hand the entries
        to `extend` when what they tell has been stored.
        """
        return [
            Entry(self.name, seq, event, names, at, game, model_for, _told(event))
            for seq, event in enumerate(events, 1 + (self.last if after is None else after))
        ]

    def extend(self, burst: Burst) -> None:
        """Appends planned entries. Nothing else may have been appended since they were planned."""
        if not burst.entries:
            return
        assert burst.entries[0].seq == self.last + 1
        self._entries += burst.entries
        self._lines += burst.whole()
        # At most one chunk a call: packing a whole long game at once would hold the server up.
        if len(self._entries) >= RECENT + CHUNK:
            self._packed.append(_packed(self._entries[:CHUNK], self._lines))
            del self._entries[:CHUNK], self._lines[:CHUNK]
            self._before += CHUNK

    def append(
        self, event: Event, *, at: int = 0, names: Mapping[int, str] | None = None, game: str = ""
    ) -> Entry:
        """Appends an event under the next number, and drops the oldest if more than `keep` are."""
        entry = Entry(self.name, self.last + 1, event, names or {}, at, game)
        self._entries.append(entry)
        if self._keep is not None and len(self._entries) > self._keep:
            del self._entries[0]
            self._dropped += 1
            self._before += 1
        return entry

    def after(self, seq: int) -> Iterator[Entry]:
        """The kept entries with numbers above `seq`, in order; none that are appended later."""
        chunk, first = divmod(max(0, seq - self._dropped), CHUNK)
        rest = self._entries[max(0, seq - self._before) :]
        if chunk >= len(self._packed):
            return iter(rest)
        chunks = range(chunk, len(self._packed))
        return chain(islice(chain.from_iterable(map(self._unpacked, chunks)), first, None), rest)

    def backwards(self) -> Iterator[Entry]:
        """All kept entries, the last first."""
        chunks = (reversed(self._unpacked(chunk)) for chunk in reversed(range(len(self._packed))))
        return chain(reversed(self._entries), chain.from_iterable(chunks))

    def _unpacked(self, chunk: int) -> list[Entry]:
        first = self._dropped + CHUNK * chunk + 1
        return [
            Entry(self.name, seq, _event(line), names, at, game, None, told)
            for seq, (line, names, at, game, told) in enumerate(
                loads(decompress(self._packed[chunk])), first
            )
        ]


def _told(event: Event) -> dict[int | None, str] | None:
    return {} if isinstance(event, TOLD_WITH_KNOWLEDGE) else None


def _packed(entries: Sequence[Entry], lines: Iterable[str]) -> bytes:
    """Entries and their lines as compressed bytes, without their numbers and their stream."""
    kept = [(line, e.names, e.at, e.game, e.told) for e, line in zip(entries, lines, strict=False)]
    return compress(dumps(kept, HIGHEST_PROTOCOL), 1)


def _event(line: str) -> Event:
    """The event that a line with all its fields tells."""
    record = wire.parse(line)
    assert record is not None
    found = wire.decode(record)
    assert isinstance(found, Event)
    return found
