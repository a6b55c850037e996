"""The client's only randomness: words for the shuffles, from the operating system."""

from __future__ import annotations

import secrets


def new_word() -> str:
    """A word of 128 random bits for the shuffles."""
    return secrets.token_hex(16)
