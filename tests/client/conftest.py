"""The real server, for the tests that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.processes import Server


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server on a free port; its address. The tests of a module share it under other names."""
    with Server("--port", "0", "--bot-pause", "0") as made:
        yield ":".join(map(str, made.address()))
