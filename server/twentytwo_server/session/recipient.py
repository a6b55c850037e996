"""What one connection is shown: replies, events and remarks, in the form of whoever reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum

from msgspec.structs import replace

from twentytwo_protocol import wire
from twentytwo_protocol.schema import CODES, Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import ENDS_OF_GAME, RESULTS, Clock, Game_, Turn
from twentytwo_protocol.words.connection import Bye, Note
from twentytwo_protocol.words.replies import Err
from twentytwo_protocol.words.seating import Presence
from twentytwo_protocol.words.talk import speaker

from .display import DisplaySettings
from .grease import Grease
from .streams import Burst, Entry, Form, in_bytes
from .withheld import HeldBack, LeftOut


class Mode(Enum):
    """Whether a person or a program is at the other end; undecided until the first line."""

    UNDECIDED = "undecided"
    PEOPLE = "people"
    PROGRAM = "program"


_ELSEWHERE = re.compile(r"[tr][0-9]+")
"""Names of the streams of tables and replays."""


@dataclass(slots=True)
class Recipient:
    """One connection as what it is shown: nothing in here knows what its lines mean.

    `send` is called with whole lines, as bytes, with their ends. `show_typing` is called with
    whether the terminal may show what is typed. `form` is how a program wants its lines; `greased`:
    unknown words and fields are mixed in. `current` is the table that commands mean if they name
    none: events of others are labelled.

    `follows` are the streams that are followed (`schema.FOLLOWED`), each with the only game of
    which it is told; empty for all.

    `skipped` are the tables of which a person wants to know the result of the running game alone.

    `welcomed` are the tables where this person has just come back and been told so: the next
    PRESENCE of their own there is not shown to them again.
    """

    send: Callable[[bytes], None]
    show_typing: Callable[[bool], None] = lambda seen: None
    mode: Mode = Mode.UNDECIDED
    form: Form = field(default_factory=Form)
    greased: bool = False
    display: DisplaySettings = field(default_factory=DisplaySettings)
    current: str | None = None
    follows: dict[str, str] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    welcomed: frozenset[str] = frozenset()
    _typing_hidden: bool = False
    _held: HeldBack | None = None
    _left_out: LeftOut = field(default_factory=LeftOut)
    _grease: Grease = field(default_factory=Grease)

    def reply(self, id: str, rows: Sequence[Row | Event], final: Row, voice: Voice) -> None:
        """Writes a reply, its rows and its end, in one piece."""
        if self.mode is Mode.PROGRAM:
            write = wire.write_json if self.form.json else wire.write
            lines = [write(row, re_=id) for row in (*rows, final)]
            self._send(self._grease.reply(id, lines, self.form) if self.greased else lines)
        else:
            if self._typing_hidden:
                self._typing_hidden = False
                self.show_typing(True)
            voice = replace(voice, show=self.display.show)
            self._say([voice.sentence(row) for row in (*rows, final)])

    def _hide_typing(self) -> None:
        """Lets the terminal hide what is typed, until the next reply."""
        self._typing_hidden = True
        self.show_typing(False)

    def refuse(self, id: str, wrong: Refused, voice: Voice, on: str = "") -> None:
        """Writes a refusal; `on` is the table or stream that the command was about, if any."""
        kind = CODES[wrong.code].kind.word
        err = Err(wrong.code, kind, on or None, text=wrong.text, **wrong.fields)
        self.reply(id, (), err, voice)

    @contextmanager
    def hold_events(self, count_held: Callable[[int], None]) -> Iterator[Mapping[str, int]]:
        """Holds new events back during the block; only those shown with `again` go out at once.

        For sending past events over several turns of the loop: what happens meanwhile must come
        after them, or the numbers of the stream would not be in order. At the end of the block the
        held lines are sent, also when it is left by an exception, so that no event is lost.

        Yields a mapping that grows meanwhile: for each stream with an event during the block, the
        number of the last one. `count_held` is called with the bytes of each event that is held.
        """
        self._held = held = HeldBack(count_held)
        try:
            yield held.last
        finally:
            self._held = None
            if data := held.released():
                self.send(data)

    def drop_held(self, on: str) -> None:
        """Drops the events of a stream that are held back, because they are sent as past ones."""
        if self._held is not None:
            self._held.drop(on)

    def show(
        self, entry: Entry, seat: int | None, *, blocked: bool = False, again: bool = False
    ) -> None:
        """Sends an event as the viewer at that seat may see it; None is a spectator.

        `blocked`: it comes from somebody whom this user has blocked, so its text is left out.
        `again`: it is a past event, sent even while new ones are held (`hold_events`).
        """
        if self._held is not None and not again:
            self._held.last[entry.on] = entry.seq
        lines = self._shown(entry, seat, blocked)
        if not again:
            lines = [*self._gap_before(entry), *lines]
        if not lines:
            return
        if again:
            self._send(lines)
        else:
            self._send_in_order(entry.on, in_bytes(lines))

    def show_burst(self, burst: Burst, seat: int | None, blocked: Set[str]) -> None:
        """Sends the events of an order as the viewer at that seat may see them, as `show` does.

        `blocked` are the names whose words this user does not want to read.
        """
        plain = self.mode is Mode.PROGRAM and not (blocked or self._left_out.seqs or self.greased)
        if plain and self._held is None:
            # Most viewers, most of the time: what others are sent, too.
            self.send(burst.lines(seat, self.form))
            return
        for entry in self._told(burst, seat):
            self.show(entry, seat, blocked=speaker(entry.event) in blocked)

    def _told(self, burst: Burst, seat: int | None) -> Sequence[Entry]:
        if self.mode is Mode.PROGRAM:
            return burst.entries
        if burst.entries and (on := burst.entries[0].on) in self.skipped:
            if burst.kinds.isdisjoint(ENDS_OF_GAME):
                return ()
            self.skipped.discard(on)
            if Game_ not in burst.kinds:
                return [entry for entry in burst.entries if isinstance(entry.event, RESULTS)]
        # The last line of a question alone shows no cards.
        return burst.news if self.display.terse == "on" else burst.news_for(seat)

    def _send(self, lines: Sequence[str]) -> None:
        self.send(in_bytes(lines))

    def _send_in_order(self, on: str, data: bytes) -> None:
        if self._held is None:
            self.send(data)
        else:
            self._held.add(on, data)

    def tell_clock(self, clock: Clock) -> None:
        """Tells a program how the clock stands, after what it was shown so far."""
        if self.mode is Mode.PROGRAM:
            self._send_in_order("", in_bytes([self._line(clock)]))

    def leave_out(self, on: str, seq: int) -> None:
        """Notes that the event of that number, and those before it, are left out on purpose.

        A program is told so (GAP) before the next event of that stream that it is shown.
        """
        self._left_out.add(on, seq)

    def _gap_before(self, entry: Entry) -> list[str]:
        gap = self._left_out.take(entry.on)
        return [self._line(gap)] if gap is not None and self.mode is Mode.PROGRAM else []

    def follow(self, on: str, last: int, game: str = "") -> None:
        """Begins to follow a stream, whose last number is `last`."""
        self._left_out.resume(on, last)
        self.follows[on] = game

    def pause_following(self) -> None:
        """Stops following for now, because the peer does not read."""
        self._left_out.pause(self.follows)
        self.follows.clear()

    def _shown(self, entry: Entry, seat: int | None, blocked: bool) -> list[str]:
        if blocked and entry.event.word.text is not None:
            entry = replace(entry, event=replace(entry.event, **{"text": None}))
        if self.mode is Mode.PROGRAM:
            line = entry.line(seat, self.form)
            return self._grease.event(line, self.form) if self.greased else [line]
        if self.mode is Mode.PEOPLE and not blocked and not self._knows(entry, seat):
            return self._said(entry.seen_by(seat), entry.voice(seat), entry.on)
        return []

    def _said(self, seen: Event | str, voice: Voice, on: str) -> list[str]:
        voice = replace(voice, show=self.display.show)
        sentence = seen if isinstance(seen, str) else voice.sentence(seen)
        mine = isinstance(seen, Turn) and seen.default is not None
        if mine and self.display.terse == "on":
            sentence = sentence.rpartition("\n")[2]
        lines = self.display.lines([self._labelled(sentence, on)])
        if lines and mine and self.display.bell == "turn":
            lines[-1] += "\a"
        return lines

    def say_again(self, standing: Iterable[Event | str], voice: Voice, on: str) -> None:
        """Tells a person how things stand at a table, as of now; a program is told nothing."""
        if self.mode is Mode.PEOPLE:
            lines = [line for each in standing for line in self._said(each, voice, on)]
            self._send_in_order(on, in_bytes(lines))

    def _labelled(self, sentence: str, on: str) -> str:
        """The sentence, with the table's name in front if it is not their current table."""
        if not sentence or self.current in (None, on) or not _ELSEWHERE.fullmatch(on):
            return sentence
        return "\n".join(f"[{on}] {part}" for part in sentence.split("\n"))

    def _knows(self, entry: Entry, seat: int | None) -> bool:
        """True if the event only says that this person is back, which they were just told."""
        back = entry.event
        if not isinstance(back, Presence) or back.seat != seat or back.bot or not back.here:
            return False
        known = entry.on in self.welcomed
        self.welcomed -= {entry.on}
        return known

    def notice(self, happened: Event) -> None:
        """Writes an event that belongs to no stream, in the form of the mode.

        While the mode is undecided it is a comment, but for BYE: a program must see `wait=`.
        """
        undecided = self.mode is Mode.UNDECIDED
        if self.mode is Mode.PROGRAM or (undecided and isinstance(happened, Bye)):
            self._send([self._line(happened)])
        elif self.mode is Mode.PEOPLE:
            self._say([Voice({}).sentence(happened)])
        else:
            self.comment(Voice({}).sentence(happened).lstrip("* "))

    def remark(self, note: Note) -> None:
        """Writes a remark about a game, after what was shown so far, unless remarks are off."""
        if self.mode is Mode.PROGRAM:
            self._send_in_order("", in_bytes([self._line(note)]))
        elif (
            self.mode is Mode.PEOPLE
            and self.display.remarks == "on"
            and note.table not in self.skipped
        ):
            lines = self.display.lines([Voice({}).sentence(note)])
            self._send_in_order("", in_bytes(lines))

    def tell(self, text: str) -> None:
        """Writes a sentence for people; a program is told nothing."""
        if self.mode is Mode.PEOPLE:
            self._say([text])

    def comment(self, text: str) -> None:
        """Writes a line that programs ignore."""
        self._send([f"# {text}"])

    def _line(self, event: Event) -> str:
        """An event that is on no stream, as a line for a program."""
        return wire.write_json(event) if self.form.json else wire.write(event)

    def _say(self, sentences: Iterable[str]) -> None:
        if lines := self.display.lines(sentences):
            self._send(lines)
