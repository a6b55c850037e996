"""Tab completion at a table, and of the client's own commands."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol import completion
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.words.cardplay import Turn

from ..core.streams import question
from ..display.typed_cards import deck
from .interpreting import LOCAL


def completions(text: str, table: TableModel | None) -> Iterator[tuple[str, str]]:
    """The completions of `text`: the end to replace, and its replacement."""
    start = text.lstrip()
    if start.startswith("/"):
        return ((start, f"/{name}") for name in LOCAL if f"/{name}".startswith(start))
    phase = table.phase if table is not None else ""
    return completion.completions(text, phase, _asked(table), deck(table))


def left_out(text: str, table: TableModel | None) -> int:
    """The number of legal moves that extend the text, beyond the completions."""
    return completion.left_out(text, _asked(table))


def _asked(table: TableModel | None) -> Turn | None:
    return question(table) if table is not None and table.phase == "playing" else None
