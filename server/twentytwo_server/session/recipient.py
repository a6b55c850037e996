"""The output of one connection: replies, events and remarks, in a person's or a program's form."""

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
    """The kind of client: a person, a program, or undecided before the first line."""

    UNDECIDED = "undecided"
    PEOPLE = "people"
    PROGRAM = "program"


PROGRAM = Mode.PROGRAM
"""For code that runs for each viewer of a move: in Python 3.11 an attribute of an Enum costs 20
times a global name.
"""

_ELSEWHERE = re.compile(r"[tr][0-9]+")
"""Names of the streams of tables and replays."""


@dataclass(slots=True)
class Recipient:
    """The output side of a connection; the input side is `Session`.

    `send` is called with whole lines as bytes, including line ends. `show_typing` is called with
    True if the terminal may echo typed text, and with False to hide it. `form` is a program's line
    format; `greased`: unknown words and fields are added. `current` is the default table of
    commands: events of other tables are labelled.

    `follows` has the followed streams (`schema.FOLLOWED`), each with the only game to follow, or
    empty for all games.

    `skipped` are the tables at which a person wants only the result of the running game.

    `welcomed` are the seats, by table, whose absence this person was not told of: their own, after
    they were welcomed back, and those of people who left after them. The next PRESENCE, if it ends
    that absence, is not shown to them.
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
    welcomed: frozenset[tuple[str, int]] = frozenset()
    _typing_hidden: bool = False
    _held: HeldBack | None = None
    _left_out: LeftOut = field(default_factory=LeftOut)
    _grease: Grease = field(default_factory=Grease)

    def reply(self, id: str, rows: Sequence[Row | Event], final: Row, voice: Voice) -> None:
        """Writes a reply, consisting of rows and a final line, in one piece."""
        if self.mode is PROGRAM:
            write, lines = wire.write_json if self.form.json else wire.write, []
            for row in (*rows, final):
                lines.append(write(row, re_=id))
            self.send(in_bytes(self._grease.reply(id, lines, self.form) if self.greased else lines))
        else:
            if self._typing_hidden:
                self._typing_hidden = False
                self.show_typing(True)
            voice = replace(voice, show=self.display.show)
            self._say([voice.sentence(row) for row in (*rows, final)])

    def _hide_typing(self) -> None:
        """Hides typed text until the next reply."""
        self._typing_hidden = True
        self.show_typing(False)

    def refuse(self, id: str, wrong: Refused, voice: Voice, on: str = "") -> None:
        """Writes a refusal; `on` is the table or stream of the command, if any."""
        kind = CODES[wrong.code].kind.word
        err = Err(wrong.code, kind, on or None, text=wrong.text, **wrong.fields)
        self.reply(id, (), err, voice)

    @contextmanager
    def hold_events(self, count_held: Callable[[int], None]) -> Iterator[Mapping[str, int]]:
        """Holds new events during the block; only events shown with `again` are sent at once.

        This is for sending past events over several turns of the loop: new events must come after
        them, or the numbers of the stream would be out of order. The held lines are sent at the end
        of the block. After an exception they are dropped, because past events are missing before
        them: the client sees a gap in the numbers.

        Yields a growing mapping: for each stream with an event during the block, the number of its
        last event. `count_held` is called with the size of each held event in bytes.
        """
        self._held = held = HeldBack(count_held)
        try:
            yield held.last
        finally:
            self._held = None
        if data := held.released():
            self.send(data)

    def drop_held(self, on: str) -> None:
        """Drops the held events of a stream, because they are sent as past events."""
        if self._held is not None:
            self._held.drop(on)

    def show(
        self, entry: Entry, seat: int | None, *, blocked: bool = False, again: bool = False
    ) -> None:
        """Sends an event, redacted for the viewer at `seat`; None is a spectator.

        `blocked`: this user has blocked its author, so its text is left out. `again`: it is a past
        event, sent even while new events are held (`hold_events`).
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
        """Sends the events of an order, redacted for the viewer at `seat`, as `show` does.

        `blocked` are the names of people whose messages this user does not want to read.
        """
        plain = self.mode is PROGRAM and not (blocked or self._left_out.seqs or self.greased)
        if plain and self._held is None:
            # The usual case: this viewer gets the same bytes as others.
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
        # Terse output has only the last line of a question, which does not show the cards.
        return burst.news if self.display.terse == "on" else burst.news_for(seat)

    def _send(self, lines: Sequence[str]) -> None:
        self.send(in_bytes(lines))

    def _send_in_order(self, on: str, data: bytes) -> None:
        if self._held is None:
            self.send(data)
        else:
            self._held.add(on, data)

    def tell_clock(self, clock: Clock) -> None:
        """Sends the clock to a program, after all earlier output."""
        if self.mode is Mode.PROGRAM:
            self._send_in_order("", in_bytes([self._line(clock)]))

    def leave_out(self, on: str, seq: int) -> None:
        """Records that the events of a stream up to this number are left out on purpose.

        Before the next event of that stream a program gets a GAP event.
        """
        self._left_out.add(on, seq)

    def _gap_before(self, entry: Entry) -> list[str]:
        gap = self._left_out.take(entry.on)
        return [self._line(gap)] if gap is not None and self.mode is Mode.PROGRAM else []

    def follow(self, on: str, last: int, game: str = "") -> None:
        """Begins to follow a stream; `last` is its last number."""
        self._left_out.resume(on, last)
        self.follows[on] = game

    def pause_following(self) -> None:
        """Pauses following because the peer does not read."""
        self._left_out.pause(self.follows)
        self.follows.clear()

    def _shown(self, entry: Entry, seat: int | None, blocked: bool) -> list[str]:
        if blocked and entry.event.word.text is not None:
            entry = replace(entry, event=replace(entry.event, **{"text": None}))
        if self.mode is Mode.PROGRAM:
            line = entry.line(seat, self.form)
            return self._grease.event(line, self.form) if self.greased else [line]
        if self.mode is Mode.PEOPLE and not blocked and not self._knows(entry):
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
        """Shows a person the state of a table; shows nothing to a program."""
        if self.mode is Mode.PEOPLE:
            lines = [line for each in standing for line in self._said(each, voice, on)]
            self._send_in_order(on, in_bytes(lines))

    def _labelled(self, sentence: str, on: str) -> str:
        """The sentence, with the table's name in front unless it is the current table."""
        if not sentence or self.current in (None, on) or not _ELSEWHERE.fullmatch(on):
            return sentence
        return "\n".join(f"[{on}] {part}" for part in sentence.split("\n"))

    def _knows(self, entry: Entry) -> bool:
        """True if the event only ends an absence that this person was not told of."""
        back = entry.event
        if not isinstance(back, Presence) or (entry.on, back.seat) not in self.welcomed:
            return False
        self.welcomed -= {(entry.on, back.seat)}
        return back.here and not back.bot

    def notice(self, happened: Event) -> None:
        """Writes an event that belongs to no stream, in the form of the mode.

        While the mode is undecided it is a comment, except BYE: a program must see its `wait=`.
        """
        undecided = self.mode is Mode.UNDECIDED
        if self.mode is Mode.PROGRAM or (undecided and isinstance(happened, Bye)):
            self._send([self._line(happened)])
        elif self.mode is Mode.PEOPLE:
            self._say([Voice({}).sentence(happened)])
        else:
            self.comment(Voice({}).sentence(happened).lstrip("* "))

    def remark(self, note: Note) -> None:
        """Writes a remark about a game, after all earlier output, unless remarks are off."""
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
        """Writes a sentence for people; writes nothing to a program."""
        if self.mode is Mode.PEOPLE:
            self._say([text])

    def comment(self, text: str) -> None:
        """Writes a line that programs ignore."""
        self._send([f"# {text}"])

    def _line(self, event: Event) -> str:
        """An event without a stream, as a line for a program."""
        return wire.write_json(event) if self.form.json else wire.write(event)

    def _say(self, sentences: Iterable[str]) -> None:
        if lines := self.display.lines(sentences):
            self._send(lines)
