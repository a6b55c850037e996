"""Grease: meaningless events, rows and fields, which every client must skip; compare RFC 8701.

Clients in development get grease, so that later versions of the protocol can add words.
"""

from __future__ import annotations

from .streams import Form

NOISE = "XGNOISE xgn=%20,x :TURN turn=1 default=A legal=A"
NOISE_JSON = '{"ev":"XGNOISE","xgn":[" ","x"],"text":"TURN turn=1 default=A legal=A"}'
"""An unknown event with a text that looks like a question."""


class Grease:
    """Adds grease to the lines of a connection, at the same positions on every connection."""

    __slots__ = ("_lines", "_replies")

    def __init__(self) -> None:
        self._lines = 0
        self._replies = 0

    def event(self, line: str, form: Form) -> list[str]:
        """The line of an event, with an unknown event before every fifth."""
        mixed = self._with_field(line, form)
        if self._lines % 5:
            return [mixed]
        return [NOISE_JSON if form.json else NOISE, mixed]

    def reply(self, id: str, lines: list[str], form: Form) -> list[str]:
        """The lines of a reply, with an unknown row in every second reply."""
        self._replies += 1
        mixed = [self._with_field(line, form) for line in lines]
        if self._replies % 2:  # the answer to hello, the first reply of all, has no such row
            return mixed
        row = f'{{"ev":"XGROW","re":"{id}","xgn":1}}' if form.json else f"@{id} XGROW xgn=1"
        return [*mixed[:-1], row, mixed[-1]]

    def _with_field(self, line: str, form: Form) -> str:
        """The line, with an unknown field in every third."""
        self._lines += 1
        if self._lines % 3:
            return line
        if form.json:
            return line[:-1] + ',"xgfield":"a,b"}'
        head, colon, text = line.partition(" :")
        return f"{head} xgfield=a%2Cb{colon}{text}"
