"""A server that is killed comes back as it was: tables, people, numbers, time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.kit.damage import DamagedStore, spoiled
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_protocol.schema import edition
from twentytwo_protocol.words.cardplay import Aborted
from twentytwo_server.facts import Boot, Fact, OpenTable, Promise, Remembered
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.table import Phase


def default(world: World, on: str = "t1") -> str:
    match = world.room(on).table.match
    assert match is not None
    assert match.question is not None
    assert match.question.default is not None
    return match.question.default


def game(store: MemoryStore | None = None, options: str = "") -> tuple[World, Peer, Peer]:
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob, options=options)
    return world, ann, bob


def played(world: World, moves: int) -> None:
    for _ in range(moves):
        world.on_turn().ok(f"move {default(world)}")


def lines(world: World, on: str = "t1") -> list[str]:
    return [entry.whole_as_of(edition()) for entry in world.room(on).stream.after(0)]


def back(world: World, peer: Peer, seen: int) -> Peer:
    """Whoever was `peer`, connected again, having seen so many events of the table."""
    again = world.peer()
    again.say("hello 1 client=test")
    again.hear(f"@r resume {peer.token} t1:{seen}")
    again.name = peer.name
    return again


@together("moves", [0, 1, 2, 7, 23])
def test_a_table_is_there_again_with_all_that_happened_at_it(moves: int) -> None:
    world, _, _ = game()
    played(world, moves)
    before, table = lines(world), world.room().table
    world = world.restarted()
    assert lines(world)[: len(before)] == before
    after = world.room().table
    assert table.match is not None
    assert after.match is not None
    assert (after.match.state, after.match.turn) == (table.match.state, table.match.turn)
    assert [seat.here for seat in after.seats] == [False, False]


def test_a_game_that_goes_on_from_another_is_there_again() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("practice bots=2")
    for _ in range(3):
        world.advance(5_000)
        ann.ok(f"move {default(world)}")
    ann.ok("undo")
    world.advance(0)
    ann.ok(f"move {default(world)}")
    before, table = lines(world), world.room().table
    assert table.match is not None and table.match.terms.taken
    world = world.restarted()
    after = world.room().table
    assert lines(world)[: len(before)] == before and after.match is not None
    assert (after.match.state, after.played) == (table.match.state, table.played)


def test_whoever_resumes_is_told_exactly_what_they_missed_and_plays_on() -> None:
    world, ann, bob = game()
    played(world, 5)
    seen = world.room().stream.last
    world = world.restarted()
    ann, bob = back(world, ann, seen), back(world, bob, 3)
    assert [r.seq for r in bob.events("t1")][: seen - 3] == list(range(4, seen + 1))
    assert [r.seq for r in ann.events("t1")] == list(range(seen + 1, world.room().stream.last + 1))
    played(world, 200 if world.room().table.phase is Phase.OVER else 10)


def test_who_missed_the_answer_that_told_of_a_seat_hears_of_it_on_coming_back() -> None:
    world = World()
    ann = world.program("ann")
    ann.hear("@9 practice twentytwo bots=1 level=easy")
    world = world.restarted()
    again = world.program()
    rows = [r for r in again.rows(f"resume {ann.token} me:0") if r.word == "AT"]
    assert [row.fields["on"] for row in rows] == ["me", "t1"]
    again.take()
    again.ok("sync t1 from=0")
    seen = [r.seq for r in again.events("t1")]
    assert seen == [*range(1, world.room().stream.last + 1)]


def test_a_game_that_is_cut_at_every_move_ends_as_one_that_never_was() -> None:
    whole, _, _ = game()
    while whole.room().table.phase is Phase.PLAYING:
        played(whole, 1)
    world, ann, bob = game()
    while world.room().table.phase is Phase.PLAYING:
        played(world, 1)
        world = world.restarted()
        ann = back(world, ann, world.room().stream.last)
        ann.token = _token(ann)
        bob = back(world, bob, world.room().stream.last)
        bob.token = _token(bob)

    def told(world: World) -> list[str]:
        words = ("PLAYED", "DEALT", "SCORED", "RESULT", "GAMEOVER", "REVEALED")
        entries = world.room().stream.after(0)
        return [repr(e.event) for e in entries if e.event.word.word in words]

    assert told(world) == told(whole)


def _token(peer: Peer) -> str:
    reply = next(r for r in peer.records() if r.id == "r" and r.word == "OK")
    return reply.fields["token"]


def test_what_was_not_kept_was_not_acknowledged_and_has_not_happened() -> None:
    store = LateStore()
    world, _, _ = game(store)
    played(world, 3)
    before = lines(world)
    store.late = True
    mover = world.on_turn()
    mover.take()
    mover.hear(f"@1 move {default(world)}")
    assert mover.take() == []
    store.waiting.clear()
    store.late = False
    assert lines(world.restarted())[: len(before)] == before


def test_a_command_that_is_sent_again_after_a_restart_is_answered_and_done_once() -> None:
    world, ann, bob = game()
    mover = world.on_turn()
    turn = world.room().table.match
    assert turn is not None
    line = f"@7 move {default(world)} turn={turn.turn} once=k"
    mover.take()
    mover.hear(line)
    first = mover.take()[0]
    seen = world.room().stream.last
    world = world.restarted()
    again = back(world, mover, seen)
    other = back(world, bob if mover is ann else ann, seen)
    now = world.room().stream.last
    again.take()
    again.hear(line)
    assert again.take() == [f"{first} again=1"]
    assert world.room().stream.last == now
    assert other.words("t1")[:1] != ["PLAYED"]


def test_who_is_cut_off_between_two_practice_tables_has_the_later_one_alone() -> None:
    store = LateStore()
    world = World(store)
    ann = world.program("ann")
    ann.ok("practice bots=1")
    store.late = True
    ann.hear("@p practice bots=1 once=again")
    store.release("t2")
    assert any(each.startswith("@p OK on=t2") for each in ann.lines)
    assert [fact for facts, _ in store.waiting for fact in facts], "t1 is not left yet"
    store.waiting.clear()
    store.late = False
    world = world.restarted()
    again = world.peer()
    again.say("hello 1 client=test")
    again.ok(f"resume {ann.token}")
    assert list(world.host.rooms) == ["t2"]
    assert again.ok("practice bots=1 once=again").fields["again"] == "1"
    assert list(world.host.rooms) == ["t2"]
    assert list(world.restarted().host.rooms) == ["t2"]


def test_downtime_costs_nobody_time_and_the_open_turn_has_half_a_minute() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open twentytwo seats=2 clock=20")
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    world.advance(15_000)
    before = world.host.clock.now()
    world = world.restarted()
    assert world.host.clock.now() - before < 1000
    match = world.room().table.match
    assert match is not None
    assert match.left(world.host.clock.now()) == 30_000


def test_nothing_moves_until_somebody_is_back() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("practice bots=3")
    world = world.restarted()
    before = world.room().stream.last
    world.advance(60_000)
    assert world.room().stream.last == before
    back(world, ann, before)
    world.advance(5_000)
    assert world.room().stream.last > before


def test_a_table_that_cannot_be_restored_is_named_and_harms_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = DamagedStore()
    world, ann, bob = game(store)
    played(world, 4)
    world.game(ann, bob)
    store.damage("t1", spoiled())
    with caplog.at_level(logging.ERROR):
        world = world.restarted()
    assert "t1" in caplog.text
    assert list(world.host.rooms) == ["t2"]
    assert world.program("cat").ok("open twentytwo").fields["on"] == "t3"


def test_an_order_that_cannot_be_read_keeps_its_table_out_and_nothing_else() -> None:

    def unreadable(table: OpenTable) -> OpenTable:
        last = table.inputs[-1]
        more = replace(last, seq=last.seq + 1, order='["!renamed"')
        return replace(table, inputs=(*table.inputs, more))

    store = DamagedStore()
    world, ann, bob = game(store)
    world.game(ann, bob)
    store.damage("t1", unreadable)
    assert list(world.restarted().host.rooms) == ["t2"]


def test_the_uptime_is_that_of_this_run() -> None:
    world, ann, _ = game()
    world.advance(3_600_000)
    ann.ok("say :hello")
    world = world.restarted()
    world.advance(5_000)
    info = {row.fields["key"]: row.fields["value"] for row in world.program("cat").rows("info")}
    assert info["uptime"] == "5"


class Backup(MemoryStore):
    """A store that has been opened as a backup until it is told that a server has started."""

    restored = False

    def remembered(self) -> Remembered:
        found = super().remembered()
        if not self.restored:
            return found
        return replace(found, restored=True, game=found.game + 1000, promise=found.promise + 1000)


def test_no_game_of_a_backup_goes_on_with_a_deal_that_may_be_known() -> None:
    store = Backup()
    world, _, _ = game(store)
    cat, dan = world.program("cat"), world.program("dan")
    world.table(cat, dan)
    running, sealed = world.room("t1").table, world.room("t2").table
    store.restored = True
    world = world.restarted()
    ended = [entry.event for entry in world.room("t1").stream.after(0)]
    assert Aborted("restored") in ended
    for id, before in (("t1", running), ("t2", sealed)):
        table = world.room(id).table
        assert table.phase is not Phase.PLAYING
        assert not any(seat.ready for seat in table.seats)
        assert table.promised is not None
        assert before.promised is not None
        assert int(table.promised.game[1:]) > 1000
        assert table.promised.digest != before.promised.digest
    # From then on it is a store like any other.
    store.restored = False
    promised = world.room("t2").table.promised
    world = world.restarted()
    assert world.room("t2").table.promised == promised


def test_a_backup_is_one_until_every_table_of_it_is_dealt_anew() -> None:
    class Noting(Backup):
        def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
            noted.extend(facts)
            super().keep(facts, done)

    noted: list[Fact] = []
    store = Noting()
    world, ann, bob = game(store)
    world.game(ann, bob)
    store.restored = True
    noted.clear()
    world.restarted()
    boot = next(n for n, fact in enumerate(noted) if isinstance(fact, Boot))
    dealt = [n for n, fact in enumerate(noted) if isinstance(fact, Promise)]
    assert len(dealt) == 2
    assert max(dealt) < boot


def test_a_table_that_was_closed_does_not_come_back() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("open twentytwo")
    ann.ok("close t1")
    world = world.restarted()
    assert not world.host.rooms
    assert world.program("bob").ok("open twentytwo").fields["on"] == "t2"


def test_a_seat_at_an_open_table_is_free_when_its_owner_does_not_come_back() -> None:
    world = World(grace=10_000)
    ann = world.program("ann")
    world.table(ann)
    world = world.restarted()
    world.advance(9_000)
    assert world.host.rooms
    world.advance(2_000)
    assert not world.host.rooms


def test_the_time_of_grace_begins_anew_for_who_was_away_already() -> None:
    world = World(grace=10_000)
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    bob.drop()
    world.advance(9_000)
    ann.ok("say :hello")  # is stored, and so the restarted server knows of the 9 s
    world = world.restarted()
    world.advance(9_000)
    assert back(world, bob, 0).ok("ready t1")


def test_a_player_who_was_away_at_a_restart_plays_for_a_whole_new_time_of_grace() -> None:
    world = World(grace=10_000)
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    bob.drop()
    world.advance(9_000)
    ann.ok("say :hello")
    world = world.restarted()
    standins = []
    for _ in range(2):
        world.advance(9_000)
        standins.append([seat.standin for seat in world.room().table.seats])
    assert standins == [[False, False], [True, True]]


def test_a_guest_without_a_seat_is_forgotten_one_time_of_grace_after_a_restart() -> None:
    world = World(grace=10_000)
    world.program("ann")
    world.program("bob").drop()
    world = world.restarted()
    world.advance(9_000)
    assert {person.name for person in world.host.people} == {"~ann", "~bob"}
    world.advance(2_000)
    assert not list(world.host.people)


def test_every_input_of_a_table_is_numbered_without_a_gap() -> None:
    world, _, _ = game()
    played(world, 10)
    world = world.restarted()
    assert isinstance(world.store, MemoryStore)
    inputs = world.store.remembered().tables[0].inputs
    assert [kept.seq for kept in inputs] == list(range(1, len(inputs) + 1))
    assert [kept.at for kept in inputs] == sorted(kept.at for kept in inputs)
