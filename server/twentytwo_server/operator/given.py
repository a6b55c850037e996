"""Reads a command's argument: a game record in a file, from standard input, or as a link."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from twentytwo_protocol import event_link, record_link
from twentytwo_protocol.framing import unmarked
from twentytwo_protocol.record_link import BrokenLink


def text_of(file: Path) -> str:
    """The text of a record; the argument names a file with the record or a link to it, or is a
    link.

    Raises `OSError`, `UnicodeDecodeError` or `BrokenLink`.
    """
    if str(file) == "-":
        text = sys.stdin.read()
    elif record_link.is_link(str(file)) or event_link.is_link(str(file)):
        text = str(file)
    else:
        text = file.read_text("utf-8")
    text = unmarked(text)
    if event_link.is_link(text):
        raise BrokenLink(
            "this link is for browsers: it has the events of a game and not its moves; "
            "twentytwo replay shows it"
        )
    return record_link.unpack(text) if record_link.is_link(text) else text


def called(file: Path) -> str:
    """The argument as error messages show it: the name of a file, or the beginning of a link."""
    text = str(file)
    is_link = record_link.is_link(text) or event_link.is_link(text)
    return f"{text[:20]}..." if is_link else text


def command() -> str:
    """The command line's own name: `twentytwo review` or `twentytwo-server review`."""
    return click.get_current_context().command_path
