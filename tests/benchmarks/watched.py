"""Our server, watched from within: where its time goes, and what happened when.

`python -m tests.benchmarks.watched FILE run ...` is `twentytwo-server run ...`. SIGUSR1 begins to
watch, in the way that the environment's WATCH says; SIGUSR2 ends it, writes what was seen to FILE
as JSON, and takes the next word of WATCH. The ways are

- `samples`: now and then it is noted which function runs. A sample counts as much as the main
  thread has run since the last, so that what other threads do and sleep count for nothing;
- `points`: the failpoints, the passes of the garbage collector and the waking and sleeping of the
  event loop are noted with their times.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, cast

from tests.benchmarks.stages import stage
from twentytwo_server import cli, failpoints

EVERY = 0.001
"""Seconds of the processor between samples; most kernels have it at 4 ms all the same."""


class Samples:
    """Which function ran, in seconds of the main thread."""

    def __init__(self) -> None:
        self._layers: Counter[str] = Counter()
        self._functions: Counter[str] = Counter()
        self._known: dict[CodeType, str | None] = {}
        self._collecting = 0.0
        self._began = self._garbage = self._longest = 0.0
        self._passes = [0, 0, 0]

    def start(self) -> None:
        """Begins."""
        self._process, self._last = time.process_time(), time.thread_time()
        self._main = self._last
        gc.callbacks.append(self._collected)
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)

    def stop(self) -> dict[str, Any]:
        """Ends; what was seen."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        gc.callbacks.remove(self._collected)
        main = time.thread_time() - self._main
        return {
            "layers": self._layers,
            "functions": self._functions,
            "others": time.process_time() - self._process - main,
            "garbage": self._garbage,
            "longest": self._longest,
            "passes": self._passes,
        }

    def _sample(self, _: int, frame: FrameType | None) -> None:
        now = time.thread_time()
        ran, self._last = now - self._last, now
        inner = True
        while frame is not None:
            code = frame.f_code
            if code not in self._known:
                self._known[code] = stage(frame.f_globals.get("__name__", ""), code.co_name)
            if inner:
                # What was compiled at run time has no module.
                module = frame.f_globals.get("__name__") or code.co_filename
                where = f"{module}.{code.co_qualname}"
                self._functions[where] += ran  # type: ignore[assignment]  # seconds
                inner = False
            found = self._known[code]
            if found is not None:
                self._layers[found] += ran  # type: ignore[assignment]  # seconds
                return
            frame = frame.f_back
        self._layers["elsewhere"] += ran  # type: ignore[assignment]  # seconds

    def _collected(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = time.perf_counter()
            return
        took = time.perf_counter() - self._collecting
        self._garbage += took
        self._longest = max(self._longest, took)
        self._passes[about["generation"]] += 1


class Points:
    """When what was reached: the time, that of the thread, which thread, and the name."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float, int, str]] = []

    def start(self) -> None:
        """Begins."""
        failpoints.at = self._at
        gc.callbacks.append(self._collected)
        selector = getattr(asyncio.get_running_loop(), "_selector", None)
        if selector is not None:  # uvloop has none
            selector.select = self._seen(selector.select)

    def stop(self) -> dict[str, Any]:
        """Ends; what was seen."""
        failpoints.at = None
        gc.callbacks.remove(self._collected)
        return {"points": self._points}

    def _at(self, name: str) -> None:
        self._points.append((time.perf_counter(), time.thread_time(), threading.get_ident(), name))

    def _seen(self, select: Callable[[float | None], list[Any]]) -> Callable[..., list[Any]]:
        def seen(timeout: float | None = None) -> list[Any]:
            self._at("the loop sleeps")
            found = select(timeout)
            self._at(f"the loop wakes, {len(found)} sockets are ready")
            return found

        return seen

    def _collected(self, phase: str, about: dict[str, int]) -> None:
        self._at(f"garbage, generation {about['generation']}: {phase}")


WAYS: dict[str, Callable[[], Samples | Points]] = {
    "samples": Samples,
    "points": Points,
}


def main(file: Path, arguments: list[str]) -> None:
    """Serves until it is told to stop."""
    ways = iter(os.environ.pop("WATCH").split())
    watching: Samples | Points

    def begin(*_: object) -> None:
        nonlocal watching
        watching = WAYS[next(ways)]()
        watching.start()

    def end(*_: object) -> None:
        found = json.dumps(watching.stop())
        whole = file.with_suffix(".part")
        whole.write_text(found)
        whole.replace(file)

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    cast(Callable[..., None], cli.main)(arguments)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
