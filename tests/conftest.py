"""The reactor, deadlines and the search for leaks, for every test.

An ``async def`` test runs as a Task and may take 100 s, or as long as
``@pytest.mark.deadline(seconds)`` says: a deadline only catches hangs, also on a busy machine.
After every test, and after its fixtures are taken down, nothing may be left behind: no delayed
call, no Task, no open port or connection, no failure that nobody handled. What a fixture of a wider
scope makes while it is set up may stay.

A test that provokes failures on purpose takes them with the fixture ``logged``.
"""

from __future__ import annotations

# Whoever imports the reactor first chooses it, so this comes before the other imports.
# Its timers follow the monotonic clock, as in the server.
import asyncio
import importlib
import logging
import os
import signal
import time

from twisted.internet.base import ReactorBase

ReactorBase.seconds = staticmethod(time.monotonic)


def _new_loop() -> asyncio.AbstractEventLoop:
    match os.environ.get("TEST_LOOP", "asyncio"):
        case "uvloop":
            loop: asyncio.AbstractEventLoop = importlib.import_module("uvloop").new_event_loop()
            return loop
        case "asyncio":
            return asyncio.SelectorEventLoop()
        case other:
            raise SystemExit(f"TEST_LOOP is asyncio or uvloop, not {other}")


loop = _new_loop()
asyncio.set_event_loop(loop)

from twisted.internet import asyncioreactor

asyncioreactor.install(loop)

import functools
import gc
import inspect
import weakref
from collections.abc import Callable, Coroutine, Generator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_twisted
from hypothesis import settings
from twisted.internet import defer, reactor
from twisted.internet.defer import Deferred
from twisted.logger import ILogObserver, LogEvent, globalLogPublisher
from twisted.python.failure import Failure
from zope.interface import provider

from tests.kit.length import times

pytest.register_assert_rewrite("twentytwo_conform")

# An example has no deadline of its own: a busy machine is no fault of what is tested.
settings.register_profile("ours", deadline=None, max_examples=times(100, long=1000))
settings.load_profile("ours")

DEADLINE = 100.0
"""Seconds that an async test may take when it has no mark."""

TURNS = 50
"""Turns of the loop in which what is already closing may finish closing."""

AsyncTest = Callable[..., Coroutine[Any, Any, None]]


# Async tests -----------------------------------------------------------------------------


class TooLate(Exception):
    """An async test passed its deadline; the cause shows the line at which it was waiting."""


async def _in_time(test: Coroutine[Any, Any, None], seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds) as deadline:
            await test
    except TimeoutError as waiting:
        if deadline.expired():
            raise TooLate(f"not done after {seconds:g} s") from waiting
        raise


def _run(test: Coroutine[Any, Any, None], seconds: float = DEADLINE) -> None:
    task = loop.create_task(_in_time(test, seconds))
    pytest_twisted.blockon(Deferred.fromFuture(task))


def _deadline(item: pytest.Item) -> float:
    mark = item.get_closest_marker("deadline")
    return float(mark.args[0]) if mark else DEADLINE


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run async tests as Tasks, and the others without a detour over the reactor."""
    test = pyfuncitem.obj
    if hasattr(test, "_pytest_twisted_mark"):
        return None  # decorated for pytest-twisted, which runs it
    seconds = _deadline(pyfuncitem)

    def sync(test: AsyncTest) -> Callable[..., None]:
        return functools.wraps(test)(lambda *args, **kwargs: _run(test(*args, **kwargs), seconds))

    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    hypothesis = getattr(test, "hypothesis", None)
    if hypothesis and inspect.iscoroutinefunction(example := hypothesis.inner_test):
        hypothesis.inner_test = sync(example)
        try:
            test(**arguments)
        finally:
            hypothesis.inner_test = example
    elif inspect.iscoroutinefunction(test):
        _run(test(**arguments), seconds)
    elif isinstance(answer := test(**arguments), Deferred):
        pytest_twisted.blockon(answer)
    elif answer is not None:
        pytest.fail(f"a test returns nothing, not {answer!r}")
    return True


# Failures that nobody handled --------------------------------------------------------------

_failures: list[str | Failure] = []


@provider(ILogObserver)
def _note_event(event: LogEvent) -> None:
    if "log_failure" in event:
        _failures.append(event["log_failure"])


def _note_in_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    _failures.append(Failure(error) if error else str(context["message"]))


class _DebugInfo(defer.DebugInfo):
    """Twisted makes one for each Deferred that has failed, and reports it when that is freed."""

    def __init__(self) -> None:
        _failed_deferreds.add(self)


_failed_deferreds: weakref.WeakSet[_DebugInfo] = weakref.WeakSet()
_tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()


def _new_task(
    loop: asyncio.AbstractEventLoop,
    coroutine: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    **options: Any,
) -> asyncio.Task[Any]:
    task = asyncio.Task(coroutine, loop=loop, **options)
    _tasks.add(task)
    return task


globalLogPublisher.addObserver(_note_event)
loop.set_exception_handler(_note_in_loop)
loop.set_task_factory(_new_task)
defer.DebugInfo = _DebugInfo  # type: ignore[misc]


def _report_unhandled() -> None:
    """Let what failed unhandled say so now; it does when it is freed, and collecting is slow."""
    if any(info.failResult is not None for info in _failed_deferreds) or any(
        task.done() and getattr(task, "_log_traceback", False) for task in _tasks
    ):
        gc.collect()


@pytest.fixture
def logged() -> Callable[[], list[str | Failure]]:
    """A function that takes away, and returns, the failures logged so far: they were expected."""

    def take() -> list[str | Failure]:
        _report_unhandled()
        taken = _failures[:]
        _failures.clear()
        return taken

    return take


# Things left behind ------------------------------------------------------------------------


@dataclass(frozen=True)
class Open:
    """What waits or runs on the reactor: delayed calls, Tasks, and ports and connections."""

    calls: frozenset[Any]
    tasks: frozenset[asyncio.Task[Any]]
    selectables: frozenset[Any]

    def __sub__(self, other: Open) -> Open:
        return Open(
            self.calls - other.calls,
            self.tasks - other.tasks,
            self.selectables - other.selectables,
        )

    def __or__(self, other: Open) -> Open:
        return Open(
            self.calls | other.calls,
            self.tasks | other.tasks,
            self.selectables | other.selectables,
        )

    def __iter__(self) -> Generator[str]:
        yield from (f"a delayed call: {call}" for call in self.calls)
        yield from (f"a Task: {task}" for task in self.tasks)
        yield from (f"an open port or connection: {each}" for each in self.selectables)

    def __bool__(self) -> bool:
        return bool(self.calls or self.tasks or self.selectables)


def _open() -> Open:
    files = {*reactor.getReaders(), *reactor.getWriters()}
    files -= reactor._internalReaders  # type: ignore[attr-defined]
    current = asyncio.current_task(loop)
    return Open(
        frozenset(reactor.getDelayedCalls()),
        frozenset(task for task in _tasks if not task.done() and task is not current),
        frozenset(files),
    )


_before = _open()


async def _settle() -> None:
    for _ in range(TURNS):
        if not _open() - _before:
            break
        await asyncio.sleep(0)


def _close(left: Open) -> None:
    """End what a test has left, so that the next one is not blamed."""
    for call in left.calls:
        if call.active():
            call.cancel()
    for task in left.tasks:
        task.cancel()
    for each in left.selectables:
        each.connectionLost(Failure(ConnectionAbortedError("left behind by a test")))
    _run(_settle())


def _leaks() -> list[str | Failure]:
    """All that the test left behind; afterwards it is gone."""
    left = _open() - _before
    if left:
        _run(_settle())
        left = _open() - _before
    _report_unhandled()
    found = [*_failures, *left]
    if left:
        _close(left)
        del left  # what fails when it is closed speaks up now, not in the next test
        _report_unhandled()
    _failures.clear()
    return found


def _let_signals_pile_up() -> None:
    """Has Python say nothing where the loop's pipe for signals is full.

    Every process that ends is a signal, and the loop reads them only while it runs: some hundred
    tests of other processes, one after the other, fill the pipe. A full one wakes the loop as well.
    """
    woken = signal.set_wakeup_fd(-1)
    if woken != -1:
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Generator[None]:
    """Note what is open before the test."""
    global _before
    _before = _open()
    _let_signals_pile_up()
    yield


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    """Let stay what a fixture of a wider scope opens: it closes it when that scope ends."""
    global _before
    if fixturedef.scope == "function":
        return (yield)
    before = _open()
    made = yield
    _before |= _open() - before
    return made


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Fail the test if it has left anything behind."""
    try:
        yield
    except BaseException:
        _leaks()  # the other error tells more
        raise
    if found := _leaks():
        text = (each.getTraceback() if isinstance(each, Failure) else each for each in found)
        pytest.fail("The test left behind\n" + "\n".join(text), pytrace=False)


@pytest.fixture
def quiet() -> Iterator[None]:
    """The server's log is silent: what a test does on purpose would fill it."""
    log = logging.getLogger("twentytwo")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    yield
    log.setLevel(before)
