"""Declares the words of the protocol, each in one place.

A message is a `Value`. Its name, docstring and annotated fields are the only place
where it exists; the parser, the writer, JSON, help, `describe`, the reference, the schema
files, the sentence a person reads and the redaction are all derived from it. Annotations are
read once, when the class is declared.

    @event("table", scope="trick", say="{seat:takes} trick {trick} with {cards}.")
    class Took(Event):
        '''A seat has won the trick.'''
        seat: Seat
        cards: Annotated[Cards, "the winning play"]

An event or row is called by its class name in capitals, a command by its name in lower case.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, IntEnum
from functools import cache
from typing import Annotated, Any, ClassVar, TypedDict, TypeVar, Unpack

from msgspec.structs import replace

from .cards import Card
from .knowledge import Knowledge
from .value import Value

# ---------------------------------------------------------------------------------- types

_ESCAPED = re.compile("[\x00-\x20%,\x7f-\x9f]")
_PERCENT = re.compile("%([0-9A-F]{2})")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Malformed(ValueError):
    """A line or value is not of this protocol; `field` is the field that is wrong, if it is one."""

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


class Kind(Value, eq=False):
    """A type of value on the wire: its name, how it is read and written, its JSON Schema."""

    name: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    schema: Mapping[str, Any]
    help: str

    def __repr__(self) -> str:
        return f"Kind({self.name})"


def _read_int(text: str) -> int:
    # int() alone would take "1_000", "+5" and Arabic digits.
    if not _NUMBER.fullmatch(text):
        raise Malformed(f"{text!r} is not a whole number")
    return int(text)


def _read_flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise Malformed(f"{text!r} is neither 0 nor 1")
    return text == "1"


def _read_list(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(_read_int(item) for item in _read_list(text))


def escape(text: str) -> str:
    """The text as a field's value: space, `%`, `,` and controls as %XX."""
    return _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", text)


def unescape(text: str) -> str:
    """The text behind a field's value."""
    return _PERCENT.sub(lambda match: chr(int(match[1], 16)), text) if "%" in text else text


def _numbers(values: tuple[int, ...]) -> str:
    return ",".join(map(str, values))


def _read_options(text: str) -> dict[str, str]:
    found = {}
    for item in _read_list(text):
        key, colon, value = item.partition(":")
        if not (key and colon):
            raise Malformed(f"{item!r} is not OPTION:VALUE")
        found[key.lower()] = unescape(value)
    return found


def _write_options(values: Mapping[str, str]) -> str:
    return ",".join(f"{key}:{escape(value)}" for key, value in values.items())


_STRING = {"type": "string"}
_INTEGER = {"type": "integer"}
_STRINGS = {"type": "array", "items": _STRING}

INT = Kind("int", _read_int, str, _INTEGER, "a whole number")
MS = Kind("ms", _read_int, str, _INTEGER, "milliseconds")
SEAT = Kind("seat", _read_int, str, {"type": "integer", "minimum": 1}, "a seat, from 1")
SEATS = Kind("seats", _read_numbers, _numbers, {"type": "array", "items": SEAT.schema}, "seats")
INTS = Kind("ints", _read_numbers, _numbers, {"type": "array", "items": _INTEGER}, "numbers")
FLAG = Kind("bool", _read_flag, lambda value: "1" if value else "0", {"type": "boolean"}, "0 or 1")
TOKEN = Kind("token", str, str, _STRING, "a word without spaces")
TOKENS = Kind("tokens", _read_list, ",".join, _STRINGS, "words joined with commas")
NAME = Kind("name", str, str, _STRING, "a player's name; ~ marks a guest")
STREAM = Kind("stream", str, str, _STRING, "a stream: t7, k7, me, lobby, tables or people")
CARD = Kind("card", str, str, _STRING, "a card")
CARDS = Kind("cards", _read_list, ",".join, _STRINGS, "cards joined with commas")
MOVES = Kind("moves", _read_list, ",".join, _STRINGS, "moves joined with commas, each to send back")
STR = Kind("str", unescape, escape, _STRING, "any text, %XX for space, %, comma")
TEXT = Kind("text", str, str, _STRING, "free text, last on the line after ' :'")
WORDS = Kind("words", str, str, _STRINGS, "words separated by spaces, to the end of the line")
BASE64 = Kind("base64", str, str, _STRING, "bytes in base64")
OPTIONS = Kind(
    "options",
    _read_options,
    _write_options,
    {"type": "object", "additionalProperties": _STRING},
    "options of the game: exchange:off,limit:10",
)

Int = Annotated[int, INT]
Ints = Annotated[tuple[int, ...], INTS]
Ms = Annotated[int, MS]
Seat = Annotated[int, SEAT]
Seats = Annotated[tuple[int, ...], SEATS]
Flag = Annotated[bool, FLAG]
Token = Annotated[str, TOKEN]
Tokens = Annotated[tuple[str, ...], TOKENS]
Name = Annotated[str, NAME]
Stream = Annotated[str, STREAM]
CardToken = Annotated[Card, CARD]
Cards = Annotated[tuple[Card, ...], CARDS]
Moves = Annotated[tuple[str, ...], MOVES]
Str = Annotated[str, STR]
Text = Annotated[str, TEXT]
Words = Annotated[tuple[str, ...], WORDS]
Base64 = Annotated[str, BASE64]
Options = Annotated[Mapping[str, str], OPTIONS]


class Owner(Value):
    """Marks a field that only the seat named by another field may see.

    `until` names a flag of the same event that opens the field to everybody.
    """

    seat: str
    until: str = ""
    vis: ClassVar[str] = "owner"

    def is_visible_to(self, happened: Event, viewer: int | None) -> bool:
        """Whether the viewer may see the field."""
        if getattr(happened, self.seat) == viewer:
            return True
        return bool(self.until and getattr(happened, self.until))


class Others(Value):
    """Marks a field that every seat may see except the one named by another field.

    Spectators may not see it either, since they could tell that seat.
    """

    seat: str
    until: ClassVar[str] = ""
    vis: ClassVar[str] = "others"

    def is_visible_to(self, happened: Event, viewer: int | None) -> bool:
        """Whether the viewer may see the field."""
        return viewer is not None and getattr(happened, self.seat) != viewer


class Key(Value):
    """Marks a field of a command that is written `name=value`, not by position."""


KEY = Key()


class Since(Value):
    """Marks a field that was added to an event later, with the edition of the words that added it.

    Mark every field that an event gets after a release, with the next edition. Tables
    that were opened before are compared without it, so that they can be rebuilt.
    """

    edition: int


class Field(Value):
    """One field of a word, as declared.

    `since` is the edition of the words that brought it.
    """

    attr: str
    key: str
    kind: Kind
    doc: str
    optional: bool
    owner: Owner | Others | None
    named: bool
    since: int = 1


class Word(Value, eq=False):
    """All that is known of a declared word; `text` is the field at the end of the line, if any."""

    word: str
    cls: type[Message]
    doc: str
    fields: tuple[Field, ...]
    text: Field | None


class Message(Value):
    """What every declared word is: see `Event`, `Row` and `Command`."""

    word: ClassVar[Word]


Say = str | Callable[[Any, Any], str]
"""A sentence template (see `voice`), or a function of the event and the `Voice`."""


class Event(Message):
    """Something that happened, written once to one stream.

    `scope` is how long it stands in a snapshot: "table", "game", "hand", "trick", "turn", or ""
    for what leaves no trace. `ends` is the scope that is over once it has happened. `private` are
    the fields that not everybody may see, `by_owner` the same, once for each mark.
    """

    stream: ClassVar[str]
    scope: ClassVar[str]
    ends: ClassVar[str]
    say: ClassVar[Say]
    private: ClassVar[Mapping[str, Owner | Others]]
    by_owner: ClassVar[tuple[tuple[Owner | Others, tuple[str, ...]], ...]]

    def fold(self, table: Knowledge) -> None:
        """Changes what a viewer of the table knows; most events do, talk does not."""


class Row(Message):
    """One line of a reply."""

    say: ClassVar[Say]


class Stage(IntEnum):
    """The stages of a connection; a command declares the first one at which it is accepted."""

    CONNECTED = 0
    NAMED = 1


class Traits(TypedDict, total=False):
    """Traits of a command, each False if not given; `Command` explains them."""

    once: bool
    again: bool
    begins: bool
    heard: bool
    waits: bool
    asks: bool
    secret: bool


class Command(Message):
    """A command that a client sends. `command` sets the class attributes."""

    stage: ClassVar[Stage]
    cost: ClassVar[int]
    """Rate-limit cost: about the time in milliseconds that a long answer takes (`make bench
    ARGS=lines`), at least 1. Only `pong` is free."""
    once: ClassVar[bool] = False
    """The server carries it out once under the client's key, `once=`."""
    again: ClassVar[bool] = False
    """A client may send it again after a lost connection: the second time changes nothing."""
    begins: ClassVar[bool] = False
    """It leads to a game, so a server that drains refuses it."""
    heard: ClassVar[bool] = False
    """Other people hear it: the chat limit applies, and a muted person is refused."""
    waits: ClassVar[bool] = False
    """It may be about any table, so it waits until a restarted server has rebuilt them all."""
    asks: ClassVar[bool] = False
    """A person who would lose something by it is asked first."""
    secret: ClassVar[bool] = False
    """It has a password or token, which no log shows."""
    lenient: ClassVar[bool] = False
    """Unknown arguments are ignored, not refused."""
    group: ClassVar[str]
    short: ClassVar[str]
    example: ClassVar[str]
    alone: ClassVar[str] = ""
    """What people mean for the first argument who leave it out, where that is needed."""

    @property
    def is_heard(self) -> bool:
        """True if other people hear this command; some are heard only with a certain argument."""
        return self.heard

    @property
    def is_about_any_table(self) -> bool:
        """True if this command may be about any table; see `waits`."""
        return self.waits


class GameMove(Command):
    """A command that makes a move of a game, in the form of the game or in the common form."""

    once = True


class Deed(GameMove, kw_only=True):
    """A move in the form of its game; `act` is the question it answers.

    Every deed has a token, the form in which `legal` lists it and `move` sends it.
    """

    act: ClassVar[str]
    late: ClassVar[str] = ""
    """The refusal when something else is asked, if the usual sentence would mislead."""
    table: Annotated[Stream | None, KEY] = None
    """The table that the client named; not part of the move."""

    @property
    def token(self) -> str:
        """The move as one word."""
        raise NotImplementedError  # every deed of a game has its own

    @classmethod
    def of(cls, token: str) -> Deed:
        """The move that a token means. Raises `Malformed`."""
        raise NotImplementedError  # every deed of a game has its own


def move_fields(deed: type[Deed]) -> tuple[Field, ...]:
    """The fields of a move itself, without the table at which it is made."""
    return tuple(field for field in deed.word.fields if field.attr != "table")


FOLLOWED = ("lobby", "tables", "people")
"""The streams that anybody may follow."""
STREAMS = ("table", "talk", "me", *FOLLOWED, "connection")
"""What events are written to; those of "connection" are on no stream, and have no number."""

EVENTS: dict[str, type[Event]] = {}
"""Every event, by its word on the wire."""
ROWS: dict[str, type[Row]] = {}
"""Every row of a reply, by its word."""
COMMANDS: dict[str, type[Command]] = {}
"""Every command, by its verb."""

M = TypeVar("M", bound=Message)
E = TypeVar("E", bound=Event)
R = TypeVar("R", bound=Row)
C = TypeVar("C", bound=Command)


def event(
    stream: str, *, scope: str = "", ends: str = "", say: Say = ""
) -> Callable[[type[E]], type[E]]:
    """Declares an event of a stream: a table's, or any of `STREAMS`."""

    def declare(cls: type[E]) -> type[E]:
        _declare(cls, cls.__name__.rstrip("_").upper())
        cls.stream, cls.scope, cls.ends, cls.say = stream, scope, ends, say
        cls.private = types.MappingProxyType(
            {field.attr: field.owner for field in cls.word.fields if field.owner}
        )
        cls.by_owner = tuple(
            (owner, tuple(attr for attr, mark in cls.private.items() if mark == owner))
            for owner in dict.fromkeys(cls.private.values())
        )
        _enter(EVENTS, cls)
        return cls

    return declare


def row(say: Say = "", *, word: str = "") -> Callable[[type[R]], type[R]]:
    """Declares a row of a reply; `word` where the class cannot bear the word's name."""

    def declare(cls: type[R]) -> type[R]:
        _declare(cls, word or cls.__name__.upper())
        cls.say = say
        _enter(ROWS, cls)
        return cls

    return declare


def command(
    group: str,
    *,
    stage: Stage = Stage.NAMED,
    cost: int = 1,
    short: str = "",
    example: str = "",
    word: str = "",
    **traits: Unpack[Traits],
) -> Callable[[type[C]], type[C]]:
    """Declares a command; `group` is its chapter in the help, `short` what people may type.

    `Command` explains the traits.
    """

    def declare(cls: type[C]) -> type[C]:
        _declare(cls, word or cls.__name__.lower())
        cls.stage, cls.cost = stage, cost
        for name, value in traits.items():
            setattr(cls, name, value)
        cls.group, cls.short = group, short
        cls.example = example or cls.word.word
        _enter(COMMANDS, cls)
        return cls

    return declare


def _enter(registry: dict[str, Any], cls: type[Message]) -> None:
    name = cls.word.word
    if name in registry:
        raise TypeError(f"{name} is declared twice")
    registry[name] = cls


def _declare(cls: type[M], name: str) -> None:
    found = tuple(_fields(cls))
    text = next((each for each in found if each.kind is TEXT), None)
    cls.word = Word(name, cls, (cls.__doc__ or "").strip(), found, text)


def _fields(cls: type[Message]) -> Iterator[Field]:
    hints = _annotations(cls)
    required = len(cls.__struct_fields__) - len(cls.__struct_defaults__)
    for place, attr in enumerate(cls.__struct_fields__):
        found = _field(attr, hints[attr])
        yield found if place < required else replace(found, optional=True)


_READ: dict[tuple[str, Any], Any] = {}
"""What an annotation means in a module: most are written in it many times, and read once."""


def _annotations(cls: type[Message]) -> dict[str, Any]:
    """The annotations of the fields."""
    names = set(cls.__struct_fields__)
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        module = base.__module__
        said = {k: text for k, text in inspect.get_annotations(base).items() if k in names}
        new = {attr: text for attr, text in said.items() if (module, text) not in _READ}
        if new:
            only_new = type(base.__name__, (), {"__module__": module, "__annotations__": new})
            for attr, meaning in inspect.get_annotations(only_new, eval_str=True).items():
                _READ[module, new[attr]] = meaning
        found |= {attr: _READ[module, text] for attr, text in said.items()}
    return found


def _field(attr: str, hint: Any) -> Field:
    notes: list[Any] = []
    optional = False
    while True:
        if typing.get_origin(hint) is Annotated:
            hint, *found = typing.get_args(hint)
            notes += found
        elif typing.get_origin(hint) in (typing.Union, types.UnionType):
            optional = True
            (hint,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
        else:
            break
    kind = next((note for note in notes if isinstance(note, Kind)), None)
    if kind is None:
        raise TypeError(f"{attr}: its annotation names no type of the wire")
    doc = next((note for note in notes if isinstance(note, str)), "")
    owner = next((note for note in notes if isinstance(note, Owner | Others)), None)
    named = any(isinstance(note, Key) for note in notes)
    since = next((note.edition for note in notes if isinstance(note, Since)), 1)
    optional = optional or owner is not None
    return Field(attr, attr.rstrip("_"), kind, doc, optional, owner, named, since)


# ------------------------------------------------------------------------------- editions


def edition() -> int:
    """The edition of the words that are declared now: the highest that a field is marked with."""
    return max(field.since for cls in EVENTS.values() for field in cls.word.fields)


@cache
def fields_as_of(edition: int, word: Word) -> tuple[Field, ...]:
    """The fields that a word had in an edition: `word.fields` itself where none came later."""
    found = tuple(field for field in word.fields if field.since <= edition)
    return word.fields if found == word.fields else found


# ------------------------------------------------------------------------------ redaction


def redact(happened: E, viewer: int | None) -> E:
    """The event without the fields that the viewer may not see.

    `viewer` is a seat, or None for a spectator. No event is ever left out. Every event goes through
    this function before it is shown to anybody: a mistake here shows cards.
    """
    if not happened.by_owner:  # most events
        return happened
    found = hidden(happened, viewer)
    return replace(happened, **dict.fromkeys(found)) if found else happened


def set_apart(happened: Event) -> set[int | None]:
    """The viewers who may see more or less of the event than the rest, who all see it alike.

    A viewer is a seat, or None for a spectator.
    """
    found: set[int | None] = set()
    for owner, attrs in happened.by_owner:
        for attr in attrs:
            if getattr(happened, attr) is not None:
                found.add(getattr(happened, owner.seat))
                if isinstance(owner, Others):
                    found.add(None)
                break
    return found


def hidden(happened: Event, viewer: int | None) -> tuple[str, ...]:
    """The filled fields that the viewer may not see; viewers with the same ones see the same."""
    found: tuple[str, ...] = ()
    for owner, attrs in happened.by_owner:
        if not owner.is_visible_to(happened, viewer):
            found += tuple([attr for attr in attrs if getattr(happened, attr) is not None])
    return found


# --------------------------------------------------------------------------------- errors


class ErrorClass(Enum):
    """What to do about an error; a client only needs to know the class of its code."""

    SYNTAX = "fix the client"
    AUTH = "say who you are"
    MISSING = "there is no such thing"
    STATE = "look again, then decide"
    TURN = "not now"
    RULE = "choose another move"
    LIMIT = "try again after wait= milliseconds; nothing was done"
    SYNC = "take the state"
    SERVER = "not your fault"

    @property
    def word(self) -> str:
        """The class as it is written: `syntax`."""
        return self.name.lower()


class Code(Value):
    """An error code: its class, and what it means."""

    name: str
    kind: ErrorClass
    doc: str


CODES: dict[str, Code] = {}
"""Every error code, by name."""
REASONS: dict[str, str] = {}
"""Every `reason=` of an illegal move, with what it means."""
BYES: dict[str, str] = {}
"""Every code of a BYE, with what it means."""
WARNS: dict[str, str] = {}
"""Every code of a WARN, with what it means."""
NOTES: dict[str, str] = {}
"""Every code of a NOTE, with what it means."""
CAPABILITIES: dict[str, str] = {}
"""Every capability that a program may turn on, with what it does."""


def codes(kind: ErrorClass, **meanings: str) -> None:
    """Declares the codes of one class."""
    for name, doc in meanings.items():
        CODES[name] = Code(name, kind, doc)


class Refused(Exception):
    """A command is refused; it has changed nothing.

    `code` is one of `CODES`; `fields` go on the ERR line; the text is for people.
    """

    def __init__(self, code: str, text: str, **fields: Any) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.fields = fields
