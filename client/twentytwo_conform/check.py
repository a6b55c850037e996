"""Declares checks: the quoted sentence, the cases, and the fixtures.

    @quotes("A command without an id is answered with @*.", "R1")
    @cases("word", ["soup", "pie"])
    def a_command_without_an_id_is_answered_too(connect: Connect, word: str) -> None:
        client = connect()
        client.send(f"ping {word}")
        assert client.reply("*")["pong"] == word

A parameter that `cases` does not fill is a fixture (see `fixtures`). A check fails by `assert` or
`fail`. `skip` skips a case that cannot be checked on this server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from twentytwo_protocol.value import Value

Check = Callable[..., None]
F = TypeVar("F", bound=Callable[..., Any])


class Quote(Value):
    """A quoted sentence of SPEC.md, and the ids of its MUSTs."""

    sentence: str
    ids: tuple[str, ...]


class Wrong(AssertionError):
    """A mistake of the other side: `came` is its behaviour, `wants` the required behaviour.

    For a client, `duty` is the violated id if the scenario checks several, and `lure` the part of
    the line that misled the client.
    """

    def __init__(self, came: str, wants: str, duty: str = "", lure: str = "") -> None:
        super().__init__(f"expected {wants}, got {came}")
        self.came, self.wants, self.duty, self.lure = came, wants, duty, lure


class Skipped(Exception):
    """The check cannot be done on this server; the message is the reason."""


def quotes(sentence: str, *ids: str) -> Callable[[F], F]:
    """Declares a check with a sentence of SPEC.md and the ids of its MUSTs."""

    def declare(check: F) -> F:
        check.__dict__.setdefault("quoted", []).append(Quote(sentence, ids))
        return check

    return declare


def cases(
    names: str | Sequence[str], values: Iterable[object], ids: Iterable[str] | None = None
) -> Callable[[F], F]:
    """Runs a check once for each value of a parameter, or for each tuple of values of several.

    `ids` are the names of the cases; by default the values are the names.
    """
    parameters = (names,) if isinstance(names, str) else tuple(names)
    rows = [(value,) if isinstance(names, str) else value for value in values]
    labels = list(ids) if ids is not None else ["-".join(map(_label, _row(row))) for row in rows]
    found = [
        (label, dict(zip(parameters, _row(row), strict=True)))
        for label, row in zip(labels, rows, strict=True)
    ]

    def declare(check: F) -> F:
        check.__dict__.setdefault("cases", []).append(found)
        return check

    return declare


def _row(row: object) -> tuple[object, ...]:
    assert isinstance(row, tuple)
    return row


def _label(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex() or "nothing"
    return str(value) if value != "" else "nothing"


def alone(check: F) -> F:
    """Declares that no other check may run at the same time on the server."""
    check.__dict__["alone"] = True
    return check


def fixture(make: F) -> F:
    """Declares a fixture, which checks request by the name of a parameter: the result of the
    function, or the value that it yields.
    """
    make.__dict__["fixture"] = True
    return make


def skip(why: str) -> NoReturn:
    """Skips the check because it cannot be done on this server."""
    raise Skipped(why)


def fail(why: str) -> NoReturn:
    """Fails the check."""
    raise AssertionError(why)


@contextmanager
def raises(*kinds: type[Exception]) -> Iterator[None]:
    """Fails the check unless the block raises one of these exceptions."""
    try:
        yield
    except kinds:
        return
    fail(f"expected {' or '.join(kind.__name__ for kind in kinds)}")
