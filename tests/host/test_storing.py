"""A store that cannot write, and one that only takes long."""

from __future__ import annotations

import logging

import pytest

from tests.kit.clock import BusyClock
from tests.kit.hosts import Peer, World
from tests.kit.stores import Unsteady
from twentytwo_server.ports import SLOW_STORAGE
from twentytwo_server.scheduler import SLICE


def test_nobody_is_told_of_a_slow_commit_and_clocks_stand_still_until_it_is_done() -> None:
    store = Unsteady()
    world = World(store)
    ann = world.program("ann")
    store.fail(SLOW_STORAGE)
    before = world.host.clock.now()
    world.advance(3_000)
    ann.hear("@1 practice bots=1")
    assert (
        ann.take() == []
        and world.host.clock.now() == before
        and world.host.availability.unready is None
    )
    store.mend()
    assert "@1 OK" in "".join(ann.lines) and "NOTE" not in ann.words()
    world.advance(1_000)
    assert world.host.clock.now() == before + 1_000


def test_everybody_is_told_once_where_slow_storage_turns_out_to_be_a_fault() -> None:
    store = Unsteady()
    world = World(store)
    ann = world.program("ann")
    for why in (SLOW_STORAGE, "the disk is full", SLOW_STORAGE, "the disk is full"):
        store.fail(why)
    assert [event.fields["code"] for event in ann.events()] == ["STORAGE"]
    assert world.host.availability.unready == "not storing"
    assert ann.err("practice bots=1") == "BUSY"
    store.mend()
    assert [event.fields["code"] for event in ann.events()] == ["STORAGE_OK"]
    assert world.host.availability.unready is None


def test_whoever_connects_while_nothing_can_be_stored_is_told_in_one_line() -> None:
    store = Unsteady()
    world = World(store)
    store.fail()
    said = "The server cannot store anything at present. Clocks stand still."
    person, program = world.peer(), world.peer()
    assert person.take() == program.take() == [f"# {said}"]
    person.hear("ann")
    assert person.take() == []  # until it is stored
    program.hear("@1 hello 1 client=test")
    answer, note = program.take()
    assert answer.startswith("@1 OK ")
    assert note == f"NOTE code=STORAGE :{said}"
    program.hear("@2 hello 1")
    assert [line.split()[1] for line in program.take()] == ["ERR"]


def test_nobody_who_connects_is_told_of_slow_storage() -> None:
    store = Unsteady()
    world = World(store)
    store.fail(SLOW_STORAGE)
    assert world.peer().take() == []


def test_the_time_since_the_start_goes_on_while_nothing_can_be_stored() -> None:
    store = Unsteady()
    world = World(store)
    ann = world.program("ann")
    store.fail()
    world.advance(61_000)
    rows = {row.fields["key"]: row.fields["value"] for row in ann.rows("info")}
    assert (rows["uptime"], rows["state"]) == ("61", "not%20storing")


def test_a_refused_line_is_called_so_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "twentytwo.host")
    ann = World().program("ann")
    ann.hear("@1 nonsense")
    assert caplog.messages[-1] == "~ann: a refused line"


def test_what_follows_a_commit_takes_one_slice_of_each_address() -> None:
    store, clock = Unsteady(), BusyClock()
    world = World(store, clock=clock)

    def sitting(number: int, address: str) -> Peer:
        peer = world.peer(address)
        peer.say("hello 1 client=test", f"guest ann{number}", "open twentytwo seats=2 clock=0")
        return peer

    crowd = [sitting(number, "192.0.2.1") for number in range(1, 31)]
    other = sitting(31, "192.0.2.2")
    store.late = True
    for number, peer in enumerate([*crowd, other], 1):
        peer.say(f"@3 ready t{number}")
    clock.busy = True
    store.release()
    answered = sum("@3 OK" in "".join(peer.lines) for peer in crowd)
    assert 0 < answered <= SLICE and "@3 OK" in "".join(other.lines)
    clock.busy = False
    clock.settle()
    assert all("@3 OK" in "".join(peer.lines) for peer in crowd)
