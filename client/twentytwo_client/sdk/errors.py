"""The errors of the SDK, besides `OSError` for a connection that cannot be made."""

from __future__ import annotations

from twentytwo_protocol.schema import ErrorClass
from twentytwo_protocol.words.replies import Err

__all__ = ["Dismissed", "NoAnswer", "Refused"]


class Refused(Exception):
    """The server refused a command, which has changed nothing.

    `code` is the error code of the protocol, whose meaning never changes. `kind` is the class of
    the code, which tells how to react; None for an unknown class. `fields` are the other fields of
    the ERR line by name: `arg`, `reason`, `wait` (milliseconds) and others. `text` is for people.
    """

    def __init__(self, err: Err) -> None:
        super().__init__(f"{err.code}: {err.text or ''}")
        self.code = err.code
        self.kind = next((kind for kind in ErrorClass if kind.word == err.class_), None)
        self.text = err.text or ""
        self.fields: dict[str, str | int | tuple[int, ...]] = {
            name.rstrip("_"): value
            for name in err.__struct_fields__
            if name not in ("code", "class_", "text") and (value := getattr(err, name)) is not None
        }


class NoAnswer(Exception):
    """The connection was lost before the reply. The command may have been executed.

    Queries and moves never raise it, because they are repeated. `line` is the command.
    """

    def __init__(self, line: str) -> None:
        super().__init__(f"the connection was lost before the answer to {line!r}")
        self.line = line


class Dismissed(Exception):
    """The session has ended for good. The message says why.

    `code` is the code of the server's BYE (`KICKED`, `REPLACED` and others), or empty if it sent
    none.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
