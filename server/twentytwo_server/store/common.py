"""What all stores compute in the same way: numbers in names, folded names, the promise chain."""

from __future__ import annotations

from hashlib import sha256

from ..facts import Promise, Rated

INBOX = 200
"""How many lines of an inbox are kept, the latest ones."""

AFTER_BACKUP = 1_000_000
"""How far the numbers of tables, games and promises jump when a backup is opened, so that none is
given out again that was given out after the backup was made."""


def number_in(name: str) -> int:
    """The number at the end of a table's or a game's name: 7 of `t7`; 0 if there is none."""
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits) if digits else 0


def folded(name: str) -> str:
    """The name in lower case, by which names are compared."""
    return name.lower()


def is_guest(name: str) -> bool:
    """True if that is the name of a guest, and not of an account."""
    return name.startswith("~")


def unversioned(name: str) -> str:
    """The folded name without a bot's version, by which ratings are found: `bot:hard` of
    `bot:hard/3`.
    """
    return folded(name.partition("/")[0])


def chained(before: str, promise: Promise) -> str:
    """The hash chain of promises after this one, in hex; `before` is the chain so far, or empty.

    A promise that is changed or removed later would change every link after it.
    """
    return sha256(f"{before}|{promise.game}|{promise.digest}".encode()).hexdigest()


def score(rated: Rated) -> float:
    """What ranks are ordered by: the mean less three times the standard deviation."""
    return rated.mu - 3 * rated.sigma


def in_order(promise: Promise, last: int) -> Promise:
    """The promise itself. Raises `ValueError` unless its number is above `last`."""
    if promise.no <= last:
        raise ValueError(f"promise {promise.no} comes after promise {last}")
    return promise
