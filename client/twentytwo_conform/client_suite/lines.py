"""Lines from the server, which may be unusual on purpose, and the client's commands as they were
sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import field

from twentytwo_protocol import games, words
from twentytwo_protocol.schema import Malformed
from twentytwo_protocol.value import Value
from twentytwo_protocol.wire import declared_as, split_command

from ..check import Wrong

assert games and words, "importing them declares the words"

FieldValue = str | int | tuple[str, ...]
Fields = dict[str, FieldValue]


class ServerLine(Value):
    """A server line: the fields in their order. `re_` is the id of a reply."""

    word: str
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    text: str | None = None
    re_: str = ""

    @property
    def plain(self) -> str:
        """The line as `key=value`."""
        parts = [f"@{self.re_}"] if self.re_ else []
        parts += [self.word, *(f"{key}={_plain(value)}" for key, value in self.fields.items())]
        return " ".join(parts) + (f" :{self.text}" if self.text is not None else "")

    @property
    def json(self) -> str:
        """The line as a JSON object, with the types of the registry; unknown fields are strings."""
        found: dict[str, object] = {"ev": self.word}
        if self.re_:
            found["re"] = self.re_
        cls = declared_as(self.word, reply=bool(self.re_))
        kinds = {each.key: each.kind for each in cls.word.fields} if cls else {}
        for key, value in self.fields.items():
            kind = kinds.get(key)
            found[key] = kind.read(_plain(value)) if kind else value
        if isinstance(found.get("seq"), str):
            found["seq"] = int(str(found["seq"]))
        if self.text is not None:
            found["text"] = self.text
        return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _plain(value: FieldValue) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


class Command(Value):
    """A command of the client: verb, positional arguments, named arguments, text."""

    line: str
    verb: str
    id: str = "*"
    words: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    text: str = ""

    def wrong(self, wants: str, duty: str = "", lure: str = "") -> Wrong:
        """The error for a client that sent this command instead of the required one."""
        return Wrong(f"it sent {self.line!r}", wants, duty, lure)

    @classmethod
    def read(cls, line: str) -> Command:
        """Parses a line, plain or JSON. Raises `Malformed`."""
        if line.startswith("{"):
            return cls._read_json(line)
        found = split_command(line)
        head, _, text = f" {found.rest}".partition(" :")
        words: list[str] = []
        named: dict[str, str] = {}
        for word in head.split():
            key, equals, value = word.partition("=")
            if equals and key.isidentifier():
                named[key.lower()] = value
            else:
                words.append(word)
        return cls(line, found.verb, found.id or "*", tuple(words), named, text)

    @classmethod
    def _read_json(cls, line: str) -> Command:
        try:
            found = json.loads(line)
            verb, id = str(found.pop("verb")).lower(), str(found.pop("re", "*"))
        except (ValueError, AttributeError, KeyError):
            raise Malformed("not an object with a verb") from None
        named = {
            key: " ".join(map(str, value)) if isinstance(value, list) else str(value)
            for key, value in found.items()
        }
        return cls(line, verb, id, (), named, named.get("text", ""))
