"""Streams: what happened, numbered from 1 without gaps, the same number for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, islice
from pickle import HIGHEST_PROTOCOL, dumps, loads
from zlib import compress, decompress

from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, as_of, hidden, redact
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Game_, Turn


def rfc3339(wall: int) -> str:
    """Milliseconds since 1970 as people write them: `2026-11-20T02:03:12.165Z`."""
    moment = datetime.fromtimestamp(wall / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Form:
    """How a program wants its lines: what `caps` asked for."""

    json: bool = False
    text: bool = False
    time: bool = False


PLAIN = Form()
"""As a line is written where nothing is asked for."""

LineKey = tuple[tuple[str, ...], int | None]
"""What a line depends on besides its form: the fields left out, and who is `you` in its text."""

Known = Callable[[int | None], TableModel | None]
"""What the viewer at a seat knows of a table now; None where it is gone."""

TOLD_WITH_KNOWLEDGE = (Turn, Game_)
"""Only a question, and the beginning of a game, say more to whoever knows the table."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event on its stream; `names` and `game` are those of the table at that moment.

    Written lines are kept, so that a line for many viewers is written once for each
    distinct redaction and form.
    """

    on: str
    seq: int
    event: Event
    at: int = 0
    names: Mapping[int, str] = field(default_factory=dict)
    game: str = ""
    known: Known | None = field(default=None, compare=False, repr=False)
    written: dict[tuple[LineKey, Form], str] = field(default_factory=dict, compare=False)

    def seen_by(self, seat: int | None) -> Event:
        """The event as the viewer may know it."""
        return redact(self.event, seat)

    def voice(self, seat: int | None) -> Voice:
        """The voice that tells this to the viewer."""
        known = self.known if isinstance(self.event, TOLD_WITH_KNOWLEDGE) else None
        return Voice(self.names, seat, self.game, known=known(seat) if known else None)

    def whole(self, edition: int) -> str:
        """The event with everything in it, as a line without a text; nobody is sent this.

        Without the fields that later editions of the words have brought.
        """
        event = as_of(edition, self.event)
        if event is self.event and not hidden(event, None):
            return self.line(None, PLAIN)
        return wire.write(event, on=self.on, seq=self.seq)

    def line(self, seat: int | None, form: Form) -> str:
        """The event as a line for a program at that seat (None: a spectator)."""
        key = ((hidden(self.event, seat), seat if form.text else None), form)
        found = self.written.get(key)
        if found is None:
            found = self.written[key] = self._write(seat, form)
        return found

    def _write(self, seat: int | None, form: Form) -> str:
        seen = self.seen_by(seat)
        text = ""
        if form.text and seen.word.text is None:
            # What has a text of its own has no other, even where it is left out.
            text = self.voice(seat).sentence(seen).replace("\n", "  ")
        write = wire.write_json if form.json else wire.write
        at = rfc3339(self.at) if form.time else ""
        return write(seen, on=self.on, seq=self.seq, text=text, at=at)


CHUNK = 128
"""Entries that are packed together."""


class Stream:
    """A log of events. `oldest` is the first number still kept; it goes on `after` a number.

    Entries from before the last game are packed, little by little: who looks back has them
    unpacked. So a table costs about the same however many games were played at it.
    """

    def __init__(self, name: str, *, keep: int | None = None, after: int = 0) -> None:
        self.name = name
        self._keep = keep
        self._packed: list[bytes] = []
        self._entries: list[Entry] = []
        self._dropped = after
        self._game = 0

    @property
    def last(self) -> int:
        """The number of the last event; 0 before the first."""
        return self._before + len(self._entries)

    @property
    def oldest(self) -> int:
        """The number of the first event that is still kept."""
        return self._dropped + 1

    @property
    def _before(self) -> int:
        """The number before the first entry that is not packed."""
        return self._dropped + CHUNK * len(self._packed)

    def plan(
        self,
        events: Iterable[Event],
        *,
        at: int,
        names: Mapping[int, str],
        game: str,
        known: Known | None = None,
    ) -> list[Entry]:
        """The entries that these events will be, with their numbers; not yet on the stream."""
        return [
            Entry(self.name, seq, event, at, names, game, known)
            for seq, event in enumerate(events, self.last + 1)
        ]

    def extend(self, entries: Iterable[Entry]) -> None:
        """Puts planned entries onto the stream."""
        for entry in entries:
            assert entry.seq == self.last + 1
            self._entries.append(entry)
            if isinstance(entry.event, Game_):
                self._game = entry.seq
        # One chunk at a time: a long game is packed while the next is played.
        if self._before + CHUNK < self._game:
            self._packed.append(_packed(self._entries[:CHUNK]))
            del self._entries[:CHUNK]

    def append(
        self, event: Event, *, at: int = 0, names: Mapping[int, str] | None = None, game: str = ""
    ) -> Entry:
        """Writes the event down under the next number."""
        entry = Entry(self.name, self.last + 1, event, at, names or {}, game)
        self._entries.append(entry)
        if self._keep is not None and len(self._entries) > self._keep:
            del self._entries[0]
            self._dropped += 1
        return entry

    def after(self, seq: int) -> Iterator[Entry]:
        """The entries after a number, in order: those that are there now."""
        chunk, first = divmod(max(0, seq - self._dropped), CHUNK)
        packed = self._packed[chunk:]
        unpacked = chain.from_iterable(map(_unpacked, packed))
        rest = self._entries[max(0, seq - self._before) :]
        return chain(islice(unpacked, first, None), rest) if packed else iter(rest)

    def backwards(self) -> Iterator[Entry]:
        """All entries that are kept, the last first."""
        packed = (reversed(_unpacked(chunk)) for chunk in reversed(self._packed))
        return chain(reversed(self._entries), chain.from_iterable(packed))


def _packed(entries: Sequence[Entry]) -> bytes:
    """Entries in a small space."""
    return compress(dumps([_kept(entry) for entry in entries], HIGHEST_PROTOCOL))


def _kept(entry: Entry) -> Entry:
    """The entry with the lines that would not be the same if they were written again.

    What somebody knows of the table now is not what they knew then.
    """
    told = entry.written if isinstance(entry.event, TOLD_WITH_KNOWLEDGE) else {}
    written = {key: line for key, line in told.items() if key[1].text}
    return replace(entry, known=None, written=written)


def _unpacked(packed: bytes) -> list[Entry]:
    entries: list[Entry] = loads(decompress(packed))
    return entries
