"""Computations shared by all stores: numbers in names, folded names, the promise chain."""

from __future__ import annotations

from hashlib import sha256

from ..facts import Promise, Rated

INBOX_LINES = 200
"""Number of lines kept in an inbox; older lines are deleted."""

AFTER_BACKUP = 1_000_000
"""Jump of the table, game and promise numbers when a backup is opened. The server may have used
numbers after it made the backup; the jump prevents using them twice.
"""


BLOCK = 100
"""Numbers of tables or games that a server reserves at once, if others share its store."""


def all_after(last: int) -> range:
    """The numbers of the only server of a store."""
    return range(last + 1, 2**62)


def number_in(name: str) -> int:
    """The number at the end of the name of a table or game: 7 for `t7`; 0 if there is none."""
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits) if digits else 0


def folded(name: str) -> str:
    """The name in lower case, for comparing names."""
    return name.lower()


def is_guest(name: str) -> bool:
    """True if the name belongs to a guest rather than an account."""
    return name.startswith("~")


def unversioned(name: str) -> str:
    """The folded name without a bot's version, the key of ratings: `bot:hard` for `bot:hard/3`."""
    return folded(name.partition("/")[0])


def chained(before: str, promise: Promise) -> str:
    """The hash chain of promises including this one, in hex; `before` is the chain so far, or
    empty.

    A later change or removal of a promise would change every later link.
    """
    return sha256(f"{before}|{promise.game}|{promise.digest}".encode()).hexdigest()


def score(rated: Rated) -> float:
    """The sort key of ranks: the mean minus three standard deviations."""
    return rated.mu - 3 * rated.sigma


def in_order(promise: Promise, last: int) -> Promise:
    """Returns the promise. Raises `ValueError` unless its number is above `last`."""
    if promise.no <= last:
        raise ValueError(f"promise {promise.no} comes after promise {last}")
    return promise
