"""Worker processes, where bots search for a move, so that no table ever waits for another's.

A job holds all that a seat was shown, as values; the answer is a token. A worker that is lost
costs its job an answer, never a game: whoever asked plays a quick bot's move then.

Each worker has one job at a time. The other jobs wait in this process, where one that nobody
wants any more is taken out of the queue, and where tables take turns.
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
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from twisted.internet.defer import Deferred, succeed

from .games import players
from .games.game import Bot
from .games.registry import games
from .games.search.hard import Budget, Hard, until
from .ports import Evaluation, Job, MoveEvaluation

log = logging.getLogger("twentytwo.workers")

T = TypeVar("T")

LONGEST_SEARCH = 5.0
"""Seconds that a move may be thought about, whatever the setting."""
HINT_EXTRA = 0.7
"""Seconds that a hint may take beyond that, until its figures can be told."""
QUEUED_SECONDS = 5.0
"""Seconds of work for each process that may wait in the queue: later answers are of no use."""
QUEUED_PER_TABLE = 4
"""Jobs of one table that may wait in the queue."""
STUCK_AFTER = 30.0
"""Seconds beyond its time after which a worker is killed; starting one may take some of them."""
KILL_TIMEOUT = 1.0
"""Seconds to wait for a process that was killed."""

Work = Callable[[Job, float], T]
"""What a worker does with a job in so many seconds."""


@dataclass(slots=True, eq=False)
class _Task(Generic[T]):
    work: Work[T]
    job: Job
    answer: Deferred[T | None]


class Workers:
    """Processes that think, `seconds` a move. They start with the first jobs and end with `stop`.

    Everything is called in the reactor's thread; `in_reactor` has a call made there from another.
    """

    def __init__(
        self,
        seconds: float,
        in_reactor: Callable[[Callable[[], None]], None],
        processes: int | None = None,
    ) -> None:
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
        """The move for the job's turn; None where it failed, or too many jobs wait already.

        Cancelling takes the job out of the queue.
        """
        return self._submit(_answer, job)

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """The moves of the job's turn, weighed; None and cancelling as for `think`."""
        return self._submit(_evaluate, job)

    def _submit(self, work: Work[T], job: Job) -> Deferred[T | None]:
        # One that is under way goes on when it is cancelled: its worker is free again soon.
        task: _Task[T] = _Task(work, job, Deferred(self._queue.drop))
        if self._stopped or not self._queue.put(task):
            return succeed(None)
        self._hand_out()
        return task.answer

    def _hand_out(self) -> None:
        """Gives waiting jobs to workers that are free; new ones start up to the most there may be.

        A job leaves the queue only for a worker, so that tables take turns until then.
        """
        while self._queue and (worker := self._free()):
            self._do(worker, self._queue.take())

    def _free(self) -> _Worker | None:
        if self._idle:
            return self._idle.pop()
        if len(self._workers) == self._processes:
            return None
        worker = _Worker(self._seconds)
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

    def stop(self) -> None:
        """Kills the processes: they hold nothing that anybody needs. No answer comes any more."""
        self._stopped = True
        for worker in self._workers:
            worker.kill()


class _Queue:
    """Jobs that wait, at most `most`. Tables take turns; the jobs of a table stay in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0
        # The table whose turn it is comes first.
        self._tables: dict[str, deque[_Task[Any]]] = {}

    def __len__(self) -> int:
        return self._waiting

    def put(self, task: _Task[Any]) -> bool:
        """Lets a job wait; False where too many wait, of its table or of all."""
        tasks = self._tables.get(task.job.table, ())
        if self._waiting == self._most or len(tasks) == QUEUED_PER_TABLE:
            return False
        self._tables.setdefault(task.job.table, deque()).append(task)
        self._waiting += 1
        return True

    def take(self) -> _Task[Any]:
        """The next job, where one waits; its table comes after all others then."""
        table = next(iter(self._tables))
        tasks = self._tables.pop(table)
        task = tasks.popleft()
        if tasks:
            self._tables[table] = tasks
        self._waiting -= 1
        return task

    def drop(self, answer: Deferred[Any]) -> None:
        """Takes out the job whose answer nobody wants any more, if it still waits."""
        for table, tasks in self._tables.items():
            for task in tasks:
                if task.answer is answer:
                    tasks.remove(task)
                    self._waiting -= 1
                    if not tasks:
                        del self._tables[table]
                    return


class _Worker:
    """One process, and the thread of this one that waits for its answers.

    A process that has died is started anew with the next job.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._tasks: SimpleQueue[tuple[_Task[Any], Callable[[Any], None]] | None] = SimpleQueue()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        # Held while a process is started, so that `kill` misses none.
        self._starting = threading.Lock()
        self._killed = False
        threading.Thread(target=self._run, name="worker", daemon=True).start()

    def do(self, task: _Task[Any], done: Callable[[Any], None]) -> None:
        """Has a job done; `done` is called in another thread, with None where it failed."""
        self._tasks.put((task, done))

    def kill(self) -> None:
        """Ends the process at once, and the thread with it."""
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
            pipe.send((task.work, task.job, self._seconds))
            if not pipe.poll(self._seconds + HINT_EXTRA + STUCK_AFTER):
                raise TimeoutError("a worker is stuck")
            answer, wrong = pipe.recv()
        except Exception:  # it has died, or nobody knows what it does
            self._lose()
            raise
        if wrong:
            raise RuntimeError(wrong)
        found: T = answer
        return found

    def _started(self) -> Connection | None:
        """The pipe to a process that runs; None where no more is to be started."""
        with self._starting:
            if self._killed:
                return None
            if self._pipe is None or self._process is None or not self._process.is_alive():
                context = multiprocessing.get_context("spawn")
                self._pipe, theirs = context.Pipe()
                self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
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


def _serve(pipe: Connection) -> None:
    """In a new worker: does one job after the other until the server ends."""
    os.nice(10)
    # A signal to the whole group is for the server, which ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            work, job, seconds = pipe.recv()
            try:
                answer, wrong = work(job, seconds), ""
            except Exception:
                answer, wrong = None, traceback.format_exc()
            pipe.send((answer, wrong))


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)


def _answer(job: Job, seconds: float) -> str:
    """In a worker: what a bot that saw these events plays."""
    return _bot(job, seconds).choose(job.turn)


def _evaluate(job: Job, seconds: float) -> Evaluation:
    """In a worker: what a searching bot that saw these events thinks of its moves."""
    bot = _bot(job, seconds)
    assert isinstance(bot, Hard)
    lines = bot.weigh(job.turn, until(time.monotonic() + seconds + HINT_EXTRA, time.monotonic))
    return [
        MoveEvaluation(line.deed.token, line.mean, line.loss, len(line.values)) for line in lines
    ]


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
