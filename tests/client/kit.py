"""What the tests of the client share: a game on the wire, somebody in it, a scripted server."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.updates import EventReceived, Update
from twentytwo_protocol import wire

HELLO = "@1 OK proto=1 server=trickd/0.4 boot=k3f9 maxin=1024 maxout=8192 caps=text :Welcome."
NAMED = "@2 OK name=~bob token=Zk81 grace=120000 :Hello, ~bob."
FOUND = "NOTE code=FOUND table=t7"
"""Says that t7 is a table, as the answer to a `join` would."""

SEATING, TRICKS, ENDING = (
    part.splitlines()
    for part in (Path(__file__).parent / "game.txt").read_text("utf-8").split("\n\n")
)
"""Table t7 as ~bob in seat 2 sees it: up to his first question, to one in trick 2, to the end."""

GAME = [*SEATING, *TRICKS, *ENDING]


def hear(talk: Conversation, *lines: str) -> list[Update]:
    """Gives a conversation these lines, and returns what comes of them."""
    talk.receive("".join(f"{line}\r\n" for line in lines).encode())
    return list(talk.updates())


KEY = re.compile(r" once=[0-9a-f]{16}\.[0-9]+")
"""The key that a conversation gives to what must not be done twice."""


def said(talk: Conversation) -> list[str]:
    """The lines that a conversation wants to send now, without the keys of its commands."""
    return [KEY.sub("", line) for line in talk.outgoing().decode().splitlines()]


def named(**fields: object) -> Conversation:
    """A conversation that is somebody and knows of tables t7 and t8, with nothing to send."""
    talk = Conversation(name="bob", client="test/1", **fields)  # type: ignore[arg-type]  # as given
    talk.connected()
    hear(talk, HELLO, NAMED, FOUND, FOUND.replace("t7", "t8"))
    talk.outgoing()
    return talk


def seated(*lines: str) -> Conversation:
    """The same at table t7, after these events; by default up to the question in trick 2."""
    talk = named()
    ask = talk.say("join t7")
    hear(talk, f"@{ask.id} OK on=t7 seat=2 seq=2", *(lines or [*SEATING, *TRICKS]))
    talk.outgoing()
    return talk


def events(values: list[Update]) -> list[str]:
    """The words of the events among the values."""
    return [value.event.word.word for value in values if isinstance(value, EventReceived)]


# --------------------------------------------------------------------- a scripted server


class Peer:
    """One connection to a scripted server, as its script sees it."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._lines = sock.makefile("rb")

    def expect(self, pattern: str) -> str:
        """Reads lines until one matches; its id."""
        while line := self._lines.readline().decode():
            if re.search(pattern, line):
                return line.split(" ")[0]
        raise AssertionError(f"the client hung up and never said {pattern!r}")

    def read(self) -> str:
        """The next line; empty where the client has hung up."""
        return self._lines.readline().decode()

    def send(self, *lines: str) -> None:
        """Sends lines."""
        self._sock.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def greet(self, name: str = "~bob", token: str = "Zk81") -> str:
        """Greets, and takes the client in, as a guest or back; what it said to come in."""
        self.send("# cardline/1 a scripted server")
        hello = self.expect("hello 1")
        self.send(f"{hello} OK proto=1 server=script boot=b1 maxin=1024 caps=text :Welcome.")
        line = self._lines.readline().decode().strip()
        id = line.split(" ")[0]
        self.send(f"{id} OK name={name} token={token} grace=120000 :Hello, {name}.")
        return line.removeprefix(f"{id} ")

    def take_back(self, *missed: str, token: str = "Zk82") -> str:
        """Greets, and gives the place back after telling what was missed; the line for it."""
        hello = self.expect("hello 1")
        self.send(f"{hello} OK proto=1 server=script boot=b1")
        line = self._lines.readline().decode().strip()
        id, _, resume = line.partition(" ")
        assert resume.startswith("resume "), resume
        last = {on: int(n) for on, _, n in (w.partition(":") for w in resume.split()[2:]) if n}
        for found in filter(None, map(wire.parse, missed)):
            last[found.on] = found.seq
        standing = [f"{id} AT on={on} seq={seq}" for on, seq in last.items()]
        welcome = f"{id} OK name=~bob token={token} grace=120000 :Welcome back."
        self.send(*missed, *standing, welcome)
        return resume

    def move_to(self, other: ScriptedServer) -> None:
        """Says that another server goes on."""
        self.send(f"BYE code=MOVED resume=1 wait=5 to={other.address} :Another server goes on.")
        self.wait()

    def quit(self) -> None:
        """Waits for the client to quit, and says goodbye."""
        id = self.expect(" quit")
        self.send(f"{id} OK", "BYE code=QUIT resume=0 :Goodbye.")

    def wait(self) -> None:
        """Waits until the client hangs up."""
        with contextlib.suppress(ConnectionError):
            while self._lines.readline():
                pass

    def drop(self) -> None:
        """Ends the connection without a word."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        self._sock.close()


Script = Callable[[Peer], None]


class ScriptedServer:
    """A server on a free port that plays one script for each connection, in order."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.errors: list[BaseException] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    def _serve(self) -> None:
        for script in self._scripts:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.settimeout(60)
            peer = Peer(sock)
            try:
                script(peer)
            except BaseException as error:
                self.errors.append(error)
            finally:
                peer.drop()

    def close(self) -> None:
        """Stops listening, and fails if a script did."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(20)
        if self.errors:
            raise self.errors[0]


@contextlib.contextmanager
def scripted(*scripts: Script) -> Iterator[ScriptedServer]:
    """A scripted server for as long as the block lasts."""
    server = ScriptedServer(*scripts)
    try:
        yield server
    finally:
        server.close()
