"""Writes messages as lines, and reads lines as messages.

A record is a word, fields `key=value`, and optionally a text after ` :`. In JSON the same record is
one object. Both forms follow from one declaration.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import field

from .schema import (
    BASE64,
    EVENTS,
    OPTIONS,
    ROWS,
    STREAM,
    TEXT,
    WORDS,
    Command,
    Event,
    Field,
    Kind,
    Malformed,
    Message,
    Refused,
    Row,
    Word,
    fields_as_of,
)
from .value import Value

__all__ = [
    "ParsedCommand",
    "ParsedLine",
    "Writer",
    "bad_argument",
    "declared_as",
    "decode",
    "id_of",
    "lacking",
    "parse",
    "parse_json",
    "read_command",
    "read_typed",
    "split_command",
    "take_once",
    "typed_example",
    "usage",
    "usage_of",
    "with_once",
    "write",
    "write_command",
    "write_json",
    "writer",
    "writer_as_of",
    "writer_without",
]

_ID = re.compile(r"\*|[A-Za-z0-9._-]{1,32}")
_WORD = re.compile(r"[A-Z][A-Z0-9-]{0,31}")
_FIELD = re.compile(r"([a-z][a-z0-9_]{0,31})=([!-~\u00a0-\U0010ffff]*)")
_KEY = re.compile(r"[A-Za-z0-9._-]{1,64}")
_VERB = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,31}")
_STREAM = re.compile("[tkr][0-9]{1,9}|me|lobby|tables|people")
_OPTION = re.compile(r"([a-z][a-z0-9_]*)=([^ ]*)", re.IGNORECASE)


class ParsedLine(Value):
    """The parts of a server line: its word, its raw fields, its text, its reply id."""

    word: str
    fields: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    id: str | None = None

    @property
    def on(self) -> str:
        """The stream of an event; empty for a message outside the streams."""
        return self.fields.get("on", "")

    @property
    def seq(self) -> int:
        """The number of an event on its stream; 0 for a message without a number."""
        found = self.fields.get("seq", "")
        # isdigit() alone would accept "²", which int() refuses.
        return int(found) if found.isascii() and found.isdigit() and len(found) <= 18 else 0


def parse(line: str) -> ParsedLine | None:
    """The record on a server line, or None for a comment. Raises `Malformed`."""
    if line.startswith("#"):
        return None
    head, colon, text = line.partition(" :")
    words = head.split(" ")
    reply_id = None
    if words[0].startswith("@"):
        reply_id = words.pop(0)[1:]
        if not _ID.fullmatch(reply_id):
            raise Malformed("a reply id has at most 32 letters, digits, '-', '_' or '.'")
    if not words or not _WORD.fullmatch(words[0]):
        raise Malformed("a line begins with a word in capitals")
    fields: dict[str, str] = {}
    for word in words[1:]:
        match = _FIELD.fullmatch(word)
        if match is None:
            raise Malformed(f"{word!r} is not key=value")
        fields[match[1]] = match[2]
    return ParsedLine(words[0], fields, text if colon else None, reply_id)


def parse_json(line: str) -> ParsedLine:
    """The record in a JSON line, in the form of `parse`. Raises `Malformed`."""
    try:
        found = json.loads(line)
        word, fields, text, reply_id = found.pop("ev"), {}, None, found.pop("re", None)
    except (ValueError, AttributeError, KeyError):
        raise Malformed("not an object with 'ev'") from None
    cls = declared_as(word, reply=reply_id is not None)
    for key, value in found.items():
        if key == "text":
            text = value
        else:
            fields[key] = _plain(cls, key, value)
    return ParsedLine(word, fields, text, reply_id)


def _plain(cls: type[Message] | None, key: str, value: Any) -> str:
    known = next((f for f in cls.word.fields if f.key == key), None) if cls else None
    if known:
        return known.kind.write(value)
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def decode(record: ParsedLine) -> Event | Row | None:
    """The message in a record; None for an unknown word.

    Unknown fields are ignored. Raises `Malformed` if a known field cannot be read or a required
    field is missing.
    """
    cls = declared_as(record.word, reply=record.id is not None)
    if cls is None:
        return None
    values: dict[str, Any] = {}
    for declared in cls.word.fields:
        if declared.kind is TEXT:
            values[declared.attr] = record.text
        elif declared.key in record.fields:
            values[declared.attr] = declared.kind.read(record.fields[declared.key])
        elif declared.optional:
            values[declared.attr] = None
        else:
            raise Malformed(f"{record.word} without {declared.key}=", declared.key)
    return cls(**values)


def declared_as(word: str, *, reply: bool) -> type[Event] | type[Row] | None:
    """The class of a word. In a reply it is a row if there is one, otherwise an event."""
    if reply:
        return ROWS.get(word) or EVENTS.get(word)
    return EVENTS.get(word) or ROWS.get(word)


Writer = Callable[..., str]
"""Writes messages of one class as lines: `writer(message, place, at, text)`.

`place` is ` on=... seq=...` of an event, `at` is ` at=...`; both may be empty. `text` is the
sentence to add if the message has no text.
"""


def _writer(word: Word, fields: Iterable[Field]) -> Writer:
    """Compiles a writer, because it runs for every event. A loop over the fields takes twice as
    long.
    """
    known: dict[str, Any] = {"one_line": _one_line}
    source: list[str] = []
    given, text = f"{word.word}{{place}}", ""
    lines = ['    line = f"', '    line += f"']
    for each in fields:
        if each.kind is TEXT:
            text = f"    text = message.{each.attr} or text"
            continue
        known[f"write_{each.attr}"] = each.kind.write
        value = "value" if each.optional else f"message.{each.attr}"
        shown = value if each.kind.write is str else f"write_{each.attr}({value})"
        field = f" {each.key}={{{shown}}}"
        if not each.optional:
            given += field
            continue
        if given:
            source.append(f'{lines[bool(source)]}{given}"')
        source += [
            f"    value = message.{each.attr}",
            f'    if value is not None: line += f"{field}"',
        ]
        given = ""
    if given:
        source.append(f'{lines[bool(source)]}{given}"')
    exec(
        "\n".join(
            [
                'def written(message, place="", at="", text=""):',
                *source,
                text or "    pass",
                '    return f"{line}{at} :{one_line(text)}" if text else line + at',
            ]
        ),
        known,
    )
    written: Writer = known["written"]
    return written


@cache
def writer(cls: type[Message]) -> Writer:
    """The writer of all fields."""
    return _writer(cls.word, cls.word.fields)


@cache
def writer_without(hidden: tuple[str, ...], cls: type[Message]) -> Writer:
    """The writer of all fields but those that `schema.hidden` returns."""
    return _writer(cls.word, [each for each in cls.word.fields if each.attr not in hidden])


@cache
def writer_as_of(edition: int, cls: type[Message]) -> Writer:
    """The writer of the fields of an earlier edition of the protocol."""
    return _writer(cls.word, fields_as_of(edition, cls.word))


def write(
    message: Message, *, on: str = "", seq: int = 0, re_: str = "", text: str = "", at: str = ""
) -> str:
    """The message as a line. `text` is the sentence to add if the message has no text field."""
    place = f" on={on} seq={seq}" if on else ""
    line = writer(type(message))(message, place, f" at={at}" if at else "", text)
    return f"@{re_} {line}" if re_ else line


def write_json(
    message: Message, *, on: str = "", seq: int = 0, re_: str = "", text: str = "", at: str = ""
) -> str:
    """The message as one JSON object, with the types of the schema."""
    found: dict[str, Any] = {"ev": type(message).word.word}
    if re_:
        found["re"] = re_
    if on:
        found |= {"on": on, "seq": seq}
    for declared in type(message).word.fields:
        value = getattr(message, declared.attr)
        if value is not None and declared.kind is not TEXT:
            found[declared.key] = value
    if at:
        found["at"] = at
    own = type(message).word.text
    text = (getattr(message, own.attr) if own else None) or text
    if text:
        found["text"] = _one_line(text)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _one_line(text: str) -> str:
    """A text of several lines as one: a record must be one line."""
    return text.replace("\n", "  ") if "\n" in text else text


# -------------------------------------------------------------------------- client lines


class ParsedCommand(Value):
    """The parts of a client line: its id (or None), its verb in lower case, the rest."""

    id: str | None
    verb: str
    rest: str


def id_of(line: str) -> str | None:
    """The id at the beginning of a client line, even if the rest is malformed."""
    line = line.lstrip(" ")
    found = _ID.fullmatch(line.partition(" ")[0].removeprefix("@")) if line[:1] == "@" else None
    return found[0] if found else None


def split_command(line: str) -> ParsedCommand:
    """The id, verb and rest of a client line. Raises `Malformed`."""
    reply_id = None
    verb, _, rest = line.lstrip(" ").partition(" ")
    if verb[:1] == "@":
        reply_id = verb[1:]
        if not _ID.fullmatch(reply_id):
            raise Malformed("an id has at most 32 letters, digits, '-', '_' or '.'")
        verb, _, rest = rest.lstrip(" ").partition(" ")
    if not _VERB.fullmatch(verb):
        raise Malformed("a line is a verb and its arguments")
    return ParsedCommand(reply_id, verb.lower(), rest)


def take_once(rest: str) -> tuple[str, str]:
    """A program's arguments without `once=`, and its key; the key is empty if there is none.

    Raises `Malformed` for an invalid key.
    """
    head, colon, text = f" {rest}".partition(" :")
    words, key = [], ""
    for each in head.split(" "):
        if each[:5].lower() == "once=":
            key = each[5:]
            if not _KEY.fullmatch(key):
                raise Malformed("once takes 1 to 64 letters, digits, '-', '_' or '.'", "once")
        else:
            words.append(each)
    return " ".join(words)[1:] + (colon + text if words[1:] else (colon + text)[1:]), key


def with_once(line: str, key: str) -> str:
    """A client line with `once=` and a key added before its text."""
    head, colon, text = line.partition(" :")
    return f"{head} once={key}{colon}{text}"


def read_command(cls: type[Command], rest: str) -> Command:
    """The command with a program's arguments. Raises `Malformed` with the name of a wrong argument.

    Each argument may be written `name=value`. Arguments that need no name are also read by
    position, in the order of declaration. The text follows the first ` :`.
    """
    head, colon, text = f" {rest}".partition(" :")
    found = _Arguments(cls)
    for each in head.split(" "):
        if not each:
            continue
        option = _OPTION.fullmatch(each) if "=" in each else None
        if option and found.read_named(option[1].lower(), option[2]):
            continue
        if option and not found.expects(BASE64) and not cls.lenient:
            key = option[1].lower()
            raise Malformed(f"{cls.word.word} takes no {key}=", key)
        if not (option and cls.lenient) and not found.read_positional(each) and not cls.lenient:
            raise found.too_many(each)
    if colon and cls.word.text is None and not cls.lenient:
        raise Malformed(f"{cls.word.word} takes no text", "text")
    return found.command(text)


def read_typed(cls: type[Command], rest: str) -> Command:
    """The command with a person's arguments. Raises `Malformed` with the name of a wrong argument.

    The syntax is that of `read_command`, but a text needs no colon: it is the rest after all other
    arguments. Options of a game may be given without a name, as in `exchange=off`.
    """
    found = _Arguments(cls)
    text, options = cls.word.text, found.options
    more = options is not None or any(f.named and f.key != "table" for f in cls.word.fields)
    while rest:
        if text is not None and more and rest.startswith(":"):
            rest = rest[1:]
            break
        head, _, tail = rest.partition(" ")
        if text is not None and not head and not (found.waiting or more):
            break
        option = _OPTION.fullmatch(head)
        if option and found.lacks(option[1].lower()):
            found.read_named(option[1].lower(), option[2])
        elif option and options is not None:
            found.add_option(option[1].lower(), option[2])
        elif head and not found.read_positional(head):
            if text is None:
                raise found.too_many(head)
            break
        rest = tail
    found.leave_out_first(cls.alone)
    return found.command(rest if text is not None else "")


_Taken = tuple[Field | None, tuple[Field, ...], Mapping[str, Field], tuple[Field, ...]]
"""The arguments of a command: the game's options, those by position, those by name, those that it
needs.
"""


class _Expected(dict[type[Command], _Taken]):
    """The arguments of each command, computed once."""

    def __missing__(self, cls: type[Command]) -> _Taken:
        fields = [f for f in cls.word.fields if f.kind is not TEXT]
        options = next((f for f in fields if f.kind is OPTIONS), None)
        positional = tuple(f for f in fields if not f.named and f.kind is not OPTIONS)
        named = {f.key: f for f in fields if f.kind is not WORDS}
        needed = tuple(f for f in cls.word.fields if not f.optional)
        self[cls] = options, positional, named, needed
        return self[cls]


_EXPECTED = _Expected()


class _Arguments:
    """The arguments read so far."""

    def __init__(self, cls: type[Command]) -> None:
        self._cls = cls
        self._values: dict[str, Any] = {}
        self.options, self._positional, self._named, self._needed = _EXPECTED[cls]
        self.waiting = list(self._positional)
        if self.options is not None:
            self._values[self.options.attr] = {}

    def read_named(self, key: str, value: str) -> bool:
        """Reads a named argument. False if there is no argument of that name."""
        declared = self._named.get(key)
        if declared is None:
            return False
        try:
            read = declared.kind.read(value)
        except Malformed as wrong:
            raise _named(declared, wrong) from None
        if declared.kind is OPTIONS:
            self._values[declared.attr] |= read
        else:
            self._values[declared.attr] = read
        if not declared.named:
            self.waiting = [f for f in self.waiting if f is not declared]
        return True

    def lacks(self, key: str) -> bool:
        """True if an argument is still missing or may be repeated."""
        declared = self._named.get(key)
        return declared is not None and (
            declared not in self._positional or declared in self.waiting
        )

    def add_option(self, key: str, value: str) -> None:
        """Reads a game option."""
        assert self.options is not None
        self._values[self.options.attr][key] = value

    def read_positional(self, word: str) -> bool:
        """Reads an argument by position. False if no more are expected."""
        for index, declared in enumerate(self.waiting):
            if declared.kind is WORDS:
                self._values[declared.attr] = (*self._values.get(declared.attr, ()), word)
                return True
            if declared.kind is STREAM and declared.optional and not _STREAM.fullmatch(word):
                continue  # an optional table may be skipped
            del self.waiting[: index + 1]
            try:
                self._values[declared.attr] = declared.kind.read(word)
            except Malformed as wrong:
                raise _named(declared, wrong) from None
            return True
        return False

    def leave_out_first(self, meaning: str) -> None:
        """Uses `meaning`, if not empty, for a missing first argument."""
        if meaning and self.waiting == [*self._positional]:
            self.read_positional(meaning)

    def expects(self, kind: Kind) -> bool:
        """True if the next argument by position has that kind."""
        return bool(self.waiting) and self.waiting[0].kind is kind

    def too_many(self, word: str) -> Malformed:
        """The error for a word beyond the last argument."""
        text = self._cls.word.text
        if text is not None:
            return Malformed(f"{text.key} goes behind ' :', at the end of the line", text.key)
        return Malformed(f"{word!r} is one word too many for {self._cls.word.word}")

    def command(self, text: str) -> Command:
        """The command with this text. Raises `Malformed` if an argument is missing."""
        word, values = self._cls.word, self._values
        if word.text is not None and text.strip():
            values[word.text.attr] = text.rstrip()
        for declared in self._needed:
            if declared.attr not in values:
                missing = usage_of(declared, typed=True)
                raise Malformed(f"{word.word} needs {missing}", declared.key)
        return self._cls(**values)


def write_command(command: Command) -> str:
    """The command as a program sends it: verb, arguments by position, named arguments, text."""
    parts, tail, gap = [command.word.word], "", False
    for declared in command.word.fields:
        value = getattr(command, declared.attr)
        if value is None or (declared.kind is OPTIONS and not value):
            gap = gap or not declared.named
        elif declared.kind is TEXT:
            tail = f" :{_one_line(value)}"
        elif declared.kind is WORDS:
            parts += value
        else:
            written = declared.kind.write(value)
            # By position these words would be read as a named argument or as the text.
            by_name = declared.named or gap or "=" in written or written.startswith(":")
            by_name = by_name or declared.kind is OPTIONS
            parts.append(f"{declared.key}={written}" if by_name else written)
    return " ".join(parts) + tail


def _named(declared: Field, wrong: Malformed) -> Malformed:
    """The error with the name of its argument."""
    return Malformed(f"{declared.key}: {wrong}", declared.key)


def usage_of(declared: Field, *, typed: bool = False) -> str:
    """An argument in a usage line: `NAME`, `[table=tN]`, `[turn=N]`, `:TEXT`.

    `typed`: the form for people, with texts without a colon and tables without `table=`.
    """
    kind, key = declared.kind.name, declared.key
    value = "tN" if kind == "stream" else key.upper()
    if declared.named and kind in ("int", "ms"):
        value = "N"
    shown = f"{key}={value}" if declared.named else value
    if kind == "options":
        shown = "OPTION=VALUE..." if typed else f"{key}=OPTION:VALUE,..."
    elif kind == "words":
        shown = f"{value}..."
    elif kind == "text" and not typed:
        shown = f":{value}"
    elif key == "table" and declared.optional and not typed:
        shown = "table=tN"
    return f"[{shown}]" if declared.optional or kind == "options" else shown


def usage(cls: type[Command], *, typed: bool = False) -> str:
    """The usage line of a command: `move TOKEN [turn=N] [table=tN]`. `typed` as in `usage_of`.

    Named arguments come before the text.
    """
    fields = sorted(cls.word.fields, key=lambda field: field.kind is TEXT)
    if typed:  # a person is usually at one table only
        fields = [field for field in fields if not (field.named and field.key == "table")]
    shown = [usage_of(field, typed=typed) for field in fields]
    if typed and cls.alone:
        shown[0] = f"[{shown[0]}]"
    return " ".join([cls.word.word, *shown])


def lacking(cls: type[Command], wrong: Malformed) -> str:
    """The error text for a verb with missing arguments, with an example."""
    return f'{wrong}, for example "{typed_example(cls)}".'


def typed_example(cls: type[Command]) -> str:
    """The example of a command as people type it: without colons and event numbers."""
    return re.sub(r" \w+:[0-9].*", "", cls.example.replace(" :", " ", 1))


def bad_argument(wrong: Malformed, usage: str, example: str) -> Refused:
    """The refusal of a wrong argument, with the usage and an example of the command."""
    shown = f"   e.g. {example}" if example != usage else ""
    text = f"{wrong}. Usage: {usage}{shown}".replace("....", "...")
    return Refused("BAD_ARG", text, arg=wrong.field or None)
