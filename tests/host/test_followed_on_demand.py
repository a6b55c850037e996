"""A server follows those tables of others that its people need, and no others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.host.test_directory import lobby
from tests.host.test_post import come, reply
from tests.kit.cluster import Place
from tests.kit.hosts import LateStore, Peer
from twentytwo_server.host.cluster.directory import SILENCE
from twentytwo_server.host.cluster.following import KEPT, LOOK, NEW_AT_ONCE, SELDOM, UNHEARD
from twentytwo_server.table.table import Phase

pytestmark = pytest.mark.deadline(60)


def rooms(place: Place, nodes: str = "abc") -> list[list[str]]:
    """The tables that each server has, its own and those that it follows."""
    return [sorted(place[node].host.rooms) for node in nodes]


def listed(peer: Peer) -> list[str]:
    """The rows of `tables`: the table, the number of people, the phase, the number of watchers."""
    fields = ("on", "taken", "phase", "nwatch")
    return [" ".join(row.fields[key] for key in fields) for row in peer.rows("tables")]


def test_a_table_of_others_is_listed_and_not_followed() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    cat.ok("follow tables")
    ann.ok("open whist22 seats=4")
    place.advance(LOOK)
    assert rooms(place) == [["t1"], [], []]
    assert listed(bob) == listed(ann) == ["t1 1 open 0"]
    reply(place, bob, "join t1")
    dan = place["a"].program("dan")
    dan.ok("watch t1")
    place.advance(LOOK)
    assert rooms(place) == [["t1"], ["t1"], []]
    assert listed(bob) == ["t1 2 open 1"]
    ann.ok("close t1")
    place.advance(LOOK)
    assert rooms(place) == [[], [], []]
    assert lobby(cat, "tables") == ["OPENED t1", "CHANGED t1", "CLOSED t1"]
    assert listed(cat) == []


def test_a_table_is_followed_while_somebody_here_is_at_it_and_a_minute_longer() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    reply(place, bob, "join t1")
    reply(place, cat, "watch t1")
    place.advance(KEPT + 2 * SELDOM)
    assert rooms(place) == [["t1"]] * 3
    reply(place, bob, "leave t1")
    reply(place, cat, "unwatch t1")
    place.advance(LOOK)
    assert rooms(place) == [["t1"]] * 3
    place.advance(KEPT + 2 * SELDOM)
    assert rooms(place) == [["t1"], [], []]
    last = place["a"].room().stream.last
    assert reply(place, cat, f"sync t1 from={last}").word == "OK"
    assert rooms(place) == [["t1"], [], ["t1"]]


def test_a_table_that_is_followed_for_somebody_who_leaves_at_once_stays_for_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody else may have named it meanwhile, and be on the way to this server."""
    place = Place(config={"grace": 10 * KEPT})
    ann, bob, _ = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    reply(place, bob, "join t1")
    place.kill("b")
    place.config = {**place.config, "boot": "boot-again"}
    held: list[Callable[[], None]] = []
    read = LateStore.newer_inputs
    with monkeypatch.context() as patch:
        patch.setattr(LateStore, "newer_inputs", lambda *of: held.append(partial(read, *of)))
        place.nodes["b"] = place.start("b", 9)
        place.advance(10)
    back = place["c"].peer()
    back.say("hello 1 client=test")
    assert reply(place, back, f"resume {bob.token}").word == "OK"
    for inputs in held:
        inputs()
    place.advance(2 * SELDOM)
    assert rooms(place, "b") == [["t1"]]
    place.advance(KEPT)
    assert rooms(place, "b") == [[]]


def test_somebody_away_keeps_a_seat_at_a_table_that_is_followed_for_them() -> None:
    place = Place(config={"grace": 10 * KEPT})
    ann, bob, _ = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    reply(place, bob, "join t1")
    bob.drop()
    place.advance(KEPT + 2 * SELDOM)
    assert rooms(place) == [["t1"], ["t1"], []]
    back = place["c"].peer()
    back.say("hello 1 client=test")
    assert reply(place, back, f"resume {bob.token}").word == "OK"
    assert rooms(place, "c") == [["t1"]]
    assert [row.fields["on"] for row in back.records() if row.word == "AT"] == ["t1"]
    assert reply(place, back, "sync t1 from=0").word == "OK"
    assert [seat.here for seat in place["c"].host.rooms["t1"].table.people] == [True, True]
    told = [each.fields["here"] for each in back.events("t1") if each.word == "PRESENCE"]
    assert told == ["0", "1"]


def test_whoever_is_invited_finds_the_table() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 private=fox")
    assert reply(place, ann, "invite bob").word == "OK"
    place.advance(KEPT + 2 * SELDOM)
    assert rooms(place) == [["t1"], ["t1"], []]
    back = place["c"].peer()
    back.say("hello 1 client=test")
    assert reply(place, back, f"resume {bob.token}").word == "OK"
    assert reply(place, back, "accept ann").word == "OK"


@pytest.mark.parametrize("line", ["fair {}", "export {}", "review {}"])
def test_a_game_at_a_table_that_is_not_followed_is_found_by_its_number(line: str) -> None:
    place = Place()
    ann, _, cat = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=3 bots=2 clock=0")
    ann.ok("start t1")
    hidden = place["a"].program("dan")
    hidden.ok("open whist22 seats=3 bots=2 clock=0 private=fox")
    hidden.ok("start t2")
    place.advance(LOOK)
    games = [place["a"].room(on).table.match.terms.id for on in ("t1", "t2")]  # type: ignore[union-attr]
    assert rooms(place, "c") == [[]]
    here = place["a"].program("eve")
    for game in games:
        there, expected = reply(place, cat, line.format(game)), here.ask(line.format(game))
        assert there.word == expected.word
        assert there.fields.get("code") == expected.fields.get("code")


def test_a_seat_that_others_give_is_found_although_the_ring_is_lost() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    ann.ok("seek whist22 players=3")
    reply(place, cat, "seek whist22 players=3")
    place.nats.cut("b", "a")
    bob.hear("seek whist22 players=3")
    place.advance(2 * LOOK)
    assert rooms(place) == [["t1"]] * 3
    assert "t1" in place["b"].host.rooms.own
    assert "t1" in [each.on for each in ann.events()]


def test_a_table_is_still_listed_when_its_server_is_silent_and_gone_when_it_is_closed() -> None:
    place = Place()
    ann, _, cat = come(place, "ann", "bob", "cat")
    cat.ok("follow tables")
    ann.ok("open whist22 seats=4")
    ann.ok("open twentytwo seats=4")
    place.advance(LOOK)
    place.nats.cut("a", "c")
    place.advance(SILENCE + SELDOM + LOOK)
    ann.ok("close t1")
    place.advance(SELDOM + LOOK)
    assert lobby(cat, "tables") == ["OPENED t1", "OPENED t2", "CLOSED t1"]
    assert listed(cat) == ["t2 1 open 0"]
    place.nats.heal()
    place.advance(2 * SILENCE)
    assert listed(cat) == ["t2 1 open 0"]
    assert lobby(cat, "tables") == []


def test_the_lobby_hears_nothing_of_a_change_of_hands() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    bob.ok("follow tables")
    cat.ok("follow tables")
    place.advance(LOOK)
    for peer in (bob, cat):
        peer.take()
    node = place.nodes["a"]
    node.cluster.giver.give(place["a"].room(), "b")
    place.advance(LOOK)
    assert rooms(place, "bc") == [["t1"], []]
    assert not [*place["a"].host.table_list.own()]
    assert not [row for row in (*lobby(bob, "tables"), *lobby(cat, "tables"))]
    assert listed(cat) == listed(ann) == listed(bob) == ["t1 1 open 0"]
    place.kill("b")
    place.take_over("b", "c")
    place.advance(2 * SILENCE)
    assert "t1" in place["c"].host.rooms.own
    assert listed(ann) == ["t1 1 open 0"]
    assert "CLOSED t1" not in lobby(cat, "tables")


def test_a_table_that_comes_unseen_is_owned_although_the_ring_is_lost() -> None:
    place = Place()
    (ann,) = come(place, "ann")
    ann.ok("open whist22 seats=4 clock=0")
    place.nats.cut("a", "b")
    place.nodes["a"].cluster.giver.give(place["a"].room(), "b")
    assert rooms(place, "b") == [[]]
    place.advance(SELDOM + LOOK)
    assert list(place["b"].host.rooms.own) == ["t1"]
    place.nats.heal()
    assert reply(place, ann, "say table=t1 :here", LOOK).word == "OK"


def test_a_pair_that_is_taken_over_stays_a_pair() -> None:
    place = Place()
    ann, _, cat = come(place, "ann", "bob", "cat")
    pair = ann.ok("open whist22 seats=3 duplicate=3 clock=0").fields["on"]
    twin = place["a"].room(pair).table.settings.twin
    place["a"].program("dan").ok(f"join {twin}")
    for _ in range(2 * NEW_AT_ONCE):  # the two are not rebuilt together
        place["a"].program(f"p{_}").ok("open whist22 seats=3")
    reply(place, cat, f"join {pair}")
    assert rooms(place, "c") == [sorted((pair, twin))]
    place.kill("a")
    place.take_over("a", "b")
    place.advance(LOOK)
    for on in (pair, twin):
        assert not place["b"].room(on).table.widowed
        assert place["b"].room(on).table.phase is Phase.OPEN


def test_who_comes_while_tables_are_rebuilt_has_their_seat_at_once() -> None:
    place = Place()
    ann, *_ = come(place, "ann", "bob", "cat")
    others = [place["a"].program(f"p{number}") for number in range(6 * NEW_AT_ONCE)]
    for each in others:
        each.ok("open whist22 seats=3 clock=0")
    ann.ok("open whist22 seats=4 clock=0")
    place.kill("a")
    held = place.hold_inputs("b")
    place.take_over("a", "b")
    back = place["b"].peer()
    back.say("hello 1 client=test")
    back.hear(f"@1 resume {ann.token}")
    on = f"t{len(others) + 1}"
    while on not in place["b"].host.rooms:
        held.pop(0)()
    assert len(place["b"].host.rooms) <= 2 * NEW_AT_ONCE + 1
    assert "OK" in [each.word for each in back.records() if each.id == "1"]
    assert place["b"].host.rooms.own[on].table.people[0].here


def test_a_table_that_is_rebuilt_while_its_people_come_is_shown_to_them_once() -> None:
    place = Place()
    ann, *_ = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    last = place["a"].room().stream.last
    place.kill("a")
    held = place.hold_inputs("b")
    place.take_over("a", "b")
    back = place["b"].peer()
    back.say("hello 1 client=test")
    back.hear(f"@1 resume {ann.token} t1:{last}")  # while the table is being read
    while held:
        held.pop(0)()
    assert "OK" in [each.word for each in back.records() if each.id == "1"]
    assert [int(each.fields["seq"]) for each in back.events("t1")] == [last + 1, last + 2]
    assert list(place["b"].host.rooms.own) == ["t1"]


def test_who_has_seen_more_than_a_reading_under_way_waits_for_the_next() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    reply(place, bob, "join t1")
    held = place.hold_inputs("b")
    ann.ok("say table=t1 :one")
    place.advance(1)
    ann.ok("say table=t1 :two")
    last = place["a"].room().stream.last
    back = place["b"].peer()
    back.say("hello 1 client=test")
    back.hear(f"@1 resume {ann.token} t1:{last}")
    place.advance(10)  # while the first of them is being read
    while held:
        held.pop(0)()
        place.advance(1)
    at = [each.fields for each in back.records() if each.id == "1" and each.word == "AT"]
    assert [(each["on"], each.get("code")) for each in at] == [("t1", None)]


def test_a_table_is_not_dropped_while_it_is_being_read(caplog: pytest.LogCaptureFixture) -> None:
    place = Place()
    ann, _, cat = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    assert reply(place, cat, "state t1").word == "OK"
    held = place.hold_inputs("c")
    ann.ok("say table=t1 :one")
    place.advance(KEPT + 2 * SELDOM)
    while held:
        held.pop(0)()
        place.advance(1)
    assert not caplog.records
    place.advance(2 * SELDOM)
    assert rooms(place, "c") == [[]]


def test_a_table_that_comes_while_it_is_read_for_others_is_owned() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    ann.ok("open whist22 seats=4 clock=0")
    held = place.hold_inputs("b")
    bob.hear("@1 state t1")
    place.kill("a")
    place.take_over("a", "b")
    while held:
        held.pop(0)()
    assert list(place["b"].host.rooms.own) == ["t1"]
    assert [each.word for each in bob.records() if each.id == "1"][-1] == "OK"


@pytest.mark.parametrize("question", ["owners", "newer_inputs"])
def test_nobody_comes_in_before_their_tables_are_known(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place()
    (ann,) = come(place, "ann")
    ann.ok("open whist22 seats=4 clock=0")
    back = place["b"].peer()
    back.say("hello 1 client=test")
    with monkeypatch.context() as patch:
        patch.setattr(place.nodes["b"].store, question, lambda _, done: done(None))
        refused = reply(place, back, f"resume {ann.token} t1:0", LOOK)
        assert (refused.word, refused.fields["code"]) == ("ERR", "BUSY")
        place.advance(2 * LOOK)
    assert reply(place, back, f"resume {ann.token} t1:0", LOOK).word == "OK"
    told = [int(each.fields["seq"]) for each in back.events("t1")]
    assert told == list(range(1, place["a"].room().stream.last + 1))


@pytest.mark.parametrize("line", ["watch t1", "fair g1"])
@pytest.mark.parametrize("question", ["owners", "newer_inputs"])
def test_no_table_is_said_to_be_missing_while_the_store_cannot_answer(
    question: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place()
    ann, bob = come(place, "ann", "bob")
    ann.ok("open whist22 seats=4 clock=0")
    with monkeypatch.context() as patch:
        patch.setattr(place.nodes["b"].store, question, lambda _, done: done(None))
        refused = reply(place, bob, line, LOOK)
        assert (refused.word, refused.fields["code"]) == ("ERR", "BUSY")
    assert reply(place, bob, line, LOOK).word == "OK"


def test_a_server_that_is_gone_for_good_is_looked_for_no_longer() -> None:
    place = Place()
    place.advance(LOOK)
    place.kill("a")
    place.advance(UNHEARD + LOOK)
    asked = place.count_questions("b")
    place.advance(3 * SELDOM)
    assert asked() == 3
