"""Our server, watched from within: where its time goes, and what happened when.

`python -m tests.benchmarks.watched FILE run ...` is `twentytwo-server run ...`. SIGUSR1 begins to
watch, in the way that the environment's WATCH says; SIGUSR2 ends it, writes what was seen to FILE
as JSON, and takes the next word of WATCH. The ways are

- `samples`: now and then it is noted which function runs. A sample counts as much as the main
  thread has run since the last, so that what other threads do and sleep count for nothing;
- `calls`: every call is counted, which makes everything slower;
- `points`: the failpoints, the passes of the garbage collector and the waking and sleeping of the
  event loop are noted with their times.
"""

from __future__ import annotations

import asyncio
import cProfile
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

from twentytwo_server import cli, failpoints

EVERY = 0.001
"""Seconds of the processor between samples; most kernels have it at 4 ms all the same."""

READS = (
    "_dataReceived",
    "_readIsReady",
    "_readOrWrite",
    "_read_ready",
    "_read_ready__data_received",
    "dataReceived",
    "data_received",
    "doRead",
)
WRITES = (
    "_add_writer",
    "_remove_writer",
    "_write_ready",
    "_write_send",
    "add_writer",
    "remove_writer",
    "write",
    "writelines",
)
LAYERS = (
    # The first prefix that fits a module and, if there is one, a name among its functions.
    ("twisted.internet.tcp", READS, "socket read"),
    ("twisted.internet.tcp", (), "socket write"),
    ("twisted.internet.abstract", (), "socket write"),
    ("twisted.internet.asyncioreactor", READS, "socket read"),
    ("twisted.internet.asyncioreactor", ("callLater", "_onTimer", "_reschedule"), "timers"),
    ("twisted.internet.asyncioreactor", (), "socket write"),
    ("twisted.internet.base", (), "timers"),
    ("twisted.internet", (), "event loop"),
    ("asyncio.selector_events", WRITES, "socket write"),
    ("asyncio.selector_events", READS, "socket read"),
    ("asyncio", (), "event loop"),
    ("selectors", ("select",), "event loop"),
    ("twentytwo_server.net.direct", (), "socket write"),
    ("twentytwo_server.net.transport", READS, "socket read"),
    ("twentytwo_server.net.transport", (), "socket write"),
    (
        "twentytwo_server.net",
        (
            "send",
            "flush",
            "_flush",
            "flush_soon",
            "_answer_peer",
            "_to_be_flushed",
            "_to_be_written",
            "count_held",
            "_check_unread",
            "_go_on",
        ),
        "fan-out: bytes of a connection",
    ),
    ("twentytwo_server.net", (), "connection: lines in, limits"),
    ("twentytwo_protocol.framing", (), "connection: lines in, limits"),
    ("twentytwo_server.session.reading", (), "parsing"),
    ("twentytwo_protocol.verbs", (), "parsing"),
    ("twentytwo_protocol.typed", (), "parsing"),
    ("twentytwo_protocol.wire", ("parse", "read"), "parsing"),
    ("twentytwo_server.session", (), "fan-out: who hears what"),
    ("twentytwo_protocol.folding", (), "state for late comers"),
    ("twentytwo_protocol.model", (), "state for late comers"),
    ("twentytwo_protocol.knowledge", (), "state for late comers"),
    ("twentytwo_protocol.logs", (), "facts, journal"),
    ("twentytwo_protocol.record", (), "facts, journal"),
    ("twentytwo_protocol", (), "fan-out: events to lines"),
    ("twentytwo_server.host.commands", (), "dispatch, commands"),
    ("twentytwo_server.host.access", (), "dispatch, commands"),
    ("twentytwo_server.games", (), "laws"),
    ("twentytwo_server.table.journal", (), "facts, journal"),
    ("twentytwo_server.host.tables.input_log", (), "facts, journal"),
    ("twentytwo_server.host.tables.game_log", (), "facts, journal"),
    ("twentytwo_server.table", (), "table"),
    ("twentytwo_server.host", (), "room, people"),
    ("twentytwo_server.records", (), "records"),
    ("twentytwo_server.facts", (), "facts, journal"),
    ("twentytwo_server.store", (), "store"),
    ("aiosqlite", (), "store"),
    ("sqlalchemy", (), "store"),
    ("twentytwo_server", (), "the rest of the server"),
    # What comes at once after a pass of the collector.
    ("__main__", ("_collected",), "garbage collector"),
)


def layer(module: str, function: str) -> str | None:
    """The layer of a function; None if its caller's layer is meant."""
    for prefix, names, found in LAYERS:
        if (module == prefix or module.startswith(prefix + ".")) and (
            not names or function in names
        ):
            return found
    return None


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
                self._known[code] = layer(frame.f_globals.get("__name__", ""), code.co_name)
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


class Calls:
    """How often everything was called."""

    def __init__(self) -> None:
        self._profile = cProfile.Profile()

    def start(self) -> None:
        """Begins."""
        self._profile.enable()

    def stop(self) -> dict[str, Any]:
        """Ends; what was seen."""
        self._profile.disable()
        modules = {getattr(m, "__file__", None): n for n, m in list(sys.modules.items())}
        layers: Counter[str] = Counter()
        functions: Counter[str] = Counter()
        builtins = 0
        for entry in self._profile.getstats():
            code = entry.code
            if isinstance(code, str):
                builtins += entry.callcount
                continue
            module = modules.get(code.co_filename) or code.co_filename
            layers[layer(module, code.co_name) or "elsewhere"] += entry.callcount
            functions[f"{module}.{code.co_qualname}"] += entry.callcount
        return {"layers": layers, "functions": functions, "builtins": builtins}


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


WAYS: dict[str, Callable[[], Samples | Calls | Points]] = {
    "samples": Samples,
    "calls": Calls,
    "points": Points,
}


def main(file: Path, arguments: list[str]) -> None:
    """Serves until it is told to stop."""
    ways = iter(os.environ.pop("WATCH").split())
    watching: Samples | Calls | Points

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
