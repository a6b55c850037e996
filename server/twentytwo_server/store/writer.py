"""The only writer of a database: stores facts in order, many in one transaction.

The promise: `done` is called only when its facts are committed and synced to disk. These rules keep
the promise:

- One task writes one batch at a time, so facts are committed in the order of the calls of `keep`.
- A transaction that fails with a transient error (disk full, database down) is retried until it
  succeeds. Meanwhile no `done` is called, so nothing is acknowledged.
- Any other failure ends the process, because only a restart can tell which data is stored.
- Every batch has a number, which is stored with it. If the answer to a commit is lost, the number
  shows whether the batch was committed, so that no batch is written twice. If the number is not the
  last one plus one, another server writes to the database (`Conflict`).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from ..facts import Fact, Promise
from ..failpoints import failpoint
from ..metrics import Histogram
from ..ports import SLOW_STORAGE, StorageListener
from .committing import committer
from .common import in_order
from .engines import checkpoint
from .faults import fault
from .nodes import Fence
from .writing import Batch, Counters

GATHER = 0.003
"""Seconds between two commits under constant load; facts are collected meanwhile."""

MOST = 2000
"""Maximum number of facts in a transaction. The facts of one call always stay together."""

SLOW = 1.0
"""Seconds after which a running commit is reported as slow storage."""
HANGING = 15.0
"""Seconds after which a running commit is reported as a storage fault."""

RETRY_DELAYS = (0.05, 2.0)
"""Seconds before a failed transaction is retried: the first delay, and the maximum; delays double.
"""

PATIENCE = 5.0
"""Seconds for the last commits when the server stops. Facts not written by then are lost, but were
never acknowledged.
"""

LOG = 2000
"""Number of facts after which SQLite's write-ahead log is moved into the database file."""

Fatal = Callable[[str], None]
"""Called with the reason when the process must end, because stored data has to be read again."""


class Writer:
    """Stores facts in the order of the calls of `keep`; see `ports.Store` and this module's
    docstring.

    An idle writer writes at once; a busy one collects facts for `GATHER` seconds. `fence` is the
    right to write. `now` are the counters in the database. `fatal` is called at most once; nothing
    is written afterwards. `present` is called after each commit and raises `Moved` if the
    database's files were moved or deleted: then the commit is not acknowledged until they are back.
    If the database is damaged, `damaged` is called with the reason before `fatal`. Each of
    `committed` is called with facts that are safe, after their `done`.

    `commits` has the durations of commits in seconds, including failed attempts.

    A running event loop is required; the writer starts a task on it. Call `close` at the end.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        fence: Fence,
        now: Counters,
        fatal: Fatal,
        present: Callable[[], None] = lambda: None,
        damaged: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._engine = engine
        self._committer = committer(engine, fence, present)
        self._damaged = damaged
        self.committed: Sequence[Callable[[Sequence[Fact]], None]] = ()
        self._fence = fence
        self._marks = now
        self._promised = now.promise
        self._fatal = fatal
        self._troubles: list[StorageListener] = []
        self._why: str | None = None
        self._queue: deque[tuple[Sequence[Fact], Callable[[], None]]] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self.commits = Histogram()
        self._logged = 0
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run())

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """See `ports.Store`. After `close` or `fatal`, nothing is stored, no `done` called."""
        for fact in facts:
            if type(fact) is Promise:
                self._promised = in_order(fact, self._promised).no
        if not self._closing:
            self._queue.append((facts, done))
            self._wake.set()

    @property
    def queued(self) -> int:
        """Number of `keep` calls that wait for the next commit."""
        return len(self._queue)

    def watch(self, trouble: StorageListener) -> None:
        """Registers `trouble`, called with a reason when a storage fault begins, and with None at
        its end.

        It is never called during this call. If there is a fault already, it is called soon after.
        """
        self._troubles.append(trouble)
        if self._why is not None:
            self._loop.call_soon(trouble, self._why)

    async def close(self) -> None:
        """Writes all queued facts and stops; gives up after `PATIENCE` seconds."""
        self._closing = True
        self._wake.set()
        await asyncio.wait({self._task}, timeout=PATIENCE)
        self._task.cancel()
        await asyncio.wait({self._task})

    # ------------------------------------------------------------------------- the task

    async def _run(self) -> None:
        begun = self._loop.time()
        while True:
            if self._queue:  # facts arrived during the last commit: collect more before the next
                await asyncio.sleep(begun + GATHER - self._loop.time())
            elif not await self._something():
                return
            begun = self._loop.time()
            batch, dones = self._take()
            failpoint("batch taken")
            try:
                await self._write(batch)
                self.commits.observe(self._loop.time() - begun)
                self._written(batch, dones)
                await self._move_log()
            except Exception as error:
                self._closing = True
                found = fault(error)
                if found.damaged:
                    self._damaged(found.why)
                self._loop.call_soon(self._fatal, found.why)
                return

    def _written(self, batch: Batch, dones: list[Callable[[], None]]) -> None:
        failpoint("committed")
        self._marks = batch.marks
        self._logged += batch.size
        for done in dones:
            try:
                done()
            except Exception as error:  # the callbacks of other calls must still run
                what = {"message": "what was to follow a commit", "exception": error}
                self._loop.call_exception_handler(what)
        self._tell(None)

    async def _move_log(self) -> None:
        """Keeps SQLite's log short. A transient failure is retried later.

        Raises any other error.
        """
        if self._logged < LOG or self._engine.dialect.name != "sqlite":
            return
        self._logged = 0
        failpoint("log to be moved")
        try:
            await checkpoint(self._engine)
            failpoint("log moved")
        except sqlite3.Error as error:
            if not fault(error).passing:
                raise

    async def _something(self) -> bool:
        """Waits for facts to write; False if the writer is closed and its queue is empty."""
        while not self._queue:
            if self._closing:
                return False
            self._wake.clear()
            await self._wake.wait()
        return True

    def _take(self) -> tuple[Batch, list[Callable[[], None]]]:
        """The next batch, and what is to be called when it is safe."""
        batch = Batch(self._marks, self._fence)
        dones: list[Callable[[], None]] = []
        while self._queue and (not dones or batch.size + len(self._queue[0][0]) <= MOST):
            facts, done = self._queue.popleft()
            for fact in facts:
                batch.add(fact)
            dones.append(done)
            dones += [partial(committed, facts) for committed in self.committed]
        return batch, dones

    async def _write(self, batch: Batch) -> None:
        """Commits a batch, retrying after transient errors until it succeeds. Raises all other
        errors.
        """
        late: list[asyncio.TimerHandle] = []
        late.append(self._loop.call_later(SLOW, lambda: late.append(self._slow())))
        wait, most = RETRY_DELAYS
        again = False
        try:
            while True:
                try:
                    return await self._committer.commit(batch, again)
                except Exception as error:
                    found = fault(error)
                    if not found.passing:
                        raise
                    self._tell(found.why)
                await asyncio.sleep(wait)
                wait, again = min(2 * wait, most), True
        finally:
            for each in late:
                each.cancel()

    def _slow(self) -> asyncio.TimerHandle:
        """Reports that a commit is slow, and later that it hangs.

        The second timer starts only now. Started earlier, both would expire together after the
        process was frozen.
        """
        self._tell_late(None, SLOW_STORAGE)
        hangs = "the storage does not answer"
        return self._loop.call_later(HANGING - SLOW, self._tell_late, SLOW_STORAGE, hangs)

    def _tell_late(self, before: str | None, why: str) -> None:
        """Reports a late commit, unless another fault was reported before."""
        if self._why == before:
            self._tell(why)

    def _tell(self, why: str | None) -> None:
        if why != self._why:
            self._why = why
            for trouble in self._troubles:
                self._loop.call_soon(trouble, why)
