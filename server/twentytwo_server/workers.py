"""Worker processes in which bots search for a move, so that a search never holds up the server.

A job has all that a seat was shown, as values; the answer is a token. If a worker dies its job
fails, and the table plays a quick bot's move instead.

Each worker has one job at a time. Other jobs wait in a queue of the server's process, where they
can be cancelled and where tables take turns.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from twisted.internet.defer import Deferred, succeed

from .games import players
from .games.game import Bot
from .games.registry import games
from .games.search.hard import Budget, Hard, close, until
from .ports import Evaluation, Job, MoveEvaluation
from .review.jobs import (
    AT_ONCE,
    CountJob,
    HandDone,
    HandJob,
    SumJob,
    Summary,
    do_count,
    do_hand,
    do_sum,
)
from .review.played_again import NotReviewable, PlayedAgain, played_again, read_record

log = logging.getLogger("twentytwo.workers")

T = TypeVar("T")

LONGEST_SEARCH = 5.0
"""The longest search in seconds, whatever the setting."""
HINT_EXTRA = 0.7
"""Seconds that a hint may take longer than a move, so that its figures are reliable."""
QUEUED_SECONDS = 5.0
"""Seconds of work for each process that may wait in the queue: later answers would be useless."""
QUEUED_PER_TABLE = 4
"""How many jobs of one table may wait in the queue."""
STUCK_AFTER = 30.0
"""Seconds after the end of its time until a worker is killed; they include starting it."""
KILL_TIMEOUT = 1.0
"""Seconds to wait for the end of a process that was killed."""

Work = Callable[[float], T]
"""What a worker does, within so many seconds."""


@dataclass(slots=True, eq=False)
class _Task(Generic[T]):
    table: str
    work: Work[T]
    answer: Deferred[T | None]


class Workers:
    """The `ports.BotWorkers` with real processes, which search `seconds` for each move.

    There are at most `processes`, by default one less than there are processors. They start with
    the first jobs and end with `stop`. Call all methods in the reactor's thread; `in_reactor` runs
    a function in that thread: `reactor.callFromThread`. The higher `nice` is, the less they take
    from others; one that answers `patience` seconds late is killed.
    """

    def __init__(
        self,
        seconds: float,
        in_reactor: Callable[[Callable[[], None]], None],
        processes: int | None = None,
        nice: int = 10,
        patience: float = STUCK_AFTER,
    ) -> None:
        self._nice = nice
        self._patience = patience
        self._in_reactor = in_reactor
        self._seconds = min(seconds, LONGEST_SEARCH)
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._queue = _Queue(
            max(self._processes, int(self._processes * QUEUED_SECONDS / self._seconds))
        )
        self._stopped = False

    def think(self, job: Job) -> Deferred[str | None]:
        """The move for the job's turn; None if that failed, or if too many jobs wait already.

        Cancelling takes the job out of the queue. One that a worker has begun goes on, unheard.
        """
        return self._submit(job.table, partial(_answer, job))

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """The moves of the job's turn with their values; None and cancelling as for `think`."""
        return self._submit(job.table, partial(_evaluate, job))

    def review(self, job: HandJob) -> Deferred[HandDone | None]:
        """A hand of a game that is over, reviewed; None and cancelling as for `think`."""
        return self._submit(job.table, partial(_review, job))

    def sum_up(self, job: SumJob) -> Deferred[Summary | None]:
        """The review of a game from its hands; None and cancelling as for `think`."""
        return self._submit(job.table, partial(_sum_up, job))

    def count(self, job: CountJob) -> Deferred[str | None]:
        """The summary of a game that is over; None and cancelling as for `think`."""
        return self._submit(job.table, partial(_count, job))

    def _submit(self, table: str, work: Work[T]) -> Deferred[T | None]:
        # Cancelling only takes a job out of the queue: a worker that has begun is free again soon.
        task: _Task[T] = _Task(table, work, Deferred(self._queue.drop))
        if self._stopped or not self._queue.put(task):
            return succeed(None)
        self._hand_out()
        return task.answer

    def _hand_out(self) -> None:
        """Gives waiting jobs to free workers, and starts new workers up to `processes`.

        A job leaves the queue only for a worker, so that tables take turns and it can be cancelled.
        """
        while self._queue and (worker := self._free()):
            self._do(worker, self._queue.take())

    def _free(self) -> _Worker | None:
        if self._idle:
            return self._idle.pop()
        if len(self._workers) == self._processes:
            return None
        worker = _Worker(self._seconds, self._nice, self._patience)
        self._workers.append(worker)
        return worker

    def _do(self, worker: _Worker, task: _Task[Any]) -> None:
        def done(answer: Any) -> None:
            if self._stopped:
                return
            self._idle.append(worker)
            if not task.answer.called:  # it was not cancelled meanwhile
                task.answer.callback(answer)
            self._hand_out()

        worker.do(task, lambda answer: self._in_reactor(lambda: done(answer)))

    @property
    def searching(self) -> int:
        """How many bots search for a move now."""
        return len(self._workers) - len(self._idle)

    @property
    def waiting(self) -> int:
        """How many jobs wait for a free worker."""
        return len(self._queue)

    def stop(self) -> None:
        """Kills the processes, which have nothing to save. No Deferred fires any more."""
        self._stopped = True
        for worker in self._workers:
            worker.kill()


class _Queue:
    """The waiting jobs, at most `most`. Tables take turns; the jobs of a table stay in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0
        # In the order of turns: the next table comes first.
        self._tables: dict[str, deque[_Task[Any]]] = {}

    def __len__(self) -> int:
        return self._waiting

    def put(self, task: _Task[Any]) -> bool:
        """Adds a job; False if too many wait already, of its table or in all."""
        tasks = self._tables.get(task.table, ())
        if self._waiting == self._most or len(tasks) == QUEUED_PER_TABLE:
            return False
        self._tables.setdefault(task.table, deque()).append(task)
        self._waiting += 1
        return True

    def take(self) -> _Task[Any]:
        """Takes out the next job, if any waits: check before. Its table then comes last."""
        table = next(iter(self._tables))
        tasks = self._tables.pop(table)
        task = tasks.popleft()
        if tasks:
            self._tables[table] = tasks
        self._waiting -= 1
        return task

    def drop(self, answer: Deferred[Any]) -> None:
        """Takes out the job with this answer, if it still waits."""
        for table, tasks in self._tables.items():
            for task in tasks:
                if task.answer is answer:
                    tasks.remove(task)
                    self._waiting -= 1
                    if not tasks:
                        del self._tables[table]
                    return


class _Worker:
    """One worker process, and the thread of the server that waits for its answers.

    If the process has died, the next job starts a new one.
    """

    def __init__(self, seconds: float, nice: int, patience: float) -> None:
        self._seconds = seconds
        self._nice = nice
        self._patience = patience
        self._tasks: SimpleQueue[tuple[_Task[Any], Callable[[Any], None]] | None] = SimpleQueue()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        # Held while a process is started or killed, so that `kill` cannot miss a new one.
        self._starting = threading.Lock()
        self._killed = False
        threading.Thread(target=self._run, name="worker", daemon=True).start()

    def do(self, task: _Task[Any], done: Callable[[Any], None]) -> None:
        """Queues a job; `done` is called in the worker's thread, with None if the job failed."""
        self._tasks.put((task, done))

    def kill(self) -> None:
        """Kills the process and ends the thread. Further jobs are not done."""
        with self._starting:
            self._killed = True
            if self._process is not None:
                self._process.kill()
                self._process.join(KILL_TIMEOUT)
        self._tasks.put(None)

    def _run(self) -> None:
        while (next_one := self._tasks.get()) is not None:
            task, done = next_one
            answer = None
            try:
                answer = self._ask(task)
            except Exception:
                if not self._killed:
                    log.exception("a bot failed to think")
            done(answer)

    def _ask(self, task: _Task[T]) -> T | None:
        pipe = self._started()
        if pipe is None:
            return None
        try:
            pipe.send((task.work, self._seconds))
            if not pipe.poll(self._seconds + HINT_EXTRA + self._patience):
                raise TimeoutError("a worker is stuck")
            answer, wrong = pipe.recv()
        except Exception:  # the process has died or is stuck
            self._lose()
            raise
        if wrong:
            raise RuntimeError(wrong)
        found: T = answer
        return found

    def _started(self) -> Connection | None:
        """The pipe to a running process, started if need be; None after `kill`."""
        with self._starting:
            if self._killed:
                return None
            if self._pipe is None or self._process is None or not self._process.is_alive():
                context = multiprocessing.get_context("spawn")
                self._pipe, theirs = context.Pipe()
                self._process = context.Process(
                    target=_serve, args=(theirs, self._nice), daemon=True
                )
                self._process.start()
                theirs.close()
            return self._pipe

    def _lose(self) -> None:
        with self._starting:
            if self._process is not None and not self._killed:
                self._process.kill()
                self._process.join(KILL_TIMEOUT)
            if self._pipe is not None:
                self._pipe.close()
            self._pipe = None


def _serve(pipe: Connection, nice: int) -> None:
    """The main function of a worker process: does one job after the other."""
    os.nice(nice)
    # Signals to the process group, such as Ctrl-C, are for the server, which ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            work, seconds = pipe.recv()
            try:
                answer, wrong = work(seconds), ""
            except Exception:
                answer, wrong = None, traceback.format_exc()
            pipe.send((answer, wrong))


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)


def _answer(job: Job, seconds: float) -> str:
    """In a worker: the move of a bot that was shown these events."""
    return _bot(job, seconds).choose(job.turn)


def _evaluate(job: Job, seconds: float) -> Evaluation:
    """In a worker: how a searching bot that was shown these events values its moves."""
    bot = _bot(job, seconds)
    assert isinstance(bot, Hard)
    lines = bot.weigh(job.turn, until(time.monotonic() + seconds + HINT_EXTRA, time.monotonic))
    best, *others = lines
    why = bot.reason(job.turn, best.deed.token)
    first = MoveEvaluation(best.deed.token, best.mean, best.loss, len(best.values), why=why)
    return [
        first,
        *(
            MoveEvaluation(m.deed.token, m.mean, m.loss, len(m.values), close(best, m))
            for m in others
        ),
    ]


@lru_cache(maxsize=AT_ONCE)
def _again(text: str) -> PlayedAgain:
    """In a worker: the game in a record, which is asked for again with every hand of it."""
    return played_again(read_record(text), games())


def _review(job: HandJob, seconds: float) -> HandDone:
    """In a worker: a hand of a game, reviewed."""
    try:
        return do_hand(job, _again(job.record))
    except NotReviewable as wrong:
        return HandDone(None, 0, wrong=str(wrong))


def _count(job: CountJob, seconds: float) -> str | None:
    """In a worker: what statistics need of a game; None if it cannot be played again."""
    try:
        return do_count(played_again(read_record(job.record), games()))
    except NotReviewable:
        return None


def _sum_up(job: SumJob, seconds: float) -> Summary:
    """In a worker: the review of a game from those of its hands."""
    return do_sum(job, _again(job.record))


def _bot(job: Job, seconds: float) -> Bot:
    chance = random.Random(job.seed)  # only worlds are imagined by it: it need not be a secret

    def budget() -> Budget:
        return until(time.monotonic() + seconds, time.monotonic)

    bot = players.player(
        games()[job.game], job.level, job.rules, job.seat, chance.randrange, budget
    )
    for happened in job.seen:
        bot.see(happened)
    return bot
