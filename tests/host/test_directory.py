"""All servers of a place list the same people, and tell the same of them in the lobby."""

from __future__ import annotations

import random

import pytest

from tests.host.test_accounts import PASSWORD, account
from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from tests.kit.simulated_bus import BusFaults
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.host.cluster import directory
from twentytwo_server.host.cluster.directory import BEAT, SILENCE
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.tables.order_queue import SERVER
from twentytwo_server.table.effects import ClosedByOperator

pytestmark = pytest.mark.deadline(60)

SOON = 10
"""Milliseconds after which a message has come, if none is lost."""
BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)


def people(peer: Peer) -> list[str]:
    """The names that `who` lists."""
    return [row.fields["name"] for row in peer.rows("who")]


def lobby(peer: Peer, *streams: str) -> list[str]:
    """The events of the lobby that have come: the word and the name."""
    found = [each for each in peer.events() if each.on in (streams or ("people",))]
    peer.take()
    return [f"{each.word} {_about(each)}" for each in found]


def _about(event: ParsedLine) -> str:
    return next(event.fields[key] for key in ("name", "by", "table") if key in event.fields)


def follower(place: Place, node: str, name: str, stream: str = "people") -> Peer:
    peer = place[node].program(name)
    peer.ok(f"follow {stream}")
    place.advance(2 * BEAT)
    peer.take()
    return peer


def test_who_lists_the_people_of_all_servers() -> None:
    place = Place()
    ann, bob, cat = (place[node].program(name) for node, name in zip("abc", NAMES, strict=True))
    place.advance(SOON)
    for peer in (ann, bob, cat):
        assert people(peer) == ["~ann", "~bob", "~cat"]
        assert [row.fields["name"] for row in peer.rows("who filter=at")] == ["~cat"]
        info = {row.fields["key"]: row.fields["value"] for row in peer.rows("info")}
        assert info["players"] == "3"
    bob.drop()
    place.advance(3 * BEAT)
    assert people(ann) == people(cat) == ["~ann", "~cat"]
    assert "3 here, no table yet." in "\n".join(place["a"].peer().say("dan"))


NAMES = ("ann", "bob", "cat")


def test_who_shows_the_seats_of_people_elsewhere_but_no_private_ones() -> None:
    place = Place()
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    ann.ok("open twentytwo")
    place.advance(LOOK)
    assert _seats(bob) == {"~ann": "t1", "~bob": None}
    ann.ok("leave")
    ann.ok("open twentytwo private=fox")
    place.advance(LOOK)
    assert _seats(bob) == {"~ann": None, "~bob": None}
    bob.hear("join fox")
    place.advance(LOOK)
    assert _seats(bob) == {"~ann": "t2", "~bob": "t2"}


def _seats(peer: Peer) -> dict[str, str | None]:
    return {row.fields["name"]: row.fields.get("on") for row in peer.rows("who")}


def test_the_lobby_hears_who_comes_and_goes_and_shouts_anywhere() -> None:
    place = Place()
    ann = follower(place, "a", "ann")
    ann.ok("follow lobby")
    bob = place["b"].program("bob")
    place.advance(SOON)
    assert lobby(ann) == ["ONLINE ~bob"]
    bob.ok("shout :hello")
    place.advance(SOON)
    assert lobby(ann, "lobby") == ["SHOUTED ~bob"]
    person = place["a"].host.people.exact("~ann")
    assert person is not None
    person.blocked.add("~bob")
    bob.ok("shout :hello again")
    place.advance(SOON)
    assert [each.fields.get("text") for each in ann.events("lobby")] == [None]
    ann.take()
    bob.drop()
    place.advance(3 * BEAT)
    assert lobby(ann) == ["OFFLINE ~bob"]


def test_the_lobby_hears_of_the_tables_of_all_servers() -> None:
    place = Place()
    ann = follower(place, "a", "ann", "tables")
    bob = place["b"].program("bob")
    on = bob.ok("open twentytwo").fields["on"]
    bob.ok("open twentytwo private=fox")
    place.advance(LOOK)
    assert lobby(ann, "tables") == [f"OPENED {on}"]
    bob.ok(f"lock {on}")
    place.advance(LOOK)
    assert lobby(ann, "tables") == [f"CHANGED {on}"]
    place.kill("b")
    place.take_over("b", "c")
    place.advance(LOOK)
    assert lobby(ann, "tables") == []
    place["c"].room(on).order(SERVER, ClosedByOperator())
    place.advance(LOOK)
    assert lobby(ann, "tables")[-1] == f"CLOSED {on}"


def test_a_person_who_comes_in_elsewhere_is_never_away() -> None:
    place, dice = Place(BusFaults(delay=300)), random.Random(22)
    token = place["a"].program("ann").token
    heard = {node: follower(place, node, f"w{node}") for node in "abc"}
    for peer in heard.values():
        peer.take()
    for node in "bcabcabcabcab":
        back = place[node].peer()
        back.say("hello 1")
        back.hear(f"@1 resume {token}")
        for _ in range(dice.randrange(20, 40)):
            place.advance(100)
            assert all(_listed(place, each).count("~ann") == 1 for each in "abc")
        (ok,) = [each for each in back.records() if each.id == "1" and each.word == "OK"]
        token = ok.fields["token"]
        # as at one server, when a newer connection replaces one
        told = {"a": [], "b": [], "c": [], node: ["ONLINE ~ann"]}
        assert {each: lobby(peer) for each, peer in heard.items()} == told


def test_a_server_that_missed_too_much_learns_who_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "MEMORY", 5)
    place = Place()
    ann, bob, cat = (place[node].program(name) for node, name in zip("abb", NAMES, strict=True))
    place.advance(SOON)
    place.nats.cut("b", "a")
    bob.drop()
    for turn in range(6):
        place["b"].program(f"p{turn}").drop()
    place.advance(2 * BEAT)
    assert people(ann) == ["~ann", "~bob", "~cat"]
    place.nats.heal()
    place.advance(4 * BEAT)
    assert people(ann) == people(cat) == ["~ann", "~cat"]


def _listed(place: Place, node: str) -> list[str]:
    return [each.name for each in place[node].host.elsewhere.connected()]


def test_the_people_of_a_silent_server_vanish_and_come_again_with_it() -> None:
    place = Place()
    ann = follower(place, "a", "ann")
    place["b"].program("bob")
    place.advance(SOON)
    place.nats.cut("b", "a")
    place.advance(SILENCE // 2)
    assert people(ann) == ["~ann", "~bob"]
    place.advance(SILENCE)
    assert people(ann) == ["~ann"]
    ann.take()
    place.nats.heal()
    place.advance(2 * BEAT)
    assert lobby(ann) == ["ONLINE ~bob"]
    place.kill("b")
    place.take_over("b", "a")
    place.advance(SILENCE + 3 * BEAT)
    assert people(ann) == ["~ann"]


def test_who_begins_to_listen_hears_no_old_shouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "PAGE", 2)
    place = Place()
    place.nats.cut("b", "a")
    bob = place["b"].program("bob")
    for turn in range(5):
        bob.ok(f"shout :{turn}")
        place["b"].program(f"p{turn}")
    ann = place["a"].program("ann")
    ann.ok("follow lobby")
    place.nats.heal()
    place.advance(4 * BEAT)
    assert ann.words("lobby") == []
    assert len(people(ann)) == 7
    bob.ok("shout :now")
    place.advance(SOON)
    assert [each.text for each in ann.events("lobby")] == ["now"]


def test_friends_hear_of_each_other_at_any_server() -> None:
    place = Place()
    bob = account(place["b"], "bob")
    account(place["b"], "cat").drop()
    ann = account(place["a"], "ann")
    place.advance(SOON)
    ann.ok("friend bob")
    assert [row.fields["here"] for row in ann.rows("friends")] == ["1"]
    assert [row.fields["here"] for row in ann.rows("profile bob")][:1] == ["1"]
    assert [row.fields["here"] for row in ann.rows("profile cat")] == ["0"]
    bob.drop()
    place.advance(70_000)
    assert [row.fields["here"] for row in ann.rows("friends")] == ["0"]
    ann.take()
    back = place["c"].peer()
    back.say("hello 1")
    back.hear(f"login bob :{PASSWORD}")
    place.advance(BEAT)
    assert [each.fields["code"] for each in ann.events() if each.word == "NOTE"] == ["FRIEND"]


@pytest.mark.parametrize("seed", range(10))
def test_a_bad_bus_changes_only_the_moment(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "PAGE", 3)
    monkeypatch.setattr(directory, "MEMORY", 5)
    dice, place = random.Random(seed), Place(BAD, seed)
    here: list[Peer] = []
    for turn in range(120):
        if here and dice.random() < 0.45:
            here.pop(dice.randrange(len(here))).drop()
        else:
            here.append(place[dice.choice("abc")].program(f"p{turn}"))
        place.advance(dice.choice((0, 10, 300, 1_500)))
    place.advance(4 * SILENCE)
    names = sorted(peer.name for peer in here)
    assert [sorted(_listed(place, node)) for node in "abc"] == [names] * 3
