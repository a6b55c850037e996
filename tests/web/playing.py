"""A person at the page: comes in, sits at a table, and plays to the end by taps or by keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.kit.processes import Plain, Server, plain
from tests.web.browser import Browser, Page

DOORS = ("--listen", "127.0.0.1:0", "--listen", "ws:127.0.0.1:0")
"""The listeners of a server for people at lines and at pages."""
MOST_STEPS = 1_000
"""No game takes so many."""

ASKED = """new Promise((resolve) => requestAnimationFrame(() => {
  const some = (selector) => document.querySelector(selector) && selector;
  if (some(".table.over")) return resolve("over");
  if (!some(".mine.turn")) return resolve("");
  const fresh = !some(".card.chosen");
  const exchanges = document.querySelector(".prompt").innerText.includes("exchange");
  resolve(
    (fresh && some(".card.suggested"))
    || some(".actions .suggested")
    || (fresh && exchanges && some(".card.legal"))
    || some(".actions .main[data-do=move]")
    || some(".card.legal:not(.chosen)")
    || some(".actions [data-do=move]"));
}))"""
"""The next thing to tap, as a selector; `over` after the game; empty while others play."""

CLICKS = f"""(async () => {{
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  for (let step = 0; step < {MOST_STEPS}; step++) {{
    const at = await {ASKED};
    if (at === "over") return step;
    if (at) document.querySelector(at).click();
    await frame();
  }}
}})()"""
"""Plays the game to its end within the page; the number of steps."""

Hand = Callable[[Page, str], None]
"""Does something with an element of a selector."""


def tap(page: Page, selector: str) -> None:
    """With a finger."""
    page.tap(selector)


def keys(page: Page, selector: str) -> None:
    """With the keys alone: a card by arrows and the space bar, anything else by Tab and Enter."""
    if selector.startswith(".card"):
        walk(page, selector, "ArrowRight")
        page.press(" ")
    else:
        walk(page, selector, "Tab")
        page.press("Enter")


def walk(page: Page, selector: str, key: str) -> None:
    """Presses a key until the focus is at an element of a selector."""
    there = f"document.activeElement.matches({json.dumps(selector)})"
    for _ in range(60):
        if page.run(there):
            return
        page.press(key)
    raise AssertionError(f"{key} does not come to {selector}: {page.text()}")


def play(page: Page, hand: Hand = tap) -> int:
    """Plays the game to its end; returns the number of steps."""
    for done in range(MOST_STEPS):
        if (at := page.until(ASKED)) == "over":
            return done
        hand(page, at)
    raise AssertionError(f"the game does not end: {page.text()}")


@dataclass(frozen=True)
class House:
    """A server with the page, and a browser."""

    server: Server
    browser: Browser
    lines: tuple[str, int]
    """The address for lines of text."""
    url: str
    """The address of the page."""

    @classmethod
    def of(cls, server: Server, browser: Browser, scheme: str = "http") -> House:
        """The house of a server that listens to `127.0.0.1` and to `ws:` or `wss:`."""
        lines = server.address()
        host, port = server.address("wss:" if scheme == "https" else "ws:")
        return cls(server, browser, lines, f"{scheme}://{host}:{port}/")

    def visitor(self, name: str = "", fragment: str = "") -> Page:
        """The first screen in a new profile, with a name typed there."""
        page = self.browser.page()
        page.open(f"{self.url}{fragment}")
        page.until("document.querySelector('footer') && document.querySelector('#name') !== null")
        if name:
            page.tap("#name")
            page.type(name)
        return page

    def seated(
        self, name: str, command: str, script: str = "", size: tuple[int, int] | None = None
    ) -> Page:
        """The page of somebody who has sat down by a command, and comes back.

        `script` runs in the page before its own.
        """
        with plain(self.lines) as line:
            line.send("hello 1\n")
            line.until("@* OK proto")
            token = said(line, f"guest {name}")["token"]
            said(line, command)
        page = self.browser.page()
        if size:
            page.size(*size, touch=size[0] < 1000)
        kept = json.dumps({"name": name, "token": token})
        once = (
            f"localStorage['twentytwo {self.url.replace('http', 'ws', 1)}'] ??= {json.dumps(kept)}"
        )
        page.call("Page.addScriptToEvaluateOnNewDocument", source=f"{once};{script}")
        page.open(self.url)
        page.until("document.querySelector('.table') !== null")
        return page


def said(line: Plain, command: str) -> dict[str, str]:
    """The fields of the OK to a command."""
    line.send(f"{command}\n")
    answer = line.until("@* ")
    while answer.split()[1] not in {"OK", "ERR"}:
        answer = line.until("@* ")
    assert answer.startswith("@* OK"), answer
    return dict(re.findall(r" ([a-z]+)=(\S+)", answer.partition(" :")[0]))
