"""The consequences of a command, for which the connection's next command waits (SPEC R6).

A table carries out an order later, where another is being stored; the store answers later; either
may lead to more. Each of these is a `Consequence` of the command during which it was begun, and of
no command where time, a bot or the operator has begun it. What a coroutine begins after a wait is
of the command that started the coroutine: Twisted keeps the context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context, ContextVar, Token
from typing import TypeVar, TypeVarTuple

from .facts import Fact
from .ports import Store

T = TypeVar("T")
Args = TypeVarTuple("Args")


class Consequences:
    """All that one command leads to: `over` is called once, when nothing of it is outstanding."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over = over
        self._outstanding = 0

    def begin(self) -> None:
        """Counts one more thing that is outstanding."""
        self._outstanding += 1

    def end(self) -> None:
        """Counts one less, and calls `over` after the last."""
        self._outstanding -= 1
        if not self._outstanding:
            over, self._over = self._over, _nothing
            over()


_of_command: ContextVar[Consequences | None] = ContextVar("of_command", default=None)


class Consequence:
    """Something that the current command leads to: outstanding from now until `end`.

    A `with` block carries it out, and ends it: what is begun there is of the same command. Without
    a command it counts for nothing, and what is begun there is of no command either.
    """

    __slots__ = ("_all", "_token")

    def __init__(self, all: Consequences | None = None) -> None:
        self._all = all or _of_command.get()
        self._token: Token[Consequences | None]
        if self._all is not None:
            self._all.begin()

    def end(self) -> None:
        """It is over, and what came of it is told. A second call does nothing."""
        all, self._all = self._all, None
        if all is not None:
            all.end()

    def end_with(self, result: T) -> T:
        """The same as a callback of a Deferred, whose result or failure is handed on."""
        self.end()
        return result

    def __enter__(self) -> None:
        self._token = _of_command.set(self._all)

    def __exit__(self, *_: object) -> None:
        _of_command.reset(self._token)
        self.end()


def keep_then(
    store: Store,
    facts: Sequence[Fact],
    done: Callable[[], None],
    call: Callable[[Callable[[], None]], None] = lambda kept: kept(),
) -> None:
    """`Store.keep`; what `done` does, once they are stored, is a consequence of the command.

    `call` decides when `done` runs after the commit; by default at once.
    """
    storing = Consequence()

    def kept() -> None:
        with storing:
            done()

    try:
        store.keep(facts, lambda: call(kept))
    except Exception:
        storing.end()
        raise


def of_no_command(call: Callable[[*Args], T], *args: *Args) -> T:
    """Calls it with these arguments; no command waits for what it begins."""
    return Context().run(call, *args)


def _nothing() -> None:
    """Does nothing: the command has been over before."""
