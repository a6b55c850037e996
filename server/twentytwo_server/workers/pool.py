"""Worker processes in which bots search for a move, so that a search never holds up the server.

A job has all that a seat was shown, as values; the answer is a token. If a worker dies its job
fails, and the table plays a quick bot's move instead.

Each worker has one job at a time. Other jobs wait in a queue of the server's process, where they
can be cancelled and where tables take turns.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from twisted.internet.defer import Deferred, succeed

from ..ports import Evaluation, Job
from ..review.jobs import ReviewJob
from . import tasks
from .process import Worker
from .task_queue import Task, TaskQueue, Work

T = TypeVar("T")

LONGEST_SEARCH = 5.0
"""The longest search in seconds, whatever the setting."""
QUEUED_SECONDS = 5.0
"""Seconds of work for each process that may wait in the queue: later answers would be useless."""
STUCK_AFTER = 30.0
"""Seconds after the end of its time until a worker is killed; they include starting it."""


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
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._queue = TaskQueue(
            max(self._processes, int(self._processes * QUEUED_SECONDS / self._seconds))
        )
        self._stopped = False

    def think(self, job: Job) -> Deferred[str | None]:
        """The move for the job's turn; None if that failed, or if too many jobs wait already.

        Cancelling takes the job out of the queue. One that a worker has begun goes on, unheard.
        """
        return self._submit(job.table, partial(tasks.answer, job))

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """The moves of the job's turn with their values; None and cancelling as for `think`."""
        return self._submit(job.table, partial(tasks.evaluate, job))

    def do(self, job: ReviewJob[T]) -> Deferred[T | None]:
        """What becomes of a step of a review; None and cancelling as for `think`."""
        return self._submit(job.table, partial(tasks.review, job))

    def _submit(self, table: str, work: Work[T]) -> Deferred[T | None]:
        # Cancelling only takes a job out of the queue: a worker that has begun is free again soon.
        task: Task[T] = Task(table, work, Deferred(self._queue.drop))
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

    def _free(self) -> Worker | None:
        if self._idle:
            return self._idle.pop()
        if len(self._workers) == self._processes:
            return None
        worker = Worker(self._seconds, self._nice, tasks.HINT_EXTRA + self._patience)
        self._workers.append(worker)
        return worker

    def _do(self, worker: Worker, task: Task[Any]) -> None:
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
