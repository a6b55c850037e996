"""A game as an asciicast (version 2): the output of `twentytwo replay`, at reading speed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

SHORTEST, LONGEST = 0.9, 6.0
"""The minimum and maximum time of a step, in seconds."""
TERMINAL_ROWS = 24
"""The rows of the terminal."""
LETTERS_A_SECOND = 28
"""The reading speed, in characters a second."""


def cast(steps: Iterable[Sequence[str]], columns: int) -> Iterator[str]:
    """The lines of the file: the header, then each step with its time in seconds."""
    head = {"version": 2, "width": columns, "height": TERMINAL_ROWS}
    yield json.dumps({**head, "env": {"TERM": "xterm-256color"}})
    at = 0.5
    for step in steps:
        text = "".join(f"{line}\n" for line in step).replace("\n", "\r\n")
        if text:
            yield json.dumps([round(at, 3), "o", text])
            at += min(LONGEST, max(SHORTEST, len(text) / LETTERS_A_SECOND))
    # The last step stays visible for a moment.
    yield json.dumps([round(at + 2, 3), "o", ""])
