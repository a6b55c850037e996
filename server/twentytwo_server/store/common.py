"""What all stores compute alike: numbers in names, names without case, the chain of promises."""

from __future__ import annotations

from hashlib import sha256

from ..facts import Promise, Rated

INBOX = 200
"""Lines of an inbox that are kept, the last ones."""

AFTER_BACKUP = 1_000_000
"""How far the numbers of tables, games and promises jump where a backup is opened: further than
what was given out after it was made."""


def number_in(name: str) -> int:
    """The number at the end of a table's or a game's name: 7 of `t7`; 0 where there is none."""
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits) if digits else 0


def folded(name: str) -> str:
    """A name without regard to case."""
    return name.lower()


def is_guest(name: str) -> bool:
    """Whether that is the name of a guest, and not of an account."""
    return name.startswith("~")


def unversioned(name: str) -> str:
    """Whose ratings these are, without regard to case: `bot:hard` of `bot:hard/3`."""
    return folded(name.partition("/")[0])


def chained(before: str, promise: Promise) -> str:
    """The chain after a promise, in hex; `before` is the chain up to there, at first empty."""
    return sha256(f"{before}|{promise.game}|{promise.digest}".encode()).hexdigest()


def score(rated: Rated) -> float:
    """By what the rated are ranked: the mean less three times the spread."""
    return rated.mu - 3 * rated.sigma


def in_order(promise: Promise, last: int) -> Promise:
    """The promise, if it is the next after `last`. Raises `ValueError`."""
    if promise.no <= last:
        raise ValueError(f"promise {promise.no} comes after promise {last}")
    return promise
