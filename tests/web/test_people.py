"""People at several pages: accounts, friends, the daily deal, pairs of tables."""

from __future__ import annotations

import json
import re

import pytest

from tests.kit.browser import BROWSER, MISSING
from tests.web.browser import Page
from tests.web.playing import ASKED, CLICKS, House, tap
from tests.web.test_afterwards import errors, played

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason=MISSING),
    pytest.mark.deadline(200),
]
COMPARED = """((lines) => lines.length && lines)(
    [...document.querySelectorAll(".compared p")].map((each) => each.innerText))"""
"""The comparison of a pair of tables, line by line."""
PASSWORD = "three blind mice"


def includes(selector: str, text: str) -> str:
    """The condition that an element has a text."""
    return f"document.querySelector({selector!r})?.innerText.includes({json.dumps(text)})"


def register(page: Page) -> None:
    """Makes an account of a guest, by the menu."""
    page.tap("header button[aria-haspopup=dialog]")
    page.tap("dialog button", "make an account")
    for field in ("password", "again"):
        page.tap(f"dialog [name={field}]")
        page.type(PASSWORD)
    page.press("Enter")
    page.until("!document.querySelector('dialog')")


def profile(page: Page, tab: str) -> None:
    """Opens a tab of the pages about oneself."""
    page.tap(".mine-nav button, .profile nav button", tab)
    page.until(f"document.querySelector('.profile')?.ariaLabel === {json.dumps(tab)}")


def test_a_guest_who_registers_keeps_the_game_just_played(house: House) -> None:
    page = house.browser.page()
    played(page, house.url, "gil", bots=1, seed=4, limit=10)
    page.open(house.url)
    page.until(includes(".bar button", "gil"))
    register(page)
    profile(page, "My games")
    page.until(includes(".list", "of 2"))
    page.tap("button", "Back")
    for again in (False, True):
        if again:
            page.open(f"{house.url}?again")
        page.until(includes(".bar button", "gil"))
        page.tap("header button", "gil")
        page.until(includes("dialog", "Change my password"))
    assert errors(page) == []


def test_friends_invite_and_the_result_is_in_both_histories(house: House) -> None:
    amy, ben = house.visitor("amy"), house.visitor("ben")
    for page in (amy, ben):
        page.tap("button", "Come in")
        page.until("document.querySelector('.mine-nav') !== null")
        register(page)
    profile(amy, "Friends")
    amy.tap("#friend-name")
    amy.type("ben")
    amy.press("Enter")
    amy.until(includes(".list", "ben · here"))
    amy.tap("button", "Back")
    amy.tap(".way", "With friends")
    amy.until(includes("dialog", "Send this link"))
    amy.press("Escape")
    amy.tap("button", "Menu")
    amy.tap("dialog button", "My games, friends")
    profile(amy, "Friends")
    amy.tap(".list button", "Invite ben")
    ben.until(includes(".people", "amy invites you to"))
    ben.tap(".people button", "Accept")
    ben.tap(".actions button", "I am ready")
    amy.tap("button", "Back")
    amy.tap(".actions button", "Start")
    for page in (amy, ben):
        page.until("document.querySelector('.table.playing') !== null")
    for _ in range(6):
        for page in (amy, ben):
            if at := page.run(ASKED):
                tap(page, at)
    amy.tap("button", "Menu")
    amy.tap("dialog button", "Resign")
    amy.tap("dialog button", "Resign")
    for page, place in ((amy, "2nd of 2"), (ben, "1st of 2")):
        page.until("document.querySelector('.table.over') !== null")
        page.tap("button", "Leave")
        profile(page, "My games")
        page.until(includes(".list", place))
        assert page.errors == []


def test_the_result_of_a_daily_deal_is_shared_without_its_cards(house: House) -> None:
    page = house.visitor("dot")
    page.tap(".way", "Daily deal")
    page.until("document.querySelector('.table.playing') !== null")
    page.run(CLICKS)
    page.tap(".actions button", "Share the result")
    text = page.until("document.querySelector('dialog .copy')?.innerText")
    said, url = text.split("\n")
    day = r"Twenty-Two, daily deal of [0-9]{4}-[0-9]{2}-[0-9]{2}: "
    assert re.fullmatch(day + r"[1-9](st|nd|rd|th) at the table, [+-]?[0-9.]+ points.*", said), said
    assert url == house.url
    page.press("Escape")
    register(page)
    page.tap("button", "Leave")
    profile(page, "Daily deals")
    page.until(includes(".profile table", "dot"))
    page.tap("button", "Share my result")
    assert page.until("document.querySelector('dialog .copy')?.innerText").startswith(said[:40])
    page.press("Escape")
    page.until("!document.querySelector('dialog')")
    assert "Play today's deal" not in page.text()
    assert page.errors == []


def test_a_pair_of_tables_is_played_and_compared(house: House) -> None:
    pia = house.visitor("pia")
    pia.tap(".way", "Your own table")
    pia.until("document.querySelector('dialog [name=game]') !== null")
    pia.run("""(async () => {
        const set = (name, value) => {
            const field = document.querySelector(`dialog [name=${name}]`);
            field.value = value;
            field.dispatchEvent(new Event("change", { bubbles: true }));
        };
        set("game", "whist22");
        while (document.querySelector("dialog [name=rules]").value !== "gamerules") {
            await new Promise(requestAnimationFrame);
        }
        Object.entries({ seats: 3, clock: 0, duplicate: 2 }).forEach((each) => set(...each));
    })()""")
    pia.tap("dialog button.main", "Open the table")
    link = pia.until("document.querySelector('dialog code')?.innerText")
    pia.press("Escape")
    quin = house.visitor("quin", link.removeprefix(house.url))
    quin.press("Enter")
    for page in (quin, pia):
        page.tap(".actions button", "I am ready")
    pia.tap(".actions button", "Start")
    for page in (pia, quin):
        page.until("document.querySelector('.table.playing') !== null")
        page.run(CLICKS)
    for page, other in ((pia, "~quin"), (quin, "~pia")):
        first, mine, *rest = page.until(COMPARED)
        assert first.startswith("The same cards here and at t") and mine.endswith(f"{other}.")
        assert len(rest) == 3 and "rematch" not in rest[-1]
        assert page.errors == []
