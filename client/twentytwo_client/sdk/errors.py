"""What can go wrong. What the network does wrong is an `OSError`, as everywhere in Python."""

from __future__ import annotations

from dataclasses import fields

from twentytwo_protocol.schema import CODES, ErrorClass
from twentytwo_protocol.words.replies import Err


class Refused(Exception):
    """The server did not carry out a command, and nothing has changed.

    `code` never changes its meaning; `kind` is its class, which says what to do about a code that
    is not known (None where this version knows neither); `fields` are the others of the answer, by
    name: `arg`, `reason`, `wait`...; `text` is for people.
    """

    def __init__(self, err: Err) -> None:
        super().__init__(f"{err.code}: {err.text or ''}")
        self.code = err.code
        self.kind: ErrorClass | None = CODES[err.code].kind if err.code in CODES else None
        self.text = err.text or ""
        self.fields: dict[str, str | int] = {
            field.name.rstrip("_"): value
            for field in fields(err)
            if field.name not in ("code", "text")
            and (value := getattr(err, field.name)) is not None
        }


class NoAnswer(Exception):
    """The connection was lost before the answer: whether the command was carried out is unknown.

    Only for what does something the second time, too. What only asks, and moves, are sent again.
    """

    def __init__(self, line: str) -> None:
        super().__init__(f"the connection was lost before the answer to {line!r}")
        self.line = line


class Dismissed(Exception):
    """The conversation is over, and the server does not want us back.

    `code` is that of its BYE (`KICKED`, `REPLACED`...), or empty where it had none to say.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
