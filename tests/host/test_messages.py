"""Servers of two versions understand each other while one is upgraded after the other.

`messages.txt` has each field of the messages between servers, and of the values in those messages.
This command adds the new fields:

    python -m tests.host.test_messages

No field is ever taken out or changed. A new field of an older message has a default, because an
older server does not send it.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import json

from twentytwo_server.host import cluster

KEPT = Path(__file__).with_name("messages.txt")


def _messages() -> Iterator[Any]:
    """The types of all messages: each module that reads one has its decoder."""
    for module in pkgutil.iter_modules(cluster.__path__):
        for value in vars(import_module(f"{cluster.__name__}.{module.name}")).values():
            if isinstance(value, json.Decoder):
                yield value.type


def found() -> list[str]:
    """A line for each field: the name, whether each message has it, and the type."""
    _, parts = json.schema_components(_messages())
    lines: list[str] = []
    for name, part in parts.items():
        for field, kind in part.get("properties", {"": part}).items():
            needed = "always" if field in part.get("required", ()) else "maybe"
            kind = {key: kind[key] for key in kind if key not in ("default", "description")}
            lines.append(f"{name}.{field} {needed} {json.encode(kind, order='sorted').decode()}")
    return sorted(lines)


def kept() -> list[str]:
    """The fields of the versions so far."""
    return KEPT.read_text(encoding="utf-8").splitlines()


def refused(new: list[str], old: list[str]) -> list[str]:
    """The new lines with a required field that an older server does not send."""
    names = {line.partition(".")[0] for line in old}
    return [line for line in new if line.split()[1] == "always" and line.partition(".")[0] in names]


def test_no_field_of_a_message_is_taken_out_or_changed() -> None:
    assert sorted({*kept()} - {*found()}) == []


def test_each_new_field_of_a_message_is_listed() -> None:
    assert sorted({*found()} - {*kept()}) == [], "python -m tests.host.test_messages"


def test_a_field_that_an_older_server_does_not_send_is_not_required() -> None:
    old = [line for line in kept() if not line.startswith("Ring.tables ")]
    assert old != kept()
    assert refused([line for line in kept() if line not in old], old) != []
    assert refused(["Ring.more maybe {}", "Another.one always {}"], kept()) == []


if __name__ == "__main__":
    old = kept() if KEPT.exists() else []
    new = [line for line in found() if line not in old]
    if wrong := refused(new, old):
        sys.exit("These need a default:\n" + "\n".join(wrong))
    KEPT.write_text("".join(f"{line}\n" for line in sorted(old + new)), encoding="utf-8")
