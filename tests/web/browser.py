"""A real browser, Chromium without a window, driven over its DevTools protocol."""

from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kit.browser import BROWSER
from tests.kit.processes import LONG
from tests.web.devtools import DevTools

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
    "--mute-audio",
    "--no-first-run",
    "--disable-background-timer-throttling",
    "--disable-extensions",
    # Processes that no test needs.
    "--disable-features=SpareRendererForSitePerProcess,AudioServiceOutOfProcess",
    "--disable-component-update",
    "--disable-background-networking",
    "--ignore-certificate-errors",
    "--remote-debugging-port=0",
)
KEYS = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    " ": (32, " "),
    "ArrowRight": (39, ""),
    "ArrowLeft": (37, ""),
    "End": (35, ""),
}
"""The virtual codes and texts of the keys that have no letter."""


class Failed(Exception):
    """Something that did not come in the page, or an error in one of its scripts."""


class Page:
    """A page of a browser. `errors` are those of its scripts and of its console."""

    def __init__(self, tools: DevTools) -> None:
        self._tools = tools
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Calls a method of the DevTools protocol; returns its result."""
        return self._tools.call(method, **params)

    @property
    def errors(self) -> list[str]:
        """The errors that the browser has reported."""
        found = []
        for event in self._tools.events:
            params = event.get("params", {})
            match event.get("method"):
                case "Runtime.exceptionThrown":
                    details = params["exceptionDetails"]
                    found.append(details.get("exception", {}).get("description", details["text"]))
                case "Log.entryAdded" if params["entry"]["level"] == "error":
                    found.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        return found

    def open(self, url: str) -> None:
        """Goes to an address."""
        self.call("Page.navigate", url=url)

    def size(self, width: int, height: int, *, touch: bool = False, dark: bool = False) -> None:
        """Makes the window this large, in CSS pixels, for somebody who wants no motion."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.call("Emulation.setEmulatedMedia", features=[scheme, still])

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        found = self.call(
            "Runtime.evaluate",
            expression=script,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in found:
            raise Failed(f"{script}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def until(self, script: str, seconds: float = LONG) -> Any:
        """Waits until an expression is true; returns its value. Raises `Failed`."""
        end = time.monotonic() + seconds
        while not (found := self.run(script)):
            if time.monotonic() > end:
                raise Failed(f"never: {script}\n{self.text()}\n{self.errors}")
            time.sleep(0.02)
        return found

    def text(self) -> str:
        """The text that is seen."""
        return str(self.run("document.body.innerText"))

    def tap(self, selector: str, label: str = "") -> None:
        """Taps the middle of the first element of a selector, whose text has this label."""
        # A person taps what is drawn, so this waits for the next picture.
        found = f"""new Promise((resolve) => requestAnimationFrame(() => {{
            const all = [...document.querySelectorAll({json.dumps(selector)})];
            const named = (each) => each.getAttribute("aria-label") ?? each.innerText;
            const at = all.find((each) => !each.disabled && each.checkVisibility()
                && named(each).includes({json.dumps(label)}));
            if (!at) return resolve(null);
            at.scrollIntoView({{ block: "nearest", inline: "nearest" }});
            const {{ left, top, width, height }} = at.getBoundingClientRect();
            resolve([left + width / 2, top + height / 2]);
        }}))"""
        x, y = self.until(found)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Types a text where the focus is."""
        self.call("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Presses a key."""
        code, text = KEYS.get(key) or (ord(key.upper()), key)
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                text=text if kind == "keyDown" else "",
                windowsVirtualKeyCode=code,
            )

    def picture(self, file: Path) -> None:
        """Writes a picture of the window, a WebP."""
        taken = self.call("Page.captureScreenshot", format="webp", quality=80)
        file.write_bytes(base64.b64decode(taken["data"]))


class Browser:
    """A running browser."""

    def __init__(self, port: int, path: str) -> None:
        self._port = port
        self._tools = DevTools(port, path)
        self._open: dict[str, DevTools] = {}
        self._kept: dict[str, DevTools] = {}

    def page(self, *, worker: bool = False) -> Page:
        """A new page in a profile of its own, as on another device; it has a service `worker` only
        if a test is about that.
        """
        context = self._tools.call("Target.createBrowserContext")["browserContextId"]
        made = self._tools.call("Target.createTarget", url="about:blank", browserContextId=context)
        tools = self._open[context] = DevTools(self._port, f"/devtools/page/{made['targetId']}")
        page = Page(tools)
        if not worker:
            source = "delete Navigator.prototype.serviceWorker"
            page.call("Page.addScriptToEvaluateOnNewDocument", source=source)
        return page

    def keep_pages(self) -> None:
        """Keeps the present pages open until the browser ends."""
        self._kept |= self._open
        self._open.clear()

    def close_pages(self) -> None:
        """Closes all pages that are not kept, and forgets their profiles."""
        for context, tools in self._open.items():
            tools.close()
            self._tools.call("Target.disposeBrowserContext", browserContextId=context)
        self._open.clear()

    def close(self) -> None:
        """Closes all pages and hangs up."""
        self._open |= self._kept
        self.close_pages()
        self._tools.close()


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser, until the block ends."""
    assert BROWSER is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [BROWSER, *OPTIONS, f"--user-data-dir={folder}", "about:blank"]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                told = Path(folder) / "DevToolsActivePort"
                end = time.monotonic() + LONG
                while not told.exists() or len(told.read_text().split()) < 2:
                    assert time.monotonic() < end and process.poll() is None, "no browser"
                    time.sleep(0.05)
                port, path = told.read_text().split()
                browser = Browser(int(port), path)
                try:
                    yield browser
                finally:
                    browser.close()
            finally:
                process.kill()
