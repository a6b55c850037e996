"""The page around a game: profile, own tables, ways out."""

from __future__ import annotations

import json

import pytest

from tests.kit.browser import BROWSER, MISSING
from tests.kit.processes import plain
from tests.web.browser import Page
from tests.web.checks import check
from tests.web.playing import CLICKS, House, said

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason=MISSING),
    pytest.mark.deadline(200),
]

PICTURE = """(async () => {
  const { tablePicture } = await import("/table.js");
  const { Story } = await import("/story.js");
  const { Seat, TableModel } = await import("/sdk/index.js");
  const state = new TableModel("t1", 1);
  const story = new Story();
  state.phase = "playing";
  ["~ann", "%s"].forEach((name, index) =>
    state.seats.set(index + 1, new Seat(name, name.startsWith("bot:"))));
  %s
  const look = { chosen: [], problem: "", advice: "", suggested: [], word: "", daily: false };
  const table = { state, on: "t1", timeLeft() {} };
  return [...tablePicture(table, story, look).querySelectorAll(".mine button, .wish, .advice")]
    .map((each) => each.textContent);
})()"""
"""The buttons below a table of ann and another player, and what the players want."""


def buttons(page: Page, other: str, change: str) -> list[str]:
    return list(page.run(PICTURE % (other, change)))


def test_a_player_who_is_out_is_not_held(idle: Page) -> None:
    out = "state.at(1).out = true;"
    ways = ["A new game", "Another table"]
    assert buttons(idle, "bot:steady", out) == ["Skip to the result", *ways]
    assert buttons(idle, "~bob", out) == ways


def test_who_wants_a_pause_is_told_and_the_others_may_agree(idle: Page) -> None:
    wish = "state.wishes.set('pause', new Set(['%s']));"
    assert buttons(idle, "~bob", wish % "~bob") == ["bob wants to pause. Agree", "Agree"]
    assert buttons(idle, "~bob", wish % "~ann") == ["You want to pause. The others are asked."]


def test_a_pair_of_tables_is_compared(idle: Page) -> None:
    text = "You are 12 points better than ~eve."
    said = f"*** {text}  rematch plays another, leave gets up."
    compared = f"story.see({{ ev: 'COMPARED', table: 't2', text: '{said}' }});"
    assert buttons(idle, "~bob", compared) == [text]
    assert buttons(idle, "~bob", compared + "story.see({ ev: 'GAME' });") == []


def test_ones_games_lead_to_their_replays(house: House) -> None:
    page = house.seated("ivy", "practice bots=1 options=limit:10 seed=5")
    page.run(CLICKS)
    page.tap("button", "Leave")
    page.tap(".mine-nav button", "My games")
    page.until("document.querySelector('.list li')?.innerText.includes('of 2')")
    page.tap(".profile nav button", "Statistics")
    page.until("document.querySelector('.bars') !== null")
    check(page)
    for tab, told in {
        "Ranks": "Nobody is rated",
        "Friends": "friends are for accounts",
        "Daily deals": "Play today's deal",
    }.items():
        page.tap(".profile nav button", tab)
        page.until(f"document.body.innerText.includes({json.dumps(told)})")
        check(page)
    page.tap(".profile nav button", "My games")
    page.tap(".list button", "Replay")
    page.until("document.querySelector('.past .told')?.innerText.includes('begins')")
    page.tap("button", "Review the moves")
    page.until("document.querySelector('.curve') !== null")
    page.tap(".eyes button", "All cards")
    page.until("document.querySelectorAll('.hands li').length === 2")
    check(page)
    assert page.errors == []


def test_the_talk_of_one_person_is_hidden(house: House) -> None:
    page = house.seated("ann", "open seats=3 private=kiwi-fox clock=0")
    with plain(house.lines) as tom, plain(house.lines) as tia:
        for line, name in ((tom, "tom"), (tia, "tia")):
            line.send("hello 1\n")
            line.until("@* OK proto")
            said(line, f"guest {name}")
            said(line, "join kiwi-fox")
        said(tom, "say :first")
        page.until("document.querySelector('.log').innerText.includes('~tom: first')")
        page.tap(".seat .name", "tom")
        page.tap("dialog button", "Hide what they say")
        said(tom, "say :second")
        said(tia, "say :third")
        page.until("document.querySelector('.log').innerText.includes('third')")
        assert "second" not in page.text()
        page.tap(".seat .name", "tom")
        page.tap("dialog button", "Report")
        page.tap("dialog input")
        page.type("rude")
        page.press("Enter")
        page.until("document.querySelector('.log').innerText.includes('The operator will read it')")
        page.tap(".seat .name", "tom")
        page.tap("dialog button", "Block")
        page.until("document.querySelector('.log').innerText.includes('nothing more from ~tom')")
    assert page.errors == []


def test_a_message_is_read_on_the_first_screen_and_says_who_has_sent_it(house: House) -> None:
    page = house.visitor("mia")
    page.tap("button", "Come in")
    with plain(house.lines) as line:
        line.send("hello 1\n")
        line.until("@* OK proto")
        said(line, "guest sam")
        page.until("document.querySelector('.people').innerText.includes('sam')")
        said(line, "tell mia :shall we?")
        page.until(
            "document.querySelector('.people').innerText.includes('~sam tells ~mia: shall we?')"
        )
    assert page.errors == []


def test_a_running_game_against_bots_is_not_ended_unasked(house: House) -> None:
    page = house.seated("eve", "practice bots=1 seed=5")
    page.tap("button", "Menu")
    page.tap("dialog button", "To the first screen")
    page.tap(".way", "Play now")
    page.until("document.querySelector('dialog')?.innerText.includes('would end')")
    page.tap("dialog button", "Begin a new one")
    page.until("document.querySelector('.playing') !== null")
    assert page.errors == []


CHOSEN = """(([name, value]) => {
    const field = document.querySelector(`dialog [name=${name}]`);
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
})(%s)"""
"""Fills in a field of a form."""


def choose(page: Page, name: str, value: str | bool) -> None:
    page.run(CHOSEN % json.dumps([name, value]))


def test_a_table_has_the_rules_that_its_host_chose(house: House) -> None:
    page = house.visitor("una")
    page.tap(".way", "Your own table")
    page.until("document.querySelector('dialog [name=game]') !== null")
    choose(page, "game", "whist22")
    page.until("document.querySelector('dialog [name=rules]').value === 'gamerules'")
    check(page)
    assert page.run("document.querySelector('dialog [name=rated]')") is None
    choose(page, "seats", "3")
    choose(page, "bots", "2")
    choose(page, "clock", "0")
    page.tap("dialog button.main", "Open the table")
    page.until("document.querySelector('dialog')?.innerText.includes('Send this link')")
    page.press("Escape")
    page.until("document.querySelectorAll('.seat').length === 2")
    assert "Whist 22" in page.text()
    page.tap(".seat .name", "steady")
    page.until("document.querySelector('dialog')?.innerText.includes('A bot of this server')")
    assert page.errors == []


def test_an_account_opens_a_rated_table(house: House) -> None:
    page = house.visitor("ria")
    page.press("Enter")
    page.tap("button", "ria")
    page.tap("dialog button", "make an account")
    for name in ("password", "again"):
        page.run(f"document.querySelector('dialog [name={name}]').value = 'three blind mice'")
    page.tap("dialog button.main")
    page.until("!document.querySelector('dialog')")
    page.tap(".way", "Your own table")
    page.until("document.querySelector('dialog [name=rated]') !== null")
    choose(page, "bots", "2")
    choose(page, "rated", True)
    check(page)
    choose(page, "game", "twentysix")
    page.until("document.querySelector('dialog [name=rules]').value === 'twentysix'")
    disabled = "[...document.querySelectorAll('dialog :disabled')].map(({ name }) => name)"
    assert {"bots", "level", "duplicate", "limit"} <= set(page.run(disabled))
    page.run("document.querySelector('dialog [name=limit]').value = 5")
    page.tap("dialog button.main", "Open the table")
    page.until("document.querySelector('dialog')?.innerText.includes('Send this link')")
    page.press("Escape")
    page.until("document.querySelector('.facts')?.innerText === 'rated'")
    assert "Add a bot" not in page.text()
    assert page.errors == []


def test_the_servers_refusal_stands_in_the_form(house: House) -> None:
    page = house.visitor("una")
    page.tap(".way", "Your own table")
    page.until("document.querySelector('dialog [name=game]') !== null")
    # A rated table from a guest: the account is gone since the form was drawn.
    page.run("""document.querySelector("dialog form").append(Object.assign(
        document.createElement("input"), { name: "rated", value: "1", type: "hidden" }))""")
    page.tap("dialog button.main", "Open the table")
    why = "document.querySelector('dialog .problem')?.innerText"
    page.until(f"{why} === 'Rated games need an account; register NAME makes one.'")
    assert page.errors == []
