"""Plays a game at one table with five kinds of clients, and writes down what each of them shows.

ann is in a browser (Chromium), ben at ssh, cat at a plain socket as netcat is, dan in the client's
full screen; awkbot is the bot of six lines from docs/writing-a-client.md.

    python -m tests.docs.one_table      writes docs/one-table.md anew; needs chromium, ssh and awk
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from pathlib import Path

from tests.client.screen import Terminal
from tests.conformance.quoting import ROOT
from tests.kit.processes import Server
from tests.web.browser import Page, browsing

PAGE = ROOT / "docs/one-table.md"
BOTS = ROOT / "docs/writing-a-client.md"
WORD = "kiwi-fox"
SHOWN = 14
"""Lines of each client that are shown."""
EXECUTED = ("-c", "import os, sys; os.execvp(sys.argv[1], sys.argv[1:])")
"""Runs another program than Python in a terminal."""

HEAD = """\
# Five clients at one table

A game of Twenty-Two up to {limit} points. ann plays in a browser, ben over ssh, cat with netcat,
dan with `twentytwo play --tui`, and awkbot is [the bot of six lines](writing-a-client.md). Below is
the end of the game, as each of them sees it. `python -m tests.docs.one_table` plays such a game
and writes this page.
"""
LIMIT = 12

TAP = """(() => {
    const all = (selector) => [...document.querySelectorAll(selector)].filter((at) => !at.disabled);
    if (!document.querySelector(".mine.turn")) return;
    const [move] = all("[data-do=move]");
    if (move) move.click();
    else all(".card.legal:not(.chosen)")[0]?.click();
})()"""
"""Makes the first legal move in the browser, a tap at a time."""


class Netcat:
    """Somebody with a plain socket."""

    def __init__(self, where: tuple[str, int]) -> None:
        self._socket = socket.create_connection(where)
        self._socket.setblocking(False)
        self.text = ""

    def type(self, line: str) -> None:
        """Types a line."""
        self.text += f"{line}\n"
        self._socket.sendall(f"{line}\r\n".encode())

    def look(self) -> list[str]:
        """The lines so far."""
        try:
            while data := self._socket.recv(1 << 16):
                self.text += data.decode().replace("\r", "")
        except BlockingIOError:
            pass
        return self.text.split("\n")


def answer(lines: list[str]) -> str:
    """The first legal move after the last question, or empty if it is somebody else's turn."""
    asked = [at for at, line in enumerate(lines) if line.startswith(("Your turn", "Your lead"))]
    if not asked or any(line.startswith(("You ", "Waiting")) for line in lines[asked[-1] :]):
        return ""
    rest = list(takewhile(lambda line: line.startswith(" "), lines[asked[-1] + 1 :]))
    last = " ".join(line.strip() for line in [lines[asked[-1]], *rest])
    if "exchange" in last:
        return "keep"
    moves = re.split(r": |\.  | is ", last.rstrip("."))[-1]
    return moves.partition(" | ")[0].removesuffix(" (lowest)")


@contextmanager
def ssh(port: int, folder: Path) -> Iterator[Terminal]:
    """A terminal with OpenSSH, which comes in as ben."""
    options = ("StrictHostKeyChecking=no", f"UserKnownHostsFile={folder}/known", "LogLevel=ERROR")
    words = ["ssh", "-p", str(port), *(word for each in options for word in ("-o", each))]
    with Terminal(
        *words, "ben@127.0.0.1", state=folder, program=EXECUTED, python=sys.executable
    ) as found:
        yield found


@contextmanager
def awk(where: tuple[str, int], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The bot of six lines, which joins the table."""
    code = re.search(r"```awk bot\.awk\n(.*?)```", BOTS.read_text("utf-8"), re.DOTALL)
    assert code is not None
    (folder / "bot.awk").write_text(code[1])
    host, port = where
    run = (
        f"exec 3<>/dev/tcp/{host}/{port}; tee {folder}/heard <&3 |"
        f" awk -W interactive -v start='join {WORD}\\nready' -f {folder}/bot.awk >&3"
    )
    with subprocess.Popen(["bash", "-c", run], text=True, stderr=subprocess.DEVNULL) as found:
        try:
            yield found
        finally:
            found.kill()


def until(page: Page, script: str) -> None:
    """Waits in the browser."""
    page.until(f"!!({script})")


def play(folder: Path) -> dict[str, list[str]]:
    """Plays a game; returns the screens at its end."""
    doors = ("127.0.0.1:0", "ws:127.0.0.1:0", "ssh:127.0.0.1:0")
    listen = [word for door in doors for word in ("--listen", door)]
    with Server("--dev", *listen, "--data", str(folder / "data"), "--bot-pause", "0") as server:
        plain, web, shell = (server.address(prefix) for prefix in ("", "ws:", "ssh:"))
        cat = Netcat(plain)
        cat.type("cat")
        cat.type(f"open twentytwo seats=5 private={WORD} limit={LIMIT} clock=0")
        client = ("play", f"{plain[0]}:{plain[1]}", "--tui", "--name", "dan", "--table", WORD)
        with (
            browsing() as browser,
            ssh(shell[1], folder) as ben,
            Terminal(*client, state=folder, size=(100, 30)) as dan,
            ExitStack() as later,
        ):
            ann = browser.page()
            ann.size(1000, 700)
            ann.open(f"http://{web[0]}:{web[1]}/#join={WORD}")
            until(ann, "document.querySelector('#name')")
            ann.run("document.querySelector('#name').focus()")
            ann.type("ann")
            ann.tap("form.name button", "Come in")
            until(ann, "document.querySelector('.table')")
            ben.until(lambda lines: "ben" in "\n".join(lines))
            ben.enter(f"join {WORD}")
            dan.see("cat")
            while cat.text.count(" sits down") < 3:
                cat.look()
                time.sleep(0.1)
            # A player who is ready before the last one sits down would have to be ready again.
            bot = later.enter_context(awk(plain, folder))
            while cat.text.count(" sits down") < 4:
                cat.look()
                time.sleep(0.1)
            ann.tap(".actions button", "ready")
            ben.enter("ready")
            dan.enter("ready")
            cat.type("ready")
            while not all(
                f"~{who} is ready." in cat.text for who in ("ann", "ben", "dan", "awkbot")
            ):
                cat.look()
                time.sleep(0.1)
            cat.type("start")
            end = time.monotonic() + 200
            while "Game over" not in cat.text:
                assert time.monotonic() < end, "\n".join(dan.look()) + cat.text[-500:]
                ann.run(TAP)
                if move := answer(cat.look()):
                    cat.type(move)
                if move := answer(ben.look()):
                    ben.enter(move)
                dan.look()
                asked = re.findall(r"Waiting for ~dan to (\w+)", "".join(cat.look()[-3:]))
                if asked:
                    dan.type("keep" if asked[-1] == "exchange" else "\x1b[B")
                    time.sleep(0.3)
                    dan.enter()
                    time.sleep(0.5)
                time.sleep(0.1)
            time.sleep(1)
            bot.wait(timeout=20)
            until(ann, "document.querySelector('.table.over')")
            heard = (folder / "heard").read_text("utf-8").replace("\r", "").split("\n")
            return {
                "ann, in a browser (the text of the page)": ann.text().split("\n"),
                "ben, over ssh": ben.look(),
                "cat, with netcat": cat.look(),
                "dan, with the client's full screen": dan.look(),
                "awkbot, what it reads": [line[:100] for line in heard],
            }


def main() -> None:
    """Writes the page."""
    with tempfile.TemporaryDirectory() as folder:
        screens = play(Path(folder))
    parts = [HEAD.format(limit=LIMIT)]
    for who, lines in screens.items():
        shown = [line.rstrip() for line in lines if line.strip()]
        shown = shown if "full screen" in who else shown[-SHOWN:]
        parts.append(f"## {who}\n\n```text\n" + "\n".join(shown) + "\n```\n")
    PAGE.write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
