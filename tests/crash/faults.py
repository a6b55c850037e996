"""A disk that refuses calls during games: it is full, unreadable, unsafe or locked at the n-th
call.

The server is a separate process; shared memory tells it which call to refuse. After a transient
fault everything continues, and nothing is acknowledged meanwhile. After a failed sync it is unknown
which data is safe: the server exits with status 70, and the next one has all acknowledged data.
"""

from __future__ import annotations

import mmap
import shutil
import signal
import sqlite3
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.crash.forking import portions, spread
from tests.crash.life import Life, Run
from tests.crash.player import Broken
from tests.crash.server import Child
from tests.crash.vfs import FULL, IOERR_FSYNC, IOERR_READ, IOERR_WRITE, OK, Disk, Op
from twentytwo_server.node import FATAL
from twentytwo_server.store import writer

CALLS = {
    "full": ("write", FULL),
    "write": ("write", IOERR_WRITE),
    "read": ("read", IOERR_READ),
    "sync": ("sync", IOERR_FSYNC),
}
"""Faults of the disk: the refused call, and its error."""
KINDS = (*CALLS, "locked")
WAITS = (0.002, 0.02)
"""Seconds between retries of a server in these tests."""


class Spoiler:
    """The planned fault; set in one process, and injected in the server's process."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 64)

    def _get(self) -> tuple[int, int, int, int]:
        kind, left, times, hits = struct.unpack_from("4q", self._shared)
        return kind, left, times, hits

    def _set(self, *values: int) -> None:
        struct.pack_into("4q", self._shared, 0, *values)

    def arm(self, kind: str, nth: int, times: int) -> None:
        """Makes `times` calls fail, beginning with the n-th."""
        self._set(KINDS.index(kind) + 1, nth, times, 0)

    def disarm(self) -> int:
        """Ends the fault; returns the number of refused calls."""
        hits = self._get()[3]
        self._set(0, 0, 0, 0)
        return hits

    @property
    def kind(self) -> str:
        """The kind of fault."""
        return KINDS[self._get()[0] - 1]

    @property
    def hits(self) -> int:
        """The number of refused calls."""
        return self._get()[3]

    @property
    def spent(self) -> bool:
        """True if all planned calls were refused."""
        return self._get()[2] <= 0

    # -------------------------------------------------------------------- in the server

    def install(self) -> None:
        """Injects the faults into this process."""
        writer.RETRY_DELAYS = WAITS
        self._disk = Disk(self._watch)  # SQLite uses it until the process ends
        self._disk.install()
        connect: Any = sqlite3.connect
        spoiler = self

        class Locked(sqlite3.Connection):
            def cursor(self, *args: Any) -> Any:
                return super().cursor(LockedCursor)

        class LockedCursor(sqlite3.Cursor):
            def execute(self, *args: Any) -> Any:
                spoiler.lock()
                return super().execute(*args)

            def executemany(self, *args: Any) -> Any:
                spoiler.lock()
                return super().executemany(*args)

        def opened(*args: Any, **options: Any) -> sqlite3.Connection:
            found: sqlite3.Connection = connect(*args, **options, factory=Locked)
            return found

        sqlite3.connect = opened  # type: ignore[assignment]

    def _watch(self, op: Op) -> int:
        armed = self._get()[0]
        if 0 < armed <= len(CALLS):
            call, code = CALLS[KINDS[armed - 1]]
            if op.kind == call and self._meets():
                return code
        return OK

    def lock(self) -> None:
        """Called before each statement. Raises SQLite's error for a locked file."""
        if self._get()[0] == len(KINDS) and self._meets():
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = "SQLITE_BUSY"
            raise error

    def _meets(self) -> bool:
        kind, left, times, hits = self._get()
        left -= 1
        refused = left <= 0 and times > 0
        self._set(kind, left, times - refused, hits + refused)
        return refused


class Spoiled(Life):
    """The life of a data folder on a faulty disk."""

    def __init__(self, folder: Path, seed: str) -> None:
        super().__init__(folder, seed)
        self.spoiler = Spoiler()
        self.met: Counter[str] = Counter()
        self.told = 0
        for player in self.players:
            player.plan.ends = 0.1

    def child(self, at: Callable[[str], None] | None) -> Child:
        """Starts a server with injected faults."""
        words = ("--port", "0", "--data", str(self.folder / "data"), "--bot-pause", "0")
        return Child(words, self.folder / "complaints", at, self.spoiler.install)

    def run(self, faults: int) -> None:
        """Injects `faults` faults, then checks everything. Raises `Broken`."""
        while self.met.total() < faults:
            self._server(faults)
        self.spoiler.disarm()
        self._come_to_the_end()
        self.audit()

    def _server(self, faults: int) -> None:
        """Runs one server until it exits after a failed sync, or enough faults were injected."""
        if self.dice.random() < 0.3:
            self._start()
        child = self.child(None)
        run = Run(self.players, child)
        status: int | None = None
        try:
            run.until(None, 5)
            while not run.ended and self.met.total() < faults:
                self._fault(run)
            if run.ended:
                status = child.wait()
        except BaseException:
            child.kill()
            child.wait()
            raise
        if status is None:
            child.kill()
            child.wait()
        for player in self.players:
            player.gone()
        if status not in (None, FATAL):
            said = (self.folder / "complaints").read_text(encoding="utf-8")
            raise Broken(f"the server ended with {status} and said: {said[-2000:]}")

    def _start(self) -> None:
        """Starts a server with a fault during the start: it reports one line, or continues."""
        kind = self.dice.choice(KINDS)
        self.spoiler.arm(kind, self.dice.randint(1, 40), self.dice.randint(1, 3))
        child = self.child(None)
        run = Run(self.players, child)
        try:
            run.until(None, 5)
        finally:
            if not run.ended:
                child.kill()
            status = child.wait()
            for player in self.players:
                player.gone()
        self.met[kind] += self.spoiler.disarm() > 0
        said = (self.folder / "complaints").read_text(encoding="utf-8")
        if status not in (1, FATAL, -signal.SIGKILL) or "Traceback" in said:
            raise Broken(f"a start with {kind} ended with {status}: {said[-2000:]}")

    def _fault(self, run: Run) -> None:
        """Injects a fault, and checks the reaction."""
        dice = self.dice
        kind = dice.choice([*KINDS, "full", "write", "locked"])
        nth = 1 if kind == "read" else dice.randint(1, 30)
        lasts = kind != "sync" and dice.random() < 0.2
        for player in self.players:
            player.notes.clear()
        self.spoiler.arm(kind, nth, 10**9 if lasts else dice.randint(1, 4))
        heard = sum(player.heard for player in self.players)

        def enough() -> bool:
            if lasts and self.spoiler.hits:
                return True
            now = sum(player.heard for player in self.players)
            return self.spoiler.spent or now - heard > (400 if kind == "read" else 60)

        run.read_until(enough)
        if lasts and self.spoiler.hits and not run.ended:
            self._while_it_lasts(run)
        hits = self.spoiler.disarm()
        self.met[kind] += hits > 0
        if hits and kind == "sync":
            run.read_until(lambda: False)  # until the server ends
        elif run.ended:
            raise Broken(f"the server ended after {kind}, {hits} times from call {nth} on")
        else:
            run.until(None, 3, each=0)

    def _while_it_lasts(self, run: Run) -> None:
        """Checks that everybody is notified, and that nothing is acknowledged afterwards.

        A read fault in the log only delays moving it: then new data is stored all the same.
        """
        if self.spoiler.kind == "read":
            return
        run.read_until(lambda: all("STORAGE" in player.notes for player in self.players))
        before = sum(len(player.acked) for player in self.players)
        run.read_until(lambda: False, time.monotonic() - run.began + 0.05)
        after = sum(len(player.acked) for player in self.players)
        if after != before:
            raise Broken("orders were acknowledged that could not be kept")
        self.told += 1


def one(work: tuple[str, int]) -> tuple[Counter[str], str]:
    """Runs one life; returns the message of a broken promise, or nothing."""
    seed, faults = work
    folder = Path(tempfile.mkdtemp(prefix="twentytwo-faults-"))
    life = Spoiled(folder, f"{seed} faults")
    try:
        life.run(faults)
    except Exception as broken:
        again = f"python -m tests.crash faults --faults {faults} --seed {seed} --processes 1"
        return life.met, f"FAIL seed={seed} {folder}: {broken!r}  again: {again}{life.last_words()}"
    shutil.rmtree(folder)
    life.met["told"] = life.told
    return life.met, ""


def run(faults: int, seed: str, processes: int) -> int:
    """Injects the faults, and prints the results; returns the number of failed lives."""
    met: Counter[str] = Counter()
    broken = 0
    for found, wrong in spread(one, portions(faults, seed), processes):
        met += found
        if wrong:
            broken += 1
            print(wrong, flush=True)
    told = met.pop("told", 0)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(met.items()))
    print(
        f"{met.total()} faults met ({kinds}); players were told of {told} that lasted; "
        f"{broken} lives broken",
        flush=True,
    )
    return broken
