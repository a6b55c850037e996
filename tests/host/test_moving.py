"""A player comes back at another server in the middle of a game, and nothing is different."""

from __future__ import annotations

import pytest

from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from twentytwo_server.games.registry import games
from twentytwo_server.host.cluster.following import LOOK

pytestmark = pytest.mark.deadline(60)


def _played(game: str) -> tuple[Place, Peer, Peer]:
    """A game at a table of server `a`: Ann and two bots there, Bob at server `b`."""
    place = Place()
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    ann.ok(f"open {game} seats=4 clock=0")
    place.advance(LOOK)
    bob.hear("join t1")
    place.advance(10)
    for _ in range(2):
        ann.ok("addbot easy")
    ann.ok("ready")
    bob.hear("ready")
    place.advance(10)
    ann.ok("start")
    place.advance(LOOK)
    return place, ann, bob


def _resume(place: Place, node: str, peer: Peer) -> Peer:
    back = place[node].peer()
    back.say("hello 1 client=test")
    back.hear(f"@r resume {peer.token} me:0")
    place.advance(10)
    (reply,) = [each for each in back.records() if each.id == "r" and each.word == "OK"]
    back.token = reply.fields["token"]
    return back


def _past(place: Place, peer: Peer) -> list[str]:
    """All events of the table as the player has seen them."""
    place.advance(LOOK)
    peer.take()
    peer.ok("sync t1 from=0")
    return [line for line in peer.take() if line.split(" ", 1)[1].startswith("on=t1 ")]


def _moves(place: Place, ann: Peer, bob: Peer) -> int:
    """Bob plays whenever it is his turn, for a while; returns the number of his moves."""
    done = 0
    for _ in range(40):
        table = place["a"].room().table
        if table.on_turn is None or table.match is None or table.match.question is None:
            place.advance(200)
            continue
        move = f"move {table.match.question.default}"
        if table.on_turn.name == "~bob":
            bob.lines.clear()
            bob.hear(f"@m {move}")
            place.advance(10)
            done += [each.word for each in bob.records() if each.id == "m"][-1] == "OK"
        else:
            ann.hear(move)
            place.advance(10)
    return done


@pytest.mark.parametrize("game", sorted(games()))
def test_a_player_plays_on_at_every_server(game: str) -> None:
    place, ann, bob = _played(game)
    moves = 0
    for node in "cabac":
        before = _past(place, bob)
        old, bob = bob, _resume(place, node, bob)
        assert old.words()[-1:] == ["BYE"] or old.hung_up
        assert _past(place, bob) == before
        assert "seat at t1" in (bob.ok("whoami").text or "")
        seat = place["a"].room().table.seat_of("~bob")
        assert seat is not None and seat.here
        if place["a"].room().table.match is not None:
            moves += _moves(place, ann, bob)
    assert moves > 10


def test_whoever_is_lost_is_away_at_the_table_of_another_server_until_they_come_back() -> None:
    place, _, bob = _played("twentytwo")
    bob.drop()
    place.advance(LOOK)
    seat = place["a"].room().table.seat_of("~bob")
    assert seat is not None and not seat.here
    bob = _resume(place, "c", bob)
    place.advance(LOOK)
    seat = place["a"].room().table.seat_of("~bob")
    assert seat is not None and seat.here


@pytest.mark.parametrize("heir", ["a", "c"])
def test_a_watcher_of_a_dead_server_watches_no_more(heir: str) -> None:
    place, _, _ = _played("twentytwo")
    eve = place["b"].program("eve")
    eve.hear("watch t1")
    place.advance(LOOK)
    assert place["a"].room().table.watchers == ("~eve",)
    place.kill("b")
    place.take_over("b", heir)
    place.advance(2 * LOOK)
    assert not place["a"].room().table.watchers


def test_the_people_of_a_dead_server_are_away_at_the_tables_of_a_third() -> None:
    place, ann, bob = _played("twentytwo")
    place.kill("b")
    place.take_over("b", "c")
    place.advance(LOOK)
    seat = place["a"].room().table.seat_of("~bob")
    assert seat is not None and not seat.here
    bob = _resume(place, "c", bob)
    place.advance(LOOK)
    assert _moves(place, ann, bob) > 0


@pytest.mark.parametrize("late", [False, True])
def test_who_gives_up_their_name_while_a_join_travels_keeps_no_seat(late: bool) -> None:
    place = Place()
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    ann.ok("open whist22 seats=4 clock=0")
    place.advance(LOOK)
    place.nats.cut("a", "b" if late else "x")  # the order arrives, and no answer
    place.nats.cut("b", "a" if not late else "x")  # the order does not arrive yet
    bob.hear("join t1")
    back = place["b"].peer()
    back.say("hello 1 client=test")
    back.hear(f"@r resume {bob.token}")
    place.advance(10)
    back.ok("logout")
    place.nats.heal()
    place.advance(5 * LOOK)
    assert place["a"].room().table.seat_of("~bob") is None
    assert all(place[node].host.people.exact("~bob") is None for node in "abc")
    assert place["c"].program("bob").name == "~bob"


def test_who_is_lost_while_a_join_travels_is_away_at_the_table() -> None:
    place = Place()
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    ann.ok("open whist22 seats=4 clock=0")
    place.advance(LOOK)
    place.nats.cut("b", "a")
    bob.hear("join t1")
    bob.drop()
    place.nats.heal()
    place.advance(5 * LOOK)
    seat = place["a"].room().table.seat_of("~bob")
    assert seat is not None and not seat.here
