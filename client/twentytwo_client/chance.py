"""Where the client takes chance from: the operating system, and only for its words."""

from __future__ import annotations

import secrets


def new_word() -> str:
    """A word of 128 random bits for the shuffles."""
    return secrets.token_hex(16)
