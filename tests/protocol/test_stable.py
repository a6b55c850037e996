"""cardline/1 is stable: what version 1 once had it has for ever.

`stable-1.txt` lists the words, fields, arguments and codes. What is new is added to it by

    python -m tests.protocol.test_stable

and nothing is ever taken from it: what could break a client needs another version.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.conformance.quoting import quotes
from tests.protocol.values import VOCABULARY
from twentytwo_protocol.schema import (
    BYES,
    CAPABILITIES,
    CODES,
    COMMANDS,
    EVENTS,
    NOTES,
    REASONS,
    ROWS,
    WARNS,
    Message,
    Others,
)

KEPT = Path(__file__).with_name("stable-1.txt")


def _fields(sort: str, cls: type[Message]) -> Iterator[str]:
    yield f"{sort} {cls.word.word}"
    for field in cls.word.fields:
        who = (
            "" if field.owner is None else "others" if isinstance(field.owner, Others) else "owner"
        )
        there = "optional" if field.optional else "always"
        yield f"{sort} {cls.word.word} {field.key} {field.kind.name} {there} {who}".rstrip()


def promised() -> list[str]:
    """What version 1 has today, a line for each thing that a client may rely on."""
    assert VOCABULARY
    found: list[str] = []
    for sort, words in (("event", EVENTS), ("row", ROWS), ("command", COMMANDS)):
        for cls in words.values():
            if cls.__module__.startswith("twentytwo_protocol."):  # other tests declare words
                found += _fields(sort, cls)
    found += [f"code {code.name} {code.kind.name.lower()}" for code in CODES.values()]
    for sort, names in (("bye", BYES), ("warn", WARNS), ("note", NOTES), ("reason", REASONS)):
        found += [f"{sort} {name}" for name in names]
    return sorted({*found, *(f"capability {name}" for name in CAPABILITIES)})


def kept() -> list[str]:
    """What was promised before."""
    return KEPT.read_text(encoding="utf-8").splitlines()


@quotes("nothing on this page or in the reference is taken away, renamed or given another", "W4")
def test_what_was_promised_is_still_there() -> None:
    assert sorted(set(kept()) - set(promised())) == []


def test_what_is_new_is_promised_too() -> None:
    new = {line for line in promised() if not line.startswith("reason ")} - set(kept())
    assert sorted(new) == [], "python -m tests.protocol.test_stable"


def test_a_field_that_went_would_be_noticed() -> None:
    assert "event TURN default token optional owner" in kept()
    assert "command move turn int optional" in kept()
    assert "code STALE_TURN turn" in kept()


if __name__ == "__main__":
    before = kept() if KEPT.exists() else []
    KEPT.write_text("\n".join(sorted({*before, *promised()})) + "\n", encoding="utf-8")
