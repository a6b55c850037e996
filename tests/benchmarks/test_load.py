"""The load generator counts what is delivered, and sees what a server does wrong."""

from __future__ import annotations

import pytest

from tests.benchmarks.load import Found, Order
from tests.benchmarks.sockets import OURS, Loading
from tests.kit.processes import Server

WRONG = """
import asyncio
from tests.benchmarks import bare

def spoiled(line, data):
    played, trick, turn = data.splitlines(True)
    return {spoiled}

class Wrong(bare.Wire):
    moves = 0

    def send(self, data):
        if data.startswith(b"PLAYED"):
            self.moves += 1
            # The other seats of the table hear what they should.
            if self.moves == 10 and self is self.fan.members[2]:
                data = spoiled(self, data)
        super().send(data)

    def line(self, line):
        if line != b"pong 7":
            super().line(line)

asyncio.run(bare.over_asyncio(Wrong))
"""


def run(server: Server, *phases: str, patience: float = 60.0) -> list[Found]:
    """What the generator finds with eight connections; the last are all lines together."""
    host, port = server.address()
    pid = server.process.pid
    told = [(phase, 0.3) for phase in phases]
    order = Order(host, port, pid, 8, told, warm=0.0, moves=40, patience=patience)
    with Loading(order, None) as loading:
        return [loading.found() for _ in ("ramp", *phases, "all")]


def test_every_line_of_a_bare_server_is_counted() -> None:
    with Server(program=("-m", "tests.benchmarks.bare", "asyncio")) as server:
        *_, moves, everything = run(server, "fill")
    assert moves.sent == 2 * 40 and moves.last["p50"] > 0 and moves.server > 0
    # Of each connection a greeting and four commands with their answers, of each table its start.
    commands = 8 * 4 + 2
    others = 8 + commands + 2 * 12
    assert everything.lines - others == 13 * (everything.sent - commands)


def test_real_moves_and_talk_are_played_without_a_gap() -> None:
    with Server(*OURS) as server:
        _, moves, say, rate, everything = run(server, "fill", "say", "rate")
    assert moves.sent and say.sent and rate.sent
    assert moves.lines > 8 * moves.sent  # an OK, and four hear two events at least
    assert everything.sent > moves.sent + say.sent + rate.sent


@pytest.mark.parametrize(
    ("spoiled", "noticed"),
    [
        ("played + turn", " after "),
        ("trick + played + turn", " after "),
        ("played + trick + trick + turn", " after "),
        ("played + trick.replace(b'on=t', b'on=t3') + turn", "not for this connection"),
        ("b'@7 ERR code=RATE' + bytes([13, 10]) + data", "refused"),
        ("b'@7 OK' + bytes([13, 10]) + data", "an answer to nothing"),
        ("line.transport.abort() or data", "Connection reset|hung up"),
        ("played + trick", " after |of silence"),
    ],
    ids=["dropped", "swapped", "repeated", "astray", "refused", "unasked", "hung up", "unsaid"],
)
def test_a_line_that_goes_wrong_is_noticed(spoiled: str, noticed: str) -> None:
    code = WRONG.format(spoiled=spoiled)
    with (
        Server(program=("-c", code)) as server,
        pytest.raises(AssertionError, match=noticed),
    ):
        run(server, "fill")


def test_a_ping_is_answered_and_a_note_is_counted() -> None:
    told = "b'PING no=7' + bytes([13, 10]) + b'NOTE code=LOBBY_PAUSED :Later.' + bytes([13, 10])"
    code = WRONG.format(spoiled=f"{told} + data")
    with Server(program=("-c", code)) as server:
        _, moves, _ = run(server, "fill")
    assert moves.notes == 2  # at each table one seat is told
    assert moves.sent == 2 * (40 + 1)


def test_a_last_line_that_never_comes_is_noticed() -> None:
    # From the tenth move on one seat hears nothing more.
    code = WRONG.format(spoiled="setattr(Wrong, 'send', lambda *_: None) or b''")
    with (
        Server(program=("-c", code)) as server,
        pytest.raises(AssertionError, match="1 s of silence: a line is missing"),
    ):
        run(server, "fill", patience=1.0)
