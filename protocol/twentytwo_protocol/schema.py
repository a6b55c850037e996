"""Declares the messages of the protocol, each in one place.

A message is a subclass of `Value`. Its name, its docstring and its annotated fields are its whole
declaration. The parser, the writer, JSON, help, `describe`, the reference, the schema files, the
sentences for people and the redaction are derived from it. Annotations are evaluated once, when the
class is declared.

    @event("table", scope="trick", say="{seat:takes} trick {trick} with {cards}.")
    class Took(Event):
        '''A seat has won the trick.'''
        seat: Seat
        cards: Annotated[Cards, "the winning play"]

The word of an event or row is its class name in upper case, that of a command in lower case.
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

__all__ = [
    "BASE64",
    "BYES",
    "CAPABILITIES",
    "CARD",
    "CARDS",
    "CODES",
    "COMMANDS",
    "EVENTS",
    "FLAG",
    "FOLLOWED",
    "INT",
    "INTS",
    "KEY",
    "MOVES",
    "MS",
    "NAME",
    "NOTES",
    "OPTIONS",
    "REASONS",
    "ROWS",
    "SEAT",
    "SEATS",
    "STR",
    "STREAM",
    "STREAMS",
    "TEXT",
    "TOKEN",
    "TOKENS",
    "WARNS",
    "WORDS",
    "Base64",
    "CardToken",
    "Cards",
    "Code",
    "Command",
    "Deed",
    "ErrorClass",
    "Event",
    "Field",
    "Flag",
    "GameMove",
    "Int",
    "Ints",
    "Key",
    "Kind",
    "Malformed",
    "Message",
    "Moves",
    "Ms",
    "Name",
    "Options",
    "Others",
    "Owner",
    "Refusal",
    "Refused",
    "Row",
    "Say",
    "Seat",
    "Seats",
    "Since",
    "Stage",
    "Str",
    "Stream",
    "Text",
    "Token",
    "Tokens",
    "Traits",
    "Word",
    "Words",
    "codes",
    "command",
    "edition",
    "escape",
    "event",
    "fields_as_of",
    "hidden",
    "move_fields",
    "redact",
    "row",
    "set_apart",
    "unescape",
]

# ---------------------------------------------------------------------------------- types

_ESCAPED = re.compile("[\x00-\x20%,\x7f-\x9f]")
_PERCENT = re.compile("%([0-9A-F]{2})")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Malformed(ValueError):
    """A line or value that violates the protocol. `field` is the wrong field, or empty."""

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


class Kind(Value, eq=False):
    """A type of value on the wire: its name, its text format, its JSON Schema."""

    name: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    schema: Mapping[str, Any]
    help: str

    def __repr__(self) -> str:
        return f"Kind({self.name})"


def _read_int(text: str) -> int:
    # int() alone would accept "1_000", "+5" and Arabic digits.
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
    """A text as the value of a field: space, `%`, `,` and control characters become %XX."""
    return _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", text)


def unescape(text: str) -> str:
    """The text in the value of a field."""
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
    """Marks a field that only one seat may see. Another field names the seat.

    `until` names a flag of the event. If the flag is set, everybody may see the field.
    """

    seat: str
    until: str = ""
    vis: ClassVar[str] = "owner"

    def is_visible_to(self, happened: Event, viewer: int | None) -> bool:
        """True if the viewer may see the field."""
        if getattr(happened, self.seat) == viewer:
            return True
        return bool(self.until and getattr(happened, self.until))


class Others(Value):
    """Marks a field that every seat but one may see. Another field names the one seat.

    Spectators may not see the field either, because they could tell that seat.
    """

    seat: str
    until: ClassVar[str] = ""
    vis: ClassVar[str] = "others"

    def is_visible_to(self, happened: Event, viewer: int | None) -> bool:
        """True if the viewer may see the field."""
        return viewer is not None and getattr(happened, self.seat) != viewer


class Key(Value):
    """Marks a field of a command that is written `name=value`, not by position."""


KEY = Key()


class Since(Value):
    """Marks a field that was added to an event after a release, with the edition that added it.

    Each such field gets the next edition. A table that was opened before the upgrade is restored
    and compared without the field.
    """

    edition: int


class Field(Value):
    """A declared field of a message.

    `since` is the edition that added it.
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
    """The declaration of a message. `text` is the field at the end of the line, if any."""

    word: str
    cls: type[Message]
    doc: str
    fields: tuple[Field, ...]
    text: Field | None


class Message(Value):
    """The base class of all messages; see `Event`, `Row` and `Command`."""

    word: ClassVar[Word]


Say = str | Callable[[Any, Any], str]
"""A sentence template (see `voice`), or a function of the event and the `Voice`."""


class Event(Message):
    """A message about something that happened, written once to one stream.

    `scope` says how long the event stays in snapshots: "table", "game", "hand", "trick", "turn", or
    "" for never. `ends` is the scope that the event ends. `private` are the fields that some
    viewers may not see. `by_owner` has the same fields, grouped by mark.
    """

    stream: ClassVar[str]
    scope: ClassVar[str]
    ends: ClassVar[str]
    say: ClassVar[Say]
    private: ClassVar[Mapping[str, Owner | Others]]
    by_owner: ClassVar[tuple[tuple[Owner | Others, tuple[str, ...]], ...]]

    def fold(self, table: Knowledge) -> None:
        """Applies the event to a viewer's knowledge. An event that changes nothing does not
        override it.
        """


class Row(Message):
    """One line of a reply."""

    say: ClassVar[Say]


class Stage(IntEnum):
    """The stages of a connection; a command declares the first one at which it is accepted."""

    CONNECTED = 0
    NAMED = 1


class Traits(TypedDict, total=False):
    """The traits of a command, each False by default; `Command` explains them."""

    once: bool
    again: bool
    begins: bool
    heard: bool
    waits: bool
    asks: bool
    secret: bool


class Command(Message):
    """A message from a client to the server. The decorator `command` sets the class attributes."""

    stage: ClassVar[Stage]
    cost: ClassVar[int]
    """The rate-limit cost: the time of a long reply in milliseconds (`make bench ARGS=lines`), at
    least 1. Only `pong` is free.
    """
    once: ClassVar[bool] = False
    """True if the server executes the command only once for each client key, `once=`."""
    again: ClassVar[bool] = False
    """True if a client may repeat the command after a lost connection: it is idempotent."""
    begins: ClassVar[bool] = False
    """True if the command leads to a game: a draining server refuses it."""
    heard: ClassVar[bool] = False
    """True if other people read the command: the chat limit and mutes apply."""
    waits: ClassVar[bool] = False
    """True if the command may refer to any table: it waits until a restarted server has restored
    all tables.
    """
    asks: ClassVar[bool] = False
    """True if a person must confirm the command when it costs them something."""
    secret: ClassVar[bool] = False
    """True if the command contains a password or token, which logs omit."""
    lenient: ClassVar[bool] = False
    """True if unknown arguments are ignored instead of refused."""
    group: ClassVar[str]
    short: ClassVar[str]
    example: ClassVar[str]
    alone: ClassVar[str] = ""
    """The first argument that is assumed for people who omit it."""

    @property
    def is_heard(self) -> bool:
        """True if other people read this command. For some commands it depends on an argument."""
        return self.heard

    @property
    def is_about_any_table(self) -> bool:
        """True if this command may refer to any table; see `waits`."""
        return self.waits


class GameMove(Command):
    """A command that makes a move of a game, in the game's own form or as `move TOKEN`."""

    once = True


class Deed(GameMove, kw_only=True):
    """A move in the game's own form. `act` is the question it answers.

    Every deed has a token, which `legal` lists and `move` sends.
    """

    act: ClassVar[str]
    late: ClassVar[str] = ""
    """The error text when another question is open, if the usual text would mislead."""
    table: Annotated[Stream | None, KEY] = None
    """The table that the client named. It is not part of the move."""

    @property
    def token(self) -> str:
        """The token of the move."""
        raise NotImplementedError  # each deed implements it

    @classmethod
    def of(cls, token: str) -> Deed:
        """The move with this token. Raises `Malformed`."""
        raise NotImplementedError  # each deed implements it


def move_fields(deed: type[Deed]) -> tuple[Field, ...]:
    """The fields of a move itself, without its table."""
    return tuple(field for field in deed.word.fields if field.attr != "table")


FOLLOWED = ("lobby", "tables", "people")
"""The streams that any client may follow."""
STREAMS = ("table", "talk", "me", *FOLLOWED, "connection")
"""The streams of events. Events of "connection" are outside all streams and have no number."""

EVENTS: dict[str, type[Event]] = {}
"""Every event, by its word."""
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
    """Declares an event on the stream of a table or on one of `STREAMS`."""

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
    """Declares a row of a reply. `word` is its word if that differs from the class name."""

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
    """Declares a command. `group` is its chapter in the help, `short` its short form for people.

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
    for index, attr in enumerate(cls.__struct_fields__):
        found = _field(attr, hints[attr])
        yield found if index < required else replace(found, optional=True)


_READ: dict[tuple[str, Any], Any] = {}
"""The evaluated annotations by module: most occur many times."""


def _annotations(cls: type[Message]) -> dict[str, Any]:
    """The evaluated annotations of the fields."""
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
    """The current edition: the highest edition that marks a field."""
    return max(field.since for cls in EVENTS.values() for field in cls.word.fields)


@cache
def fields_as_of(edition: int, word: Word) -> tuple[Field, ...]:
    """The fields of a message in an edition. `word.fields` itself if none were added later."""
    found = tuple(field for field in word.fields if field.since <= edition)
    return word.fields if found == word.fields else found


# ------------------------------------------------------------------------------ redaction


def redact(happened: E, viewer: int | None) -> E:
    """The event without the fields that the viewer may not see.

    `viewer` is a seat, or None for a spectator. Events are never omitted.
    """
    if not happened.by_owner:  # most events
        return happened
    found = [attr for attr in hidden(happened, viewer) if getattr(happened, attr) is not None]
    return replace(happened, **dict.fromkeys(found)) if found else happened


def set_apart(happened: Event) -> set[int | None]:
    """The viewers who see other fields of the event than most viewers do.

    A viewer is a seat, or None for a spectator. All viewers outside the set see the event alike.
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
    """The fields that the viewer may not see, also where they are empty.

    Every event with private fields passes through this function before it is sent to anybody: a
    mistake here reveals cards. `redact` leaves these fields out of the event, and
    `wire.writer_without` out of the line.
    """
    found: tuple[str, ...] = ()
    for owner, attrs in happened.by_owner:
        if not owner.is_visible_to(happened, viewer):
            found += attrs
    return found


# --------------------------------------------------------------------------------- errors


class ErrorClass(Enum):
    """The class of an error, which tells a client how to react."""

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
        """The name of the class on the wire: `syntax`."""
        return self.name.lower()


class Code(Value):
    """An error code: its class, and its meaning."""

    name: str
    kind: ErrorClass
    doc: str


CODES: dict[str, Code] = {}
"""Every error code, by name."""
REASONS: dict[str, str] = {}
"""Every `reason=` of an illegal move, with its meaning."""
BYES: dict[str, str] = {}
"""Every code of a BYE, with its meaning."""
WARNS: dict[str, str] = {}
"""Every code of a WARN, with its meaning."""
NOTES: dict[str, str] = {}
"""Every code of a NOTE, with its meaning."""
CAPABILITIES: dict[str, str] = {}
"""Every capability that a program may turn on, with its effect."""


def codes(kind: ErrorClass, **meanings: str) -> None:
    """Declares the codes of one class."""
    for name, doc in meanings.items():
        CODES[name] = Code(name, kind, doc)


class Refusal(Exception):
    """A refusal in words for people.

    `why` says what is wrong, `advice` says what to do instead. Each is whole sentences, or empty.
    """

    def __init__(self, why: str, advice: str = "") -> None:
        self.why = why
        self.advice = advice
        super().__init__(self.text)

    @property
    def text(self) -> str:
        """The reason and the advice."""
        return f"{self.why} {self.advice}".strip(" ")


class Refused(Refusal):
    """The refusal of a command. A refused command has changed nothing.

    `code` is one of `CODES`. `fields` are sent in the ERR line.
    """

    def __init__(self, code: str, why: str, advice: str = "", /, **fields: Any) -> None:
        super().__init__(why, advice)
        self.code = code
        self.fields = fields
