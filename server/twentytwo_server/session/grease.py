"""Grease: events, rows and fields without a meaning, which every client has to skip.

Clients that are still being written get them, so that later versions can add words of their own.
"""

from __future__ import annotations

from .streams import Form

NOISE = "XGNOISE xgn=%20,x :TURN turn=1 default=A legal=A"
NOISE_JSON = '{"ev":"XGNOISE","xgn":[" ","x"],"text":"TURN turn=1 default=A legal=A"}'
"""An unknown event, with what looks like a question in its text."""


class Grease:
    """What is mixed into the lines of one connection, in turn, the same on every connection."""

    __slots__ = ("_lines", "_replies")

    def __init__(self) -> None:
        self._lines = 0
        self._replies = 0

    def event(self, line: str, form: Form) -> list[str]:
        """The line of an event, an unknown event before every fifth."""
        mixed = self._with_field(line, form)
        if self._lines % 5:
            return [mixed]
        return [NOISE_JSON if form.json else NOISE, mixed]

    def reply(self, id: str, lines: list[str], form: Form) -> list[str]:
        """The lines of a reply, an unknown row in every second one."""
        self._replies += 1
        mixed = [self._with_field(line, form) for line in lines]
        if self._replies % 2:  # the answer to hello, the first that anybody sees, has no such row
            return mixed
        row = f'{{"ev":"XGROW","re":"{id}","xgn":1}}' if form.json else f"@{id} XGROW xgn=1"
        return [*mixed[:-1], row, mixed[-1]]

    def _with_field(self, line: str, form: Form) -> str:
        """The line; every third one has one more, unknown field."""
        self._lines += 1
        if self._lines % 3:
            return line
        if form.json:
            return line[:-1] + ',"xgfield":"a,b"}'
        head, colon, text = line.partition(" :")
        return f"{head} xgfield=a%2Cb{colon}{text}"
