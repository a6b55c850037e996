"""The queue of jobs that wait for a free worker; it is in the server's process, for cancelling."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twisted.internet.defer import Deferred

T = TypeVar("T")

QUEUED_PER_KEY = 4
"""Maximum number of waiting jobs with one key."""

Work = Callable[[float], T]
"""A worker's function, called with the seconds that it may take."""


@dataclass(slots=True, eq=False)
class Task(Generic[T]):
    """A waiting job: the `key` for taking turns, the work, and the Deferred for its answer."""

    key: str
    work: Work[T]
    answer: Deferred[T | None]


class TaskQueue:
    """The waiting jobs, at most `most`. Keys take turns; the jobs of a key stay in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0
        # In the order of turns: the next key comes first.
        self._by_key: dict[str, deque[Task[Any]]] = {}

    def __len__(self) -> int:
        return self._waiting

    def put(self, task: Task[Any]) -> bool:
        """Adds a job; False if too many are waiting, with its key or in all."""
        tasks = self._by_key.get(task.key, ())
        if self._waiting == self._most or len(tasks) == QUEUED_PER_KEY:
            return False
        self._by_key.setdefault(task.key, deque()).append(task)
        self._waiting += 1
        return True

    def take(self) -> Task[Any]:
        """Removes and returns the next job of a non-empty queue; its key comes last then."""
        key = next(iter(self._by_key))
        tasks = self._by_key.pop(key)
        task = tasks.popleft()
        if tasks:
            self._by_key[key] = tasks
        self._waiting -= 1
        return task

    def drop(self, answer: Deferred[Any]) -> None:
        """Removes the job with this answer, if it still waits."""
        for key, tasks in self._by_key.items():
            for task in tasks:
                if task.answer is answer:
                    tasks.remove(task)
                    self._waiting -= 1
                    if not tasks:
                        del self._by_key[key]
                    return
