"""The real server, for the tests that need one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server on a free port; its address. The tests of a module share it under other names."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "twentytwo_server", "run"),
            *("--memory", "--port", "0", "--bot-pause", "0", "--while-stdin"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None and process.stdin is not None
    line = process.stdout.readline()
    assert line.startswith("listening on "), line
    yield line.split()[-1]
    process.stdin.close()
    process.wait(30)
    process.stdout.close()
