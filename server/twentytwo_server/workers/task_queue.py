"""The queue of jobs that wait for a free worker; it is in the server's process, for cancelling."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twisted.internet.defer import Deferred

T = TypeVar("T")

QUEUED_PER_TABLE = 4
"""Maximum number of waiting jobs of one table."""

Work = Callable[[float], T]
"""A worker's function, called with the seconds that it may take."""


@dataclass(slots=True, eq=False)
class Task(Generic[T]):
    """A waiting job: the `table` for taking turns, the work, and the Deferred for its answer."""

    table: str
    work: Work[T]
    answer: Deferred[T | None]


class TaskQueue:
    """The waiting jobs, at most `most`. Tables take turns; the jobs of a table stay in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0
        # In the order of turns: the next table comes first.
        self._tables: dict[str, deque[Task[Any]]] = {}

    def __len__(self) -> int:
        return self._waiting

    def put(self, task: Task[Any]) -> bool:
        """Adds a job; False if too many are waiting, of its table or in all."""
        tasks = self._tables.get(task.table, ())
        if self._waiting == self._most or len(tasks) == QUEUED_PER_TABLE:
            return False
        self._tables.setdefault(task.table, deque()).append(task)
        self._waiting += 1
        return True

    def take(self) -> Task[Any]:
        """Removes and returns the next job of a non-empty queue; its table comes last then."""
        table = next(iter(self._tables))
        tasks = self._tables.pop(table)
        task = tasks.popleft()
        if tasks:
            self._tables[table] = tasks
        self._waiting -= 1
        return task

    def drop(self, answer: Deferred[Any]) -> None:
        """Removes the job with this answer, if it still waits."""
        for table, tasks in self._tables.items():
            for task in tasks:
                if task.answer is answer:
                    tasks.remove(task)
                    self._waiting -= 1
                    if not tasks:
                        del self._tables[table]
                    return
