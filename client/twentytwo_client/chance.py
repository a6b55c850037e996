"""The client's only randomness, from the operating system: words for shuffles and for tables."""

from __future__ import annotations

import secrets

FRUIT = ("apple", "cherry", "fig", "grape", "kiwi", "lemon", "mango", "olive", "peach", "plum")
ANIMALS = ("bear", "crane", "deer", "fox", "hare", "heron", "mole", "otter", "owl", "seal")


def table_word() -> str:
    """A word for a private table that can be said on the telephone: `kiwi-fox`, with a number."""
    fruit, animal = secrets.choice(FRUIT), secrets.choice(ANIMALS)
    return f"{fruit}-{animal}-{secrets.randbelow(90) + 10}"


def new_word() -> str:
    """A word of 128 random bits for the shuffles."""
    return secrets.token_hex(16)
