"""What a session sends, as lines."""

from __future__ import annotations


def in_lines(data: bytes) -> list[str]:
    """The lines in bytes that hold whole ones."""
    *lines, rest = data.decode().split("\r\n")
    assert not rest, "a line without an end"
    return lines
