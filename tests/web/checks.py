"""Checks of every screen of the page: axe-core finds nothing, and everything has its place."""

from __future__ import annotations

import json
from typing import Any

from tests.conformance.quoting import ROOT
from tests.web.browser import Page

AXE = ROOT / "client" / "web" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = ((320, 568), (390, 844), (844, 390), (640, 360), (1280, 720))
"""Phones, upright and on their sides; a small screen at 200 %; a desk."""
LEAST = 44
"""CSS pixels of a target for a finger."""

MISPLACED = """((least) => {
  const found = [];
  const scope = document.querySelector("dialog") ?? document.body;
  const named = (each) => `${each.outerHTML.slice(0, 90)}... ${each.innerText?.slice(0, 30)}`;
  const seen = (selector) => [...scope.querySelectorAll(selector)].filter(
    (each) => each.checkVisibility() && !each.closest(".read"));
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`${scrollWidth} wide in ${innerWidth}`);
  for (const each of seen("button, a, input, summary")) {
    const { width, height, left, right } = each.getBoundingClientRect();
    if (Math.min(width, height) < least && !each.matches("p > a")) {
      found.push(`${width} x ${height}: ${named(each)}`);
    }
    const scrolls = each.closest(".hand")?.scrollWidth > each.closest(".hand")?.clientWidth;
    if ((left < 0 || right > innerWidth + 1) && !scrolls) found.push(`outside: ${named(each)}`);
  }
  for (const each of seen("*")) {
    const { scrollWidth, clientWidth } = each;
    const boxed = clientWidth && !each.matches("input, .hand, svg, svg *");
    if (boxed && scrollWidth > clientWidth + 1) found.push(`too narrow: ${named(each)}`);
  }
  const parts = seen(
    "header > *, .seat, .trick > :not(.empty), .me, .prompt, .card, .actions > *, .log > *");
  const places = parts.map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const scroller = each.parentElement.closest(".felt, .actions");
    const inside = scroller?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    return { left, right, top: Math.max(top, inside.top), bottom: Math.min(bottom, inside.bottom) };
  });
  parts.forEach((one, at) => parts.slice(0, at).forEach((other, before) => {
    const [a, b] = [places[at], places[before]];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 3) found.push(`${named(one)} is on ${named(other)}`);
  }));
  return found;
})"""
"""Elements that are too small, too wide, outside the window, or on top of others."""


def misplaced(page: Page) -> list[str]:
    """Elements of the present window that are too small for a finger or cannot be seen."""
    page.run("new Promise((resolve) => requestAnimationFrame(resolve))")
    found: list[str] = page.run(f"{MISPLACED}({LEAST})")
    return found


def complaints(page: Page) -> list[str]:
    """The findings of axe-core."""
    if not page.run("'axe' in window"):
        page.run(f"{AXE.read_text('utf-8')}; 0")
    found: list[dict[str, Any]] = json.loads(
        page.run("axe.run().then(({ violations }) => JSON.stringify(violations))")
    )
    return [
        f"{each['id']}: {node['html']} {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]


def check(page: Page, *, aloud: bool = True) -> None:
    """One screen at all sizes; `aloud`: also for a screen reader, light and dark."""
    for width, height in SIZES:
        page.size(width, height, touch=width < 1000)
        assert misplaced(page) == [], f"{width} x {height}"
    for dark in (False, True) if aloud and AXE.exists() else ():
        page.size(390, 844, touch=True, dark=dark)
        assert complaints(page) == []
