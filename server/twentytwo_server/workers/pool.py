"""Worker processes in which bots search for moves, so that a search never blocks the server.

A job contains everything shown to a seat, as values; the answer is a token. If a worker dies, its
job fails, and the table plays a quick bot's move instead.

Each worker has one job at a time. Other jobs wait in a queue in the server's process, where they
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
"""Maximum duration of a search in seconds, whatever the setting."""
QUEUED_SECONDS = 5.0
"""Seconds of queued work for each process; answers after a longer wait would be useless."""
STUCK_AFTER = 30.0
"""Seconds after the end of a job's time at which its worker is killed; they include its start."""


class Workers:
    """The `ports.BotWorkers` with real processes, which search `seconds` for each move.

    There are at most `processes`, by default the number of processors minus one. They start with
    the first jobs and end with `stop`. Call all methods in the reactor's thread; `in_reactor` runs
    a function in that thread: `reactor.callFromThread`. `nice` is the niceness of the processes. A
    worker that answers `patience` seconds late is killed.
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
        """The move for the job's turn; None if the search failed or the queue is full.

        Cancelling removes the job from the queue. If a worker has begun it, the answer is ignored.
        """
        return self._submit(job.table, partial(tasks.answer, job))

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """The evaluated moves of the job's turn; None and cancelling are as for `think`."""
        return self._submit(job.table, partial(tasks.evaluate, job))

    def do(self, job: ReviewJob[T]) -> Deferred[T | None]:
        """The result of a review's job; None and cancelling are as for `think`."""
        return self._submit(job.key, partial(tasks.review, job))

    def _submit(self, key: str, work: Work[T]) -> Deferred[T | None]:
        # Cancelling only removes a job from the queue: a worker that has begun is free again soon.
        task: Task[T] = Task(key, work, Deferred(self._queue.drop))
        if self._stopped or not self._queue.put(task):
            return succeed(None)
        self._hand_out()
        return task.answer

    def _hand_out(self) -> None:
        """Gives waiting jobs to free workers, and starts new workers up to `processes`.

        A job leaves the queue only for a worker, so that tables take turns and the job can be
        cancelled.
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
        """The number of running bot searches."""
        return len(self._workers) - len(self._idle)

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for a free worker."""
        return len(self._queue)

    def stop(self) -> None:
        """Kills the processes, which have nothing to save. No Deferred fires afterwards."""
        self._stopped = True
        for worker in self._workers:
            worker.kill()
