"""A guest never gets what an earlier guest of the same name was dealt, at any server."""

from __future__ import annotations

import pytest

from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from twentytwo_server.host.cluster.following import LOOK

pytestmark = pytest.mark.deadline(60)


def played(place: Place, bob: Peer) -> str:
    """A guest plays a game against a bot to its end; the number of the game."""
    on = bob.ok("practice bots=1 options=limit:10 seed=2").fields["on"]
    place.advance(1)
    room = bob.world.room(on)
    while (match := room.table.match) and match.question is not None:
        bob.ok(f"move {match.question.default}")
        place.advance(1)
    assert match is not None
    return match.terms.id


@pytest.mark.parametrize("ahead", ["", "a", "b"])
@pytest.mark.parametrize("node", ["a", "b"])
def test_a_later_guest_sees_no_game_of_an_earlier_one(ahead: str, node: str) -> None:
    place = Place(ahead=ahead)
    earlier = place["a"].program("bob")
    game = played(place, earlier)
    earlier.ok("leave")
    earlier.ok("logout")
    place.advance(LOOK)
    bob = place[node].program("bob")
    assert bob.name == "~bob"
    assert bob.rows("history") == []
    for line in (f"game {game}", f"review {game}"):
        assert bob.err(line) == "NO_SUCH_GAME", line
    bob.ok("register rob :three blind mice")
    place.advance(LOOK)
    assert bob.rows("history") == []


def test_a_guest_sees_a_game_at_a_table_whose_time_was_behind() -> None:
    place = Place()
    zoe = place["a"].program("zoe")
    zoe.ok("open twentytwo seats=3 clock=0 watch=none")
    place.advance(3_600_000)
    place.kill("a")
    place.advance(12 * LOOK)
    place.take_over("a", "b")
    bob = place["b"].program("bob")
    for line in ("join t1", "ready"):
        bob.ok(line)
    back = place["b"].peer()
    back.say("hello 1 client=test", f"resume {zoe.token}")
    place.advance(10)
    back.ok("start t1")
    for peer in (bob, back):
        peer.ok("abort t1")
    assert [row.word for row in bob.rows("history")] == ["PAST"]
    times = [each.at for each in place.inputs()]
    assert times == sorted(times)
