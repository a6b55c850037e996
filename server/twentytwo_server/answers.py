"""Waiting for answers: coroutines over Deferreds, the only asynchronous style of the server.

Functions of the ports (`ports`) take a callback, which they call at once or later. `ask` and `keep`
make a Deferred of that, coroutines await it, and `run` starts a coroutine.

A coroutine continues inside the call that brings the answer, without a turn of the event loop in
between. So nothing else happens between two awaits, but across an await anything may have changed:
the connection, the name, the password. Check again what you rely on.

A server that stops drops its coroutines where they wait, and that runs their `finally` blocks. So a
`finally` around an await may only touch its own connection, in memory. `except Exception` around an
await is safe, since it does not run then.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar, TypeVarTuple

from twisted.internet.defer import Deferred

from .consequences import Consequence
from .facts import Fact
from .ports import Store

T = TypeVar("T")
Args = TypeVarTuple("Args")


def ask(port: Callable[[*Args, Callable[[T], None]], object], *args: *Args) -> Deferred[T]:
    """Calls a function of a port, whose last parameter is a callback; returns its answer.

    `await ask(store.account, "ann")`. An exception of the call itself is raised at once.
    """
    answer: Deferred[T] = Deferred()
    port(*args, answer.callback)
    return answer


def keep(store: Store, facts: Sequence[Fact]) -> Deferred[None]:
    """Stores facts, all or none, after those of earlier calls; fires when they are safe."""
    answer: Deferred[None] = Deferred()
    store.keep(facts, lambda: answer.callback(None))
    return answer


def run(work: Coroutine[Any, Any, None], failed: Callable[[Exception], object]) -> Deferred[None]:
    """Starts a coroutine, which runs up to its first wait before this returns.

    If it raises, `failed` is called with the exception, in the except block. The Deferred fires
    when the coroutine has ended, and never with a failure. A command that starts it is over only
    then.
    """
    working = Consequence()

    async def guarded() -> None:
        try:
            await work
        except Exception as wrong:
            failed(wrong)

    return Deferred.fromCoroutine(guarded()).addBoth(working.end_with)
