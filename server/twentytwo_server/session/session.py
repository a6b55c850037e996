"""One connection's conversation: reads its lines as commands, writes replies and events to it.

The first line settles the mode for the life of the connection: `hello 1` makes it a program's,
anything else a person's. A session belongs to a connection and is never stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum

from twentytwo_protocol import __version__, wire
from twentytwo_protocol.cards import Deck
from twentytwo_protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE, Flaw
from twentytwo_protocol.frozen import replace
from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.objects import id_of_object, is_object, split_object
from twentytwo_protocol.schema import CAPABILITIES, CODES, Command, Event, Malformed, Refused, Row
from twentytwo_protocol.verbs import GO_ON, without_secrets
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Clock, Move, Turn, forced
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.looking import Hand
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.seating import Presence
from twentytwo_protocol.words.session import Hello
from twentytwo_protocol.words.talk import speaker

from .display import DisplaySettings, wrapped
from .grease import Grease
from .reading import read_arguments, read_person, read_program, take_once
from .streams import Burst, Entry, Form, in_bytes
from .withheld import HeldBack, LeftOut


class Mode(Enum):
    """Whether a person or a program is at the other end; undecided until the first line."""

    UNDECIDED = "undecided"
    PEOPLE = "people"
    PROGRAM = "program"


VERSIONS = (1,)
"""The versions of the protocol that this server speaks."""

_ELSEWHERE = re.compile(r"[tr][0-9]+")
"""Names of the streams of tables and replays."""


@dataclass(slots=True)
class Request:
    """A line as read: a `command`, or the `refusal` of a line that is none.

    `id` is what the reply carries: the line's own, `*` for a program's line without one, and empty
    for people. `once` is the key under which a program has it carried out once, or empty; `typed`
    the line as a person typed it.
    """

    id: str
    command: Command | None = None
    refusal: Refused | None = None
    once: str = ""
    typed: str = ""


@dataclass(slots=True)
class Session:
    """One connection's conversation.

    `send` is called with whole lines, as bytes, with their ends. `show_typing` is called with
    whether the terminal may show what is typed. `name` is the user's name, None before they have
    one. `current` is the table that commands mean if they name none. `tries` counts failed logins.
    `exchange` is the SCRAM exchange under way, if any. `asked` is the command of which a person was
    just told what it costs, until when it may be repeated (ms of the clock), and how they typed it.
    `closing`: no further line is answered.

    `greased`: unknown words and fields are mixed in.

    `follows` are the streams that are followed (`schema.FOLLOWED`), each with the only game of
    which it is told; empty for all.

    `warned` is of which turn at which table a person was last told that time runs out, and how far.

    `welcomed` are the tables where this person has just come back and been told so: the next
    PRESENCE of their own there is not shown to them again.
    """

    send: Callable[[bytes], None]
    mode: Mode = Mode.UNDECIDED
    form: Form = field(default_factory=Form)
    greeted: bool = False
    capabilities: tuple[str, ...] = ()
    greased: bool = False
    bot: bool = False
    name: str | None = None
    current: str | None = None
    display: DisplaySettings = field(default_factory=DisplaySettings)
    follows: dict[str, str] = field(default_factory=dict)
    closing: bool = False
    tries: int = 0
    exchange: object = None
    asked: tuple[str, int, str] = ("", 0, "")
    warned: tuple[str, int, int] = ("", 0, 0)
    welcomed: frozenset[str] = frozenset()
    show_typing: Callable[[bool], None] = lambda seen: None
    _hidden: Hidden | None = None
    _typing_hidden: bool = False
    _held: HeldBack | None = None
    _left_out: LeftOut = field(default_factory=LeftOut)
    _grease: Grease = field(default_factory=Grease)

    # --------------------------------------------------------------------------- hearing

    def hear(
        self,
        line: str | Flaw,
        deck: Deck | None,
        asked: Turn | None,
        *,
        awaited: str = "",
        go_on: str = "",
    ) -> Request | None:
        """Reads a line as a request; None if there is nothing to do.

        That is so for blank lines, but for a person's who is asked for a move (`_hear_blank`), and
        for an answer to `ask_hidden` that another question follows.
        `deck`, `asked` and `awaited` are as in `read_person`. If `go_on` is not empty, it is the
        line that words such as `ok` and a blank line stand for. The first line settles the mode.
        """
        if self._hidden is not None:
            return self._hear_hidden(self._hidden, line)
        if isinstance(line, Flaw):
            if self.mode is Mode.UNDECIDED:
                self.mode = Mode.PEOPLE
            return Request("*", refusal=_flawed(line))
        if go_on and self.mode is Mode.PEOPLE and line.strip().lower() in GO_ON:
            line = go_on
        if not line.strip():
            return self._hear_blank(asked) if self.mode is Mode.PEOPLE else None
        if self.mode is Mode.UNDECIDED:
            self.mode = Mode.PROGRAM if _is_program(line) else Mode.PEOPLE
        if self.mode is Mode.PROGRAM:
            return self._hear_program(line)
        try:
            named, at_table = self.name is not None, self.current is not None
            command = read_person(
                line, named=named, deck=deck, asked=asked, at_table=at_table, awaited=awaited
            )
            return Request("", command, typed=" ".join(line.split()))
        except Refused as wrong:
            return Request("", refusal=wrong)

    def _hear_blank(self, asked: Turn | None) -> Request | None:
        """What a blank line means: the question again, or what is forced, where that is set."""
        if asked is None:
            return None
        only = forced(asked) if self.display.forced == "on" else None
        return Request("", Hand() if only is None else Move(only, asked.turn))

    def _hear_program(self, line: str) -> Request:
        if is_object(line):
            return self._hear_object(line)
        try:
            said = wire.split_command(line)
        except Malformed as wrong:
            return Request(wire.id_of(line) or "*", refusal=Refused("BAD_SYNTAX", f"{wrong}."))
        try:
            rest, once = take_once(said.rest)
            return Request(said.id or "*", read_program(said.verb, rest), once=once)
        except Refused as refused:
            return Request(said.id or "*", refusal=refused)

    def _hear_object(self, line: str) -> Request:
        if not self.form.json:
            return Request("*", refusal=Refused("BAD_SYNTAX", "Objects are for caps=json."))
        try:
            said = split_object(line)
        except Malformed as wrong:
            return Request(id_of_object(line) or "*", refusal=Refused("BAD_SYNTAX", f"{wrong}."))
        try:
            command, once = read_arguments(said.verb, said.arguments)
            return Request(said.id or "*", command, once=once)
        except Refused as refused:
            return Request(said.id or "*", refusal=refused)

    def ask_hidden(
        self,
        said: Command,
        *steps: tuple[str, str],
        judge: Callable[[str], None] = lambda chosen: None,
    ) -> None:
        """Asks a person for secret fields of a command, such as passwords, not showing the answers.

        `steps` are pairs of a field and its question, asked in order; the next lines answer them.
        After the last one `hear` returns `said` with the fields filled in. `judge` raises `Refused`
        for an answer that will not do, before it is asked for a second time.
        """
        self._ask_hidden(Hidden(said, steps, judge))

    def _ask_hidden(self, hidden: Hidden) -> None:
        self._hidden = hidden
        self._typing_hidden = True
        self.show_typing(False)
        complaint = [f"! {hidden.complaint}"] if hidden.complaint else []
        self._say([*complaint, hidden.question])

    def _hear_hidden(self, hidden: Hidden, line: str | Flaw) -> Request | None:
        self._hidden = None
        try:
            if isinstance(line, Flaw):
                raise _flawed(line)
            hidden = hidden.answered(line)
        except Refused as wrong:
            return Request("", refusal=wrong)
        if not hidden.complete:
            self._ask_hidden(hidden)
            return None
        # What is typed stays hidden until the reply: another question may follow instead.
        return Request("", hidden.command)

    def loggable(self, line: str) -> str:
        """The line as it may be logged, without secrets. Call it before `hear` takes the line."""
        return "..." if self._hidden is not None else without_secrets(line)

    def greet(self, hello: Hello, boot: str) -> Ok:
        """Turns on what a program asked for with `hello`; returns the reply that says what is on.

        `boot` names this start of the server. Raises `Refused` (BAD_VERSION).
        """
        spoken = set(VERSIONS).intersection(hello.versions or ())
        if not spoken:
            raise Refused("BAD_VERSION", "This server speaks version 1.", have=VERSIONS)
        # Clients still being written name no client: grease makes them skip unknown words early.
        self.turn_on([*(hello.caps or ()), *(() if hello.client else ("grease",))])
        self.bot = bool(hello.bot)
        self.greeted = True
        return Ok(
            proto=max(spoken),
            server=f"twentytwo/{__version__}",
            boot=boot,
            maxin=MAX_CLIENT_LINE,
            maxout=MAX_SERVER_LINE,
            knows=self.known,
            caps=self.capabilities,
            text="Welcome.",
        )

    def turn_on(self, wanted: Sequence[str]) -> None:
        """Turns on the capabilities in `wanted` that there are, and all others off."""
        self.capabilities = on = tuple(cap for cap in CAPABILITIES if cap in wanted)
        self.form = Form("json" in on, "text" in on, "time" in on)
        self.greased = "grease" in on

    @property
    def known(self) -> tuple[str, ...]:
        """The capabilities that could be turned on; with grease also one that there is not."""
        return (*CAPABILITIES, "xgcap") if self.greased else tuple(CAPABILITIES)

    # --------------------------------------------------------------------------- showing

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
        bell = "\a" if mine and self.display.bell == "turn" else ""
        if mine and self.display.terse == "on":
            sentence = sentence.rpartition("\n")[2]
        return self._in_lines([self._labelled(sentence, on)], bell)

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
        """Writes an event that belongs to no stream, in the form of the mode."""
        if self.mode is Mode.PROGRAM:
            self._send([self._line(happened)])
        elif self.mode is Mode.PEOPLE:
            self._say([Voice({}).sentence(happened)])
        else:
            self.comment(Voice({}).sentence(happened).lstrip("* "))

    def remark(self, note: Note) -> None:
        """Writes a remark about a game, after what was shown so far, unless remarks are off."""
        if self.mode is Mode.PROGRAM:
            self._send_in_order("", in_bytes([self._line(note)]))
        elif self.mode is Mode.PEOPLE and self.display.remarks == "on":
            lines = self._in_lines([Voice({}).sentence(note)])
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
        lines = self._in_lines(sentences)
        if lines:
            self._send(lines)

    def _in_lines(self, sentences: Iterable[str], bell: str = "") -> list[str]:
        lines = [
            line
            for sentence in sentences
            for part in sentence.split("\n")
            for line in self._wrapped(part)
        ]
        if lines:
            lines[-1] += bell
        return lines

    def _wrapped(self, sentence: str) -> list[str]:
        if self.display.charset == "ascii":
            sentence = sentence.encode("ascii", "replace").decode()
        return wrapped(sentence, self.display.width) if sentence.strip() else []


def _is_program(line: str) -> bool:
    try:
        said = wire.split_command(line)
    except Malformed:
        return False
    return said.verb == "hello" and bool(said.rest.strip())


def _flawed(flaw: Flaw) -> Refused:
    if flaw is Flaw.TOO_LONG:
        return Refused(
            flaw.value,
            f"That line is too long; {MAX_CLIENT_LINE} bytes with its end is the most.",
            max=MAX_CLIENT_LINE,
        )
    return Refused(flaw.value, "That line is not valid UTF-8.")
