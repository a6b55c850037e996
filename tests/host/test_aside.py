"""A table that cannot be built again is set aside, and whoever it concerns is told so."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.kit.damage import DamagedStore, spoiled
from tests.kit.hosts import Peer, World
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.operator.dry_start import set_aside

SENTENCE = "t1 could not be built again after a restart and is set aside."


def stored(world: World) -> DamagedStore:
    assert isinstance(world.store, DamagedStore)
    return world.store


def evening(options: str = "", **config: Any) -> tuple[World, Peer, Peer, Peer]:
    """ann and bob play at t1, ann and cat at t2; the server is started anew without t1."""
    world = World(DamagedStore(), **config)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = ann.ok(f"open twentytwo seats=2 clock=0 {options}").fields["on"]
    bob.ok("join kiwi" if "kiwi" in options else f"join {on}")
    bob.ok(f"ready {on}")
    ann.ok(f"start {on}")
    world.game(ann, cat)
    ann.ok("tell ann :note")
    stored(world).damage("t1", spoiled())
    return world.restarted(), ann, bob, cat


def back(world: World, peer: Peer, streams: str = "") -> tuple[Peer, ParsedLine]:
    """Whoever was `peer`, and how their `resume` was answered."""
    again = world.program()
    return again, again.ask(f"resume {peer.token} {streams}".rstrip())


def notes(peer: Peer) -> list[ParsedLine]:
    return [record for record in peer.records() if record.word == "NOTE"]


# ------------------------------------------------------------------------------ coming back


def test_who_names_such_a_table_comes_in_and_is_told_all_else_and_of_it() -> None:
    world, ann, _, _ = evening()
    seen = world.room("t2").stream.last - 3
    ann, reply = back(world, ann, f"t1:40 me:0 t2:{seen}")
    assert reply.word == "OK"
    assert [r.seq for r in ann.events("t2")][:3] == [seen + 1, seen + 2, seen + 3]
    assert [r.text for r in ann.events("me")] == ["note"]
    rows = [r.fields for r in ann.records() if r.word == "AT"]
    assert [(row["on"], row.get("code")) for row in rows] == [
        ("t1", "NO_SUCH_TABLE"),
        ("me", None),
        ("t2", None),
    ]
    (note,) = notes(ann)
    assert (note.fields["code"], note.text) == ("SET_ASIDE", SENTENCE)


def test_it_is_told_after_the_answer() -> None:
    world, ann, _, _ = evening()
    ann, _ = back(world, ann, "t1:40")
    words = [record.word for record in ann.records()]
    assert words.index("OK") < words.index("NOTE")


def test_who_sat_there_is_told_without_naming_it_and_nobody_else_is() -> None:
    world, _, bob, cat = evening()
    bob, _ = back(world, bob)
    assert [note.text for note in notes(bob)] == [SENTENCE]
    cat, _ = back(world, cat)
    assert notes(cat) == []


def test_whoever_was_seated_by_a_seek_is_told_as_well() -> None:
    world = World(DamagedStore())
    ann, bob = world.program("ann"), world.program("bob")
    for seeker in (ann, bob):
        seeker.ok("seek twentytwo players=2")
    ann.ok("seed kitten")
    stored(world).damage("t1", spoiled())
    world = world.restarted()
    for seeker in (ann, bob):
        again, _ = back(world, seeker)
        assert [note.text for note in notes(again)] == [SENTENCE]


def test_people_are_told_in_a_sentence() -> None:
    world, _, bob, _ = evening()
    person = world.peer()
    assert f"* {SENTENCE}" in person.say(f"resume {bob.token}")


def test_who_looked_on_there_comes_in_too_and_is_told_where_they_name_it() -> None:
    world = World(DamagedStore())
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    stored(world).damage("t1", spoiled())
    world = world.restarted()
    for streams, told in (("t1:9 k1:0", [SENTENCE]), ("", [])):
        again, reply = back(world, cat, streams)
        assert reply.word == "OK"
        assert [note.text for note in notes(again)] == told
        cat.token = reply.fields["token"]
        again.drop()


def test_who_left_before_is_told_nothing() -> None:
    world = World(DamagedStore())
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = ann.ok("open twentytwo seats=4").fields["on"]
    for peer, how in ((bob, "leave"), (cat, "remove CAT")):
        peer.ok(f"join {on}")
        (peer if how == "leave" else ann).ok(how)
    ann.ok("say :hello")
    stored(world).damage("t1", spoiled())
    world = world.restarted()
    assert [len(notes(back(world, peer)[0])) for peer in (ann, bob, cat)] == [1, 0, 0]


def test_an_account_is_told_whenever_it_comes_back() -> None:
    world = World(DamagedStore())
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    ann.ok("register anna :three blind mice")
    stored(world).damage("t1", spoiled())
    world = world.restarted()
    for _ in range(2):
        again = world.program()
        again.ok("login anna :three blind mice")
        assert [note.text for note in notes(again)] == [SENTENCE]
        again.drop()
        world.advance(300_000)


def test_a_guest_who_logs_in_afterwards_is_told_as_the_account() -> None:
    world, ann, _, _ = evening("private=kiwi")
    ann, _ = back(world, ann)
    token = ann.ok("register anna :three blind mice").fields["token"]
    again = world.program()
    again.ok(f"resume {token} t1:40")
    assert [note.text for note in notes(again)] == [SENTENCE]


# ---------------------------------------------------------------------------------- names


def test_the_names_of_guests_who_sat_there_are_kept_for_the_time_of_grace_and_no_longer() -> None:
    world, *_ = evening(grace=10_000)
    world.advance(9_999)
    stranger = world.program("bob")
    assert stranger.name == "~bob2"
    world.advance(1)
    assert world.program("bob").name == "~bob"


def test_a_guest_who_has_the_name_later_is_not_taken_for_whoever_sat_there() -> None:
    world, *_ = evening("private=kiwi", grace=10_000)
    world.advance(20_000)
    bob = world.program("bob")
    assert bob.name == "~bob"
    for _ in range(2):
        assert bob.ok("tables").text is None
        assert bob.ask("watch t1").text == "There is no table t1."
        world = world.restarted()
        bob, reply = back(world, bob, "me:0")
        bob.token = reply.fields["token"]
        assert notes(bob) == []


def test_a_table_that_can_be_built_again_at_the_next_start_is_there_again() -> None:
    world, ann, _, _ = evening(grace=10_000)
    stored(world).mend("t1")
    world = world.restarted()
    assert "t1" in world.host.rooms
    assert back(world, ann, "t1:3")[1].word == "OK"


@pytest.mark.parametrize("namesake", [False, True])
def test_a_seat_of_a_guest_who_is_gone_is_nobody_elses(namesake: bool) -> None:
    world, *_ = evening(grace=10_000)
    world.advance(20_000)
    if namesake:
        assert world.program("bob").name == "~bob"
    stored(world).mend("t1")
    remembered = stored(world).remembered()
    assert set_aside(remembered)["t1"].endswith("~bob, a guest, has been away too long")
    assert "t1" not in world.restarted().host.rooms


# ---------------------------------------------------------------------------- being asked


def test_whoever_asks_for_it_is_answered_in_one_line() -> None:
    world, *_ = evening()
    dan = world.program("dan")
    for command in ("watch t1", "join t1", "table t1", "sync t1 from=0", "state t1", "join 1"):
        answer = dan.ask(command)
        assert (answer.word, answer.fields["code"]) == ("ERR", "NO_SUCH_TABLE"), command
        assert answer.text == SENTENCE, command
    listed = dan.ok("tables")
    assert (listed.fields["n"], listed.text) == ("1", SENTENCE)


def test_its_game_runs_no_more_and_says_so() -> None:
    world, *_ = evening()
    dan = world.program("dan")
    for command in ("game g1", "export g1", "replay g1"):
        answer = dan.ask(command)
        assert answer.fields["code"] == "NO_SUCH_GAME"
        assert answer.text == f"g1 belongs to t1, which {SENTENCE[3:]}"
    rows = {row.fields["id"]: row.fields.get("outcome") for row in dan.rows("fair log")}
    assert rows == {"g1": "aside", "g2": None}
    (row,) = dan.rows("fair g1")
    assert row.fields["outcome"] == "aside"
    assert "seed" not in row.fields


@pytest.mark.parametrize("options", ["private=kiwi", ""])
def test_of_a_private_one_or_one_that_nobody_can_read_only_those_know_who_sat_there(
    options: str,
) -> None:
    world, _, bob, _ = evening(options)
    if not options:
        stored(world).damage("t1", spoiled(0, order='["!opening",{}]'))
        world = world.restarted()
    dan = world.program("dan")
    assert dan.ok("tables").text is None
    assert dan.ask("watch t1").text == "There is no table t1."
    assert dan.ask("game g1").text == "There is no game g1; history lists yours."
    bob, reply = back(world, bob, "t1:40")
    assert reply.word == "OK"
    assert bob.ok("tables").text == SENTENCE
    assert bob.ask("watch t1").text == SENTENCE


def test_of_many_such_tables_a_list_says_how_many_there_are() -> None:
    world = World(DamagedStore())
    for n in range(4):
        world.program(f"p{n}x").ok("open twentytwo")
        stored(world).damage(f"t{n + 1}", spoiled())
    world = world.restarted()
    text = world.program("dan").ok("tables").text
    assert text == "4 tables could not be built again after a restart and are set aside."


# ------------------------------------------------------------------------------- a rehearsal


def test_a_rehearsal_says_what_a_start_will_set_aside_and_keeps_nothing() -> None:
    world, *_ = evening()
    remembered = stored(world).remembered()
    (table,) = [each for each in remembered.tables if each.table == "t1"]
    last = len(table.inputs)
    assert set_aside(remembered) == {"t1": f"the events of input {last} are not what they were"}
    assert stored(world).remembered() == remembered


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"order": '["move",{"token":"XX"}]'}, "input {n} is not what it was: Refused("),
        ({"order": '["!renamed"'}, 'input {n} is not what it was: ["!renamed": '),
        ({"last": 3}, "input {n} led to event "),
    ],
)
def test_the_reason_says_which_order_it_is(changed: dict[str, Any], why: str) -> None:
    world = World(DamagedStore())
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    world.on_turn().ok("move -")
    stored(world).damage("t1", spoiled(**changed))
    remembered = stored(world).remembered()
    last = len(remembered.tables[0].inputs)
    assert set_aside(remembered)["t1"].startswith(why.format(n=last))


def test_a_game_that_this_server_does_not_know_is_a_reason() -> None:
    world, *_ = evening()
    stored(world).damage("t2", lambda table: replace(table, game="chess"))
    assert set_aside(stored(world).remembered())["t2"] == "there is no game chess here"


def test_a_table_without_orders_is_set_aside_and_nobodys() -> None:
    world, ann, _, _ = evening()
    stored(world).damage("t1", lambda table: replace(table, inputs=()))
    assert set_aside(stored(world).remembered())["t1"] == "none of its orders is kept"
    assert notes(back(world.restarted(), ann)[0]) == []
