"""Bots that think long do it in other processes, so that no table ever waits for another's.

A job holds all that a seat was shown, as values; the answer is a token. A worker that is lost
costs its job an answer, never a game: whoever asked plays a quick bot's move then.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from .games import players
from .games.game import Bot
from .games.registry import games
from .games.search.hard import Budget, Hard, until
from .ports import Job, MoveWeighed, Weighed

log = logging.getLogger("twentytwo.thinking")

T = TypeVar("T")

LONGEST = 5.0
"""Seconds that a move may be thought about, whatever the setting."""
SURER = 0.7
"""Seconds that a hint may take beyond that, until its figures can be told."""


class Workers:
    """Processes that think, `seconds` a move. They start with the first job, and end with this one.

    `in_reactor` has a call made in the reactor's thread.
    """

    def __init__(
        self,
        seconds: float,
        in_reactor: Callable[[Callable[[], None]], None],
        processes: int | None = None,
    ) -> None:
        self._in_reactor = in_reactor
        self._seconds = min(seconds, LONGEST)
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    def think(self, job: Job, done: Callable[[str | None], None]) -> None:
        """Has the job done; `done` is called with None where it failed."""
        self._submit(_answer, job, done)

    def weigh(self, job: Job, done: Callable[[Weighed | None], None]) -> None:
        """Has the moves of a turn weighed; `done` is called with None where it failed."""
        self._submit(_weigh, job, done)

    def _submit(
        self, work: Callable[[Job, float], T], job: Job, done: Callable[[T | None], None]
    ) -> None:
        def finished(future: Future[T]) -> None:
            if future.cancelled():
                return
            wrong = future.exception()
            if wrong is not None:
                log.error("a bot failed to think", exc_info=wrong)
            if isinstance(wrong, BrokenProcessPool):
                self._pool = None
            answer = None if wrong is not None else future.result()
            self._in_reactor(lambda: done(answer))

        try:
            self._running().submit(work, job, self._seconds).add_done_callback(finished)
        except (BrokenProcessPool, RuntimeError):
            self._pool = None
            done(None)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, context, _start)
        return self._pool

    def stop(self) -> None:
        """Ends the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _start() -> None:
    """In a new worker: be nice to the tables, leave signals to the parent, end when it ends."""
    os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(0)


def _answer(job: Job, seconds: float) -> str:
    """In a worker: what a bot that saw these events plays."""
    return _bot(job, seconds).choose(job.turn)


def _weigh(job: Job, seconds: float) -> Weighed:
    """In a worker: what a searching bot that saw these events thinks of its moves."""
    bot = _bot(job, seconds)
    assert isinstance(bot, Hard)
    lines = bot.weigh(job.turn, until(time.monotonic() + seconds + SURER, time.monotonic))
    return [MoveWeighed(line.deed.token, line.mean, line.loss, len(line.values)) for line in lines]


def _bot(job: Job, seconds: float) -> Bot:
    chance = random.SystemRandom() if job.seed is None else random.Random(job.seed)

    def budget() -> Budget:
        return until(time.monotonic() + seconds, time.monotonic)

    bot = players.player(
        games()[job.game], job.level, job.rules, job.seat, chance.randrange, budget
    )
    for happened in job.seen:
        bot.see(happened)
    return bot
