"""Tables go to the servers of their players, and away from a server that stops."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from twentytwo_server.host.cluster import placement
from twentytwo_server.host.cluster.following import LOOK

pytestmark = pytest.mark.deadline(60)


def _owners(place: Place) -> dict[str, str]:
    return {table: name for name in place.names for table in place[name].host.rooms.own}


def _table(place: Place, at: str) -> list[Peer]:
    """A table of server `a`, with a player at each of these servers."""
    people = [place[node].program(f"p{no}") for no, node in enumerate(at)]
    opener = place["a"].program("opener")
    on = opener.ok("open whist22 seats=4 clock=0").fields["on"]
    place.advance(LOOK)
    for each in people:
        each.hear(f"join {on}")
        place.advance(10)
    opener.ok(f"leave {on}")
    place.advance(LOOK)
    return people


@pytest.mark.parametrize(
    ("at", "owner"), [("abb", "b"), ("ccb", "c"), ("aab", "a"), ("ab", "a"), ("bc", "b")]
)
def test_a_table_goes_to_the_server_of_most_of_its_players(at: str, owner: str) -> None:
    place = Place(placing=True)
    _table(place, at)
    place.advance(3 * placement.LOOK)
    assert _owners(place) == {"t1": owner}


def test_a_table_stays_while_its_players_come_and_go() -> None:
    place = Place(placing=True)
    ann, _ = _table(place, "ab")
    for _ in range(5):
        place.advance(placement.LOOK - LOOK)
        ann.drop()
        place.advance(LOOK)
        back = place["a"].peer()
        back.say("hello 1 client=test")
        back.hear(f"@r resume {ann.token}")
        place.advance(10)
        reply = next(each for each in back.records() if each.id == "r" and each.word == "OK")
        ann, ann.token = back, reply.fields["token"]
    assert _owners(place) == {"t1": "a"}


def test_tables_of_absent_people_are_shared_among_the_servers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(placement, "SURPLUS", 1)
    place = Place(placing=True)
    ann = place["a"].program("ann")
    for _ in range(9):
        ann.ok("open whist22 seats=4 clock=0")
    place.advance(3 * placement.LOOK)
    assert Counter(_owners(place).values()) == {"a": 9}
    ann.drop()
    place.advance(3 * placement.LOOK)
    assert Counter(_owners(place).values()) == {"a": 4, "b": 3, "c": 2}


def test_a_server_that_stops_gives_all_tables_away() -> None:
    place = Place(placing=True)
    _table(place, "bb")
    ann = place["a"].program("ann")
    for _ in range(8):
        ann.ok("open whist22 seats=4 clock=0")
    place.advance(2 * LOOK)
    done: list[bool] = []
    place.nodes["a"].cluster.placement.give_all(lambda: done.append(True))
    assert done == [True]
    place.advance(LOOK)
    owners = _owners(place)
    assert len(owners) == 9 and owners["t1"] == "b"
    assert Counter(owners.values()) == {"b": 5, "c": 4}


def test_a_server_that_is_alone_keeps_its_tables_when_it_stops() -> None:
    place = Place(names="a", placing=True)
    place["a"].program("ann").ok("open whist22 seats=4 clock=0")
    done: list[bool] = []
    place.nodes["a"].cluster.placement.give_all(lambda: done.append(True))
    assert done == [True]
    assert _owners(place) == {"t1": "a"}
