"""How a check is declared: the sentence that it quotes, its cases, and what it takes.

    @quotes("A command without an id is answered with @*.", "R1")
    @cases("word", ["soup", "pie"])
    def a_command_without_an_id_is_answered_too(connect: Connect, word: str) -> None:
        client = connect()
        client.send(f"ping {word}")
        assert client.reply("*")["pong"] == word

A parameter that no case gives is a fixture (see `fixtures`). A check says what must be with
`assert`, or with `fail`; a case that does not suit the server is left out with `skip`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from twentytwo_protocol.value import Value

Check = Callable[..., None]
F = TypeVar("F", bound=Callable[..., Any])


class Quote(Value):
    """A sentence of SPEC.md that a check quotes, and the ids of its MUSTs."""

    sentence: str
    ids: tuple[str, ...]


class Wrong(AssertionError):
    """A disagreement: `came` is what the other side did, `wants` what it should have done.

    Of a client: `duty` is the id that it breaks, where the scenario is about several, and `lure` a
    part of the line that misled it.
    """

    def __init__(self, came: str, wants: str, duty: str = "", lure: str = "") -> None:
        super().__init__(f"expected {wants}, got {came}")
        self.came, self.wants, self.duty, self.lure = came, wants, duty, lure


class Skipped(Exception):
    """A check that does not suit this server; the message is why."""


def quotes(sentence: str, *ids: str) -> Callable[[F], F]:
    """Declares a check with the sentence of SPEC.md that it checks, and the ids of its MUSTs."""

    def declare(check: F) -> F:
        check.__dict__.setdefault("quoted", []).append(Quote(sentence, ids))
        return check

    return declare


def cases(
    names: str | Sequence[str], values: Iterable[object], ids: Iterable[str] | None = None
) -> Callable[[F], F]:
    """Runs a check once for each of these values of a parameter, or of several.

    `ids` are the names of the cases, where the values do not name themselves.
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
    """Declares that nothing else may go on at the server while the check runs."""
    check.__dict__["alone"] = True
    return check


def fixture(make: F) -> F:
    """Declares something that checks take by its name: what the function returns, or yields."""
    make.__dict__["fixture"] = True
    return make


def skip(why: str) -> NoReturn:
    """Leaves out the check: it does not suit this server."""
    raise Skipped(why)


def fail(why: str) -> NoReturn:
    """Fails the check."""
    raise AssertionError(why)


@contextmanager
def raises(*kinds: type[Exception]) -> Iterator[None]:
    """Fails the check unless one of these is raised inside."""
    try:
        yield
    except kinds:
        return
    fail(f"expected {' or '.join(kind.__name__ for kind in kinds)}")
