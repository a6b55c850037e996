"""A pair of tables survives a kill at every point: for example, both have begun, or neither."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.crash.test_daily import asked
from tests.host.test_accounts import default
from tests.kit.hosts import Peer, World
from tests.kit.length import times
from tests.kit.processes import Plain, Server, plain
from twentytwo_server import failpoints
from twentytwo_server.table.table import Phase

MOST = times(400, long=5000)
"""Maximum number of points of one evening at which a server is killed."""


class Killed(BaseException):
    """The server is killed here."""


@contextmanager
def killing(number: int) -> Iterator[list[str]]:
    """Kills the server at the point with this number; yields the list of the points before."""
    reached: list[str] = []

    def at(name: str) -> None:
        reached.append(name)
        if len(reached) >= number:
            raise Killed(name)

    failpoints.at = at
    try:
        yield reached
    finally:
        failpoints.at = None


class Evening:
    """Four people play a game at a pair of tables, step by step."""

    def __init__(self) -> None:
        self.world = World()
        self.people = [self.world.program(name) for name in ("ann", "eve", "bob", "fay")]
        self.acknowledged: list[str] = []

    def do(self, peer: Peer, line: str) -> None:
        """Sends a command; an OK counts as acknowledgement."""
        peer.ok(line)
        self.acknowledged.append(line)

    def play(self) -> None:
        """Plays from the current state to the end."""
        ann, *others = self.people
        host = self.world.host
        if "t1" not in host.rooms:
            self.do(ann, "open twentytwo seats=2 clock=0 duplicate=1 options=first_hand:2")
        for peer, on in zip(others, ("t2", "t1", "t2"), strict=True):
            if self.world.room(on).table.seat_of(peer.name) is None:
                self.do(peer, f"join {on}")
        if self.world.room("t1").table.match is None:
            for peer, on in zip(self.people, ("t1", "t2", "t1", "t2"), strict=True):
                seat = self.world.room(on).table.seat_of(peer.name)
                if seat is not None and not seat.word:
                    self.do(peer, f"seed word-of-{peer.name[1:]} {on}")
            for peer, on in zip(others, ("t2", "t1", "t2"), strict=True):
                self.do(peer, f"ready {on}")
            self.do(ann, "start t1")
        for on in ("t2", "t1"):
            self.world.clock.settle()
            while self.world.room(on).table.phase is Phase.PLAYING:
                self.do(self.world.on_turn(on), f"move {default(self.world, on)} {on}")
                self.world.clock.settle()

    def come_back(self) -> None:
        """Restarts the server from the stored data; all players reconnect."""
        self.world = self.world.restarted()
        again = []
        for peer in self.people:
            new = self.world.peer()
            new.say("hello 1 client=test")
            new.ok(f"resume {peer.token}")
            new.name, new.token = peer.name, peer.token
            again.append(new)
        self.people = again

    def check(self) -> None:
        """Checks that both tables agree, and that all acknowledged commands took effect."""
        rooms = self.world.host.rooms
        assert set(rooms) in (set(), {"t1", "t2"})
        if not rooms:
            assert not self.acknowledged
            return
        one, two = rooms["t1"].table, rooms["t2"].table
        assert (one.match is None) == (two.match is None)
        assert one.promised is not None
        assert two.promised is not None
        assert one.promised.digest == two.promised.digest
        assert one.dealt == two.dealt
        if "start t1" in self.acknowledged:
            assert one.match is not None
        if Phase.PLAYING not in (one.phase, two.phase) and one.match is not None:
            for each in ("t1", "t2"):
                words = [entry.event.word.word for entry in rooms[each].stream.after(0)]
                assert words.count("COMPARED") == words.count("REVEALED") == 1


def test_a_pair_is_whole_wherever_the_server_is_killed() -> None:
    done = False
    for number in range(1, MOST):
        evening = Evening()
        with killing(number) as reached:
            try:
                evening.play()
                done = True
            except Killed:
                pass
        evening.come_back()
        evening.check()
        evening.play()
        evening.check()
        assert evening.world.room("t1").table.phase is Phase.OVER, (number, reached[-1])
        if done:
            break
    assert done


@contextmanager
def both(address: tuple[str, int]) -> Iterator[tuple[Plain, Plain]]:
    with plain(address) as ann, plain(address) as eve:
        yield ann, eve


def test_a_pair_goes_on_after_kill_minus_nine(tmp_path: Path) -> None:
    options = ("--data", str(tmp_path), "--port", "0", "--bot-pause", "0")
    tokens = []
    with Server(*options) as server, both(server.address()) as (ann, eve):
        for client, name in ((ann, "ann"), (eve, "eve")):
            client.send("hello 1 client=test\n")
            tokens.append(asked(client, f"guest {name}")[-1].fields["token"])
        asked(ann, "open twentytwo seats=2 clock=0 duplicate=1")
        asked(eve, "join t2")
        asked(eve, "ready t2")
        assert asked(ann, "start t1")[-1].word == "OK"
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    with Server(*options) as server, both(server.address()) as (ann, eve):
        for client, token, on in ((ann, tokens[0], "t1"), (eve, tokens[1], "t2")):
            client.send(f"hello 1 client=test\n@r resume {token}\n")
            client.until("@r OK")
            assert asked(client, f"abort {on}")[-1].word == "OK"
        for client in (ann, eve):
            client.until("REVEALED")
            client.until("COMPARED")
