"""What a command was given: a game in a file, at standard input, or as a link; and by what name."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from twentytwo_protocol import record_link
from twentytwo_protocol.framing import unmarked


def text_of(file: Path) -> str:
    """The text of a record, from a file that has it or a link to it, or from a link itself.

    Raises `OSError`, `UnicodeDecodeError` or `BrokenLink`.
    """
    if str(file) == "-":
        text = sys.stdin.read()
    elif record_link.is_link(str(file)):
        text = str(file)
    else:
        text = file.read_text("utf-8")
    text = unmarked(text)
    return record_link.unpack(text) if record_link.is_link(text) else text


def called(file: Path) -> str:
    """How it is called in a sentence: a file by its name, a link by how it begins."""
    return f"{str(file)[:20]}..." if record_link.is_link(str(file)) else str(file)


def command() -> str:
    """The command as it was called: `twentytwo review`, or `twentytwo-server review`."""
    return click.get_current_context().command_path
