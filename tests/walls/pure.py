"""What a pure module may use: everything else could reach a file, a clock, chance or a screen.

Which packages are pure stands in one place, the contract `pure` of import-linter in
pyproject.toml. That contract forbids some modules, however far away they are imported; this names
the few that are allowed, and the built-in names that are not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

ALLOWED = frozenset(
    (
        *(
            "__future__",
            "abc",
            "collections",
            "collections.abc",
            "contextlib",
            "copy",
            "dataclasses",
        ),
        *("enum", "functools", "inspect", "itertools", "operator", "types", "typing"),
        *("bisect", "heapq", "math", "statistics"),
        *("msgspec", "msgspec.json", "msgspec.structs"),
        *("base64", "datetime", "difflib", "hashlib", "hmac", "json", "re", "string", "textwrap"),
        *("binascii", "bz2", "zlib"),
        *("ipaddress", "unicodedata"),
    )
)
"""Modules of others that only compute."""

REFUSED = frozenset(
    (
        *("open", "print", "input", "breakpoint"),
        *("eval", "exec", "compile", "__import__", "__builtins__", "globals"),
    )
)
"""Built-in names that do input or output, or get at what is not imported."""

CLOCKS = frozenset({"now", "utcnow", "today"})
"""Methods of `datetime` and `date` that read the clock."""

EXCEPTIONS = {
    # Prints the specification and its machine-readable forms: a program, never imported.
    "twentytwo_protocol.__main__": {"pathlib", "print"},
    # Makes the function that writes each word, from its declaration.
    "twentytwo_protocol.wire": {"exec"},
    # Games of other distributions enter themselves.
    "twentytwo_server.games.registry": {"importlib.metadata"},
    # Names in the log whom it turns away.
    "twentytwo_server.limits.addresses": {"logging"},
    # Packs, and unpacks, nothing but entries of its own that never leave the process.
    "twentytwo_server.session.streams": {"pickle"},
}
"""What single modules may use all the same, and why."""


def used(module: ast.Module) -> Iterator[tuple[str, int]]:
    """What a module uses that a pure one may not, and in which line."""
    for node in ast.walk(module):
        match node:
            case ast.Import(names=names):
                imported = [each.name for each in names]
            case ast.ImportFrom(module=str(name), level=0):
                imported = [name]
            case ast.Name(id=name, ctx=ast.Load()) if name in REFUSED:
                yield name, node.lineno
                continue
            case ast.Attribute(value=owner, attr=name) if name in CLOCKS and _is_datetime(owner):
                yield f"datetime.{name}", node.lineno
                continue
            case _:
                continue
        for name in imported:
            if name not in ALLOWED and not name.startswith("twentytwo_"):
                yield name, node.lineno


def _is_datetime(node: ast.expr) -> bool:
    """Whether this is `datetime`, `date` or `datetime.datetime`."""
    return (isinstance(node, ast.Name) and node.id in ("datetime", "date", "dt")) or (
        isinstance(node, ast.Attribute) and node.attr in ("datetime", "date")
    )
