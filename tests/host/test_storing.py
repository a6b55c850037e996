"""A store that cannot write, and one that only takes long."""

from __future__ import annotations

import logging

import pytest

from tests.kit.hosts import World
from tests.kit.stores import Unsteady
from twentytwo_server.ports import SLOW_STORAGE


def test_nobody_is_told_of_a_slow_commit_and_clocks_stand_still_until_it_is_done() -> None:
    store = Unsteady()
    world = World(store)
    ann = world.program("ann")
    store.fail(SLOW_STORAGE)
    before = world.host.clock.now()
    world.advance(3_000)
    ann.hear("@1 practice bots=1")
    assert ann.take() == [] and world.host.clock.now() == before and world.host.unready is None
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
    assert world.host.unready == "not storing"
    assert ann.err("practice bots=1") == "BUSY"
    store.mend()
    assert [event.fields["code"] for event in ann.events()] == ["STORAGE_OK"]
    assert world.host.unready is None


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
