"""The page in a real browser: games, lost connections, small screens, strange names.

Without chromium all of this is skipped.
"""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.browser import BROWSER, MISSING
from tests.kit.certificates import certificate
from tests.kit.processes import Server
from tests.web.checks import check
from tests.web.payloads import PAYLOADS
from tests.web.playing import ASKED, CLICKS, DOORS, House, keys, play, tap, walk
from tests.web.relay import Relay, files_at
from twentytwo_server.net.site import site_files

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason=MISSING),
    pytest.mark.deadline(300),
]
HAND = "document.querySelector('.hand').ariaLabel"
"""The names of the viewer's cards."""
SHORT = {
    "twentytwo": "bots=2 options=limit:10 seed=5",
    "twentysix": "bots=2 options=limit:10 seed=5",
    "whist22": "bots=2 options=start_score:2 seed=5",
    "twentyeight": "options=target:1,loss_limit:1 seed=5",
}
"""Options for a short game of each kind."""


@pytest.mark.parametrize("game", SHORT)
def test_a_game_is_played_to_its_end_by_taps_and_another_one_by_keys(
    house: House, game: str
) -> None:
    page = house.seated("ann", f"practice {game} {SHORT[game]}")
    assert play(page, tap) > 10
    assert "The game is over." in page.text()
    walk(page, "[data-do=ready]", "Tab")
    page.press("Enter")
    page.until("document.querySelector('.table.over') === null")
    assert play(page, keys) > 10
    assert "The game is over." in page.text()
    assert page.errors == []


def test_every_screen_fits_and_can_be_read_aloud(house: House) -> None:
    page = house.visitor("bob")
    check(page)
    page.tap("[data-do=login]")
    check(page)
    page.press("Escape")
    page.tap("[data-do=friends]")
    page.until("document.querySelector('dialog .qr') !== null")
    check(page)
    page.press("Escape")
    page.until("!document.querySelector('dialog')")
    check(page)


@pytest.mark.parametrize("game", SHORT)
def test_every_table_fits_and_can_be_read_aloud(house: House, game: str) -> None:
    page = house.seated("ann", f"practice {game} bots=3 seed=6")
    page.until("document.querySelector('.mine.turn') !== null")
    check(page, aloud=False)
    for _ in range(3):
        tap(page, page.until(ASKED))
    page.until("document.querySelector('.mine.turn') !== null")
    check(page)
    page.size(320, 568, touch=True)
    hidden = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)"
    assert page.run(f"{hidden}(document.querySelector('.felt'))") <= 1, "part of the trick"


def test_a_bid_is_no_card_even_if_there_is_a_card_with_its_number(house: House) -> None:
    page = house.seated("ann", "practice whist22 bots=3 seed=1")
    page.until("document.querySelector('.mine.turn') !== null")
    assert page.run(HAND).startswith("Your cards: 4, ")
    page.tap(".card", "4")
    assert page.run("document.querySelectorAll('.legal, .idle, .chosen').length") == 0
    page.tap(".actions button", "Bid 4")
    page.until("document.querySelector('.lines').innerText.includes('You bid 4.')")


def test_the_focus_stays_in_the_page(house: House) -> None:
    page = house.visitor()
    walk(page, "#name", "Tab")
    page.type("fay")
    walk(page, "[data-do=practice]", "Tab")
    page.press("Enter")
    for _ in range(8):
        at = page.until(ASKED)
        assert page.run("document.activeElement.closest('main') !== null")
        keys(page, at)


# ---------------------------------------------------------------------- lessons, friends, lines


LEARNS = """(async () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = () => all(".advice, [data-do=next-lesson]").map((each) => each.innerText).join(" ");
  const named = (selector, name) => all(`${selector}:enabled:not(.chosen)`)
    .find((each) => (each.ariaLabel ?? each.innerText) === name);
  const until = async (find) => {
    for (const end = Date.now() + 20_000; Date.now() < end;) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`no more to do: ${find} ${document.body.innerText}`);
  };
  const says = /Tap (?:(.+), then )?“(.+)”[.]|“(Hint)” shows|(Next exercise)|lesson is over/;
  const steps = new Set();
  for (let last = "";;) {
    const [, cards, move, hint, next] = await until(() => words() !== last && says.exec(words()));
    last = words();
    const step = /Step ([0-9]+) of ([0-9]+)/.exec(last);
    if (step) steps.add(`${step[1]} of ${step[2]}`);
    for (const card of cards?.split(", ") ?? []) {
      (await until(() => named(".hand button", card))).click();
    }
    if (!(move ?? hint ?? next)) return [...steps];
    (await until(() => named(".actions button", move ?? hint ?? next))).click();
  }
})()"""
"""Does what the lesson says, tap by tap; returns its steps."""


@pytest.mark.parametrize("game", [*SHORT])
def test_a_lesson_is_played_to_its_end_by_its_own_words(house: House, game: str) -> None:
    page = house.visitor("lea")
    page.run(f"document.querySelector('[value={game}]').click()")
    page.tap("[data-do=tutorial]")
    if game == "twentyeight":  # it has the most buttons
        page.until("document.querySelector('.suggested') !== null")
        check(page)
    steps = page.run(LEARNS)
    assert steps == [f"{step} of {len(steps)}" for step in range(1, len(steps) + 1)]
    page.tap(".actions button", "A whole game")
    page.until("document.querySelector('.playing .mine.turn') !== null")
    assert page.errors == []


def test_a_friend_comes_by_a_link_and_both_play(house: House) -> None:
    host = house.visitor("hanna")
    host.tap("[data-do=friends]")
    link = host.until("document.querySelector('dialog code')?.innerText")
    host.press("Escape")
    friend = house.visitor("finn", link.removeprefix(house.url))
    friend.press("Enter")
    friend.tap(".actions [data-do=ready]")
    shown = "document.querySelector('.table').innerText.includes({})"
    host.until(shown.format("'finn'"))
    host.tap(".actions [data-do=start]")
    host.until("document.querySelector('.table.playing') !== null")
    for _ in range(4):
        host_asked, friend_asked = (page.run(ASKED) for page in (host, friend))
        if host_asked:
            host.tap(host_asked)
        elif friend_asked:
            friend.tap(friend_asked)
    friend.tap("#say")
    friend.type("well played")
    friend.press("Enter")
    host.until("document.querySelector('.log').innerText.includes('well played')")
    assert host.errors == friend.errors == []


def test_a_table_stays_while_the_line_is_cut_and_goes_on_by_itself(house: House) -> None:
    host, _, port = house.url.removeprefix("http://")[:-1].partition(":")
    with Relay((host, int(port))) as relay:
        wired = replace(house, url=f"http://127.0.0.1:{relay.port}/")
        page = wired.seated("cora", "practice twentytwo bots=2 options=limit:10 seed=5")
        page.until("document.querySelector('.mine.turn') !== null")
        hand = page.run(HAND)
        relay.cut()
        page.until("document.body.matches('.lost') && !document.querySelector('#line').hidden")
        assert page.run(HAND) == hand
        page.until("!document.body.matches('.lost')")
        assert page.run(HAND) == hand
        page.run(CLICKS)
        house.browser.close_pages()


TRIES = """(() => {
  window.tries = 0;
  const Wire = WebSocket;
  window.WebSocket = function (...words) {
    tries += 1;
    return new Wire(...words);
  };
})()"""
"""Counts the connections that the page tries to make."""


def test_a_killed_server_is_awaited_and_the_hand_goes_on(house: House, tmp_path: Path) -> None:
    kept = ("--data", str(tmp_path), "--dev", "--bot-pause", "0")
    with Server(*kept, *DOORS) as server:
        first = House.of(server, house.browser)
        page = first.seated("kim", "practice twentytwo bots=2 options=limit:10 seed=5")
        page.until("document.querySelector('.mine.turn') !== null")
        tap(page, page.until(ASKED))
        hand = page.run(HAND)
        server.stop(signal.SIGKILL)
    page.until("document.body.matches('.lost')")
    page.run(TRIES)
    page.until("window.tries > 1")
    assert page.run(HAND) == hand
    ports = (
        "--listen",
        "{}:{}".format(*first.lines),
        "--listen",
        first.url[:-1].replace("http://", "ws:"),
    )
    with Server(*kept, *ports):
        page.until("!document.body.matches('.lost')")
        assert page.run(HAND) == hand
        page.run(CLICKS)


def test_the_page_over_tls(house: House, tmp_path: Path) -> None:
    doors = ("--listen", "127.0.0.1:0", "--listen", "wss:127.0.0.1:0")
    with Server("--dev", *doors, *certificate(tmp_path).options, "--bot-pause", "0") as server:
        safe = House.of(server, house.browser, "https")
        page = safe.visitor("tess")
        page.tap("[data-do=practice]")
        tap(page, page.until(ASKED))
        assert page.errors == []


WATCHED = """(() => {
  window.told = [];
  window.Notification = class {
    static permission = "granted";
    constructor(title) { told.push(title); }
    close() { told.push("closed"); }
  };
  const start = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    told.push("beep");
    return start.call(this);
  };
  window.see = (seen) => {
    Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
})()"""
"""Notes the sounds and notifications in `told`; `see(false)` hides the page."""


def test_a_page_in_the_background_says_whose_turn_it_is(house: House) -> None:
    page = house.visitor("bea")
    page.run(WATCHED)
    looks = "[document.title, document.querySelector('link[rel=icon]').getAttribute('href')]"
    assert page.run(looks) == ["Twenty-Two", "icon.svg"]
    page.run("see(false)")
    page.tap("[data-do=practice]")
    page.until("document.title.includes('Your turn')")
    title, icon = page.run(looks)
    assert title.startswith("● Your turn") and icon == "icon-turn.svg"
    page.until("document.querySelector('.mine.turn') !== null")
    page.run("see(false)")  # again, for the same question
    assert page.run("told") == ["beep", "Your turn"]
    page.run("see(true)")
    assert page.run("told.pop()") == "closed"
    page.run("new Promise(requestAnimationFrame)")
    page.run("requestAnimationFrame = () => {}")  # a hidden page is given no frames
    page.run("see(false)")
    page.run("document.querySelector('.actions [data-do=move]').click()")
    page.until("document.querySelector('.mine.turn [data-do=move]:enabled') === null")
    page.until("document.title === 'Twenty-Two' || told.length > 2")
    assert page.errors == []


# ------------------------------------------------------------------------------ strange texts

STRANGE = (Path(__file__).parent / "strange.js").read_text("utf-8")


def test_strange_names_titles_and_talk_are_text_and_never_markup(house: House) -> None:
    page = house.visitor()
    page.size(320, 568, touch=True)
    assert len(PAYLOADS) == 200
    assert page.run(f"({STRANGE})({json.dumps(PAYLOADS)})") == [[], False, "Twenty-Two"]
    assert page.errors == []


LINKED = """(async (payloads) => {
  const shows = async (text) => {
    for (let frame = 0; frame < 600; frame++) {
      await new Promise(requestAnimationFrame);
      const [goal, ...more] = document.querySelectorAll(".goal");
      if (goal?.textContent.includes(text)) return !more.length && !goal.children.length;
    }
    return false;
  };
  const wrong = [];
  for (const payload of payloads) {
    location.hash = `watch=${encodeURIComponent(payload)}`;
    if (!await shows(payload)) wrong.push(payload);
    location.hash = `join=${payload}`;
    if (!await shows("invited")) wrong.push(`join ${payload}`);
  }
  return [wrong, "pwned" in window];
})"""


def test_strange_links_are_text_and_a_server_refuses_them(house: House) -> None:
    page = house.visitor("una")
    payloads = [*PAYLOADS[::8], "%", "%zz", "t1 seat=2", "a\nquit"]
    assert page.run(f"{LINKED}({json.dumps(payloads)})") == [[], False]
    page.tap("button", "Come in")
    for payload in payloads[::3]:
        for goal in ("join", "watch"):
            page.run(f"location.hash = `{goal}=${{encodeURIComponent({json.dumps(payload)})}}`")
            page.until("location.hash === '' && document.querySelector('.problem') !== null")
            assert (
                page.run("document.querySelectorAll('.problem :not(.cards, .inline)').length") == 0
            )
    assert page.run("'pwned' in window") is False
    assert page.errors == []


MARKUP = """(() => {
  try {
    document.documentElement.innerHTML = "<b>";
  } catch ({ name }) {
    return name;
  }
})()"""
"""Trusted Types forbid this."""


def test_trusted_types_are_on_by_the_servers_word(house: House) -> None:
    page = house.browser.page()
    page.open(f"{house.url}icon.svg")
    page.until("document.readyState === 'complete'")
    assert page.run(MARKUP) == "TypeError"


def test_trusted_types_are_on_in_a_folder_at_another_web_server(
    house: House, tmp_path: Path
) -> None:
    for path, content in site_files().items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    with files_at(tmp_path) as url:
        page = house.browser.page()
        page.open(url)
        page.until("document.querySelector('#name') !== null")
        assert page.run(MARKUP) == "TypeError"


# ------------------------------------------------------------------------------------ figures

SLOW = 6
"""A slow phone takes so many times as long. Processor time, because other programs run here."""


def test_the_first_card_comes_soon_on_a_slow_phone(house: House) -> None:
    page = house.browser.page()
    page.call("Performance.enable", timeDomain="threadTicks")
    page.size(390, 844, touch=True)
    page.open(house.url)
    page.until("document.querySelectorAll('#name, .people').length === 2")
    page.tap("#name")
    page.type("pip")
    page.tap("[data-do=practice]")
    page.until("document.querySelector('.mine.turn .card') !== null")
    metrics = page.call("Performance.getMetrics")["metrics"]
    busy = {each["name"]: each["value"] for each in metrics}["TaskDuration"]
    assert busy * SLOW < 2


SHIFTS = """
  window.shifts = [];
  window.observer = new PerformanceObserver((list) => keep(list.getEntries()));
  const keep = (entries) => window.shifts.push(
    ...entries.filter(({ hadRecentInput }) => !hadRecentInput).map(({ value }) => value));
  observer.observe({ type: "layout-shift", buffered: true });
  window.shifted = () => { keep(observer.takeRecords()); return window.shifts.splice(0); };
"""
EACH_IN_ITS_FRAME = """
  window.WebSocket = class extends WebSocket {
    #last = Promise.resolve();
    set onmessage(hear) {
      super.onmessage = hear && ((event) => {
        this.#last = this.#last.then(
          () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
        this.#last.then(() => hear(event));
      });
    }
  };
"""
"""Every line of the server is drawn before the next one is heard, as on a slow line."""
CLICKED = "document.querySelector({}).click()"
"""A click by a script is no input: a browser excuses no shift that follows it."""
JUMP = 0.01
"""A shift of the layout that can be seen; one that disturbs is ten times as large."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (1280, 720)])
def test_nothing_moves_by_itself(house: House, width: int, height: int) -> None:
    game = "practice bots=3 seed=5"
    page = house.seated("moe", game, SHIFTS + EACH_IN_ITS_FRAME, (width, height))
    page.until("document.querySelector('.mine.turn .card') !== null")
    assert sum(page.run("shifted()")) < JUMP
    for _ in range(6):
        page.run(CLICKED.format(json.dumps(page.until(ASKED))))
    assert max(page.run("shifted()"), default=0) < JUMP
