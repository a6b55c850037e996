"""The errors that the SDK raises, beside `OSError` where no connection can be made."""

from __future__ import annotations

from twentytwo_protocol.schema import ErrorClass
from twentytwo_protocol.words.replies import Err


class Refused(Exception):
    """The server refused a command, and nothing has changed.

    `code` is the protocol's, and its meaning never changes. `kind` is the class of the code, which
    says what to do (None if this version does not know the class). `fields` are the other fields of
    the refusal by name: `arg`, `reason`, `wait` (milliseconds)... `text` is for people.
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
    """The connection was lost before the reply: the command may have been carried out, or not.

    Queries and moves never raise it: they are sent again. `line` is the command.
    """

    def __init__(self, line: str) -> None:
        super().__init__(f"the connection was lost before the answer to {line!r}")
        self.line = line


class Dismissed(Exception):
    """The conversation is over, and there is no coming back; the text says why.

    `code` is that of the server's BYE (`KICKED`, `REPLACED`...), or empty if it sent none.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
