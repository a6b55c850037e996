"""The client warns of a command's cost before it sends the command, as netcat is warned."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.client.test_console import Desk
from tests.host.test_out_of_the_game import out_among_people
from tests.kit.hosts import Peer, World
from twentytwo_client.terminal.cost_warnings import lost_by
from twentytwo_protocol.schema import COMMANDS

AGAIN = "again to do it."
WITHOUT = ("quit", "hello", "resume", "auth")
"""Commands that end the conversation, or begin it anew."""
LINES = [
    *sorted({*COMMANDS} - {*WITHOUT}),
    *("leave t1", "resign t1", "abort t1", "close t1", "practice bots=2"),
    *("daily twentytwo", "practice whist22", "whatif last"),
]

Say = Callable[[str], list[str]]


def _practising(say: Say, bob: Peer) -> None:
    for line in ("practice bots=1 seed=22", "keep", "resign", "resign", "practice bots=1"):
        say(line)


def _daily(say: Say, bob: Peer) -> None:
    say("daily twentytwo")


def _lesson(say: Say, bob: Peer) -> None:
    say("tutorial")


def _against_bots(say: Say, bob: Peer) -> None:
    for line in ("open twentytwo seats=2 clock=0", "addbot steady", "start"):
        say(line)


def _as_host(say: Say, bob: Peer) -> None:
    say("open twentytwo seats=2 clock=0")
    bob.say("join t1")


def _with_people(say: Say, bob: Peer) -> None:
    _as_host(say, bob)
    bob.say("ready")
    say("start")


def _as_guest(say: Say, bob: Peer) -> None:
    bob.say("open twentytwo seats=2 clock=0")
    say("join t1")


def _after_practising(say: Say, bob: Peer) -> None:
    say("practice bots=1")
    for _ in range(2):
        say("resign")


SITUATIONS = (
    *(_practising, _daily, _lesson, _against_bots),
    *(_as_host, _with_people, _as_guest, _after_practising),
)


def _asks(lines: list[str]) -> bool:
    return AGAIN in " ".join(" ".join(lines).split())


def _person(line: str, begin: Callable[[Say, Peer], None]) -> bool:
    """True if a person on netcat is warned before that line is carried out."""
    world = World()
    ann = world.person("ann")
    begin(ann.say, world.person("bob"))
    return _asks(ann.say(line))


def _client(line: str, begin: Callable[[Say, Peer], None]) -> bool:
    """The same of somebody with the client."""
    world, desk = World(), Desk(name="ann")
    peer = world.peer()

    def go_on(lines: list[str]) -> None:
        while lines:
            lines = desk.hear(*peer.say(*lines))

    def say(typed: str) -> list[str]:
        before = len(desk.shown)
        go_on(desk.type(typed))
        return desk.shown[before:]

    go_on(desk.hear(*peer.take()))
    begin(say, world.person("bob"))
    go_on(desk.hear(*peer.take()))
    return _asks(say(line))


@pytest.mark.parametrize("begin", SITUATIONS)
def test_the_client_asks_where_the_server_asks_people(begin: Callable[[Say, Peer], None]) -> None:
    asked = {line for line in LINES if _person(line, begin)}
    assert {line for line in LINES if _client(line, begin)} == asked


def test_who_is_out_among_people_is_not_held() -> None:
    world = World()
    gone, other = out_among_people(world)
    room = world.room()
    seats = {name: seat for seat, name in room.table.names.items()}
    for peer, asks in ((gone, False), (other, True)):
        model = room.model(seats[peer.name])
        assert bool(lost_by("leave", model, {"t1": model})) is asks
