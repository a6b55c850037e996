"""A process that was frozen (SIGSTOP, a paused container): the clocks have stood still.

In each test the loop wakes up in the worst order: overdue timers first, then what has come.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from twisted.internet.address import IPv4Address

from tests.kit.clock import HandClock
from tests.kit.hosts import counted_chance
from tests.kit.pairs import GREETING, Line
from twentytwo_server.games.registry import games
from twentytwo_server.host.config import Config
from twentytwo_server.host.start import open_host
from twentytwo_server.host.surroundings import Surroundings
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import Listener
from twentytwo_server.process_clock import FROZEN, THAW, ProcessClock
from twentytwo_server.store.memory import MemoryStore

LIMITS = Limits()


class Process:
    """A server whose process can be frozen."""

    def __init__(self) -> None:
        self.real = HandClock()
        self.clock = ProcessClock(self.real)
        outside = Surroundings(self.clock, MemoryStore(), counted_chance())
        _, dispatcher = open_host(outside, games(), Config(boot="boot", pause=0))
        channels = Channels(dispatcher, self.clock, Reception(LIMITS, GREETING))
        self.listener = Listener(channels)

    def program(self, *lines: str) -> Line:
        where = IPv4Address("TCP", "127.0.0.1", 4)
        line = Line(self.real, self.listener.buildProtocol(where))
        line.send("".join(f"{each}\n" for each in ("hello 1 client=t", *lines)))
        line.read()
        return line

    def frozen(self, ms: int) -> None:
        """Nothing runs for so long; then what is overdue is called first of all."""
        self.real.jump(ms)
        self.real.turn()


@pytest.fixture
def process() -> Process:
    return Process()


def game(process: Process, clock: str) -> Line:
    """The player on turn in a new game of two with that clock."""
    ann = process.program("guest ann", f"open twentytwo seats=2 clock={clock}")
    bob = process.program("guest bob", "join t1", "ready t1")
    ann.send("start\n")
    asked = [each for each in (ann, bob) if " default=" in each.read()]
    assert len(asked) == 1
    return asked[0]


HOURS = 7_200_000


@pytest.mark.parametrize("ms", [1_500, FROZEN + 1, 60_000, HOURS])
def test_a_move_that_came_while_the_process_was_frozen_is_in_time(
    process: Process, ms: int
) -> None:
    ann = game(process, "10")
    process.real.advance(9_900)
    process.frozen(ms)
    ann.send("@m move - turn=1\n", settle=False)
    process.real.advance(500)
    heard = ann.read()
    assert "@m OK" in heard and "TIMEOUT on=t1" not in heard, heard


def test_after_a_freeze_there_is_as_much_time_left_as_before(process: Process) -> None:
    ann = game(process, "10")  # and a second on top, for the way of a move
    process.real.advance(6_000)
    process.frozen(HOURS)
    process.real.advance(THAW + 4_900)
    assert "TIMEOUT on=t1" not in ann.read()
    process.real.advance(200)
    assert "TIMEOUT on=t1" in ann.read()


def test_a_pong_that_came_while_the_process_was_frozen_is_read_before_goodbye(
    process: Process,
) -> None:
    ann = process.program("guest ann")
    process.real.advance(LIMITS.ping_after + 2_000)
    assert ann.read().startswith("PING")
    process.frozen(HOURS)
    assert ann.connected
    ann.send("pong 1\n")
    process.real.advance(LIMITS.ping_after)
    assert "BYE" not in ann.read()


def test_a_seat_is_kept_for_whoever_was_cut_off_before_the_freeze(process: Process) -> None:
    game(process, "0").lose()
    process.real.advance(1_000)
    process.frozen(HOURS)
    again = process.program()
    again.send("@r resume token1\n")
    assert "AT on=t1" in again.read()


def test_a_busy_loop_is_not_frozen(process: Process) -> None:
    began = process.clock.now()
    for _ in range(100):
        process.real.jump(200)
        process.real.turn()
    assert process.clock.now() - began == 20_000


def test_time_never_goes_back(process: Process) -> None:
    seen = [process.clock.now()]
    for ms in (1, 999, FROZEN + 1, 1, 998, 1, FROZEN, 60_000, 5):
        process.real.jump(ms)
        seen.append(process.clock.now())
    assert [later - before for before, later in pairwise(seen)] == [
        *(1, 999, 0, 0, 0, 0),
        *(FROZEN, 0, 0),
    ]


def test_a_timer_comes_once_and_not_after_it_was_cancelled(process: Process) -> None:
    found: list[str] = []
    kept = process.clock.later(1_000, lambda: found.append("kept"))
    gone = process.clock.later(1_000, lambda: found.append("gone"))
    process.frozen(HOURS)
    gone.cancel()
    assert kept.active() and not gone.active()
    process.real.advance(THAW + 999)
    assert found == []
    process.real.advance(10_000)
    assert found == ["kept"] and not kept.active()


def test_a_process_that_stops_looks_at_the_time_no_more() -> None:
    real = HandClock()
    clock = ProcessClock(real)
    real.advance(5_000)
    clock.stop()
    assert real.waiting == []
