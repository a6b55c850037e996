"""Coming back: each stream by itself, watching and following again, pieces of a stream, clocks."""

from __future__ import annotations

import pytest

from tests.kit.hosts import LateStore, Peer, World, table_of
from tests.kit.lines import in_lines
from twentytwo_protocol import wire
from twentytwo_protocol.words.talk import Shouted
from twentytwo_server.session.streams import rfc3339
from twentytwo_server.store.memory import MemoryStore


def _default(world: World) -> str:
    match = world.room().table.match
    assert match is not None
    assert match.question is not None
    return match.question.default or ""


def at_rows(peer: Peer, line: str) -> dict[str, str]:
    """The AT rows of a resume, without their names and streams."""
    return {
        row.fields["on"]: " ".join(f"{key}={value}" for key, value in row.fields.items())
        for row in peer.rows(line)
        if row.word == "AT"
    }


def test_whatever_has_become_of_a_stream_the_others_are_resumed() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    bob.drop()
    for n in range(600):
        ann.ok(f"shout :{n}")
    again = world.program()
    found = at_rows(again, f"resume {bob.token} t1:5 t7:1 x:1 lobby:3 me:9")
    last = world.room().stream.last - 1  # before PRESENCE here=1
    assert found == {
        "t1": f"on=t1 seq={last} from=5 talk=k1",
        "t7": "on=t7 code=NO_SUCH_TABLE",
        "x": "on=x code=NO_SUCH_TABLE",
        "lobby": "on=lobby seq=600 code=GONE oldest=101",
        "me": "on=me code=BAD_SEQ have=0",
    }
    assert [event.seq for event in again.events("t1")] == [*range(6, last + 2)]
    assert world.room().table.seat_of("~bob") is not None


def test_what_was_followed_and_watched_is_followed_and_watched_again() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    cat.ok("follow lobby")
    cat.take()
    seen, lobby = world.room().stream.last, world.host.lobby.streams["lobby"].last
    cat.drop()
    assert world.room().table.watchers == ()
    world.on_turn().ok(f"move {_default(world)}")
    ann.ok("shout :one")
    again = world.program()
    found = at_rows(again, f"resume {cat.token} lobby:{lobby} t1:{seen} k1:1")
    assert found["t1"] == f"on=t1 seq={world.room().stream.last} from={seen} talk=k1"
    assert found["lobby"] == f"on=lobby seq={lobby + 1} from={lobby}"
    assert [event.seq for event in again.events("t1")] == [
        *range(seen + 1, world.room().stream.last + 1)
    ]
    # Its own going, and its own coming again, which is after what was missed.
    assert [event.fields["here"] for event in again.events("k1")] == ["0", "1"]
    assert found["k1"].startswith("on=k1 seq=2 from=1")
    assert world.room().table.watchers == ("~cat",)
    world.on_turn().ok(f"move {_default(world)}")
    ann.ok("shout :two")
    assert again.events("t1")[-1].seq == world.room().stream.last
    assert [event.text for event in again.events("lobby")] == ["one", "two"]
    assert "people" not in {event.on for event in again.events()}


def watched() -> tuple[LateStore, World, Peer]:
    """A game of ann and bob that cat watches, on a store that can answer late."""
    store = LateStore()
    world = World(store)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    return store, world, cat


@pytest.mark.parametrize("late", [False, True])
def test_a_watcher_who_is_replaced_misses_nothing_and_is_told_nothing_twice(late: bool) -> None:
    store, world, cat = watched()
    seen = world.room().stream.last
    again = world.program()
    heard: list[str] = []
    again.session.send = lambda data: heard.extend(in_lines(data))
    store.late = late
    # The connection before is still there; a move is being stored while it is replaced.
    world.on_turn().say(f"move {_default(world)}")
    again.say(f"resume {cat.token} t1:{seen - 2} k1:1")
    store.late = False
    store.release()
    world.on_turn().ok(f"move {_default(world)}")
    records = [record for record in map(wire.parse, heard) if record and not record.id]
    told = [record.seq for record in records if record.on == "t1"]
    assert told == [*range(seen - 1, world.room().stream.last + 1)]
    assert world.room().table.watchers == ("~cat",)


def test_a_watcher_is_told_once_of_a_move_that_is_stored_while_they_come_back() -> None:
    store, world, cat = watched()
    seen = world.room().stream.last
    again = world.program()
    store.late = True
    world.on_turn().hear(f"@m move {_default(world)}")
    again.hear(f"@r resume {cat.token} t1:{seen - 2} k1:1")
    (resumed,) = [each for each in store.waiting if table_of(each[0]) is None]
    store.waiting.remove(resumed)
    MemoryStore.keep(store, *resumed)  # they are back, and wait at the table for the move
    store.late = False
    store.release()
    told = [event.seq for event in again.events("t1")]
    assert told == [*range(seen - 1, world.room().stream.last + 1)]
    assert len(told) > 2


def test_who_loses_a_seat_while_they_come_back_is_shown_no_card_of_who_has_it_next() -> None:
    store = LateStore()
    world = World(store)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.table(ann, bob)
    bob.drop()
    again = world.program()
    store.late = True
    again.hear(f"@r resume {bob.token} t1:0")  # is being stored, and meanwhile:
    for peer, line in ((ann, "remove bob"), (cat, "join t1"), (cat, "ready"), (ann, "start")):
        peer.hear(f"@x {line}")
        store.release("t1")
    assert [seat.name for seat in world.room().table.seats] == ["~ann", "~cat"]
    store.late = False
    store.release()
    dealt = [each for each in again.events("t1") if each.word == "DEALT"]
    assert sorted(each.fields["seat"] for each in dealt) == ["1", "2"]
    assert not any("cards" in each.fields for each in dealt)
    hands = [each for each in cat.events("t1") if "cards" in each.fields]
    assert {each.fields["seat"] for each in hands if each.word == "DEALT"} == {"2"}


def test_numbers_of_an_earlier_run_are_not_taken_for_those_of_this_one() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    bob.ok("tell ann :hi")
    world.host.lobby.announce(Shouted("~x", "y"))
    again = world.program()
    found = at_rows(again, f"resume {ann.token} t1:4 k1:0 lobby:0 me:0 boot=other")
    assert found["t1"].endswith("from=4 talk=k1")
    assert found["me"] == "on=me seq=1 from=0"
    assert found["k1"] == "on=k1 seq=0 code=GONE oldest=1"
    assert found["lobby"] == "on=lobby seq=1 code=GONE oldest=1"
    assert again.events("lobby") == []
    ann.take()
    same = world.program()
    found = at_rows(same, f"resume {ann.token} lobby:0 boot=boot")
    assert found["lobby"] == "on=lobby seq=1 from=0"
    assert [event.word for event in same.events("lobby")] == ["SHOUTED"]


def test_a_table_that_closes_during_a_resume_is_told_to_its_end_whatever_the_run() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    bob.drop()
    again = world.program()
    store.late = True
    ann.hear("@c close t1")
    again.hear(f"@r resume {bob.token} t1:3 boot=other")
    while store.waiting:
        store.release()
    assert "t1" not in world.host.rooms
    told = again.events("t1")
    assert (told[0].seq, told[-1].word) == (4, "SHUT")


def test_a_player_who_is_back_during_a_game_is_told_later_what_was_left_out_of_the_talk() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    bob.drop()
    cat.ok("kibitz :hm")
    again = world.program()
    assert at_rows(again, f"resume {bob.token} t1:1 k1:0")["k1"] == "on=k1 code=FORBIDDEN"
    ann.ok("resign")
    again.take()
    cat.ok("kibitz :so")
    assert again.take() == ["GAP on=k1 seq=2", "KIBITZED on=k1 seq=3 by=~cat :so"]


def test_no_gap_is_told_of_to_a_player_who_has_missed_nothing_of_the_talk() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    bob.drop()
    last = world.room().kibitz.last
    again = world.program()
    assert at_rows(again, f"resume {bob.token} t1:1 k1:{last}")["k1"] == "on=k1 code=FORBIDDEN"
    ann.ok("resign")
    again.take()
    cat.ok("kibitz :so")
    assert again.take() == [f"KIBITZED on=k1 seq={last + 1} by=~cat :so"]


def test_sync_stops_where_it_is_asked_to_and_says_so() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    whole = ann.say("@1 sync t1 from=0")[:-1]
    found, seq = [], 0
    while True:
        *lines, end = ann.say(f"@1 sync t1 from={seq} n=7")
        found += lines
        assert len(lines) <= 7
        seq += len(lines)
        if "more=1" not in end:
            break
        assert end == f"@1 OK on=t1 seq={seq} more=1"
    assert found == whole
    assert ann.err("sync t1 from=0 n=0") == "BAD_ARG"
    assert ann.say("@1 sync t1 from=0 n=1000")[-1] == f"@1 OK on=t1 seq={len(whole)}"


def test_the_clock_is_told_on_request_and_when_it_goes_on() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    eve = world.program("eve")
    world.game(ann, bob, options="clock=60+120")
    eve.ok("watch t1")
    world.advance(20_000)
    asked = world.on_turn().name
    seat = 1 if asked == "~ann" else 2
    told = f"CLOCK on=t1 turn=1 seat={seat} ms=40000 bank=120000"
    for line in ("clock t1", "state t1", "sync t1 from=0"):
        (row,) = [row for row in ann.rows(line) if row.word == "CLOCK"]
        assert f"CLOCK {' '.join(f'{k}={v}' for k, v in row.fields.items())}" == f"{told} run=1"
    ann.ok("pause")
    for peer in (ann, bob, eve):
        peer.take()
    bob.ok("pause")
    assert ann.take()[-2:][1] == f"{told} run=0"
    world.advance(500_000)
    assert ann.rows("clock t1")[0].fields["ms"] == "40000"
    eve.take()
    bob.ok("unpause")
    assert eve.take()[-1] == f"{told} run=1"
    world.advance(50_000)
    assert ann.rows("clock t1")[0].fields["ms"] == "0"
    assert ann.rows("clock t1")[0].fields["bank"] == "110000"
    ann.ok("resign")
    assert ann.rows("clock t1") == []


def test_the_clock_of_a_table_without_one_is_no_row_and_people_are_told_so() -> None:
    world = World()
    ann, bob = world.person("ann"), world.program("bob")
    ann.say("open twentytwo seats=2 clock=60")
    assert ann.say("clock") == ["No clock runs at t1."]
    bob.ok("join t1")
    bob.ok("ready")
    ann.say("start")
    world.advance(5_000)
    who = "You have" if world.on_turn() is ann else "~bob has"
    assert ann.say("clock")[0].startswith(f"{who} 55 s left")


def test_the_time_is_told_in_fields() -> None:
    world = World()
    fields = world.program("ann").ok("time").fields
    assert fields["at"] == rfc3339(int(fields["ms"]))
    assert int(fields["ms"]) == world.host.clock.wall()
