"""Reads commands that are written as JSON objects, which `caps=json` turns on.

    {"verb":"move","re":"7","token":"Q+Q","turn":9}

is `@7 move Q+Q turn=9`: the keys are the arguments of the verb by their names, the values have
their types. `re` is the id, as it is in the reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .framing import clean
from .schema import OPTIONS, STR, TEXT, WORDS, Command, Field, Malformed
from .value import Value
from .wire import id_of, split_command

__all__ = ["CommandObject", "id_of_object", "is_object", "read_object", "split_object"]

_KEY = re.compile("[a-z][a-z0-9_]{0,31}")
_LARGEST = 10**18


class CommandObject(Value):
    """The parts of a command object: its id (or None), its verb, its arguments by key."""

    id: str | None
    verb: str
    arguments: Mapping[str, Any]


def is_object(line: str) -> bool:
    """True if the line looks like a command object."""
    return line.lstrip(" ").startswith("{")


def id_of_object(line: str) -> str | None:
    """The id of a command object; None if it is unreadable. Other errors are ignored."""
    try:
        found = _loaded(line).get("re")
        return id_of(f"@{found}") if isinstance(found, str) and " " not in found else None
    except Malformed:
        return None


def split_object(line: str) -> CommandObject:
    """The id, verb and arguments of a command object. Raises `Malformed`."""
    found = _loaded(line)
    verb = found.pop("verb", None)
    if not isinstance(verb, str) or split_command(verb).rest:
        raise Malformed("a command needs 'verb', one word")
    reply_id = id_of_object(line)
    if reply_id is None and "re" in found:
        raise Malformed("'re' has at most 32 letters, digits, '-', '_' or '.'")
    found.pop("re", None)
    return CommandObject(reply_id, split_command(verb).verb, found)


def read_object(cls: type[Command], arguments: Mapping[str, Any]) -> Command:
    """The command with these arguments. Raises `Malformed` with the name of a wrong argument."""
    word = cls.word
    fields = {field.key: field for field in word.fields}
    if word.text is not None:
        fields["text"] = word.text
    values: dict[str, Any] = {}
    for key, value in arguments.items():
        declared = fields.get(key)
        if declared is not None:
            values[declared.attr] = _value(declared, value)
        elif not cls.lenient:
            raise Malformed(f"{word.word} has no such argument", key if _KEY.fullmatch(key) else "")
    for declared in word.fields:
        if values.get(declared.attr) is None:
            if not declared.optional and declared.kind is not OPTIONS:
                raise Malformed(f"{word.word} needs {declared.key!r}", declared.key)
            values[declared.attr] = _ABSENT.get(declared.kind.name)
    return cls(**values)


_ABSENT: Mapping[str, object] = {WORDS.name: (), OPTIONS.name: {}}
"""The values of missing arguments, where that is not None."""


def _loaded(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Malformed("the line is not a JSON object")
    return found


def _value(declared: Field, value: object) -> Any:
    """The value of an argument. Raises `Malformed`."""
    try:
        if declared.kind is TEXT:
            return _string(value).rstrip() or None
        if declared.kind is STR:
            return _string(value)
        return _read(declared.kind.schema, value)
    except Malformed as wrong:
        raise Malformed(f"{declared.key}: {wrong}", declared.key) from None


def _read(schema: Mapping[str, Any], value: object) -> object:
    """A value, checked against the schema of its kind."""
    match schema["type"], value:
        case "string", str():
            return _word(value)
        case "integer", int() if not isinstance(value, bool) and abs(value) < _LARGEST:
            return value
        case "boolean", bool():
            return value
        case "array", list():
            return tuple(_item(schema["items"], each) for each in value)
        case "object", dict() if all(map(_KEY.fullmatch, value)):
            return {key: str(_item(_OPTION, each)) for key, each in value.items()}
    raise Malformed(f"{json.dumps(value)} is no {schema['type']}")


def _item(schema: Mapping[str, Any], value: object) -> object:
    if schema is _OPTION:
        schema = {"type": "integer" if isinstance(value, int) else "string"}
    found = _read(schema, value)
    if isinstance(found, str) and "," in found:
        raise Malformed(f"{found!r} is more than one")
    return found


_OPTION: Mapping[str, Any] = {"type": ["string", "integer"]}
"""The schema of the value of a game option."""


def _word(value: object) -> str:
    found = _string(value)
    if not found or " " in found:
        raise Malformed(f"{found!r} is not a word")
    return found


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise Malformed(f"{json.dumps(value)} is no string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Malformed("half a character") from None
    return clean(value)  # a JSON escape may stand for a control character
