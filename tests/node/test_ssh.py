"""Real clients of SSH, each in a terminal of its own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.processes import LONG, Server
from tests.node.test_terminals import PASSWORD, Terminal
from twentytwo_server.net.ssh.host_key import host_key, shown

HOST = "127.0.0.1"


class Cards:
    """A server with a listener of SSH, and commands that connect to it."""

    def __init__(self, folder: Path) -> None:
        data = folder / "data"
        self.server = Server("--data", str(data), "--listen", f"ssh:{HOST}:0")
        self.folder = folder
        _, port = self.server.address("ssh:")
        self.port = str(port)
        self.key = host_key(data / "ssh_host_ed25519_key")
        known = self.key.public().toString("openssh").decode()
        (folder / "known").write_text(f"[{HOST}]:{port} {known}\n")

    def openssh(self, user: str, *more: str, key: str = "") -> list[str]:
        """The command of OpenSSH; without a `key` it has none to show."""
        options = {
            "UserKnownHostsFile": self.folder / "known",
            "GlobalKnownHostsFile": "/dev/null",
            "StrictHostKeyChecking": "yes",
            "IdentitiesOnly": "yes",
            "IdentityAgent": "none",
            "IdentityFile": self.folder / (key or "none"),
            "LogLevel": "ERROR",
            "SendEnv": "LC_ALL",
        }
        given = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
        return ["ssh", "-F", "none", *given, "-p", self.port, f"{user}@{HOST}", *more]

    def plink(self, user: str, *more: str) -> list[str]:
        """The command of PuTTY."""
        known = ["-hostkey", shown(self.key), "-noagent", "-batch"]
        return ["plink", "-ssh", *known, "-P", self.port, f"{user}@{HOST}", *more]


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cards]:
    found = Cards(tmp_path_factory.mktemp("ssh"))
    with found.server:
        yield found


@contextmanager
def terminal(command: list[str], columns: int = 80) -> Iterator[Terminal]:
    wanted(command)
    found = Terminal(command, columns)
    try:
        yield found
    finally:
        found.close()


def wanted(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")


def run(command: list[str], typed: str = "") -> subprocess.CompletedProcess[str]:
    wanted(command)
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=LONG, check=False
    )


def test_a_person_plays_with_openssh_and_the_terminal_is_as_wide_as_it_is(cards: Cards) -> None:
    with terminal(cards.openssh("ann")) as seen:
        seen.until("Welcome, ~ann.")
        seen.type("pract\t")
        seen.until("practice ")
        seen.type("bots=1 seed=22\r")
        seen.until("Your turn: exchange")
        seen.type("exchange q k k\r")
        seen.until("\x1b[31m8\N{BLACK HEART SUIT}\x1b[0m")
        seen.until("Your lead:")
        seen.type("\x1b[A\x1b[A\x01")
        seen.until("practice bots=1 seed=22")
        seen.type("\x0b")
        seen.resize(61)
        while b"width = 60" not in seen.shown:  # the signal may come later than the keys
            seen.type("set\r")
            seen.until("remarks = ")
        seen.type("\x04")
        seen.ends(0)


def test_a_key_logs_in_with_openssh_and_a_strange_key_makes_a_guest(cards: Cards) -> None:
    for name, kind in (("mine", "ed25519"), ("rsa", "rsa"), ("ecdsa", "ecdsa"), ("strange", "rsa")):
        if shutil.which("ssh-keygen") is None:
            pytest.skip("ssh-keygen is not installed")
        file = str(cards.folder / name)
        subprocess.run(["ssh-keygen", "-q", "-N", "", "-t", kind, "-f", file], check=True)
    with terminal(cards.openssh("lou", key="mine")) as seen:
        seen.until("Welcome, ~lou.")
        seen.type("register lou\r")
        for question in ("Choose a password", "again"):
            seen.until(question)
            seen.type(f"{PASSWORD}\r")
        seen.until("keys add lets your ssh log you in.")
        seen.type("keys add\r")
        seen.until("now logs in")
        for name in ("rsa", "ecdsa"):
            line = (cards.folder / f"{name}.pub").read_text().strip()
            seen.type(f"keys add {line}\r")
            seen.until("now logs in")
        assert PASSWORD not in seen.shown.decode()
        seen.type("quit\r")
        seen.ends(0)
    for name in ("mine", "rsa", "ecdsa"):
        assert "You are lou." in run(cards.openssh("lou", "whoami", key=name)).stdout, name
    ssh, *rest = cards.openssh("lou", "whoami", key="strange")
    assert "Welcome, ~lou2" in run([ssh, "-o", "BatchMode=yes", *rest]).stdout
    assert "Welcome, ~lou3" in run(cards.openssh("lou", "whoami")).stdout


def test_openssh_gets_one_line_answered_and_nothing_else(cards: Cards) -> None:
    answered = run(cards.openssh("ann", "games"))
    assert "Twenty-Two" in answered.stdout
    assert (answered.returncode, answered.stderr) == (0, "")
    answered = run(cards.openssh("cat"), "whoami\nquit\n")
    assert "You are ~cat" in answered.stdout and answered.returncode == 0
    for refused in (["-s", "sftp"], ["-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:h:1"]):
        command = cards.openssh("ann")
        assert run([*command[:-1], *refused[:-1], command[-1], refused[-1]]).returncode != 0


def test_a_person_plays_with_plink(cards: Cards) -> None:
    answered = run(cards.plink("dora", "games"))
    assert "Twenty-Two" in answered.stdout and answered.returncode == 0
    with terminal(cards.plink("dora", "-t")) as seen:
        seen.until("Welcome, ~dora.")
        seen.type("whoa\t")
        seen.until("whoami ")
        seen.type("\r")
        seen.until("You are ~dora")
        seen.type("quit\r")
        seen.ends(0)
