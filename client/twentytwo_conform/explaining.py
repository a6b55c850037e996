"""Explains a failed check: the required condition, and the line that arrived instead."""

from __future__ import annotations

import ast
import linecache
import traceback
from functools import cache
from threading import Lock
from types import CodeType, FrameType

from .check import Wrong
from .connections import Closed, Record, Reply
from .pacing import Trace

LONGEST = 300
"""Maximum number of shown characters of a text."""


def wanted_and_came(error: BaseException, trace: Trace) -> tuple[str, str]:
    """The two contradicting lines: the requirement of the check, and the line that arrived."""
    if isinstance(error, Wrong):
        return short(error.wants), short(error.came)
    frame, line = _origin(error)
    source = _statement(frame.f_code, line)
    message, said = str(error), trace.came or "nothing"
    if isinstance(error, AssertionError):
        if not isinstance(source, ast.Assert):
            return short(message), short(said)
        told = [message or said, ", ".join(_values(source.test, frame))]
        return short(ast.unparse(source.test)), short(", where ".join(filter(None, told)))
    wants = ast.unparse(source).splitlines()[0] if source else "no error"
    if isinstance(error, TimeoutError):
        came = f"nothing more, after {said}"
    elif isinstance(error, Closed | OSError):
        came = f"the server hung up, after {said}"
    elif isinstance(error, KeyError):
        came = f"nothing called {error}, in {said}"
    else:
        came = f"{said} ({type(error).__name__}: {message})"
    return short(wants), short(came)


def _origin(error: BaseException) -> tuple[FrameType, int]:
    """The innermost frame inside a check through which the error passed; else the frame that raised
    it.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    inside = [frame for frame in frames if ".checks." in frame[0].f_globals["__name__"]]
    # An assertion with a message of its own is explained where it stands.
    own = isinstance(error, AssertionError) and str(error)
    return frames[-1] if own or not inside else inside[-1]


def _statement(code: CodeType, line: int) -> ast.stmt | None:
    """The innermost statement in a line of a file."""
    with _PARSING:
        tree = _parsed(code.co_filename)
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(found, key=lambda node: node.lineno, default=None)


_PARSING = Lock()
"""A lock: Python 3.11 can parse in only one thread at a time."""


@cache
def _parsed(file: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(file)))


def _values(test: ast.expr, frame: FrameType) -> list[str]:
    """The values of the local names in a condition, as far as a report can show them."""
    names = {node.id: None for node in ast.walk(test) if isinstance(node, ast.Name)}
    found = {name: frame.f_locals[name] for name in names if name in frame.f_locals}
    return [
        f"{name} is {_line(value)}"
        for name, value in found.items()
        if isinstance(value, str | int | float | list | tuple | set | dict | Record | Reply)
    ]


def _line(value: object) -> str:
    if isinstance(value, Reply):
        return value.final.line
    return value.line if isinstance(value, Record) else repr(value)


def short(text: str) -> str:
    """The text on one line of printable characters, shortened if necessary."""
    plain = (char if char.isprintable() else ascii(char)[1:-1] for char in text)
    line = " ".join("".join(plain).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 4] + " ..."


def let_go(error: BaseException) -> None:
    """Clears the frames of an error, so that the connections in them are closed."""
    traceback.clear_frames(error.__traceback__)
