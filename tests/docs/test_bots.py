"""The bots of the guide play, each a whole game, and all of them together."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conformance.quoting import ROOT, quotes
from tests.conformance.servers import Server
from twentytwo_conform.connections import Address, Program

PAGE = (ROOT / "docs" / "writing-a-client.md").read_text(encoding="utf-8")
CODE = dict(re.findall(r"^```\w+ ([\w.]+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
"""The programs on the page, by file name."""
PATIENCE = 30
"""Seconds in which a bot has to finish a game."""

Bot = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    """A server for the bots."""
    server = Server("--dev", "--bot-pause", "0")
    yield server.address
    server.stop()


def awk() -> list[str]:
    """The awk that is there, reading line by line."""
    words = CODE["bot.awk.sh"].split()
    return ["awk", "-W", "interactive"] if "-W" in words and shutil.which("mawk") else ["awk"]


def command(name: str, address: Address, start: tuple[str, ...]) -> list[str]:
    """How the page starts a bot."""
    host, port = address[0], str(address[1])
    if name == "bot.py":
        return [sys.executable, name, host, port, *start]
    if name == "bot.mjs":
        return ["node", name, host, port, *start]
    if name == "bot.go":
        return ["./bot", host, port, *start]
    if name == "bot.sh":
        return ["bash", name, host, port, *start]
    line = CODE["bot.awk.sh"].strip().replace("localhost 2222", f"{host} {port}")
    if "-W" not in awk():
        line = line.replace("-W interactive ", "")
    joined = r"\n".join(start)
    return ["bash", "-c", line.replace("start=practice", f"start='{joined}'")]


@pytest.fixture
def bot(tmp_path: Path, address: Address, request: pytest.FixtureRequest) -> Iterator[Bot]:
    """Starts a bot of the page in a folder of its own."""
    with ExitStack() as stack:

        def start(name: str, *commands: str) -> subprocess.Popen[str]:
            folder = tmp_path / name.replace(".", "")
            if not folder.exists():
                # Once: a bot that starts must not read a file that is being written again.
                folder.mkdir()
                for file, text in CODE.items():
                    (folder / file).write_text(text, encoding="utf-8")
                if name == "bot.mjs":
                    install_sdk(folder)
                if name == "bot.go":
                    shutil.copy(request.getfixturevalue("compiled"), folder)
            process = subprocess.Popen(
                command(name, address, commands),
                cwd=folder,
                env=os.environ | {"PATH": f"{netcat(tmp_path)}{os.environ['PATH']}"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            assert process.stdout is not None
            stack.callback(process.stdout.close)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield start


def install_sdk(folder: Path) -> None:
    """The same as `npm install` of the folder of the SDK in JavaScript."""
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "twentytwo").symlink_to(ROOT / "client" / "web" / "sdk")


NETCAT = """\
#!{python}
import socket, sys, threading
peer = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def hear():
    while data := peer.recv(4096):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
threading.Thread(target=hear, daemon=True).start()
for line in sys.stdin.buffer:
    peer.sendall(line)
"""
"""What nc does for the bots, where a machine has none."""


def netcat(folder: Path) -> str:
    """What to put before PATH so that there is an `nc`."""
    if shutil.which("nc"):
        return ""
    program = folder / "nc"
    program.write_text(NETCAT.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}"


BOTS = {
    "bot.py": (),
    "bot.mjs": ("node",),
    "bot.go": ("go",),
    "bot.sh": ("bash",),
    "bot.awk": ("bash", "awk"),
}
"""The bots of the page, and the tools that each needs."""


def missing(name: str) -> list[str]:
    """The tools of a bot that are not on this machine."""
    return [tool for tool in BOTS[name] if shutil.which(tool) is None]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in Go, compiled as `go run` would: once, because that takes its time."""
    folder = tmp_path_factory.mktemp("go")
    (folder / "bot.go").write_text(CODE["bot.go"], encoding="utf-8")
    subprocess.run(
        ["go", "build", "bot.go"],
        cwd=folder,
        env=os.environ | {"GOTOOLCHAIN": "local"},
        check=True,
    )
    return folder / "bot"


def test_the_bots_are_as_short_as_the_page_says() -> None:
    lines = {name: len([line for line in text.splitlines() if line]) for name, text in CODE.items()}
    assert lines["bot.py"] <= 16
    assert max(lines[name] for name in BOTS) <= 30
    assert lines["bot.mjs"] <= 20
    assert lines["bot.sh"] <= 12
    assert lines["bot.awk"] == 6
    assert lines["bot.awk.sh"] == 1


@quotes("plays any game, future ones included.", "T1", "W1", "W2")
@pytest.mark.deadline(300)
@pytest.mark.parametrize("name", BOTS)
def test_a_bot_of_the_page_plays_a_whole_game(bot: Bot, name: str) -> None:
    if missing(name):
        pytest.skip(f"not on this machine: {', '.join(missing(name))}")
    output, _ = bot(name, "practice bots=2 seed=3").communicate(timeout=PATIENCE)
    assert "win" in output or "won by" in output, output


@quotes("plays any game, future ones included.", "T1")
def test_the_python_bot_plays_every_game_of_the_server(bot: Bot, address: Address) -> None:
    with Program(address, "opener") as host:
        for row in host.must("games").rows:
            seats = row.number("min")
            short = "options=target:1,loss_limit:1" if row["game"] == "twentyeight" else ""
            on = host.must(f"open {row['game']} seats={seats} clock=0 {short}")["on"]
            processes = [bot("bot.py", f"join {on}", "ready") for _ in range(seats - 1)]
            for _ in processes:
                host.until("READY")
            host.must("start")
            play_defaults(host, on)
            for process in processes:
                output, _ = process.communicate(timeout=PATIENCE)
                assert "won by seat" in output, f"{row['game']}: {output}"


def play_defaults(host: Program, on: str) -> None:
    """Answers every question by its default, to the end of the game at the table."""
    host.socket.settimeout(PATIENCE)
    read = len(host.events)
    while True:
        while read < len(host.events):
            event = host.events[read]
            read += 1
            if event.mine:
                host.must(f"move {event['default']} turn={event['turn']} {on}")
            elif event.word == "GAMEOVER" and event["on"] == on:
                return
        host.record()


@pytest.mark.deadline(300)
@quotes("clients that do not say who they are", "W2", "O4")
def test_all_bots_of_the_page_play_at_one_table(
    bot: Bot, address: Address, request: pytest.FixtureRequest
) -> None:
    names = [name for name in BOTS if not missing(name)]
    if "bot.go" in names:
        request.getfixturevalue("compiled")  # while nobody waits at a table
    with Program(address, "opener") as host:
        on = host.must(f"open twentytwo seats={len(names) + 1} clock=0")["on"]
        processes = []
        for name in sorted(names, key=lambda name: name != "bot.mjs"):
            processes.append(bot(name, f"join {on}", "ready"))
            if name == "bot.mjs":  # its word for the shuffle would make the others unready
                host.until("SEEDED")
        ready: set[str] = set()
        while len(ready) < len(names):
            said = host.until("READY")
            (ready.add if said["ready"] == "1" else ready.discard)(said["seat"])
        host.must("start")
        play_defaults(host, on)
        for process in processes:
            output, _ = process.communicate(timeout=PATIENCE)
            assert "win" in output or "won by" in output, output


@quotes("defines the model of a table, and how each event changes it", "S4")
def test_the_model_of_the_page_follows_a_table(address: Address) -> None:
    place: dict[str, object] = {}
    exec(CODE["model.py"], place)
    follow = place["follow"]
    assert callable(follow)
    with Program(address, "follower") as client:
        on = client.must("practice bots=2 seed=5")["on"]
        client.catch_up()
        table = follow(client.heard, on, 1)
        assert sorted(table.seats) == [1, 2, 3]
        state = client.must(f"state {on}")
        row = next(row for row in state.rows if row.word == "SEAT" and row["seat"] == "1")
        assert list(table.holding) == row.items("cards")


def test_every_command_on_the_page_exists(address: Address) -> None:
    with Program(address) as client:
        verbs = {row["name"] for row in client.must("describe verbs").rows}
    said = re.findall(r"^C: (?:@\w+ )?(\w+)|^(?:hello|resume)", PAGE, re.MULTILINE)
    assert {verb for verb in said if verb} <= verbs


def test_the_readme_of_the_protocol_runs() -> None:
    page = (ROOT / "protocol" / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(example, {"print": lambda shown: None})
