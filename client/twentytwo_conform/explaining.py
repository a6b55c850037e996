"""Why a check failed: what it wants, and what came instead."""

from __future__ import annotations

import ast
import linecache
import re
import traceback
from collections.abc import Mapping
from functools import cache
from threading import Lock
from types import CodeType, FrameType

from msgspec import Struct

from .connections import Closed
from .pacing import Trace

LONGEST = 300
"""Characters that are shown of anything."""

_HARMLESS = {
    *("number", "items", "get", "keys", "values", "index", "count", "split", "partition"),
    *("startswith", "endswith", "strip", "upper", "lower", "join", "decode", "on"),
    *("len", "set", "list", "sorted", "range", "int", "str", "any", "all", "max", "min", "next"),
}
"""What may be called once more to say what it gave: it asks the server nothing."""


_EXPECTED = re.compile("expected (.*), got (.*)", re.DOTALL)


def wanted_and_came(error: BaseException, trace: Trace) -> tuple[str, str]:
    """The two lines that disagree: what the check wants, and what came."""
    frame, line = _place(error)
    source = _statement(frame.f_code, line)
    message = str(error)
    said = trace.came or "nothing"
    if isinstance(error, AssertionError):
        found = _EXPECTED.fullmatch(message)
        if found:
            return short(found[1]), short(found[2])
        if not isinstance(source, ast.Assert):
            return short(message), short(said)
        came = message or said
        values = _values(source.test, frame)
        return short(ast.unparse(source.test)), short(f"{values}, {came}" if values else came)
    wants = ast.unparse(source).splitlines()[0] if source else "no error"
    if isinstance(error, TimeoutError):
        return short(wants), short(f"nothing more, after {said}")
    if isinstance(error, Closed | OSError):
        return short(wants), short(f"the server hung up, after {said}")
    if isinstance(error, KeyError):
        return short(wants), short(f"nothing called {error}, in {said}")
    return short(wants), short(f"{said} ({type(error).__name__}: {message})")


def _place(error: BaseException) -> tuple[FrameType, int]:
    """Where it was found out: the innermost place in a check, else where it was raised."""
    places = list(traceback.walk_tb(error.__traceback__))
    inside = [place for place in places if ".checks." in place[0].f_globals["__name__"]]
    ours = inside[-1] if inside else places[-1]
    last = places[-1]
    # An assertion with its own words is told where it stands.
    return last if isinstance(error, AssertionError) and str(error) else ours


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
"""Python 3.11 parses in one thread at a time."""


@cache
def _parsed(file: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(file)))


def _values(test: ast.expr, frame: FrameType) -> str:
    """What stood on the left of a comparison, where that can be said without asking again."""
    if not isinstance(test, ast.Compare):
        return ""
    names = {**frame.f_globals, **frame.f_locals}
    left = _value(test.left, names)
    right = _value(test.comparators[0], names)
    if left is None:
        return ""
    if isinstance(test.ops[0], ast.Eq) and right is not None:
        return _difference(left[0], right[0])
    return f"{ast.unparse(test.left)} is {left[0]!r}"


def _value(node: ast.expr, names: Mapping[str, object]) -> tuple[object] | None:
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            called = part.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name not in _HARMLESS:
                return None
        elif isinstance(part, ast.Await | ast.Yield | ast.NamedExpr):
            return None
    try:
        return (eval(compile(ast.Expression(node), "<check>", "eval"), dict(names)),)
    except Exception:
        return None


def _difference(left: object, right: object) -> str:
    """The first thing in which two values differ."""
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        for number, (one, other) in enumerate(zip(left, right, strict=False)):
            if one != other:
                return f"{one!r} in place of {other!r} as number {number + 1}"
        return f"{len(left)} of them in place of {len(right)}"
    if isinstance(left, Struct) and type(left) is type(right):
        for name in left.__struct_fields__:
            one, other = getattr(left, name), getattr(right, name)
            if one != other:
                return f"{name}: {_difference(one, other)}"
    if isinstance(left, dict) and isinstance(right, dict):
        for key in left | right:
            if left.get(key) != right.get(key):
                return f"{key}: {_difference(left.get(key), right.get(key))}"
    return f"{left!r} in place of {right!r}"


def short(text: str) -> str:
    """A text on one line, without what a terminal would obey, and not too long."""
    plain = (char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    line = " ".join("".join(plain).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 4] + " ..."


def let_go(error: BaseException) -> None:
    """Lets go of what an error has in its frames: connections are closed that way."""
    traceback.clear_frames(error.__traceback__)
