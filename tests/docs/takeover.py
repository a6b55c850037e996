"""Plays a game while the server is killed, and writes down what its two players see.

Two servers share a real PostgreSQL. ann uses a plain socket, as netcat does, bob the client. All
chance has a seed, so the same lines come each time.

    python -m tests.docs.takeover      writes them into docs/operating/standby.md anew
"""

from __future__ import annotations

import os
import random
import re
import select
import signal
import socket
import sys
import tempfile
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from contextlib import closing
from subprocess import DEVNULL, PIPE

from tests.conformance.quoting import ROOT
from tests.kit.forked import Forked
from tests.kit.ports import free_port
from tests.kit.postgres import Postgres
from twentytwo_server.host.config import Randomness

PAGE = ROOT / "docs/operating/standby.md"
LONG = 20.0
"""Seconds after which a wait fails."""
KILLED = 12
"""The number of moves before the server is killed."""
HEAD, BEFORE, AFTER, TAIL = 5, 5, 12, 6
"""The numbers of lines that are shown: at first, around the end of the server, at last."""
ELIDED = "..."
END = "--- The server is killed; the other one takes over ---"


# ------------------------------------------------------------------------ the processes


def serve(name: str, *words: str) -> None:
    """Runs a server with repeatable randomness in this process."""
    from twentytwo_server import cli, node

    dice = random.Random(name)
    node.__dict__["CHANCE"] = Randomness(
        secret=lambda: dice.randbytes(64).hex(),
        token=lambda: urlsafe_b64encode(dice.randbytes(15)).decode(),
        pick=lambda seed: random.Random(seed or 0).randrange,
    )
    cli.main(list(words), prog_name="twentytwo-server")


def play(*words: str) -> None:
    """Runs the client with a repeatable word for the shuffle in this process."""
    from twentytwo_client import __main__
    from twentytwo_client.terminal import commands

    commands.__dict__["new_word"] = lambda: "2222" * 8
    sys.exit(__main__.main(words))


class Server:
    """A server that serves or stands by."""

    def __init__(self, name: str, port: int, url: str) -> None:
        here = ("--port", str(port), "--data", url, "--set", "nodes.lease=1")
        words = ("run", "--node", name, "--bot-pause", "0", *here)
        us = ("-m", "tests.docs.takeover", "serve", name)
        self.process = Forked(*us, *words, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)

    def wait_until(self, start: str) -> None:
        """Waits until it prints a line with this beginning."""
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            if line.startswith(start):
                return
        raise AssertionError(f"no server says {start}")


def _end(process: Forked) -> None:
    with process:
        process.kill()


# -------------------------------------------------------------------------- the players


class Person:
    """The lines that a person types and reads. `typed` and `read` begin such lines."""

    typed = read = ""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._rest = b""

    def fileno(self) -> int:
        """The file descriptor at which lines arrive."""
        raise NotImplementedError

    def send(self, line: str) -> None:
        """Sends a line."""
        raise NotImplementedError

    def type(self, line: str) -> None:
        """Types a line."""
        self.lines.append(f"{self.typed}{line}")
        self.send(line)

    def hear(self) -> None:
        """Reads what has arrived."""
        try:
            data = os.read(self.fileno(), 1 << 16)
        except ConnectionError:
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.lines += [f"{self.read}{line.decode().rstrip()}" for line in lines]

    @property
    def last(self) -> str:
        """The last line, with the lines that it is wrapped to."""
        last = ""
        for line in reversed(self.lines):
            words = line.removeprefix(self.read)
            last = f"{words.strip()} {last}"
            if not words.startswith(" "):
                break
        return last.strip()

    def has(self, text: str) -> bool:
        """True if the last line has this text."""
        return text in self.last

    @property
    def asked(self) -> bool:
        """True if it is this person's turn."""
        return self.last.startswith(("Your turn", "Your lead"))

    def answer(self) -> None:
        """Makes the first legal move; keeps all cards."""
        moves = re.split(r": |\.  | is ", self.last.rstrip("."))[-1]
        first = moves.partition(" | ")[0].removesuffix(" (lowest)")
        self.type("keep" if self.has("exchange") else first)


class Ann(Person):
    """Somebody who uses netcat."""

    typed, read = "C: ", "S: "
    _socket: socket.socket | None = None

    def connect(self, port: int) -> None:
        """Connects, perhaps anew."""
        self.close()
        self._socket = socket.create_connection(("127.0.0.1", port))

    def close(self) -> None:
        """Disconnects."""
        if self._socket is not None:
            self._socket.close()

    def fileno(self) -> int:
        assert self._socket is not None
        return self._socket.fileno()

    def send(self, line: str) -> None:
        assert self._socket is not None
        self._socket.sendall(f"{line}\n".encode())


class Bob(Person):
    """Somebody who uses the client."""

    typed = "> "
    process: Forked | None = None

    def start(self, port: int, folder: str) -> None:
        """Starts the client."""
        words = ("play", f"127.0.0.1:{port}", "--name", "bob")
        env = os.environ | {"XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder}
        us = ("-m", "tests.docs.takeover", "play")
        self.process = Forked(*us, *words, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=env)

    def close(self) -> None:
        """Ends the client."""
        if self.process is not None:
            _end(self.process)

    def fileno(self) -> int:
        assert self.process is not None and self.process.stdout is not None
        return self.process.stdout.fileno()

    def send(self, line: str) -> None:
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()


def _until(people: Sequence[Person], true: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < end, [person.lines[-3:] for person in people]
        for person in select.select(people, [], [], 0.1)[0]:
            person.hear()


# ----------------------------------------------------------------------------- the game


def played(url: str) -> tuple[list[str], list[str]]:
    """Plays the game on an empty database: the lines of ann and of bob."""
    port = free_port()
    ann, bob = Ann(), Bob()
    servers = [Server("a", port, url)]
    try:
        servers[0].wait_until("listening on ")
        servers.append(Server("b", port, url))
        servers[1].wait_until("standing by for a")
        with tempfile.TemporaryDirectory() as folder, closing(ann), closing(bob):
            _begin(ann, bob, port, folder)
            _play(ann, bob, port, servers)
    finally:
        for server in servers:
            _end(server.process)
    return _short(ann.lines), _short(bob.lines)


def _begin(ann: Ann, bob: Bob, port: int, folder: str) -> None:
    ann.connect(port)
    ann.hear()
    ann.type("ann")
    _until([ann], lambda: ann.has("takes your seat back"))
    ann.type("open seats=2 clock=0 private=kiwi-fox")
    _until([ann], lambda: ann.has("sealed"))
    bob.start(port, folder)
    bob.hear()
    _until([ann, bob], lambda: bob.has("tutorial"))
    bob.type("join kiwi-fox")
    _until([ann, bob], lambda: bob.has("Type ready"))
    bob.type("ready")
    _until([ann, bob], lambda: ann.has("bob is ready"))
    ann.type("start")


def _play(ann: Ann, bob: Bob, port: int, servers: Sequence[Server]) -> None:
    people = (ann, bob)
    moves = 0

    def settled() -> bool:
        waiting = [p for p in people if p.has("Waiting for") or p.has("* Back.")]
        return len(waiting) == 1 and any(person.asked for person in people)

    def over() -> bool:
        return all(any("*** Game over" in line for line in p.lines[-6:]) for p in people)

    while True:
        _until(people, lambda: settled() or over())
        if over():
            return
        moves += 1
        if moves == KILLED:
            servers[0].process.send_signal(signal.SIGKILL)
            _take_over(ann, bob, port, servers[1])
            _until(people, settled)
        next(person for person in people if person.asked).answer()


def _take_over(ann: Ann, bob: Bob, port: int, server: Server) -> None:
    shown = re.findall(r"resume \S+", " ".join(ann.lines))[-1]
    ann.lines.append(END)
    bob.lines.append(END)
    server.wait_until("listening on ")
    _until([bob], lambda: any("* Back." in line for line in bob.lines[-4:]))
    ann.connect(port)
    ann.hear()
    ann.type(shown)


def _short(lines: list[str]) -> list[str]:
    killed = lines.index(END)
    over = next(number for number, line in enumerate(lines, 1) if "*** Game over" in line)
    middle = lines[killed - BEFORE : killed + AFTER]
    return [*lines[:HEAD], ELIDED, *middle, ELIDED, *lines[over - TAIL : over]]


def blocks(url: str) -> str:
    """The lines of both, as they are on the page."""
    ann, bob = played(url)
    texts = ("\n".join(lines) for lines in (ann, bob))
    return "\n\n".join(
        f"{who}:\n\n```takeover\n{text}\n```"
        for who, text in zip(("ann, with netcat", "bob, with the client"), texts, strict=True)
    )


def main() -> None:
    """Writes the page anew."""
    postgres = Postgres()
    try:
        new = blocks(postgres.url())
    finally:
        postgres.close()
    text = PAGE.read_text(encoding="utf-8")
    old = shown(text)
    PAGE.write_text(text.replace(old, new), encoding="utf-8")


def shown(page: str) -> str:
    """The part of the page with the lines of both."""
    found = re.search(r"^ann, with netcat:\n.*^```$(?=\n\nAt a planned)", page, re.S | re.M)
    assert found is not None
    return found[0]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", name, *words]:
            serve(name, *words)
        case ["play", *words]:
            play(*words)
        case _:
            main()
