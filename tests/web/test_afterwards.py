"""Finished games in the page: the replay, the review, a game in a link."""

from __future__ import annotations

import json

import pytest

from tests.kit.browser import BROWSER, MISSING
from tests.web.browser import Page
from tests.web.checks import check
from tests.web.payloads import PAYLOADS
from tests.web.playing import House

pytestmark = [pytest.mark.skipif(BROWSER is None, reason=MISSING), pytest.mark.deadline(200)]

PLAYED = """(async () => {
  const { connect } = await import("/sdk/index.js");
  const address = location.origin.replace("http", "ws") + "/";
  const server = await connect(address, { name: "%s" });
  const table = await server.practice(%s);
  for await (const question of table.questions()) {
    await question.play(question.legal.at(-1) ?? question.default);
  }
  await server.until(() => table.state.phase === "over");
  localStorage.setItem(`twentytwo ${address}`, JSON.stringify({ token: server.token }));
  await server.command("leave");
  return table.state.game.id;
})()"""
"""Plays a game, and keeps the token: the page takes that session up."""


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


def test_a_link_opens_the_review_and_each_mark_shows_its_move(house: House) -> None:
    page = house.browser.page()
    game = played(page, house.url, "pat", bots=2, seed=3, limit=10)
    page.open(f"{house.url}#review={game}")
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


def test_a_game_is_gone_through_by_keys_and_by_anybodys_eyes(house: House) -> None:
    page = house.browser.page()
    game = played(page, house.url, "kim", bots=1, seed=4, limit=10)
    page.open(f"{house.url}#game={game}")
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


# ------------------------------------------------------------------------- a game in a link

NO_SERVER = """
  window.WebSocket = class {
    constructor() { setTimeout(() => this.onerror?.()); }
    send() {}
    close() {}
  };
"""
"""No connection can be made."""
SHOWS = "!!document.querySelector('.past .facts')"
RENAMED = """(async ([link, ...names]) => {
  const { LinkedGame, gameLink } = await import("/sdk/event-link.js");
  const { all, closed } = await LinkedGame.read(link);
  const renamed = (event) => event.ev === "JOINED"
    ? { ...event, name: names[event.seat - 1].replaceAll(" ", "/"), text: names[0] }
    : { ...event, text: event.text && `${event.text} ${names[0]}` };
  return gameLink(all.map(renamed), closed.map(renamed));
})"""
"""The link with other names in it, and strange sentences."""


def alone(house: House, url: str) -> Page:
    """A page that no server answers, at this address."""
    page = house.browser.page()
    page.call("Page.addScriptToEvaluateOnNewDocument", source=NO_SERVER)
    page.open(url)
    return page


@pytest.fixture(scope="module")
def link(built: House) -> str:
    """The address of a game in a link, as the page makes it."""
    page = built.browser.page()
    game = played(page, built.url, "liv", bots=1, seed=4, limit=10)
    page.open(f"{built.url}#game={game}")
    page.until(SHOWS)
    page.tap("button", "Copy a link")
    found = page.until("document.querySelector('dialog input')?.value")
    assert f"{len(found)} letters" in page.text()
    check(page)
    assert errors(page) == []
    return str(found)


def test_a_game_in_a_link_is_shown_by_anybodys_eyes_without_a_server(
    house: House, link: str
) -> None:
    page = alone(house, link)
    page.until(SHOWS)
    assert "from a link" in page.text() and "Review" not in page.text()
    hands = "document.querySelectorAll('.hands li').length"
    for eyes, shown in {"A watcher": 0, "liv": 1, "All cards": 2}.items():
        page.tap(".eyes button", eyes)
        page.until(f"{hands} === {shown}")
    assert press(page, "]") == "Hand 1, trick 1"
    check(page)
    page.press("End")
    page.until("document.querySelector('.told').innerText.includes('Game over')")
    page.tap("button", "Copy a link")
    assert page.until("document.querySelector('dialog input')?.value") == link
    page.press("Escape")
    page.tap("button", "Back")
    page.until("!!document.querySelector('.home')")
    assert page.run("location.hash") == ""
    assert errors(page) == []


def test_a_link_that_is_not_whole_is_refused_in_a_sentence(house: House, link: str) -> None:
    page = alone(house, link[:-40])
    why = "document.querySelector('.problem')?.innerText"
    assert page.until(why).startswith("This link is broken: something is missing")
    for other, told in {
        "22v1_AAAA": "This link has the moves of a game",
        "22e1_%zz": "This link is broken",
        "22e9_AAAA": "This link is broken: it is of another version",
    }.items():
        page.run(f"location.hash = 'game={other}'")
        page.until(f"{why}?.startsWith({json.dumps(told)})")
    page.run(f"location.hash = {json.dumps(link.partition('#')[2])}")
    page.until(SHOWS)
    assert errors(page) == []


def test_strange_texts_in_a_link_are_never_markup(house: House, link: str) -> None:
    page = alone(house, link)
    page.until(SHOWS)
    for at in range(0, len(PAYLOADS), 20):
        strange = [payload.replace("{", "(") for payload in PAYLOADS[at : at + 2]]
        word = page.run(f"{RENAMED}({json.dumps([link.partition('=')[2], *strange])})")
        page.run(f"location.hash = 'game={word}'")
        page.until(f"document.querySelector('.told').innerText.includes({json.dumps(strange[0])})")
        assert (
            page.run("document.querySelectorAll('.past :is(img, script, b, iframe)').length") == 0
        )
        page.press("End")
    assert page.run("'pwned' in window") is False
    assert errors(page) == []
