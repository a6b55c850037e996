"""One server and one browser for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.processes import Server
from tests.web.browser import Page, browsing
from tests.web.playing import DOORS, House


@pytest.fixture(scope="session")
def built() -> Iterator[House]:
    """A server and a browser."""
    with Server("--dev", *DOORS, "--bot-pause", "0") as server, browsing() as browser:
        yield House.of(server, browser)


@pytest.fixture(scope="session")
def idle(built: House) -> Page:
    """The first screen, for scripts that only use the modules of the page."""
    page = built.visitor()
    built.browser.keep_pages()
    return page


@pytest.fixture
def house(built: House) -> Iterator[House]:
    """The server and the browser, for a test that opens pages."""
    yield built
    built.browser.close_pages()
