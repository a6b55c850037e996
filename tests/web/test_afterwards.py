"""Finished games in the page: the replay, the review."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.kit import processes
from tests.kit.browser import BROWSER, MISSING
from tests.web.browser import Browser, Page, browsing

pytestmark = [pytest.mark.skipif(BROWSER is None, reason=MISSING), pytest.mark.deadline(200)]

PLAYED = """(async () => {
  const { connect } = await import("/sdk/index.js");
  const server = await connect(location.origin.replace("http", "ws") + "/", { name: "%s" });
  const table = await server.practice(%s);
  for await (const question of table.questions()) {
    await question.play(question.legal.at(-1) ?? question.default);
  }
  await server.until(() => table.state.phase === "over");
  localStorage.setItem("twentytwo", JSON.stringify({ token: server.token }));
  await server.command("leave");
  return table.state.game.id;
})()"""
"""Plays a game, and keeps the token: the page takes that session up."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with processes.Server("--dev", "--bot-pause", "0", "--listen", "ws:127.0.0.1:0") as server:
        host, port = server.address("ws:")
        yield f"http://{host}:{port}/"


def played(page: Page, address: str, name: str, **options: object) -> str:
    """Plays a game against bots under this name; returns its id."""
    page.open(address + "icon.svg")
    page.until("document.readyState === 'complete'")
    return str(page.run(PLAYED % (name, json.dumps(options))))


def errors(page: Page) -> list[str]:
    """The errors but one: a picture by itself has no icon."""
    return [error for error in page.errors if "favicon" not in error]


def facts(page: Page) -> str:
    return str(page.run("document.querySelector('.past .facts').innerText"))


def press(page: Page, key: str) -> str:
    """Presses a key; returns the place of the game that is shown then."""
    page.press(key)
    page.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return facts(page)


def test_a_link_opens_the_review_and_each_mark_shows_its_move(
    browser: Browser, address: str
) -> None:
    page = browser.page()
    game = played(page, address, "pat", bots=2, seed=3, limit=10)
    page.open(f"{address}#review={game}")
    page.until("document.querySelectorAll('.curve polyline').length === 3")
    marks = page.run("document.querySelectorAll('.marks li').length")
    assert marks and marks == page.run("document.querySelectorAll('.curve circle').length")
    assert "Better: exchange 4, 5, 7, 9, jack." in page.text()
    press(page, "}")
    assert not page.run("document.querySelectorAll('.past .mark').length")
    page.tap(".marks button", "Show")
    page.until("document.querySelector('.past .mark')?.innerText.includes('keep all cards')")
    assert facts(page) == "Hand 1"
    page.tap(".marks button", "Play on")
    page.until("document.querySelector('.playing .prompt')?.innerText.includes('Your turn')")
    assert page.run("location.hash") == ""
    assert errors(page) == []


def test_a_game_is_gone_through_by_keys_and_by_anybodys_eyes(
    browser: Browser, address: str
) -> None:
    page = browser.page()
    game = played(page, address, "kim", bots=1, seed=4, limit=10)
    page.open(f"{address}#game={game}")
    page.until("document.querySelector('.past .facts')?.innerText === 'Hand 1'")
    hands = "document.querySelectorAll('.hands li').length"
    assert page.run(hands) == 1
    assert [press(page, key) for key in "]]["] == [
        "Hand 1, trick 1",
        "Hand 1, trick 2",
        "Hand 1, trick 1",
    ]
    assert press(page, "}") == "Hand 2"
    assert press(page, "{") == "Hand 1"
    page.tap(".eyes button", "All cards")
    page.until(f"{hands} === 2")
    page.tap(".eyes button", "A watcher")
    page.until(f"{hands} === 0")
    page.run("document.querySelector('[type=range]').focus()")
    page.press("End")
    page.until("document.querySelector('.told').innerText.includes('Game over')")
    page.tap("button", "Back")
    page.until("!!document.querySelector('.home')")
    assert errors(page) == []
