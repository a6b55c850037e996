"""A command that names a table which only another server knows so far finds it all the same."""

from __future__ import annotations

import pytest

from tests.kit.cluster import Place

pytestmark = pytest.mark.deadline(60)


@pytest.mark.parametrize("named", ["t1", "T1", "1", "kiwi"])
@pytest.mark.parametrize("verb", ["join", "watch"])
def test_a_table_is_there_at_every_server_as_soon_as_it_is_open(verb: str, named: str) -> None:
    place = Place()
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    place.nats.cut("a", "b")
    private = "private=kiwi" if named == "kiwi" else ""
    ann.ok(f"open whist22 clock=0 seats=4 {private}")
    bob.hear(f"@x {verb} {named}")
    assert [each.word for each in bob.records() if each.id == "x"][:1] in (["OK"], [])
    assert list(place["b"].host.rooms) == ["t1"]


def test_a_table_that_is_nowhere_is_refused_at_once() -> None:
    place = Place()
    bob = place["b"].program("bob")
    for line in ("join t7", "watch kiwi", "table t7"):
        reply = bob.ask(line)
        assert reply.fields["code"] == "NO_SUCH_TABLE"


def test_a_store_that_does_not_answer_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    bob = place["b"].program("bob")
    monkeypatch.setattr(place.nodes["b"].store, "owners", lambda _, done: done(None))
    assert bob.ask("join t7").fields["code"] == "BUSY"


def test_nobody_has_tables_followed_faster_than_commands_may_come() -> None:
    place = Place()
    ann = place["a"].program("ann")
    for _ in range(2):
        ann.ok("open whist22 clock=0 seats=4")
    asked = place.count_questions("b")
    bob, stranger = place["b"].program("bob"), place["b"].program()
    bob.tolls = [1000, 1000]
    for table in ("t1", "t2"):
        assert bob.err(f"watch {table}") == "RATE"
        assert stranger.err(f"watch {table}") == "LOGIN_FIRST"
    assert asked() == 0
    bob.hear("watch t1")
    assert asked() > 0
