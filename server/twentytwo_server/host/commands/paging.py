"""Paging of long lists: at most `n=` rows after a cursor, and `next=` if there are more.

The order of a list is stable, so that no remaining item is skipped or repeated while others come
and go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value

USUAL, MOST = 100, 500
"""The default and the maximum number of rows of a page."""
FURTHEST = 10**15
"""The largest number in a cursor."""

T = TypeVar("T")
K = TypeVar("K", int, str)


class Page(Value, Generic[T]):
    """A page of a list; `next` is the cursor of the next page, or None at the end."""

    items: Sequence[T]
    next: str | None = None

    def more(self, command: str) -> str:
        """The sentence with the command for the next page; empty at the end of the list."""
        return f"{command} after={self.next} shows more." if self.next else ""


def length(n: int | None, usual: int = USUAL) -> int:
    """The requested number of rows. Raises `Refused`."""
    wanted = usual if n is None else n
    if not 1 <= wanted <= MOST:
        raise Refused("BAD_ARG", f"n takes 1 to {MOST}.", arg="n")
    return wanted


def position(after: str | None) -> int | None:
    """The position in a cursor: a number, or a letter and a number (`t511`). Raises `Refused`."""
    if after is None:
        return None
    digits = after[1:] if after[:1].isalpha() else after
    if not (digits.isascii() and digits.isdigit() and int(digits[:20]) <= FURTHEST):
        raise no_cursor(after)
    return int(digits)


def no_cursor(after: str) -> Refused:
    """The refusal of a cursor that was never a `next=` of this list."""
    return Refused("BAD_ARG", f"{after} is no next= of this list.", arg="after")


def page(
    items: Sequence[T], key: Callable[[T], K], n: int | None, after: K | None, mark: str = ""
) -> Page[T]:
    """The page after a position, of items sorted by position.

    `mark` is a letter before the number in a cursor. Raises `Refused` for a bad `n`.
    """
    most = length(n)
    rest = [item for item in items if after is None or key(item) > after]
    shown = rest[:most]
    return Page(shown, f"{mark}{key(shown[-1])}" if len(rest) > most else None)


def in_order(items: Sequence[T], n: int | None, after: str | None) -> Page[T]:
    """A page of a list that never changes; its cursor is the number of rows before it."""
    numbered = list(enumerate(items, 1))
    found = page(numbered, lambda each: each[0], n, position(after))
    return Page([item for _, item in found.items], found.next)


def texts(*lines: Any) -> str | None:
    """The non-empty lines, as the text of an OK."""
    return "\n".join(line for line in lines if line) or None
