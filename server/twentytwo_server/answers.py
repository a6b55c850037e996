"""Waiting for answers, in the one way the server does it: coroutines over Deferreds.

The ports (`ports`) are called with a function to be called back, at once or later. `ask` and
`keep` make a Deferred of that, coroutines await it, and `run` starts a coroutine.

A coroutine goes on inside the very call that brings the answer, with no turn of the loop in
between. So what stands between two awaits happens at one moment, and across an await anything may
have changed: the connection, the name, the password. A server that stops drops its coroutines
where they wait, and dropping one runs its `finally`: one that stands around an await may touch
nothing but its own connection, in memory. `except Exception` is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar, TypeVarTuple

from twisted.internet.defer import Deferred

from .facts import Fact
from .ports import Store

T = TypeVar("T")
Args = TypeVarTuple("Args")


def ask(port: Callable[[*Args, Callable[[T], None]], object], *args: *Args) -> Deferred[T]:
    """Calls a function of a port, whose last parameter is a callback; the Deferred is its answer.

    `await ask(store.account, "ann")`. What the call itself raises is raised at once.
    """
    answer: Deferred[T] = Deferred()
    port(*args, answer.callback)
    return answer


def keep(store: Store, facts: Sequence[Fact]) -> Deferred[None]:
    """Has facts kept, after those of earlier calls; the Deferred fires when they are safe."""
    answer: Deferred[None] = Deferred()
    store.keep(facts, lambda: answer.callback(None))
    return answer


def run(work: Coroutine[Any, Any, None], failed: Callable[[Exception], object]) -> Deferred[None]:
    """Starts a coroutine, which runs up to its first wait before this returns.

    `failed` is called with what it raises, in the except block. The Deferred fires when it is done,
    and never fails.
    """

    async def guarded() -> None:
        try:
            await work
        except Exception as wrong:
            failed(wrong)

    return Deferred.fromCoroutine(guarded())
