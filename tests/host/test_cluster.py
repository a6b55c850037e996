"""A server follows the tables of another one: the store has the inputs, a bus says when to look."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import pytest
from msgspec import json
from msgspec.structs import replace

from tests.host.test_following import Two, happens, open_table
from tests.kit.clock import HandClock
from tests.kit.hosts import World
from tests.kit.simulated_bus import BusFaults, SimulatedNats
from twentytwo_server.facts import InputsDropped, OpenTable, Owned, WantedTables
from twentytwo_server.games.registry import games
from twentytwo_server.host.cluster.following import LOOK, SELDOM, Following
from twentytwo_server.host.cluster.remote_tables import RemoteTables
from twentytwo_server.host.cluster.rings import BEAT, Bell, Ring
from twentytwo_server.host.cluster.sending import Sender
from twentytwo_server.host.tables.followed_table import FollowedTable
from twentytwo_server.host.tables.order_queue import SERVER
from twentytwo_server.host.tables.remote_room import RemoteRoom
from twentytwo_server.host.tables.room import Room
from twentytwo_server.host.tables.rooms import Rooms
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.subjects import RINGS_FOR_ALL
from twentytwo_server.table.effects import ClosedByOperator

pytestmark = pytest.mark.deadline(60)

BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)
"""A bus that loses, doubles, delays and reorders."""


class Shy(MemoryStore):
    """A store that sometimes cannot answer, or answers late.

    `questions` counts the reads of inputs, `asked` those of owners. `late` has the answers that
    wait, unless it is None, and `late_owners` those about owners. `mine` are the tables of server
    `b`. The last inputs of `damaged` tables have a wrong checksum.
    """

    def __init__(self) -> None:
        super().__init__()
        self.answers = True
        self.questions = 0
        self.asked = 0
        self.late: list[Callable[[], None]] | None = None
        self.late_owners: list[Callable[[], None]] | None = None
        self.mine: set[str] = set()
        self.damaged: set[str] = set()

    def owners(
        self, wanted: WantedTables, done: Callable[[Mapping[str, Owned] | None], None]
    ) -> None:
        def found(all: Mapping[str, Owned] | None) -> None:
            tables = (all or {}).items()
            done({id: Owned("b" if id in self.mine else "a", own.last) for id, own in tables})

        self.asked += 1
        if not self.answers:
            done(None)
        elif self.late_owners is None:
            super().owners(wanted, found)
        else:
            self.late_owners.append(partial(super().owners, wanted, found))

    def newer_inputs(
        self, known: Mapping[str, int], done: Callable[[Sequence[OpenTable] | None], None]
    ) -> None:
        self.questions += 1
        found: list[Sequence[OpenTable] | None] = []
        super().newer_inputs(known, found.append)
        stored = [self._damage(each) for each in found[0] or ()]
        if not self.answers:
            done(None)
        elif self.late is None:
            done(stored)
        else:
            self.late.append(partial(done, stored))

    def _damage(self, stored: OpenTable) -> OpenTable:
        if stored.table not in self.damaged or not stored.inputs:
            return stored
        *others, last = stored.inputs
        return replace(stored, inputs=[*others, replace(last, digest=last.digest ^ 1)])


@dataclass
class Heirs:
    """The tables that a server has taken, and that are in `rooms` from then on."""

    rooms: Rooms
    followed: list[RemoteRoom] = field(default_factory=list)
    unseen: list[OpenTable] = field(default_factory=list)

    def take(self, remote: RemoteRoom) -> None:
        self.followed.append(remote)
        self.rooms.own[remote.id] = cast(Room, remote)

    def take_unseen(self, stored: OpenTable) -> None:
        self.unseen.append(stored)


@dataclass
class Cluster:
    """Server `a` with a table, and server `b` that follows it over a bus."""

    game: str = "twentytwo"
    faults: BusFaults = field(default_factory=BusFaults)
    clock: HandClock = field(default_factory=HandClock)
    store: Shy = field(default_factory=Shy)

    def __post_init__(self) -> None:
        self.nats = SimulatedNats(self.clock, 22, self.faults)
        self.two = Two(World(self.store, clock=self.clock, clustered=True), World(clock=self.clock))
        self.heir = Heirs(self.two.elsewhere.host.rooms)
        self.taken = self.heir.followed
        self.bell = Bell(self.store, self.nats.bus("a"), self.clock, "a")
        self.following = self.follow()
        open_table(self.two, self.game)
        self.clock.advance(LOOK)
        self.two.begun(self.following.tables["t1"])
        for peer in self.two.there.values():
            peer.session.current = "t1"

    def follow(self) -> Following:
        """Another server that follows all tables."""
        tables = self.two.elsewhere.host.parts.make(RemoteTables)
        bus = self.nats.bus("b")
        tables.sender = Sender(bus, self.clock, "b/1", lambda _: None, lambda _: None)
        return Following(tables, games(), self.store, bus, "b", self.heir)

    def take(self) -> None:
        """Server `b` takes the table."""
        self.store.mine.add("t1")
        self.store.take_tables("")

    def close(self) -> None:
        """The operator of `a` closes the table."""
        self.two.owner.room().order(SERVER, ClosedByOperator())

    def at_t1(self) -> list[str]:
        """The people at `b` who are at the table by default."""
        return [name for name, peer in self.two.there.items() if peer.session.current == "t1"]

    def say(self) -> None:
        """Ann says something at the table."""
        self.two.here["ann"].hear("say :hello")


@pytest.mark.parametrize("game", sorted(games()))
def test_a_bad_bus_changes_nothing_that_is_read(game: str) -> None:
    cluster, dice = Cluster(game, BAD), random.Random(game)
    for _ in range(300):
        happens(cluster.two, dice)
        cluster.clock.advance(dice.choice((0, 10, 100)))
    cluster.clock.advance(LOOK)
    cluster.two.told()
    cluster.two.known()
    assert cluster.two.view.stream.last > 200
    cluster.close()
    cluster.clock.advance(LOOK)
    cluster.two.told()
    assert not cluster.following.tables
    assert not cluster.at_t1()


def test_a_ring_brings_the_news_at_once_and_one_look_in_a_second_without_it() -> None:
    cluster = Cluster()
    cluster.say()
    cluster.clock.advance(1)
    cluster.two.told()
    cluster.nats.cut("a", "b")
    cluster.say()
    cluster.clock.advance(LOOK // 4)
    assert not cluster.two.there["bob"].take()
    cluster.clock.advance(3 * LOOK // 4)
    assert cluster.two.there["bob"].take()


def test_a_lost_ring_is_noticed_at_the_next_one() -> None:
    cluster = Cluster()
    cluster.nats.cut("a", "b")
    cluster.say()
    cluster.clock.advance(1)
    cluster.nats.heal()
    cluster.clock.advance(BEAT - 2)
    assert not cluster.two.there["bob"].take()
    cluster.clock.advance(2)
    cluster.two.told()


def test_the_store_is_asked_seldom_while_all_owners_ring() -> None:
    cluster = Cluster()
    cluster.clock.advance(SELDOM)
    asked = cluster.store.asked
    cluster.clock.advance(3 * SELDOM)
    assert cluster.store.asked == asked + 3
    cluster.nats.cut("a", "b")
    cluster.clock.advance(SELDOM)
    assert cluster.store.asked >= asked + 3 + SELDOM // LOOK - 1


def test_a_server_that_begins_again_rings_with_higher_numbers() -> None:
    cluster = Cluster()
    numbers: list[int] = []
    bus = cluster.nats.bus("a")

    def heard(data: bytes) -> None:
        numbers.append(json.decode(data)["no"])

    cluster.nats.bus("c").listen(RINGS_FOR_ALL, heard)
    cluster.clock.advance(SELDOM)
    cluster.bell.stop()
    cluster.clock.advance(10)
    before = len(numbers)
    cluster.clock.advance(SELDOM)
    assert len(numbers) == before
    Bell(cluster.store, bus, cluster.clock, "a")
    cluster.clock.advance(SELDOM)
    assert len(numbers) > before
    assert numbers == sorted(set(numbers))


def test_a_server_whose_number_somebody_else_used_counts_as_silent() -> None:
    cluster = Cluster()
    cluster.nats.bus("c").tell(RINGS_FOR_ALL, json.encode(Ring("a", 10**18, {})))
    cluster.clock.advance(LOOK)
    asked = cluster.store.asked
    cluster.clock.advance(5 * LOOK)
    assert cluster.store.asked == asked + 5


def test_a_ring_of_another_owner_has_the_store_asked_for_the_owner() -> None:
    cluster = Cluster()
    ring = Ring("c", 1, {})
    for tables in ({}, {"t1": 1}):
        asked = cluster.store.asked
        cluster.nats.bus("c").tell(RINGS_FOR_ALL, json.encode(replace(ring, tables=tables)))
        cluster.clock.advance(1)
        assert cluster.store.asked == asked + len(tables)


def test_a_server_looks_at_once_when_its_bus_is_connected_again() -> None:
    cluster = Cluster()
    cluster.nats.stop()
    cluster.say()
    cluster.clock.advance(10)
    cluster.nats.start()
    cluster.clock.advance(1)
    cluster.two.told()


def test_the_inputs_of_a_turn_ring_once() -> None:
    cluster = Cluster()
    heard: list[bytes] = []
    cluster.nats.bus("c").listen(RINGS_FOR_ALL, heard.append)
    cluster.say()
    cluster.say()
    cluster.clock.advance(1)
    last = cluster.two.view.last
    assert [json.decode(data)["tables"] for data in heard] == [{"t1": last}]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        json.encode(Ring("a", 10**18, {"t1": 10**18, "t9": 1, "": -1})),
    ],
)
def test_a_wrong_ring_does_nothing(data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    cluster = Cluster()
    cluster.nats.bus("c").tell(RINGS_FOR_ALL, data)
    cluster.clock.advance(10)
    cluster.say()
    cluster.clock.advance(10)
    cluster.two.told()
    assert cluster.following.tables.keys() == {"t1"}
    assert not caplog.records


def test_an_error_in_one_table_does_not_affect_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cluster = Cluster()
    cluster.two.here["cat"].hear("open whist22")
    cluster.clock.advance(1)
    follow = FollowedTable.follow

    def fails(table: FollowedTable, newer: OpenTable) -> None:
        if table.id == "t1":
            raise ZeroDivisionError
        follow(table, newer)

    monkeypatch.setattr(FollowedTable, "follow", fails)
    cluster.say()
    cluster.clock.advance(2 * LOOK)
    assert cluster.following.tables.keys() == {"t2"}
    (said,) = caplog.records
    assert said.exc_info is not None


def test_the_rings_of_this_server_itself_ask_nothing() -> None:
    cluster = Cluster()
    asked = cluster.store.questions
    cluster.nats.bus("b").tell(RINGS_FOR_ALL, json.encode(Ring("b", 1, {"t1": 10**18})))
    cluster.clock.advance(10)
    assert cluster.store.questions == asked


def test_the_tables_of_this_server_itself_are_not_followed() -> None:
    cluster = Cluster()
    cluster.store.mine.add("t2")
    cluster.two.here["cat"].hear("open whist22")
    cluster.clock.advance(SELDOM)
    assert cluster.following.tables.keys() == {"t1"}


def test_one_question_waits_for_its_answer_before_the_next() -> None:
    cluster = Cluster()
    late = cluster.store.late = []
    asked = cluster.store.questions
    for _ in range(5):
        cluster.say()
        cluster.clock.advance(1)
    assert cluster.store.questions == asked + 1
    late.pop(0)()
    assert cluster.store.questions == asked + 2
    late.pop(0)()
    cluster.two.told()


def test_a_look_reads_no_inputs_where_none_are_new() -> None:
    cluster = Cluster()
    asked = cluster.store.questions
    cluster.clock.advance(5 * LOOK)
    assert cluster.store.questions == asked
    cluster.nats.cut("a", "b")
    cluster.say()
    cluster.clock.advance(5 * LOOK)
    assert cluster.store.questions == asked + 1


def test_a_table_stays_while_the_store_does_not_answer() -> None:
    cluster = Cluster()
    cluster.store.answers = False
    cluster.say()
    cluster.clock.advance(3 * LOOK)
    assert cluster.following.tables.keys() == {"t1"}
    cluster.store.answers = True
    cluster.clock.advance(LOOK)
    cluster.two.told()


@pytest.mark.parametrize("lost", [False, True])
def test_the_last_events_of_a_closed_table_are_shown(lost: bool) -> None:
    cluster = Cluster()
    if lost:
        cluster.nats.cut("a", "b")
    cluster.say()
    cluster.close()
    cluster.clock.advance(LOOK if lost else 1)
    assert "SHUT" in cluster.two.there["cat"].words("t1")
    cluster.two.told()
    assert not cluster.following.tables
    assert not cluster.at_t1()


def test_a_table_whose_inputs_are_gone_is_followed_no_more() -> None:
    cluster = Cluster()
    cluster.store.answers = False
    cluster.close()
    cluster.store.keep([InputsDropped(("t1",))], lambda: None)
    cluster.store.answers = True
    cluster.clock.advance(LOOK)
    assert not cluster.following.tables
    assert not cluster.at_t1()
    assert not cluster.two.there["bob"].take()


def test_a_table_that_closes_before_it_is_read_is_not_followed() -> None:
    cluster = Cluster()
    late = cluster.store.late = []
    cluster.say()
    cluster.clock.advance(1)
    cluster.two.here["cat"].hear("open whist22")
    cluster.clock.advance(1)
    cluster.two.here["cat"].hear("leave t2")
    late.pop(0)()
    late.pop(0)()
    assert cluster.following.tables.keys() == {"t1"}
    cluster.clock.advance(LOOK)
    assert cluster.following.tables.keys() == {"t1"}


def test_a_new_table_is_followed_from_its_first_ring() -> None:
    cluster = Cluster()
    cluster.two.here["cat"].hear("open whist22")
    cluster.clock.advance(1)
    assert cluster.following.tables.keys() == {"t1", "t2"}


def test_nothing_is_read_after_the_stop() -> None:
    cluster = Cluster()
    cluster.following.stop()
    asked = cluster.store.questions
    cluster.say()
    cluster.clock.advance(2 * LOOK)
    assert cluster.store.questions == asked


def test_a_table_that_differs_is_left_out_and_the_log_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    cluster = Cluster()
    cluster.store.damaged.add("t1")
    with caplog.at_level(logging.ERROR):
        cluster.say()
        cluster.clock.advance(3 * LOOK)
    assert not cluster.following.tables
    assert not cluster.at_t1()
    (said,) = [record.getMessage() for record in caplog.records]
    assert re.fullmatch(
        "table t1 cannot be followed: the events of input [0-9]+ are not what they were", said
    )
    cluster.two.here["cat"].hear("open whist22")
    cluster.clock.advance(1)
    assert cluster.following.tables.keys() == {"t2"}


# ----------------------------------------------------------------------- a change of hands


def test_a_table_of_this_server_is_handed_over_with_all_that_its_owner_stored() -> None:
    cluster = Cluster()
    cluster.nats.cut("a", "b")
    cluster.say()
    cluster.store.mine.add("t1")
    cluster.clock.advance(LOOK)
    cluster.two.told()
    cluster.two.known()
    assert cluster.taken == [cluster.two.view]
    assert not cluster.following.tables
    assert cluster.at_t1() == ["ann", "bob", "cat", "dan"]


def test_a_table_is_handed_over_at_once_when_this_server_takes_it() -> None:
    cluster = Cluster()
    cluster.take()
    assert cluster.taken == [cluster.two.view]


def test_a_table_that_could_not_be_followed_is_taken_as_it_is_stored() -> None:
    cluster = Cluster()
    cluster.store.damaged.add("t1")
    cluster.say()
    cluster.clock.advance(LOOK)
    assert not cluster.following.tables
    cluster.take()
    cluster.clock.advance(2 * LOOK)
    assert [stored.table for stored in cluster.heir.unseen] == ["t1"]
    assert not cluster.taken


def test_a_table_that_was_handed_over_does_not_come_back() -> None:
    cluster = Cluster()
    late = cluster.store.late = []
    cluster.say()
    cluster.clock.advance(1)
    cluster.say()
    cluster.take()
    late.pop(0)()  # the question was older than the change
    assert not cluster.taken
    cluster.say()
    cluster.clock.advance(1)
    late.pop(0)()
    assert cluster.taken == [cluster.two.view]
    cluster.store.late = None
    cluster.say()
    cluster.clock.advance(2 * SELDOM)
    assert not late
    assert not cluster.following.tables


def test_a_table_that_was_left_out_is_tried_again_after_a_change_of_hands() -> None:
    cluster = Cluster()
    cluster.store.damaged.add("t1")
    cluster.say()
    cluster.clock.advance(LOOK)
    assert not cluster.following.tables
    cluster.store.damaged.clear()
    cluster.take()
    cluster.store.mine.clear()
    cluster.clock.advance(SELDOM)
    assert cluster.following.tables.keys() == {"t1"}


def test_no_answer_about_owners_is_older_than_the_one_before() -> None:
    cluster = Cluster()
    late = cluster.store.late_owners = []
    for no, table in enumerate(("t7", "t8", "t9"), 1):
        cluster.nats.bus("c").tell(
            RINGS_FOR_ALL, json.encode(Ring("c", no, {table: 1}, {table: ("~cat",)}))
        )
        cluster.clock.advance(1)
    for left in (1, 0):
        assert len(late) == 1
        late.pop(0)()
        assert len(late) == left
