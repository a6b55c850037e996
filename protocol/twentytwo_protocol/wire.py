"""Writes messages as lines, and reads lines as messages.

A record is flat: a word, fields `key=value`, and perhaps a text behind ` :`. JSON is the same
record as one object, from the same declaration.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any

from .schema import (
    EVENTS,
    OPTIONS,
    ROWS,
    TEXT,
    WORDS,
    Command,
    Event,
    Field,
    Malformed,
    Message,
    Row,
    Word,
    fields_as_of,
)

_ID = re.compile(r"\*|[A-Za-z0-9._-]{1,32}")
_WORD = re.compile(r"[A-Z][A-Z0-9-]{0,31}")
_FIELD = re.compile(r"([a-z][a-z0-9_]{0,31})=([!-~\u00a0-\U0010ffff]*)")
_VERB = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,31}")
_OPTION = re.compile(r"([a-z][a-z0-9_]*)=(\S*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A server line taken apart: its word, its fields as written, its text, its reply id."""

    word: str
    fields: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    id: str | None = None

    @property
    def on(self) -> str:
        """The stream of an event; empty for what belongs to none."""
        return self.fields.get("on", "")

    @property
    def seq(self) -> int:
        """The event's number on its stream; 0 for what has none."""
        found = self.fields.get("seq", "")
        # isdigit() alone would let in "²", which int() refuses.
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
    """The record in a JSON line, in the same form as `parse` gives. Raises `Malformed`."""
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


def decode(record: ParsedLine, edition: int | None = None) -> Event | Row | None:
    """The message that a record is, or None where this version does not know the word.

    `edition` is that of the words in which it is written, if it is not this one. Unknown fields are
    ignored. Raises `Malformed` where a known field cannot be read or a required one is missing.
    """
    cls = declared_as(record.word, reply=record.id is not None)
    if cls is None:
        return None
    values: dict[str, Any] = {}
    for declared in cls.word.fields if edition is None else fields_as_of(edition, cls.word):
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
    """The class of a word: in a reply a row, if it is one, or else an event that still stands."""
    if reply:
        return ROWS.get(word) or EVENTS.get(word)
    return EVENTS.get(word) or ROWS.get(word)


Writer = tuple[tuple[tuple[str, Any, Any], ...], Any]
"""How a word is written: its fields, and where its text is."""


class _Writers(dict[type[Message], Writer]):
    """How each word is written, worked out once."""

    def __missing__(self, cls: type[Message]) -> Writer:
        self[cls] = _writer(cls.word.fields)
        return self[cls]


def _writer(fields: Iterable[Field]) -> Writer:
    fields = list(fields)
    found = [(f" {f.key}=", attrgetter(f.attr), f.kind.write) for f in fields if f.kind is not TEXT]
    text = next((attrgetter(field.attr) for field in fields if field.kind is TEXT), None)
    return tuple(found), text


_WRITERS = _Writers()


@cache
def _writer_as_of(edition: int, word: Word) -> Writer:
    return _writer(fields_as_of(edition, word))


def write(
    message: Message,
    *,
    on: str = "",
    seq: int = 0,
    re_: str = "",
    text: str = "",
    at: str = "",
    edition: int | None = None,
) -> str:
    """The message as a line. `text` is the prose to add where it has no text of its own.

    `edition` is that of the words in which it is written, if it is not this one.
    """
    cls = type(message)
    parts = [f"@{re_} {cls.word.word}" if re_ else cls.word.word]
    if on:
        parts.append(f" on={on} seq={seq}")
    writers, own = _WRITERS[cls] if edition is None else _writer_as_of(edition, cls.word)
    for head, value_of, written in writers:
        value = value_of(message)
        if value is not None:
            parts.append(head + written(value))
    if at:
        parts.append(f" at={at}")
    text = (own(message) if own else None) or text
    if text:
        parts.append(" :" + _one_line(text))
    return "".join(parts)


def write_json(
    message: Message, *, on: str = "", seq: int = 0, re_: str = "", text: str = "", at: str = ""
) -> str:
    """The message as one JSON object, with the types of the registry."""
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
    _, own = _WRITERS[type(message)]
    text = (own(message) if own else None) or text
    if text:
        found["text"] = _one_line(text)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _one_line(text: str) -> str:
    """A text of several lines, as people read it, in one: a record is never more than a line."""
    return text.replace("\n", "  ") if "\n" in text else text


# -------------------------------------------------------------------------- client lines


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A client line taken apart: its id (or None), its verb in lower case, the rest."""

    id: str | None
    verb: str
    rest: str


def id_of(line: str) -> str | None:
    """The id at the beginning of a client line, whatever follows it."""
    found = _ID.fullmatch(line.partition(" ")[0].removeprefix("@")) if line[:1] == "@" else None
    return found[0] if found else None


def split_command(line: str) -> ParsedCommand:
    """The id, verb and rest of a client line. Raises `Malformed`."""
    reply_id = None
    if line.startswith("@"):
        head, _, line = line.partition(" ")
        reply_id = head[1:]
        if not _ID.fullmatch(reply_id):
            raise Malformed("an id has at most 32 letters, digits, '-', '_' or '.'")
    line = line.lstrip(" ")
    match = _VERB.match(line)
    if match is None or (match.end() < len(line) and line[match.end()] != " "):
        raise Malformed("a line is a verb and its arguments")
    return ParsedCommand(reply_id, match[0].lower(), line[match.end() + 1 :])


def read_command(cls: type[Command], rest: str) -> Command:
    """The command that a verb's arguments make. Raises `Malformed` naming the argument.

    Positional arguments first, in the order declared; `name=value` anywhere; a text takes
    what remains, one space removed.
    """
    word = cls.word
    values: dict[str, Any] = {}
    extra: dict[str, str] = {}
    options = next((f for f in word.fields if f.kind is OPTIONS), None)
    named = {f.key: f for f in word.fields if f.named}
    waiting = [
        f for f in word.fields if not f.named and f.kind is not TEXT and f.kind is not OPTIONS
    ]
    text = word.text
    while rest:
        if text is not None and not waiting and not named and not options:
            break
        if text is not None and rest.startswith(":"):
            rest = rest[1:]
            break
        head, _, tail = rest.partition(" ")
        if not head:
            rest = tail
            continue
        option = _OPTION.fullmatch(head)
        if option and option[1].lower() in named:
            declared = named[option[1].lower()]
            values[declared.attr] = _read(declared, option[2])
        elif option and cls.lenient:
            pass
        elif option and options:
            extra[option[1].lower()] = option[2]
        elif waiting and waiting[0].kind is WORDS:
            values[waiting[0].attr] = (*values.get(waiting[0].attr, ()), head)
        elif (taken := _position(waiting, head)) is not None:
            declared = waiting[taken]
            del waiting[: taken + 1]
            values[declared.attr] = _read(declared, head)
        elif text is not None:
            break
        elif not cls.lenient:
            raise Malformed(f"{head!r} is one word too many for {word.word}", head)
        rest = tail
    if text is not None and rest.strip():
        values[text.attr] = rest.rstrip()
    if options is not None:
        values[options.attr] = extra
    for declared in word.fields:
        if declared.attr not in values:
            if not declared.optional:
                raise Malformed(f"{word.word} needs {usage_of(declared)}", declared.key)
            values[declared.attr] = () if declared.kind is WORDS else None
    return cls(**values)


def _position(waiting: list[Field], head: str) -> int | None:
    """Which of the waiting arguments the word can be: an optional one may be passed over."""
    for index, declared in enumerate(waiting):
        if declared.kind.name != "stream" or re.fullmatch(
            r"[tkr][0-9]{1,9}|me|lobby|tables|people", head
        ):
            return index
        if not declared.optional:
            return index
    return None


def _read(declared: Field, text: str) -> Any:
    try:
        return declared.kind.read(text)
    except Malformed as wrong:
        raise Malformed(f"{declared.key}: {wrong}", declared.key) from None


def usage_of(declared: Field) -> str:
    """How an argument is written in a usage line: `NAME`, `[tN]`, `[turn=N]`, `TEXT`."""
    shown = {
        "stream": "tN",
        "int": "N",
        "seat": "SEAT",
        "ms": "MS",
        "options": "OPTION=VALUE...",
        "words": f"{declared.key.upper()}...",
    }.get(declared.kind.name, declared.key.upper())
    if declared.named:
        value = "N" if declared.kind.name in ("int", "ms") else declared.key.upper()
        shown = f"{declared.key}={value}"
    return f"[{shown}]" if declared.optional or declared.kind is OPTIONS else shown


def usage(cls: type[Command]) -> str:
    """The usage line of a command, from its declaration: `move TOKEN [tN] [turn=N]`."""
    return " ".join([cls.word.word, *map(usage_of, cls.word.fields)])
