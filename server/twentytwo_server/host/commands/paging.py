"""Long lists, a page at a time: `n=` rows at most after a cursor, `next=` where there is more.

What is listed is in an order that stays the same while pages are asked for, so that nothing that
stays there is left out or told twice, whatever comes and goes meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value

USUAL, MOST = 100, 500
"""How many rows a page has where nobody says how many, and at most."""
FURTHEST = 10**15
"""The largest number that a cursor may be."""

T = TypeVar("T")
K = TypeVar("K", int, str)


class Page(Value, Generic[T]):
    """Some of a list; `next` is where the rest begins, or None where this is its end."""

    items: Sequence[T]
    next: str | None = None

    def more(self, command: str) -> str:
        """The sentence that tells people how to go on, empty at the end of the list."""
        return f"{command} after={self.next} shows more." if self.next else ""


def length(n: int | None, usual: int = USUAL) -> int:
    """How many rows were asked for. Raises `Refused`."""
    wanted = usual if n is None else n
    if not 1 <= wanted <= MOST:
        raise Refused("BAD_ARG", f"n takes 1 to {MOST}.", arg="n")
    return wanted


def position(after: str | None) -> int | None:
    """A cursor that is a number, or a letter and a number as `t511`. Raises `Refused`."""
    if after is None:
        return None
    digits = after[1:] if after[:1].isalpha() else after
    if not (digits.isascii() and digits.isdigit() and int(digits[:20]) <= FURTHEST):
        raise no_cursor(after)
    return int(digits)


def no_cursor(after: str) -> Refused:
    """What is said of a cursor that never was a `next=` of this list."""
    return Refused("BAD_ARG", f"{after} is no next= of this list.", arg="after")


def page(
    items: Sequence[T], place: Callable[[T], K], n: int | None, after: K | None, mark: str = ""
) -> Page[T]:
    """The page after a place of items that stand in the order of their places.

    `mark` is a letter to write before a number. Raises `Refused` if `n` is not to be had.
    """
    most = length(n)
    rest = [item for item in items if after is None or place(item) > after]
    shown = rest[:most]
    return Page(shown, f"{mark}{place(shown[-1])}" if len(rest) > most else None)


def in_order(items: Sequence[T], n: int | None, after: str | None) -> Page[T]:
    """The page of a list that never changes: its cursor is how many came before."""
    numbered = list(enumerate(items, 1))
    found = page(numbered, lambda each: each[0], n, position(after))
    return Page([item for _, item in found.items], found.next)


def texts(*lines: Any) -> str | None:
    """The lines that are there, as the text of an OK."""
    return "\n".join(line for line in lines if line) or None
