"""Awaiting answers: coroutines, the only asynchronous style of the server.

Functions of the ports (`ports`) take a callback, which they call at once or later. `ask` and `keep`
turn the callback into a Deferred, coroutines await it, and `Running` or `run` starts a coroutine.

A coroutine continues inside the call that brings the answer, without a turn of the event loop in
between. So the code between two awaits is atomic. During an await anything may change: the
connection, the name, the password. Check again all conditions that matter.

A stopping server drops its waiting coroutines, which runs their `finally` blocks. So a `finally`
around an await may change only its own connection, in memory. `except Exception` around an await is
safe, since it does not run then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Any, Generic, TypeVar, TypeVarTuple

from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from .consequences import Consequence, current
from .facts import Fact
from .ports import Store

log = logging.getLogger("twentytwo.host")

T = TypeVar("T")
Args = TypeVarTuple("Args")

Ended = Callable[[Exception | None], object]
"""Called when a coroutine has ended: with None, or with its exception in the except block."""


class Pending(Generic[T]):
    """An answer that is asked for only when a coroutine waits for it.

    `begin` is called once, with the callback for the answer and `args`. Even if it calls back at
    once, the coroutine continues inside that call: so the answer to an order is written before the
    events of the order. An awaited Deferred would continue the coroutine only after `begin`.
    """

    __slots__ = ("args", "begin")

    def __init__(self, begin: Callable[[Callable[[T], None], *Args], object], *args: *Args) -> None:
        self.begin: Callable[..., object] = begin
        self.args = args

    def __await__(self) -> Generator[Pending[T], T, T]:
        """Yields to `Running`, which begins and later sends the answer."""
        return (yield self)


class Running:
    """Starts a coroutine, which runs up to its first wait before the constructor returns.

    It belongs to the command that starts it, across all its waits. `ended` is called once, unless
    the server stops before.
    """

    __slots__ = ("_command", "_ended", "_looping", "_next", "_waits", "_work")

    def __init__(self, work: Coroutine[Any, Any, None], ended: Ended) -> None:
        self._work = work
        self._ended = ended
        self._command = current.get()
        self._waits: Deferred[Any] | Pending[Any] | None = None
        self._next: tuple[Callable[[Any], Any], Any] | None = None
        self._looping = False
        self._go_on(work.send, None)

    def cancel(self) -> None:
        """Raises `CancelledError` where the coroutine waits. A later answer is dropped."""
        waits = self._waits
        if isinstance(waits, Pending):
            self._waits = None
            self._go_on(self._work.throw, CancelledError())
        elif waits is not None:
            waits.cancel()

    def _go_on(self, resume: Callable[[Any], Any], value: object) -> None:
        if self._looping:
            self._next = resume, value  # the loop below, whose answer came at once, goes on
            return
        self._looping = True
        outer = current.set(self._command)
        try:
            while True:
                try:
                    waits = resume(value)
                except StopIteration:
                    self._end(None)
                    return
                except Exception as wrong:
                    self._end(wrong)
                    return
                self._waits = waits
                if isinstance(waits, Pending):
                    self._looping = False  # the answer may come now, and continues at once
                    self._begin(waits)
                    return
                waits.addCallbacks(self._answered, self._failed)
                if self._next is None:
                    self._looping = False
                    return
                (resume, value), self._next = self._next, None
        finally:
            current.reset(outer)

    def _end(self, wrong: Exception | None) -> None:
        """Calls `ended`. Its faults must not reach the store or table that brought the answer."""
        try:
            self._ended(wrong)
        except Exception:
            log.exception("fault at the end of a coroutine")

    def _begin(self, pending: Pending[Any]) -> None:
        def answered(answer: Any) -> None:
            if self._waits is pending:
                self._waits = None
                self._go_on(self._work.send, answer)

        try:
            pending.begin(answered, *pending.args)
        except Exception as wrong:
            if self._waits is not pending:
                raise  # the answer came before: the coroutine has nothing to do with this
            self._waits = None
            self._go_on(self._work.throw, wrong)

    def _answered(self, answer: object) -> None:
        self._waits = None
        self._go_on(self._work.send, answer)

    def _failed(self, failure: Failure) -> None:
        self._waits = None
        self._go_on(self._work.throw, failure.value)


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
    """Starts a coroutine; if it raises, `failed` is called with the exception, in the except block.

    The Deferred fires when the coroutine has ended, and never with a failure. A command that
    starts it is finished only then.
    """
    working, done = Consequence(), Deferred[None]()

    def ended(wrong: Exception | None) -> None:
        try:
            if wrong is not None:
                failed(wrong)
        finally:
            working.end()
            done.callback(None)

    Running(work, ended)
    return done
