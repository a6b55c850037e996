"""The consequences of a command, for which the connection's next command waits (SPEC R6).

A table executes an order later if another order is being stored, and the store answers later; both
may lead to more work. Each piece is a `Consequence` of its command, or of no command if a timer, a
bot or the operator caused it. After a wait a coroutine still belongs to the command that started
it, because Twisted keeps the context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context, ContextVar, Token
from functools import partial
from typing import Any, TypeVar, TypeVarTuple

from .facts import Fact
from .ports import Store

T = TypeVar("T")
Args = TypeVarTuple("Args")


class Consequences:
    """The consequences of one command: `over` is called once, when none is outstanding.

    The caller counts further ones in `outstanding` and calls `end` for each. `Consequence` does
    both.
    """

    __slots__ = ("outstanding", "over")

    def __init__(self, over: Callable[[], None], outstanding: int = 0) -> None:
        self.over = over
        self.outstanding = outstanding

    def end(self) -> None:
        """Ends one consequence, after its results are sent."""
        self.outstanding -= 1
        if not self.outstanding:
            over, self.over = self.over, _nothing
            over()


current: ContextVar[Consequences | None] = ContextVar("current", default=None)
"""The consequences of the command to which the running code belongs; None for no command."""


class Consequence:
    """A consequence of the current command: outstanding from construction until `end`.

    A `with` block executes it and ends it; work begun in the block belongs to the same command.
    Without a current command it is not counted, and work begun there belongs to no command.
    """

    __slots__ = ("_all", "_token")

    def __init__(self, all: Consequences | None = None) -> None:
        self._all = all = all or current.get()
        self._token: Token[Consequences | None]
        if all is not None:
            all.outstanding += 1

    def end(self) -> None:
        """Ends the consequence, after its results are sent. A second call does nothing."""
        all, self._all = self._all, None
        if all is not None:
            all.end()

    def __enter__(self) -> None:
        self._token = current.set(self._all)

    def __exit__(self, *_: object) -> None:
        current.reset(self._token)
        self.end()


def keep_then(
    store: Store,
    facts: Sequence[Fact],
    done: Callable[[], None],
    call: Callable[[Callable[[], None]], object] | None = None,
) -> None:
    """`Store.keep`, where `done` is a consequence of the current command.

    `call` decides when `done` runs after the commit; without it `done` runs at once.
    """
    # Every order of every table comes through here, so it makes no `Consequence`.
    all = current.get()
    if all is not None:
        all.outstanding += 1

    def stored() -> None:
        outer = current.set(all)
        try:
            done()
        finally:
            current.reset(outer)
            if all is not None:
                all.end()

    carried_out: Callable[[], Any] = stored if call is None else partial(call, stored)
    try:
        store.keep(facts, carried_out)
    except Exception:
        if all is not None:
            all.end()
        raise


def of_no_command(call: Callable[[*Args], T], *args: *Args) -> T:
    """Calls a function so that no command waits for the work that it begins."""
    return Context().run(call, *args)


def _nothing() -> None:
    """Does nothing, because the command is finished already."""
