"""Measures memory use."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def tracing() -> Generator[Callable[[], int]]:
    """Yields a function that returns the bytes allocated in the block and still in use."""

    def now() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        yield now
    finally:
        tracemalloc.stop()
