"""Requests: the lines of a connection as parsed commands, with the IDs of their replies."""

from __future__ import annotations

from twentytwo_protocol import wire
from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw
from twentytwo_protocol.objects import id_of_object, is_object, split_object
from twentytwo_protocol.schema import Command, Malformed, Refused
from twentytwo_protocol.value import Value

from .reading import read_arguments, read_program, take_once


class Request(Value):
    """A parsed line: a `command`, or the `refusal` of an invalid line.

    `id` goes into the reply: the ID of the line, `*` for a program's line without ID, empty for
    people. `once` is the key that makes a program's command idempotent, or empty; `typed` is the
    line as a person typed it.
    """

    id: str
    command: Command | None = None
    refusal: Refused | None = None
    once: str = ""
    typed: str = ""


def begins_program(line: str) -> bool:
    """True if the first line of a connection comes from a program."""
    try:
        said = wire.split_command(line)
    except Malformed:
        return False
    return said.verb == "hello" and bool(said.rest.strip())


def program_request(line: str, *, json: bool) -> Request:
    """Parses a program's line as a request; with `json`, the line may be a JSON object."""
    if "{" in line and is_object(line):
        return _object_request(line, json)
    try:
        said = wire.split_command(line)
    except Malformed as wrong:
        return Request(wire.id_of(line) or "*", refusal=Refused("BAD_SYNTAX", f"{wrong}."))
    rest, once = said.rest, ""
    try:
        if "once=" in rest.lower():
            rest, once = take_once(rest)
        return Request(said.id or "*", read_program(said.verb, rest), once=once)
    except Refused as refused:
        return Request(said.id or "*", refusal=refused)


def _object_request(line: str, json: bool) -> Request:
    if not json:
        return Request("*", refusal=Refused("BAD_SYNTAX", "JSON objects need caps=json."))
    try:
        said = split_object(line)
    except Malformed as wrong:
        return Request(id_of_object(line) or "*", refusal=Refused("BAD_SYNTAX", f"{wrong}."))
    try:
        command, once = read_arguments(said.verb, said.arguments)
        return Request(said.id or "*", command, once=once)
    except Refused as refused:
        return Request(said.id or "*", refusal=refused)


def flawed(flaw: Flaw) -> Refused:
    """The refusal of an unreadable line."""
    if flaw is Flaw.TOO_LONG:
        return Refused(
            flaw.value,
            f"That line is too long: at most {MAX_CLIENT_LINE} bytes, with the line end.",
            max=MAX_CLIENT_LINE,
        )
    return Refused(flaw.value, "That line is not valid UTF-8.")
