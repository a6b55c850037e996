"""Bots at a table: which question they answer, and when nobody wants their answer any more."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from weakref import ref

import pytest
from twisted.internet.defer import Deferred, succeed

from tests.kit.hosts import LateStore, Peer, World
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.ports import Evaluation, Job


@dataclass
class Slow:
    """Workers that answer when the test says so."""

    jobs: list[tuple[Job, Deferred[str | None]]] = field(default_factory=list)
    hints: list[Deferred[Evaluation | None]] = field(default_factory=list)
    dropped: int = 0

    def think(self, job: Job) -> Deferred[str | None]:
        answer: Deferred[str | None] = Deferred(self._drop)
        self.jobs.append((job, answer))
        return answer

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        answer: Deferred[Evaluation | None] = Deferred(self._drop)
        self.hints.append(answer)
        return answer

    def _drop(self, answer: object) -> None:
        self.dropped += 1

    def stop(self) -> None:
        """Nothing to stop."""


class Broken(Slow):
    """Workers that cannot even take a job."""

    def think(self, job: Job) -> Deferred[str | None]:
        raise RuntimeError("no thread is left")


class Lost(Slow):
    """Workers whose answers are lost at once."""

    def think(self, job: Job) -> Deferred[str | None]:
        return succeed(None)


def asked(world: World) -> Turn:
    match = world.room().table.match
    assert match is not None and match.question is not None
    return match.question


def until_a_bot_is_asked(world: World, ann: Peer) -> None:
    """Ann plays on until a bot has to."""
    for _ in range(50):
        seat = world.room().table.on_turn
        assert seat is not None
        if seat.level:
            return
        ann.ok(f"move {asked(world).default}")
    raise AssertionError("no bot is ever asked")


def thinking(
    slow: Slow | None = None, store: LateStore | None = None
) -> tuple[World, Peer, Slow, Turn]:
    """A hard bot that thinks at ann's table, its workers, and what it thinks about."""
    world, slow = World(store, think=300), slow or Slow()
    world.host.tables.bot_workers = slow
    ann = world.program("ann")
    ann.ok("practice bots=2 level=hard")
    until_a_bot_is_asked(world, ann)
    world.clock.settle()
    return world, ann, slow, asked(world)


# ------------------------------------------------------------------- the right question


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_no_bot_answers_in_the_next_game_what_it_was_asked_in_this(
    level: str, caplog: pytest.LogCaptureFixture
) -> None:
    world, slow = World(pause=1000), Slow()
    world.host.tables.bot_workers = slow
    ann = world.person("ann")
    ann.say(f"practice bots=3 level={level}")
    others = 0
    for _ in range(20):
        before = asked(world)
        ann.say("abort", "abort", "rematch")
        now = asked(world)
        assert now.turn == before.turn
        others += now.seat != before.seat
        # The earlier question would have been answered by now, this one not yet.
        world.advance(500)
        last = world.room().stream.last
        ann.say("abort", "abort", "rematch")
        world.advance(600)
        assert asked(world).turn == before.turn
        assert world.room().stream.last > last
    assert others > 5
    world.advance(1000)
    assert all(job.turn == redact(job.turn, job.seat) for job, _ in slow.jobs)
    assert all(job.turn.seat == job.seat for job, _ in slow.jobs)
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []


def test_what_a_bot_thinks_about_is_given_up_with_its_game() -> None:
    world, ann, slow, _ = thinking()
    ann.ok("abort")
    assert slow.dropped == 1
    ann.ok("rematch")
    last = world.room().stream.last
    world.clock.settle()
    world.advance(299)
    assert world.room().stream.last == last


def test_an_answer_that_waits_for_the_store_while_its_game_ends_is_no_move_of_the_next() -> None:
    store = LateStore()
    world, ann, slow, question = thinking(store=store)
    store.late = True
    ann.hear("abort")
    slow.jobs[0][1].callback(question.default)
    world.advance(300)
    ann.hear("rematch")
    store.late = False
    store.release()
    table = world.room().table
    assert table.match is not None
    assert table.match.turn == 1


def test_a_bot_is_asked_again_after_a_pause_and_not_during_it() -> None:
    world, ann, slow, question = thinking()
    ann.ok("pause")
    assert slow.dropped == 1
    world.advance(60_000)
    assert asked(world) is question
    ann.ok("unpause")
    world.clock.settle()
    slow.jobs[1][1].callback(question.default)
    world.advance(300)
    assert asked(world) is not question


# ------------------------------------------------------------------- nobody is there


def test_no_bot_plays_on_after_everybody_went_and_it_goes_on_when_somebody_is_back() -> None:
    world, ann, slow, question = thinking()
    ann.drop()
    assert slow.dropped == 1
    world.advance(1_000_000)
    assert asked(world) is question
    again = world.program()
    again.ok(f"resume {ann.token}")
    world.clock.settle()
    slow.jobs[1][1].callback(question.default)
    world.advance(300)
    assert asked(world) is not question


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_no_bot_plays_on_while_it_is_being_kept_that_everybody_went(level: str) -> None:
    store = LateStore()
    world = World(store, pause=400)
    world.host.tables.bot_workers = Lost()
    ann = world.person("ann")
    ann.say(f"practice bots=2 level={level} seed=1")
    while (seat := world.room().table.on_turn) is not None and not seat.level:
        ann.say(f"move {asked(world).default}")
    question = asked(world)
    store.late = True
    ann.drop()
    world.advance(5_000)  # its move is given to the table, and waits behind what is being kept
    store.late = False
    store.release()
    world.advance(60_000)
    assert asked(world) is question


def test_nobody_sits_down_at_a_table_that_everybody_has_left() -> None:
    world, ann, slow, _ = thinking()
    room = world.room()
    last = room.stream.last
    ann.ok("leave t1")
    after = [entry.event.word.word for entry in room.stream.after(last)]
    assert after[0] == "LEFT"
    assert "JOINED" not in after
    assert after[-2:] == ["ABORTED", "SHUT"]
    assert (dict(world.host.rooms), room.table.people, slow.dropped) == ({}, (), 1)


def test_a_table_that_closes_while_its_bot_thinks_leaves_nothing_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world, ann, slow, _ = thinking()
    room = ref(world.room())
    before = slow.jobs[0][1]
    ann.ok("leave t1")
    ann.ok("practice bots=1 level=easy")
    assert (slow.dropped, before.called, room()) == (1, True, None)
    world.advance(100_000)
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []


def test_nobody_thinks_any_more_when_the_server_stops() -> None:
    world, _, slow, _ = thinking()
    world.host.tables.halt()
    assert slow.dropped == 1
    world.advance(100_000)
    assert len(slow.jobs) == 1


# ------------------------------------------------------------------- answers that fail


@pytest.mark.parametrize("workers", [Lost, Broken])
def test_an_answer_that_is_lost_costs_a_quick_bots_move_at_the_usual_time(
    workers: type[Slow], quiet: None
) -> None:
    world, _, _, question = thinking(workers())
    world.advance(299)
    assert asked(world) is question
    world.advance(1)
    assert asked(world) is not question


def test_an_answer_that_does_not_come_is_given_up_and_a_quick_bot_plays() -> None:
    world, _, slow, question = thinking()
    world.advance(world.host.tables.think_timeout - 1)
    assert (asked(world) is question, slow.dropped) == (True, 0)
    world.advance(1)
    assert (asked(world) is question, slow.dropped) == (False, 1)


def test_an_answer_that_is_no_legal_move_is_the_default(quiet: None) -> None:
    world, _, slow, question = thinking()
    slow.jobs[0][1].callback("nonsense")
    world.advance(300)
    assert asked(world) is not question


# ------------------------------------------------------------------- hints


@pytest.mark.parametrize("what", ["move {default}", "abort", "leave t1"])
def test_a_hint_that_its_turn_does_not_wait_for_is_given_up_and_answered(what: str) -> None:
    world, slow = World(), Slow()
    world.host.tables.bot_workers = slow
    ann = world.program("ann")
    ann.ok("practice bots=2 level=easy")
    for _ in range(20):
        if asked(world).seat == 1:
            break
        world.advance(100)
    ann.hear("@h hint")
    ann.lines.clear()
    ann.hear(what.format(default=asked(world).default))
    assert slow.dropped == 1
    (reply,) = [r for r in ann.records() if r.id == "h"]
    assert (reply.word, reply.fields["code"]) == ("ERR", "BUSY")
