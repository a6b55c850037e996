"""A worker process, which does one job at a time, and the server's thread that talks to it."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, TypeVar

from .task_queue import Task

log = logging.getLogger("twentytwo.workers")

T = TypeVar("T")

KILL_TIMEOUT = 1.0
"""Seconds to wait for a killed process to end."""


class Worker:
    """A worker process, and the server's thread that waits for its answers.

    Each job has `seconds`; the process is killed if its answer is `patience` seconds late. If the
    process has died, the next job starts a new one.
    """

    def __init__(self, seconds: float, nice: int, patience: float) -> None:
        self._seconds = seconds
        self._nice = nice
        self._patience = patience
        self._tasks: SimpleQueue[tuple[Task[Any], Callable[[Any], None]] | None] = SimpleQueue()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        # Held while a process is started or killed, so that `kill` cannot miss a new one.
        self._starting = threading.Lock()
        self._killed = False
        threading.Thread(target=self._run, name="worker", daemon=True).start()

    def do(self, task: Task[Any], done: Callable[[Any], None]) -> None:
        """Queues a job; calls `done` in the worker's thread with the result or None."""
        self._tasks.put((task, done))

    def kill(self) -> None:
        """Kills the process and ends the thread. Later jobs are not done."""
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
                    log.exception("a job of a worker failed")
            done(answer)

    def _ask(self, task: Task[T]) -> T | None:
        pipe = self._started()
        if pipe is None:
            return None
        try:
            pipe.send((task.work, self._seconds))
            if not pipe.poll(self._seconds + self._patience):
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
        """The pipe to the process, which is started if necessary; None after `kill`."""
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
    """The main function of a worker process: does jobs in a loop."""
    os.nice(nice)
    # Signals to the process group, such as Ctrl-C, are meant for the server, which ends its
    # workers.
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
