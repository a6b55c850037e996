"""Tables of other servers are listed, found, watched and joined as those of this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from tests.host.test_post import come, reply
from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from twentytwo_server.facts import OpenTable
from twentytwo_server.host.cluster.following import LOOK, UNSEEN

pytestmark = pytest.mark.deadline(60)


def listed(peer: Peer, filters: str = "") -> list[str]:
    return [row.fields["on"] for row in peer.rows(f"tables {filters}".strip())]


def opened(place: Place, peer: Peer, line: str) -> str:
    """A new table, which all servers know."""
    on: str = peer.ok(line).fields["on"]
    place.advance(LOOK)
    return on


def test_tables_of_all_servers_are_listed_by_the_same_filters() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    one = opened(place, ann, "open twentytwo seats=2")
    two = opened(place, bob, "open whist22 seats=4")
    opened(place, cat, "open twentytwo private=fox")
    for peer in (ann, bob):
        assert listed(peer) == [one, two]
        assert listed(peer, "game=whist22") == [two]
        assert listed(peer, "open=1") == [one, two]
    assert reply(place, bob, f"join {one}").word == "OK"
    place.advance(LOOK)
    assert listed(cat, "open=1") == [two, "t201"]
    info = {row.fields["key"]: row.fields["value"] for row in ann.rows("info")}
    assert (info["tables"], info["players"]) == ("3", "3")
    assert "2 open tables" in "\n".join(place["a"].peer().say("dan"))


def test_a_full_table_and_a_hidden_one_refuse_as_at_their_own_server() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    full = opened(place, ann, "open twentytwo seats=2")
    hidden = opened(place, ann, "open twentytwo private=fox watch=none")
    assert reply(place, bob, f"join {full}").word == "OK"
    place.advance(LOOK)
    here = place["a"].program("dan")
    for line in (f"join {full}", f"join {hidden}", f"watch {hidden}", "join hound", "join eve"):
        there = reply(place, cat, line)
        assert (there.word, there.fields["code"]) == ("ERR", here.err(line)), line
    assert listed(cat) == [full]


def test_a_private_table_is_found_by_its_word_and_by_nothing_else() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    on = opened(place, ann, "open twentytwo private=Fox")
    assert bob.err("open whist22 private=fox") == "BAD_ARG"
    assert reply(place, cat, "join ann").fields["code"] == "NO_SUCH_TABLE"
    assert reply(place, bob, "join FOX").fields["on"] == on
    place.advance(LOOK)
    assert listed(bob) == [on]
    assert listed(cat) == []
    assert reply(place, cat, "join bob").fields["code"] == "NO_SUCH_TABLE"


def test_a_table_is_found_by_the_name_of_a_player_at_any_server() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    on = opened(place, ann, "open twentytwo seats=4")
    assert reply(place, bob, "watch ann").fields["on"] == on
    assert reply(place, cat, "join ~ann").fields["on"] == on
    place.advance(LOOK)
    assert [row.fields["name"] for row in cat.rows(f"watchers {on}")] == ["~bob"]
    ann.drop()
    place.advance(LOOK)
    assert reply(place, bob, "watch ann").fields["on"] == on


def test_two_tables_that_are_opened_at_once_have_two_words() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    on = ann.ok("open twentytwo private=fox").fields["on"]
    assert bob.err("open twentytwo private=Fox") == "BAD_ARG"
    assert bob.err("open twentytwo private=fox duplicate=4") == "BAD_ARG"
    bob.ok("open twentytwo private=hound duplicate=4")
    assert cat.err("open twentytwo private=hound") == "BAD_ARG"
    ann.ok(f"close {on}")
    place.advance(LOOK)
    assert cat.ok("open twentytwo private=fox")


def test_what_nobody_here_sees_is_read_with_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    on = opened(place, ann, "open twentytwo")
    assert reply(place, bob, f"watch {on}").word == "OK"
    assert reply(place, cat, f"state {on}").word == "OK"
    place.advance(LOOK)
    asked: dict[str, int] = {"b": 0, "c": 0}
    for node in asked:
        read = place.nodes[node].store.newer_inputs

        def newer_inputs(
            known: Mapping[str, int],
            done: Callable[[Sequence[OpenTable] | None], None],
            node: str = node,
            read: Callable[..., None] = read,
        ) -> None:
            asked[node] += 1
            read(known, done)

        monkeypatch.setattr(place.nodes[node].store, "newer_inputs", newer_inputs)
    for number in range(5):
        ann.ok(f"say table={on} :hello {number}")
        place.advance(10)
    assert asked == {"b": 5, "c": 0}
    place.advance(UNSEEN)
    assert asked == {"b": 5, "c": 1}
    assert len({place[node].host.rooms[on].stream.last for node in "abc"}) == 1


def test_who_comes_back_at_another_server_has_seen_no_more_than_that_one() -> None:
    place = Place()
    ann, _ = come(place, "ann", "bob")
    on = opened(place, ann, "open twentytwo")
    ann.ok(f"say table={on} :hello")
    last = place["a"].host.rooms[on].stream.last
    assert on not in place["b"].host.rooms
    back = place["b"].peer()
    back.say("hello 1 client=test")
    back.hear(f"@1 resume {ann.token} {on}:{last}")
    place.advance(UNSEEN)
    at = [row for row in back.records() if row.id == "1" and row.word == "AT"]
    assert [(row.fields["on"], row.fields.get("code")) for row in at][:1] == [(on, None)]
