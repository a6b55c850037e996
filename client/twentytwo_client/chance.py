"""The client's random words and numbers, from the operating system."""

from __future__ import annotations

import secrets

FRUIT = ("apple", "cherry", "fig", "grape", "kiwi", "lemon", "mango", "olive", "peach", "plum")
ANIMALS = ("bear", "crane", "deer", "fox", "hare", "heron", "mole", "otter", "owl", "seal")


def table_word() -> str:
    """A word for a private table that is easy to say on the telephone: `kiwi-fox`, with a
    number.
    """
    fruit, animal = secrets.choice(FRUIT), secrets.choice(ANIMALS)
    return f"{fruit}-{animal}-{secrets.randbelow(90) + 10}"


def new_word() -> str:
    """A word of 128 random bits for a shuffle."""
    return secrets.token_hex(16)


def fraction() -> float:
    """A random number from 0 to 1."""
    return secrets.randbelow(1 << 16) / (1 << 16)
