"""A real browser speaks the protocol over wss: it plays a game against a bot."""

from __future__ import annotations

import http.server
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.kit.certificates import certificate
from tests.kit.processes import LONG, Server

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), "")

PAGE = """<!DOCTYPE html>
<title>A bot in a page</title>
<script>
const socket = new WebSocket("ADDRESS", ["cardline.1"]);
const heard = [];
socket.onopen = () =>
  ["hello 1 client=page bot=1", "guest robin", "practice bots=1 level=easy seed=2"]
    .forEach((line) => socket.send(line));
socket.onmessage = ({data}) => {
  const asked = / default=([^ ]+)/.exec(data);
  if (asked) socket.send("move " + asked[1]);
  if (/^(#|GAMEOVER|@\\* ERR|BYE)/.test(data)) heard.push(data);
  if (/^GAMEOVER/.test(data)) socket.send("quit");
};
socket.onclose = (event) => {
  heard.push("closed " + event.code + " " + event.wasClean);
  fetch("REPORT", {method: "POST", mode: "no-cors", body: heard.join("\\n")});
};
</script>
"""


class Reports(http.server.HTTPServer):
    """Takes what the page has heard."""

    report = ""
    timeout = 3 * LONG


class Report(http.server.BaseHTTPRequestHandler):
    server: Reports

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.server.report = self.rfile.read(size).decode()
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
def test_a_page_in_a_real_browser_plays_a_game_over_wss(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    options = ("--listen", "wss:127.0.0.1:0", "--ws-origin", "null", "--bot-pause", "0")
    with Server(*options, *files.options) as server, Reports(("127.0.0.1", 0), Report) as reports:
        address = server.first_line().removeprefix("listening on ").replace("wss:", "wss://")
        page = tmp_path / "page.html"
        to = f"http://127.0.0.1:{reports.server_port}/"
        page.write_text(PAGE.replace("ADDRESS", f"{address}/").replace("REPORT", to))
        browser = subprocess.Popen(
            [
                CHROMIUM,
                *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
                *("--no-first-run", "--disable-background-networking"),
                *("--disable-component-update", "--disable-sync"),
                # Its authorities are those of the system; that of this test is none of them.
                "--ignore-certificate-errors",
                f"--user-data-dir={tmp_path / 'profile'}",
                page.as_uri(),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            reports.handle_request()
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
        log = server.log()
    greeting, *_, over, bye, closed = reports.report.splitlines() or [log] * 4
    assert greeting.startswith("# cardline/1")
    assert over.startswith("GAMEOVER ")
    assert bye.startswith("BYE ")
    assert closed == "closed 1000 true"
    assert "ERR" not in reports.report
